package rest

import (
	"net/http"
	"strings"
)

// refusalName returns the name that the OpenAPI document uses for the answer with a status, such as "NotFound".
func refusalName(status int) string { return strings.ReplaceAll(http.StatusText(status), " ", "") }

// refusals() describes the answers to failed requests in the OpenAPI document.
func refusals() object {
	out := object{}
	for status, about := range map[int]string{
		http.StatusBadRequest:   "The request has mistakes; `errors` lists them.",
		http.StatusUnauthorized: "The token is missing or wrong: send it as `Authorization: Bearer TOKEN`.",
		http.StatusForbidden: "The role of the token does not permit this, or the token belongs to another tenant: use " +
			"another token.",
		http.StatusNotFound: "The path names something that does not exist.",
		http.StatusMethodNotAllowed: "The id is also a fixed word in the API's paths: write a tilde before the id. " +
			"`Allow` lists the methods of the path with the fixed word.",
		http.StatusNotAcceptable: "The operation cannot answer in any of the types in `Accept`: `detail` names the types " +
			"of its answers.",
		http.StatusConflict: "Somebody else has changed the guideline, or the id already exists: `current_version` " +
			"is its version now. For an import, `items` has the result of each guideline.",
		http.StatusPreconditionFailed: "The guideline does not have the version in `If-Match`: " +
			"`current_version` is its version now. Read the guideline again before you repeat the change.",
		http.StatusRequestEntityTooLarge: "The body is too large: `detail` names the limit.",
		http.StatusUnsupportedMediaType: "The operation does not accept the Content-Type of the body: `detail` names the types " +
			"that it accepts.",
		http.StatusTooManyRequests:     "The token has made too many changes; try again later.",
		http.StatusInternalServerError: "The server failed; its log says why.",
		http.StatusServiceUnavailable: "The store does not answer or is read-only, or the server is busy; try again " +
			"later with the same `Idempotency-Key`. `changed` says whether a change may have been made.",
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
		headers = []header{{"WWW-Authenticate", "How to send a token", "^Bearer "}}
	case http.StatusMethodNotAllowed:
		headers = []header{{"Allow", "The methods of the path", ""}}
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		headers = []header{retryHeader()}
	}
	return object{"description": about, "content": content, "headers": describedHeaders(headers)}
}

func retryHeader() header {
	return header{"Retry-After", "The number of seconds to wait before trying again", "^[0-9]+$"}
}
