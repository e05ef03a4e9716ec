package rest

import (
	"net/http"
	"slices"

	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/server/access"
	"guardrails/server/rest/query"
	"guardrails/store"
)

// Base is the path of the guidelines.
const Base = "/api/guardrails"

// ReadsByPost returns the paths below Base whose requests change nothing. They use POST because their content is too
// long for a path.
func ReadsByPost() []string {
	return []string{
		"detect/hyperfocus", "detect/rumination", "detect/sycophancy", "detect/tool-loop",
		"evaluate", "explain", "explain-call", "lint", "preview", "replay", "test-condition", "test-paths", "test-tools",
		"policies/test", "policies/validate",
	}
}

// PacedInside returns paths below Base. For these paths, the body of a request says how many changes the request makes.
// A dry run makes none. Otherwise, each decision counts as one change. Only the handler reads the body, so the handler
// itself limits the changes of a caller.
func PacedInside() []string { return []string{"audit/entries", "check/message", "check/response"} }

const (
	base         = Base
	documentPath = "/api/openapi.json"
)

// The largest sizes of request bodies.
const (
	maxOne  = 1 << 20
	maxMany = document.MaxSize
)

// routes() returns the table of all routes. A path with a fixed word comes before the path with an id in the same
// place.
func routes() []route {
	return slices.Concat(collectionRoutes(), overviewRoutes(), auditRoutes(), questionRoutes(), checkRoutes(),
		policyRoutes(), webhookRoutes(), tryRoutes(), replayRoutes(), pageRoutes(), adminRoutes(), guidelineRoutes(), sessionRoutes(),
		[]route{{
			method: http.MethodGet, path: documentPath, name: "get_document", role: access.Read,
			summary: "Get this document", serve: (*call).describe,
			answers: []answer{{
				status: http.StatusOK, about: "The document, in OpenAPI 3.1", schema: "Document",
				types: []string{typeJSON},
			}},
		}})
}

func collectionRoutes() []route {
	return []route{
		{
			method: http.MethodGet, path: base, name: "list_guidelines", role: access.Read,
			summary: "List guidelines", about: "Returns the guidelines that match all given filters. Guidelines with equal " +
				"sort keys are sorted by id.",
			parameters: slices.Concat(filters(), sorting(), pages(store.DefaultPageSize)), serve: (*call).list,
			answers: []answer{{status: http.StatusOK, about: "One page", schema: "GuidelineList", types: []string{typeJSON}}},
		},
		{
			method: http.MethodPost, path: base, name: "create_guideline", role: access.Write,
			summary: "Create a guideline", headers: []header{keyHeader()}, body: &body{schema: "GuidelineCreate", most: maxOne},
			serve: (*call).create,
			answers: []answer{{
				http.StatusCreated, "The new guideline", "Guideline",
				[]string{typeJSON},
				[]header{etagHeader(), locationHeader()},
			}},
		},
		{
			method: http.MethodPost, path: base + "/import", name: "import_guidelines", role: access.Admin,
			summary: "Import guidelines",
			about: "Imports all guidelines in the body, or none. The body is a JSON list or a YAML guideline file. A dry run changes " +
				"nothing and reports what would happen to each guideline, and which fields of existing guidelines would change. A dry " +
				"run succeeds even if some guidelines would fail.",
			parameters: importParameters(), headers: []header{keyHeader()},
			body: &body{schema: "GuidelineImport", most: maxMany, yaml: true}, limit: importTime, serve: (*call).importAll,
			answers: []answer{{
				status: http.StatusOK, about: "The result for each guideline, in the order of the request",
				schema: "ImportResult", types: []string{typeJSON},
			}},
		},
		{
			method: http.MethodGet, path: base + "/export", name: "export_guidelines", role: access.Read,
			summary: "Export guidelines", about: "Exports the guidelines that match all given filters, sorted by id.",
			parameters: append(filters(), query.Parameter{
				Name: "id", Kind: query.Text, High: maxIDs,
				About: "Only the guidelines with these ids, separated by commas. `ID` selects the guidelines with this id in " +
					"every project, `PROJECT/ID` selects the guideline of one project, and `/ID` selects the guideline for all projects",
			}, query.Parameter{
				Name: "format", Kind: query.Choice, Choices: []string{formatJSON, formatYAML}, Standard: formatJSON,
				About: "The format json is a list for an import. The format yaml is a file for .claude/guardrails",
			}),
			serve: (*call).export, answers: []answer{{
				http.StatusOK, "The guidelines", "GuidelineExport",
				[]string{typeJSON, typeYAML},
				[]header{fileHeader()},
			}},
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
			summary: "Follow events",
			about: "Sends server-sent events: `ready` at the beginning, `guideline_changed`, `guidelines_imported`, " +
				"`guidelines_reread` (another process changed something), and " +
				"`decision_made`. The data of each event is an `Event`. Each event has an id. A caller that sends the id of the " +
				"last event as `Last-Event-ID` gets the events since then. If the caller was away for too long " +
				"or reads too slowly, the event `gap` says how many events the caller missed, if their number is known. Read " +
				"the guidelines and the audit again after a `gap`. " +
				"The stream ends after ten minutes, when the token is revoked, or when the server ends.",
			headers: []header{lastHeader()},
			limit:   unlimited, serve: (*call).events,
			answers: []answer{{status: http.StatusOK, about: "Events as they happen", types: []string{typeEvents}}},
		},
	}
}

func filters() []query.Parameter {
	return []query.Parameter{
		categoryParameter(),
		{Name: "enabled", Kind: query.Flag, About: "Only enabled or only disabled guidelines"},
		word("agent", "Guidelines whose condition names this agent"),
		word("domain", "Guidelines whose condition names this domain"),
		word("action", "Guidelines whose condition names this action"),
		word("event", "Guidelines whose condition names this event"),
		word("tag", "Guidelines with this tag in their metadata"),
		listedProject(),
		{Name: "priority_from", Kind: query.Number, High: guideline.MaxPriority, About: "Guidelines with this priority or a higher one"},
		{Name: "priority_below", Kind: query.Number, High: guideline.MaxPriority, About: "Guidelines with a lower priority"},
		{Name: "search", Kind: query.Text, High: store.MaxSearch, About: "Guidelines with all these words in name or description"},
	}
}

// maxIDs is the largest number of characters in a list of ids in a query.
const maxIDs = 8000

func sorting() []query.Parameter {
	return []query.Parameter{
		{
			Name: "sort", Kind: query.Choice, Choices: names(store.ByPriority, store.ByName, store.ByCategory, store.ByUpdated),
			Standard: string(store.ByPriority), About: "The sort key",
		},
		{
			Name: "order", Kind: query.Choice, Choices: names(store.Ascending, store.Descending),
			About: "The direction. By default, the highest priority or the newest change comes first, and names and categories " +
				"are in alphabetical order",
		},
	}
}

// listedProject returns the project parameter of the routes that return lists.
func listedProject() query.Parameter {
	return query.Parameter{
		Name: projectParameter, Kind: query.Text, High: guideline.MaxProjectID,
		About: "Only guidelines of this project, such as `github.com/acme/shop`. The empty value selects the guidelines that " +
			"belong to all projects. Without the parameter, every guideline is selected",
	}
}

// ownProject returns the project parameter of the routes for one guideline.
func ownProject() query.Parameter {
	return projectOf("The project that the guideline belongs to. Leave it out if the guideline belongs to all projects")
}

// projectOf returns the project parameter with a description.
func projectOf(about string) query.Parameter {
	return query.Parameter{Name: projectParameter, Kind: query.Text, High: guideline.MaxProjectID, About: about}
}

func categoryParameter() query.Parameter {
	return query.Parameter{
		Name: "category", Kind: query.Choice, Choices: names(guideline.Categories()...),
		About: "Guidelines of this category",
	}
}

func word(name, about string) query.Parameter {
	return query.Parameter{Name: name, Kind: query.Text, High: guideline.MaxNameLength, About: about}
}

func pages(size int) []query.Parameter {
	return []query.Parameter{
		{
			Name: "page", Kind: query.Number, Low: 1, High: maxVersion, Standard: "1",
			About: "The number of the page. Only the first " + decimal(store.MaxNumbered) + " items have page numbers",
		},
		{
			Name: "page_size", Kind: query.Number, Low: 1, High: store.MaxPageSize, Standard: decimal(size),
			About: "The number of items on a page",
		},
		{
			Name: query.Cursor, Kind: query.Text, High: store.MaxCursor,
			About: "The `next_cursor` of the page before. Give it instead of a page number, with the same filters and the same order",
		},
	}
}

func importParameters() []query.Parameter {
	return []query.Parameter{
		{Name: "dry_run", Kind: query.Flag, Standard: "false", About: "Only report what would happen"},
		{
			Name: "on_conflict", Kind: query.Choice, Choices: names(store.FailOnConflict, store.SkipOnConflict,
				store.UpdateOnConflict), Standard: string(store.FailOnConflict),
			About: "What happens if the id of a guideline already exists: the import fails, this guideline is skipped, or the " +
				"existing guideline is updated",
		},
	}
}
