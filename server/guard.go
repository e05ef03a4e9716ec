package server

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"guardrails/server/access"
	"guardrails/server/metrics"
	"guardrails/server/rest"
	"guardrails/service"
)

// Guard decides who may use a port. Web pages in a browser can also reach every port of this machine. Guard refuses the
// requests of web pages that do not come from this server. Such requests have a wrong host name, a wrong Origin or no
// token.
type Guard struct {
	// The function Who returns the caller who has the given token. If some tokens cannot be read, the error says why.
	Who func(secret string) (c access.Caller, known bool, err error)
	// Sessions are the sessions of browsers. If Sessions is nil, the port has no page.
	Sessions *access.Sessions
	// Tokens are the tokens that admins manage over REST. Tokens may be nil.
	Tokens *access.Tokens
	// Hosts are the host names of this server, each with its port.
	Hosts []string
}

// LocalHosts returns the host names under which clients on this machine reach a port, and the given names.
func LocalHosts(address net.Addr, given ...string) []string {
	_, port, err := net.SplitHostPort(address.String())
	if err != nil {
		return given
	}
	out := []string{address.String()}
	for _, name := range append([]string{"localhost", "127.0.0.1", "::1"}, given...) {
		if full := net.JoinHostPort(name, port); !slices.Contains(out, full) {
			out = append(out, full)
		}
	}
	// A proxy may send its own name as the host. If the port of the proxy is the default port, the name has no port.
	return append(out, given...)
}

// guarded() returns a handler that passes the requests of known callers on to another handler, with the caller in the
// context.
func (s *Server) guarded(g Guard, inner http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The server closes the connections of callers without a token, so that these callers do not use up the allowed
		// number of connections.
		w.Header().Set("Connection", "close")
		switch {
		case !g.knows(r.Host):
			s.metrics.Refused(metrics.WrongHost)
			rest.Refuse(w, http.StatusMisdirectedRequest,
				"the host name in the request is not a name of this server; use one of "+strings.Join(g.Hosts, ", ")+
					", or start the server with --host NAME")
		case !g.isTrusted(r.Header.Values("Origin")):
			s.metrics.Refused(metrics.WrongOrigin)
			rest.Refuse(w, http.StatusForbidden, "requests from pages of other origins are not allowed")
		case g.isOpen(r):
			inner.ServeHTTP(w, r)
		case r.Method == http.MethodPost && r.URL.Path == rest.SessionPath:
			if why := notFromPage(r); why != "" {
				s.metrics.Refused(metrics.WrongOrigin)
				rest.Refuse(w, http.StatusForbidden, why)
				return
			}
			inner.ServeHTTP(w, r)
		default:
			s.admit(g, w, r, inner)
		}
	})
}

// admit() passes a request on to the next handler if the request has a valid token.
func (s *Server) admit(g Guard, w http.ResponseWriter, r *http.Request, inner http.Handler) {
	if secretOf(r) == "" && s.admitSession(g, w, r, inner) {
		return
	}
	caller, known, err := g.Who(secretOf(r))
	if err != nil {
		s.log.Error("not all tokens can be read, so some callers may be refused", "error", err)
	}
	if !known {
		s.metrics.Refused(metrics.Unauthorized)
		w.Header().Set("WWW-Authenticate", `Bearer realm="guardrails"`)
		rest.Refuse(w, http.StatusUnauthorized, "the token is missing or wrong; send it as Authorization: Bearer TOKEN")
		return
	}
	s.pass(r.Context(), caller, w, r, inner, func() bool {
		now, known, _ := g.Who(secretOf(r)) // an error was logged when the request began
		return known && now == caller
	})
}

// pass() passes the request of a known caller on to the next handler. The function valid() reports whether the caller
// is still known.
func (s *Server) pass(
	ctx context.Context, caller access.Caller, w http.ResponseWriter, r *http.Request, inner http.Handler, valid func() bool,
) {
	if !mayConnect(r, caller) {
		s.metrics.Refused(metrics.Crowded)
		w.Header().Set("Retry-After", "1")
		rest.Refuse(w, http.StatusServiceUnavailable,
			"the callers of this tenant or this token have too many open connections; close some, or try again later")
		return
	}
	// A request in chunks can also have a Content-Length header, which net/http ignores. A proxy could use this length,
	// and mistake a part of the body for the next request. So only the connection of a request without chunks stays open.
	if len(r.TransferEncoding) == 0 {
		w.Header().Del("Connection")
	}
	ctx = access.WithCheck(actingAs(ctx, caller), valid)
	inner.ServeHTTP(w, r.WithContext(service.ForTenant(ctx, caller.Tenant)))
}

func (g Guard) knows(host string) bool {
	return slices.ContainsFunc(g.Hosts, func(name string) bool { return strings.EqualFold(name, host) })
}

// isTrusted reports whether every Origin header of a request names this server. It also returns true if there
// is no such header, as in requests from programs.
func (g Guard) isTrusted(origins []string) bool {
	for _, origin := range origins {
		from, err := url.Parse(origin)
		if err != nil || from.Scheme != "http" && from.Scheme != "https" || !g.knows(from.Host) {
			return false
		}
	}
	return true
}

// secretOf returns the token from the Authorization header or, if there is none, from the X-API-Key header.
func secretOf(r *http.Request) string {
	if scheme, given, found := strings.Cut(r.Header.Get("Authorization"), " "); found &&
		strings.EqualFold(scheme, "Bearer") {
		return given
	}
	return r.Header.Get("X-API-Key")
}
