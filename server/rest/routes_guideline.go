package rest

import (
	"net/http"
	"strconv"

	"guardrails/server/access"
	"guardrails/store"
)

const one = base + "/" + idSegment

func guidelineRoutes() []route {
	shown := []answer{{http.StatusOK, "The guideline as it is now", "Guideline", []string{typeJSON}, []header{etagHeader()}}}
	return []route{
		{
			method: http.MethodGet, path: one, name: "get_guideline", role: access.Read,
			summary: "Get a guideline", headers: []header{{headerNone, "The ETag that the caller has: the answer is 304 when it still holds", ""}}, serve: (*call).get,
			answers: append(shown, answer{status: http.StatusNotModified, about: "The caller has it as it is", headers: []header{etagHeader()}}),
		},
		{
			method: http.MethodPut, path: one, name: "update_guideline", role: access.Write,
			summary: "Update a guideline",
			about:   "Fields that are missing or null stay as they are; `condition`, `action` and `metadata` are replaced whole. " + versionNeeded,
			headers: []header{matchHeader(), keyHeader()}, body: &body{schema: "GuidelineUpdate", most: maxOne}, serve: (*call).update, answers: shown,
		},
		{
			method: http.MethodDelete, path: one, name: "delete_guideline", role: access.Write,
			summary: "Delete a guideline", about: "Its history stays, and it can be restored. " + versionMatters,
			parameters: []parameter{{name: "version", kind: number, low: 1, high: maxVersion, about: "The version that the caller saw"}},
			headers:    []header{matchHeader(), keyHeader()}, serve: (*call).remove,
			answers: []answer{{status: http.StatusOK, about: "It is deleted; the version is that of the deletion", schema: "Deleted", types: []string{typeJSON}}},
		},
		{
			method: http.MethodPost, path: one + "/toggle", name: "toggle_guideline", role: access.Write,
			summary: "Switch a guideline on or off", about: "The body may be missing. " + versionMatters,
			headers: []header{matchHeader(), keyHeader()}, body: &body{schema: "GuidelineToggle", most: maxOne, optional: true}, serve: (*call).toggle, answers: shown,
		},
		{
			method: http.MethodGet, path: one + "/history", name: "get_history", role: access.Read,
			summary: "List the versions of a guideline", about: "The newest comes first. Those of a deleted guideline are listed too.",
			parameters: pages(store.DefaultPageSize), serve: (*call).history,
			answers: []answer{{status: http.StatusOK, about: "One page", schema: "History", types: []string{typeJSON}}},
		},
		{
			method: http.MethodPost, path: one + "/restore", name: "restore_guideline", role: access.Write,
			summary: "Restore an earlier version", about: "Its content becomes the newest version. A deleted guideline exists again then. " + versionNeeded,
			headers: []header{matchHeader(), keyHeader()}, body: &body{schema: "GuidelineRestore", most: maxOne}, serve: (*call).restore, answers: shown,
		},
	}
}

const (
	versionNeeded = "The version that the caller saw is needed, as `version` or as `If-Match`. If the guideline has another one by now, the answer is 409, or 412 to " +
		"`If-Match`, with `current_version`. `If-Match: *` takes whichever version there is."
	versionMatters = "With the version that the caller saw, as `version` or as `If-Match`, nothing happens when the guideline has another one by now: the answer is 409, or " +
		"412 to `If-Match`, with `current_version`. Without one, whichever there is will do."
)

func keyHeader() header {
	return header{headerKey, "A name for this change, of 8 to 64 letters, digits, hyphens and underscores: repeated with it, the change happens once and the first answer is given again", `^("[A-Za-z0-9_-]{8,64}"|[A-Za-z0-9_-]{8,64})$`}
}

func matchHeader() header {
	return header{headerMatch, "The ETag of the version that the caller saw, or * for whichever there is", `^(\*|` + tagPattern + `)$`}
}

func etagHeader() header {
	return header{"ETag", "The guideline's version in quotation marks", `^"[1-9][0-9]*"$`}
}

func locationHeader() header {
	return header{"Location", "Where the guideline is", "^" + base + "/"}
}

func fileHeader() header {
	return header{"Content-Disposition", "The name of the file", "^attachment; filename="}
}

func decimal(n int) string { return strconv.Itoa(n) }

func names[T ~string](values ...T) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}
