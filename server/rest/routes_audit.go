package rest

import (
	"net/http"
	"slices"
	"strings"

	"guardrails/guideline"
	"guardrails/server/access"
	"guardrails/server/rest/query"
	"guardrails/store"
)

const auditPage = 50

func auditRoutes() []route {
	return []route{
		{
			method: http.MethodGet, path: base + "/audit", name: "list_audit", role: access.Read,
			summary: "List entries of the audit", about: "The newest entries come first.",
			parameters: slices.Concat(auditFilters(), pages(auditPage)), serve: (*call).audit,
			answers: []answer{{status: http.StatusOK, about: "One page", schema: "AuditList", types: []string{typeJSON}}},
		},
		{
			method: http.MethodPost, path: base + "/audit/entries", name: "add_decisions", role: access.Decide,
			summary: "Add decisions of hooks to the audit",
			about: "If the settings of a computer name this server, the computer sends the decisions of its hooks with this " +
				"request. The actor of each entry is the name of the token. An entry that the audit already has is not added " +
				"again, so a request can be repeated.",
			body: &body{schema: "Decisions", most: maxMany}, serve: (*call).addDecisions,
			answers: []answer{{
				status: http.StatusOK, about: "The audit has all of the decisions", schema: "AddedDecisions",
				types: []string{typeJSON},
			}},
		},
		{
			method: http.MethodGet, path: base + "/audit/export", name: "export_audit", role: access.Read,
			summary: "Export the audit",
			about: "Sends all entries that match the filter, oldest first. In JSON, each line is exactly the text that was " +
				"hashed. In CSV, a cell that a spreadsheet could take " +
				"for a formula begins with an apostrophe. If the export fails in the middle, the connection breaks.",
			parameters: append(auditFilters(), query.Parameter{
				Name: "format", Kind: query.Choice, Choices: []string{formatLines, formatCSV}, Standard: formatLines,
				About: "Lines of JSON, or rows for a spreadsheet",
			}), limit: unlimited, serve: (*call).exportAudit,
			answers: []answer{{
				http.StatusOK, "The entries", "AuditEntry",
				[]string{typeLines, typeCSV},
				[]header{fileHeader()},
			}},
		},
		{
			method: http.MethodGet, path: base + "/audit/heads", name: "audit_heads", role: access.Read,
			summary: "Get the heads of the audit",
			about: "Returns the heads: the newest entry of each chain, as the server noted it outside of the store. " +
				"Also returns the keys that sign these notes. Keep the answer in another place: later, " +
				"`guardrails audit verify --heads` compares the audit with this answer.",
			serve: (*call).heads,
			answers: []answer{{
				status: http.StatusOK, about: "The heads", schema: "AuditHeads", types: []string{typeJSON},
			}},
		},
		{
			method: http.MethodGet, path: base + "/audit/verify", name: "verify_audit", role: access.Admin,
			summary: "Verify the audit",
			about: "Reads all changes, all decisions since the last verification that found no damage, and a part of the earlier " +
				"decisions: a 30th of each chain, but at least 10,000 entries. " +
				"Compares them with the heads that the server noted outside of the store. A long verification notes its " +
				"progress. If it does not end within ten minutes, the answer is 503. Send the request again, and the " +
				"verification continues where it stopped. A verification with `full` always begins from the start. At any moment, " +
				"the server answers at most one such request of each tenant, and at most four in total.",
			parameters: []query.Parameter{{
				Name: "full", Kind: query.Flag, Standard: "false", About: "Read every entry, including those that were verified before",
			}},
			limit: verifyTime, serve: (*call).verify,
			answers: []answer{{
				status: http.StatusOK, about: "The result for each chain", schema: "Verification",
				types: []string{typeJSON},
			}},
		},
		{
			method: http.MethodGet, path: base + "/audit/entries/" + idSegment, idAbout: "The id of the entry.", name: "get_audit_entry",
			role: access.Read, summary: "Get an entry of the audit", serve: (*call).auditEntry,
			answers: []answer{{status: http.StatusOK, about: "The entry", schema: "AuditEntry", types: []string{typeJSON}}},
		},
	}
}

// auditFilters returns a parameter for each filter of audit entries.
func auditFilters() []query.Parameter {
	var out []query.Parameter
	for _, f := range store.AuditFields() {
		p := query.Parameter{Name: f.Name, Other: f.Other, Kind: query.Text, High: store.MaxName, About: "Only entries " + f.About}
		switch {
		case len(f.Values) > 0:
			p.Kind, p.Choices = query.Choice, f.Values
		case f.Name == store.AuditTo:
			p.Kind = query.LastDay
		case f.IsTime:
			p.Kind = query.Day
		}
		out = append(out, p)
	}
	return out
}

func questionRoutes() []route {
	return []route{
		{
			method: http.MethodPost, path: base + "/evaluate", name: "evaluate_context", role: access.Decide,
			summary: "Evaluate a task", about: "Returns the guidelines that apply to a task, as `guardrails_get_context` " +
				"does: the guidelines of the token's tenant, and the guidelines of the server's own folder.",
			body: &body{schema: "TaskContext", most: maxOne}, serve: (*call).evaluate,
			answers: []answer{{
				status: http.StatusOK, about: "The guidelines that apply", schema: "EvaluatedContext",
				types: []string{typeJSON},
			}},
		},
		{
			method: http.MethodPost, path: base + "/explain", name: "explain_context", role: access.Read,
			summary: "Explain why guidelines apply to a task or not", body: &body{schema: "TaskContext", most: maxOne},
			serve: (*call).explain,
			answers: []answer{{
				status: http.StatusOK, about: "Each guideline with the field that decided", schema: "Explanation",
				types: []string{typeJSON},
			}},
		},
		{
			method: http.MethodPost, path: base + "/explain-call", name: "explain_call", role: access.Read,
			summary: "Say what a tool call would do, and whether it is allowed",
			about: "The answer contains the effects of the call, the decision, the guideline that decides, why, and what may " +
				"be done instead. The call does not run.",
			body: &body{schema: "ToolCall", most: maxOne}, serve: (*call).explainCall,
			answers: []answer{{
				status: http.StatusOK, about: "The decision, and what it is based on", schema: "CallVerdict",
				types: []string{typeJSON},
			}},
		},
	}
}

// known() returns all query parameters of a route, including tenantParameter.
func (r *route) known() []query.Parameter {
	return append(slices.Clip(r.parameters), query.Parameter{
		Name: tenantParameter, Kind: query.Text, High: guideline.MaxIDLength,
		About: "The tenant that the caller expects. If it is not the token's tenant, the request is refused",
	})
}

// refusals() returns the status codes of the failed requests of a route.
func (r *route) refusals() []int {
	out := []int{
		http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotAcceptable,
		http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusServiceUnavailable,
	}
	if r.body != nil {
		out = append(out, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	}
	if r.usesHeader(headerMatch) {
		out = append(out, http.StatusPreconditionFailed)
	}
	if r.role >= access.Write && r.method != http.MethodGet {
		out = append(out, http.StatusConflict)
	}
	if r.idAbout != "" || len(words([]route{*r})) == 0 && r.path != base && r.path != documentPath {
		out = append(out, http.StatusNotFound)
	}
	if strings.HasPrefix(r.path, one) { // with a fixed word in place of the id, the path belongs to another route
		out = append(out, http.StatusMethodNotAllowed)
	}
	slices.Sort(out)
	return out
}
