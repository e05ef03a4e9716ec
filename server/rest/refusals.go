package rest

import (
	"net/http"
	"strings"
)

// refusalName is what the document calls the answer of a status.
func refusalName(status int) string { return strings.ReplaceAll(http.StatusText(status), " ", "") }

// refusals describe the answers when something is wrong.
func refusals() object {
	out := object{}
	for status, about := range map[int]string{
		http.StatusBadRequest:            "The request has mistakes; `errors` lists all of them.",
		http.StatusUnauthorized:          "The token is missing or wrong.",
		http.StatusForbidden:             "The token may not do this, or it is of another tenant.",
		http.StatusNotFound:              "What the path names is not there.",
		http.StatusMethodNotAllowed:      "The id is also a word of the paths and stands without a tilde; `Allow` has what can be done there.",
		http.StatusNotAcceptable:         "The answer is of no type that `Accept` names.",
		http.StatusConflict:              "Somebody else was faster, or the id exists: `current_version` is what the guideline has now. Of an import, `items` has the result of each.",
		http.StatusPreconditionFailed:    "The guideline has another version than `If-Match` names: `current_version` is what it has now.",
		http.StatusRequestEntityTooLarge: "The body is too large.",
		http.StatusUnsupportedMediaType:  "The body is not called JSON.",
		http.StatusTooManyRequests:       "The token has asked for too much; ask again later.",
		http.StatusInternalServerError:   "Something is wrong in the server; its log says what.",
		http.StatusServiceUnavailable:    "The store does not answer, takes no changes, or the server is busy; ask again later, with the same `Idempotency-Key`.",
	} {
		out[refusalName(status)] = refusal(status, about)
	}
	return out
}

func refusal(status int, about string) object {
	content := object{typeProblem: object{"schema": ref("Problem")}}
	var headers []header
	switch status {
	case http.StatusUnauthorized:
		headers = []header{{"WWW-Authenticate", "How to show a token", "^Bearer "}}
	case http.StatusMethodNotAllowed:
		headers = []header{{"Allow", "The methods of the path", ""}}
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		headers = []header{retryHeader()}
	}
	return object{"description": about, "content": content, "headers": describedHeaders(headers)}
}

func retryHeader() header {
	return header{"Retry-After", "After how many seconds to ask again", "^[0-9]+$"}
}
