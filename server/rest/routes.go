package rest

import (
	"net/http"
	"slices"

	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/server/access"
	"guardrails/store"
)

// Where things are.
const (
	base         = "/api/guardrails"
	documentPath = "/api/openapi.json"
)

// How large bodies are.
const (
	maxOne  = 1 << 20
	maxMany = document.MaxSize
)

// routes is the table. Paths with words stand before those with an id.
func routes() []route {
	return slices.Concat(collectionRoutes(), overviewRoutes(), auditRoutes(), questionRoutes(), guidelineRoutes(), []route{{
		method: http.MethodGet, path: documentPath, name: "get_document", role: access.Read,
		summary: "Give this document", serve: (*call).describe,
		answers: []answer{{status: http.StatusOK, about: "The document, in OpenAPI 3.1", schema: "Document", types: []string{typeJSON}}},
	}})
}

func collectionRoutes() []route {
	return []route{
		{
			method: http.MethodGet, path: base, name: "list_guidelines", role: access.Read,
			summary: "List guidelines", about: "Those that pass every filter that is given. The order is the same each time: equal ones are ordered by id.",
			parameters: slices.Concat(filters(), pages(store.DefaultPageSize)), serve: (*call).list,
			answers: []answer{{status: http.StatusOK, about: "One page", schema: "GuidelineList", types: []string{typeJSON}}},
		},
		{
			method: http.MethodPost, path: base, name: "create_guideline", role: access.Write,
			summary: "Create a guideline", headers: []header{keyHeader()}, body: &body{schema: "GuidelineCreate", most: maxOne}, serve: (*call).create,
			answers: []answer{{http.StatusCreated, "The new guideline", "Guideline", []string{typeJSON}, []header{etagHeader(), locationHeader()}}},
		},
		{
			method: http.MethodPost, path: base + "/import", name: "import_guidelines", role: access.Admin,
			summary:    "Import guidelines",
			about:      "All of them are taken in, or none. A dry run answers what would happen with each of them and changes nothing; that some would fail is no failure of it.",
			parameters: importParameters(), headers: []header{keyHeader()}, body: &body{schema: "GuidelineImport", most: maxMany}, serve: (*call).importAll,
			answers: []answer{{status: http.StatusOK, about: "What became of each, in their order", schema: "ImportResult", types: []string{typeJSON}}},
		},
		{
			method: http.MethodGet, path: base + "/export", name: "export_guidelines", role: access.Read,
			summary: "Export guidelines", about: "All of them or those of one category, by id.",
			parameters: []parameter{categoryParameter(), {
				name: "format", kind: choice, choices: []string{formatJSON, formatYAML}, standard: formatJSON, about: "A list that an import takes, or a file for .claude/guardrails",
			}},
			serve: (*call).export, answers: []answer{{http.StatusOK, "The guidelines", "GuidelineExport", []string{typeJSON, typeYAML}, []header{fileHeader()}}},
		},
	}
}

func overviewRoutes() []route {
	return []route{
		{
			method: http.MethodGet, path: base + "/stats", name: "get_stats", role: access.Read,
			summary: "Count guidelines and audit entries", serve: (*call).stats,
			answers: []answer{{status: http.StatusOK, about: "The numbers", schema: "Stats", types: []string{typeJSON}}},
		},
		{
			method: http.MethodGet, path: base + "/events", name: "follow_events", role: access.Read,
			summary: "Follow what happens",
			about: "Server-sent events: `ready` when it begins, `guideline_changed`, `guidelines_imported`, `guidelines_reread` when another process changed something, and " +
				"`decision_made`. Their data is an `Event`. A caller that does not keep up misses events, so they are for showing, not for counting; what happened " +
				"stands in the audit. The answer ends after ten minutes, and when the server ends: ask again then.",
			serve:   (*call).events,
			answers: []answer{{status: http.StatusOK, about: "Events as they happen", types: []string{typeEvents}}},
		},
	}
}

func filters() []parameter {
	return []parameter{
		categoryParameter(),
		{name: "enabled", kind: flag, about: "Those that are switched on, or off"},
		word("agent", "Those whose condition names this agent"),
		word("domain", "Those whose condition names this domain"),
		word("action", "Those whose condition names this action"),
		word("event", "Those whose condition names this event"),
		word("tag", "Those that have this among the tags in their metadata"),
		{name: "search", kind: text, high: store.MaxSearch, about: "Words that all occur in the name or description"},
		{name: "sort", kind: choice, choices: names(store.ByPriority, store.ByName, store.ByCategory, store.ByUpdated), standard: string(store.ByPriority), about: "What to order by"},
		{name: "order", kind: choice, choices: names(store.Ascending, store.Descending), about: "The direction; unset, the highest priority or the newest comes first, and names go from a to z"},
	}
}

func categoryParameter() parameter {
	return parameter{name: "category", kind: choice, choices: names(guideline.Categories()...), about: "Those of this category"}
}

func word(name, about string) parameter {
	return parameter{name: name, kind: text, high: guideline.MaxNameLength, about: about}
}

func pages(size int) []parameter {
	return []parameter{
		{name: "page", kind: number, low: 1, high: maxVersion, standard: "1", about: "Which page"},
		{name: "page_size", kind: number, low: 1, high: store.MaxPageSize, standard: decimal(size), about: "How many are on a page"},
	}
}

func importParameters() []parameter {
	return []parameter{
		{name: "dry_run", kind: flag, standard: "false", about: "Only say what would happen"},
		{
			name: "on_conflict", kind: choice, choices: names(store.FailOnConflict, store.SkipOnConflict, store.UpdateOnConflict), standard: string(store.FailOnConflict),
			about: "What becomes of a guideline whose id exists: the import fails, it is skipped, or it gets the new content",
		},
	}
}
