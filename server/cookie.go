package server

import (
	"net/http"
	"strings"

	"guardrails/server/access"
	"guardrails/server/metrics"
	"guardrails/server/rest"
)

// isOpen reports whether a request needs no token. Everybody may ask for the state of the server, and for the page,
// which contains no data. Everybody may also ask the server for a proof: the command line does so before it sends a
// token to the server.
func (g Guard) isOpen(r *http.Request) bool {
	switch {
	case r.URL.Path == pathHealth, r.URL.Path == pathReady:
		return true
	case g.Sessions == nil:
		return false
	}
	return isPage(r.URL.Path) || r.Method == http.MethodPost && r.URL.Path == rest.ProofPath
}

// session() returns the session to which a cookie of the request belongs. If no cookie belongs to a session, the result
// is nil. The cookie is valid only for the API, because a browser also sends it to other servers on the same host.
func (g Guard) session(r *http.Request) (cookie string, session *access.Session) {
	if g.Sessions == nil || !strings.HasPrefix(r.URL.Path, pathAPI) {
		return "", nil
	}
	for _, c := range r.Cookies() {
		if !rest.IsSessionCookie(c.Name) {
			continue
		}
		if session = g.Sessions.Find(c.Value); session != nil {
			return c.Value, session
		}
	}
	return "", nil
}

// admitSession passes a request on to the next handler if the request has the cookie of a session. It returns false if
// there is no session.
func (s *Server) admitSession(g Guard, w http.ResponseWriter, r *http.Request, inner http.Handler) bool {
	cookie, session := g.session(r)
	if session == nil {
		return false
	}
	if why := mayUse(session, r); why != "" {
		s.metrics.Refused(metrics.WrongOrigin)
		rest.Refuse(w, http.StatusForbidden, why)
		return true
	}
	ctx := access.WithSession(r.Context(), cookie, session)
	s.pass(ctx, session.Caller, w, r, inner, func() bool { return g.Sessions.Find(cookie) != nil })
	return true
}

// mayUse returns the reason why a request may not use the cookie of a session, or "" if it may. A program on another
// port of the same host can receive the cookie, but not the key, which only the page knows.
func mayUse(session *access.Session, r *http.Request) string {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return "requests from pages of other origins are not allowed"
	}
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return ""
	}
	if why := notFromPage(r); why != "" {
		return why
	}
	if !session.HasKey(r.Header.Get(rest.HeaderPage)) {
		return "the header " + rest.HeaderPage + " does not have the key of the session; sign in again"
	}
	return ""
}

// notFromPage returns the reason why a request cannot come from the server's own page, or "" if it can. The guard has
// already checked that every Origin header of the request names this server.
func notFromPage(r *http.Request) string {
	if r.Header.Get("Origin") == "" || r.Header.Get(rest.HeaderPage) == "" {
		return "a browser's request needs the headers Origin and " + rest.HeaderPage + "; programs send a token instead"
	}
	return ""
}
