package rest

import (
	"net/http"
	"slices"

	"guardrails/server/access"
	"guardrails/server/rest/query"
	"guardrails/store"
)

// pageRoutes returns the routes that a page needs to fill its screens.
func pageRoutes() []route {
	answers := func(about, schema string) []answer {
		return []answer{{status: http.StatusOK, about: about, schema: schema, types: []string{typeJSON}}}
	}
	const bounded = " The answer counts the newest entries of the period, about 50,000 at most. If there are more, `complete` " +
		"is false, and `from` is the time of the oldest entry that was read. "
	return []route{
		{
			method: http.MethodGet, path: base + "/vocabularies", name: "list_vocabularies", role: access.Read,
			summary: "List the names that guidelines can use",
			about: "Returns fixed values with their meanings, such as events, categories, types of actions and the parameters " +
				"of actions. Also returns agents, domains, actions, gate types, tags, tools and projects. For each of these " +
				"names, the answer says where the name occurs: in the guidelines, in the newest 2,000 decisions of the audit, in " +
				"the settings of the server's own tenant, or in the program itself.",
			serve: (*call).vocabularies, answers: answers("The names", "Vocabularies"),
		},
		{
			method: http.MethodGet, path: base + "/packs", name: "list_packs", role: access.Read,
			summary: "List the built-in packs",
			about: "Each guideline of a pack has a state: `installed` if the store has no copy of it, `same` if the copy has " +
				"the text of the pack, `outdated` if the copy has an older text, `changed` if somebody changed the copy and the " +
				"copy is enabled, and `off` if somebody changed the copy and the copy is disabled. Without `project_id`, all " +
				"copies are compared. With `project_id`, the copies for this project and the copies for all projects are compared.",
			parameters: []query.Parameter{projectOf("Compare only the copies for this project and the copies for all projects")},
			serve:      (*call).packs, answers: answers("The packs", "PackList"),
		},
		{
			method: http.MethodPost, path: base + "/packs", name: "update_packs", role: access.Write,
			summary: "Update the copies of pack guidelines",
			about: "Replaces the text of copies in the store with the text of the installed pack. Two kinds of copies get the " +
				"new text: outdated copies that nobody changed, and changed copies whose ids are in `take`. If the pack no " +
				"longer contains the guideline, the copy is deleted instead. A dry run changes nothing. An update can be undone, " +
				"because the history keeps the replaced texts.",
			parameters: []query.Parameter{projectOf("The project of the changed copies in `take`. Leave it out for the copies that " +
				"belong to all projects")},
			body:  &body{schema: "PackUpdateRequest", most: maxOne},
			serve: (*call).updatePacks, answers: answers("What was done", "PackUpdate"),
		},
		{
			method: http.MethodGet, path: base + "/summary", name: "summarize_decisions", role: access.Read,
			summary: "Count decisions over time", about: "Counts decisions by result, event, guideline, agent and tool." + bounded +
				"To count the earlier entries, send `next_cursor` as `cursor`. The next answer has the same period and begins " +
				"exactly where this answer stopped, so the sum of all answers has each entry once. But each of the lists " +
				"`guidelines`, `agents` and `tools` has only the 50 most frequent names of its answer, so the sum for a name can " +
				"be too low.",
			parameters: append(spanParameters(), query.Parameter{
				Name: "bucket", Kind: query.Choice, Choices: []string{byHour, byDay}, Standard: byHour,
				About: "How the period is divided; hours and days are in UTC",
			}, query.Parameter{
				Name: query.Cursor, Kind: query.Text, High: store.MaxCursor,
				About: "The `next_cursor` of an answer that was not complete. Give it with the same filters and the same `bucket`",
			}),
			serve: (*call).summary, answers: answers("The numbers", "Summary"),
		},
		{
			method: http.MethodGet, path: base + "/sessions", name: "list_sessions", role: access.Read,
			summary: "List the sessions of agents",
			about: "Returns the sessions that have decisions in the period. Sessions with the newest decisions come first. " +
				"With a cursor, the period of the first page applies. Decisions that were added after the first page do not " +
				"count, unless the audit has more than five chains of decisions: a cursor cannot hold the ends of so many " +
				"chains. The entries of one session are in the audit: `/audit?session=ID`." + bounded + "The pages first list " +
				"all sessions of these newest entries. After that, `next_cursor` leads to the sessions of older entries, again " +
				"about 50,000 at most. On the pages of the older entries, `total` is the number of sessions in the older " +
				"entries. If a session has newer and older entries, it is listed twice: once with its newer entries, and once " +
				"with its older entries. A page can be empty. Only a page without `next_cursor` is the last one.",
			parameters: slices.Concat(spanParameters(),
				[]query.Parameter{word("agent", "Only decisions about calls of this agent")}, pages(usualSessions)),
			serve: (*call).sessions, answers: answers("The sessions", "SessionList"),
		},
	}
}

// spanParameters returns the parameters that every summary has.
func spanParameters() []query.Parameter {
	return slices.DeleteFunc(auditFilters(), func(p query.Parameter) bool {
		return !slices.Contains([]string{"project", "session", store.AuditFrom, store.AuditTo}, p.Name)
	})
}
