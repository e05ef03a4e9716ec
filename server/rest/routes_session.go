package rest

import (
	"net/http"

	"guardrails/server/access"
)

// SessionPath is the path of the caller's session. Without a token, people can begin a session there. ProofPath is the
// path at which the server proves that it has the token of the user.
const (
	SessionPath = "/api/session"
	ProofPath   = SessionPath + "/proof"
)

// HeaderPage is a header of all requests of the page that change something. Other pages cannot send it.
const HeaderPage = "X-Guardrails-Page"

func sessionRoutes() []route {
	shown := answer{status: http.StatusOK, about: "The session", schema: "Session", types: []string{typeJSON}}
	return []route{
		{
			method: http.MethodGet, path: SessionPath, name: "get_session", role: access.Read,
			summary: "Get the caller's name, tenant and role", serve: (*call).showSession, answers: []answer{shown},
		},
		{
			method: http.MethodPost, path: SessionPath, name: "begin_session", role: access.Nobody,
			summary: "Begin the session of a browser",
			about: "The body contains a token, or a code of `guardrails ui`. A code works once, within two minutes. The answer " +
				"sets a cookie that replaces the token for addresses below /api/. The session ends after 12 hours, after 2 hours without " +
				"a request, when the token becomes invalid, or when the server ends. If a request has the cookie, and its method " +
				"is not GET or HEAD, it needs two headers: `" + HeaderPage + "` with the `key` of the session, and `Origin` with " +
				"the address of this server.",
			headers: []header{{HeaderPage, "Any value, such as 1. Pages of other origins cannot send this header", ""}},
			body:    &body{schema: "SessionBegin", most: maxOne}, serve: (*call).beginSession,
			answers: []answer{{
				http.StatusCreated, "The new session", "Session",
				[]string{typeJSON},
				[]header{{"Set-Cookie", "The cookie of the session", "^(__Host-)?guardrails-[0-9]+="}},
			}},
		},
		{
			method: http.MethodDelete, path: SessionPath, name: "end_session", role: access.Read,
			summary: "End the session of a browser", about: "The session ends on the server, and the browser forgets the cookie. " +
				"For a caller with a token, nothing changes.",
			serve: (*call).endSession, answers: []answer{{status: http.StatusNoContent, about: "The session has ended"}},
		},
		{
			method: http.MethodPost, path: ProofPath, name: "prove_server", role: access.Nobody,
			summary: "Prove that this is the user's own server",
			about: "The answer is a signature of the nonce and the server's port, made with the first token. `guardrails ui` checks " +
				"the signature before it opens the page, because another program may have taken the port.",
			body: &body{schema: "ProofRequest", most: maxOne}, serve: (*call).prove,
			answers: []answer{{status: http.StatusOK, about: "The signature", schema: "Proof", types: []string{typeJSON}}},
		},
	}
}
