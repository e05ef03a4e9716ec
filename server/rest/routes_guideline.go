package rest

import (
	"net/http"
	"strconv"

	"guardrails/server/access"
	"guardrails/server/rest/query"
	"guardrails/store"
)

const one = base + "/" + idSegment

func guidelineRoutes() []route {
	shown := []answer{{
		http.StatusOK, "The guideline as it is now", "Guideline",
		[]string{typeJSON},
		[]header{etagHeader()},
	}}
	return []route{
		{
			method: http.MethodGet, path: one, name: "get_guideline", role: access.Read,
			summary: "Get a guideline", headers: []header{{
				headerNone,
				"The ETag that the caller has; if it is still current, the answer is 304", "",
			}}, parameters: []query.Parameter{ownProject()}, serve: (*call).get,
			answers: append(shown, answer{
				status: http.StatusNotModified, about: "The caller has the current version",
				headers: []header{etagHeader()},
			}),
		},
		{
			method: http.MethodPut, path: one, name: "update_guideline", role: access.Write,
			summary: "Update a guideline",
			about: "Fields that are missing or null keep their values; `condition`, `action` and `metadata` are " +
				"replaced as a whole. An update without a change makes no new version, and the answer has `unchanged`. " +
				versionNeeded,
			parameters: []query.Parameter{ownProject()},
			headers:    []header{matchHeader(), keyHeader()}, body: &body{schema: "GuidelineUpdate", most: maxOne},
			serve: (*call).update, answers: shown,
		},
		{
			method: http.MethodDelete, path: one, name: "delete_guideline", role: access.Write,
			summary: "Delete a guideline", about: "The history stays, so the guideline can be restored. " + versionMatters,
			parameters: []query.Parameter{ownProject(), {
				Name: "version", Kind: query.Number, Low: 1, High: maxVersion,
				About: "The version that the caller saw",
			}},
			headers: []header{matchHeader(), keyHeader()}, serve: (*call).remove,
			answers: []answer{{
				status: http.StatusOK, about: "The guideline is deleted. The answer has the version of the deletion",
				schema: "Deleted", types: []string{typeJSON},
			}},
		},
		{
			method: http.MethodPost, path: one + "/toggle", name: "toggle_guideline", role: access.Write,
			parameters: []query.Parameter{ownProject()},
			summary:    "Enable or disable a guideline", about: "The body is optional. " + versionMatters,
			headers: []header{matchHeader(), keyHeader()}, body: &body{schema: "GuidelineToggle", most: maxOne, optional: true},
			serve: (*call).toggle, answers: shown,
		},
		{
			method: http.MethodGet, path: one + "/history", name: "get_history", role: access.Read,
			summary:    "List the versions of a guideline",
			about:      "The newest versions come first. The versions of a deleted guideline are listed, too.",
			parameters: append(pages(store.DefaultPageSize), ownProject()), serve: (*call).history,
			answers: []answer{{status: http.StatusOK, about: "One page", schema: "History", types: []string{typeJSON}}},
		},
		{
			method: http.MethodPost, path: one + "/restore", name: "restore_guideline", role: access.Write,
			parameters: []query.Parameter{ownProject()},
			summary:    "Restore an earlier version", about: "Saves the content of an earlier version as a new version. " +
				"This also brings back a deleted guideline. " + versionNeeded,
			headers: []header{matchHeader(), keyHeader()}, body: &body{schema: "GuidelineRestore", most: maxOne},
			serve: (*call).restore, answers: shown,
		},
	}
}

const (
	versionNeeded = "Give the version that you saw, as `version` or as `If-Match`. If it is no longer the current version, " +
		"the answer is 409, or 412 for `If-Match`, with `current_version`. `If-Match: *` accepts any version."
	versionMatters = "You can give the version that you saw, as `version` or as `If-Match`. If it is no longer the current " +
		"version, nothing changes, and the answer is 409, or 412 for `If-Match`, with `current_version`."
)

func keyHeader() header {
	return header{
		headerKey, "A name for this change: 8 to 64 letters, digits, hyphens and underscores. If a request " +
			"is repeated with the same name, the change happens only once, and the first answer is sent again",
		`^("[A-Za-z0-9_-]{8,64}"|[A-Za-z0-9_-]{8,64})$`,
	}
}

func matchHeader() header {
	return header{headerMatch, "The ETag of the version that the caller saw, or * for any version", `^(\*|` + tagPattern +
		`)$`}
}

func etagHeader() header {
	return header{"ETag", "The guideline's version in quotation marks", `^"[1-9][0-9]*"$`}
}

func locationHeader() header {
	return header{"Location", "The path of the guideline", "^" + base + "/"}
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
