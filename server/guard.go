package server

import (
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

// Guard says who may ask on a port. Pages in a browser reach every port of this machine too: what gives them away is the
// name that they ask by and the Origin that they come from, and they know no token.
type Guard struct {
	// Who finds the caller whom a token belongs to; the error is why some tokens cannot be read.
	Who func(secret string) (c access.Caller, known bool, err error)
	// Hosts are the names of this server, each with its port.
	Hosts []string
}

// LocalHosts are the names by which a port of this machine is asked, and the name that it was given.
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
	// A proxy that passes its own name on has another port, which stands there unless it is the usual one.
	return append(out, given...)
}

// around lets through only who may ask, and says inside who that is.
func (s *Server) around(g Guard, inner http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Who shows no token keeps no connection: there are not too many of them.
		w.Header().Set("Connection", "close")
		switch {
		case !g.knows(r.Host):
			s.metrics.Refused(metrics.WrongHost)
			rest.Refuse(w, http.StatusMisdirectedRequest, "this server has another name; ask it by one of "+strings.Join(g.Hosts, ", ")+", or start it with --host")
		case !g.trusts(r.Header.Values("Origin")):
			s.metrics.Refused(metrics.WrongOrigin)
			rest.Refuse(w, http.StatusForbidden, "pages of other origins may not ask here")
		case r.URL.Path == pathHealth || r.URL.Path == pathReady:
			inner.ServeHTTP(w, r)
		default:
			s.admit(g, w, r, inner)
		}
	})
}

// admit lets through who knows a token.
func (s *Server) admit(g Guard, w http.ResponseWriter, r *http.Request, inner http.Handler) {
	caller, known, err := g.Who(secretOf(r))
	if err != nil {
		s.log.Error("tokens cannot be read, so that those who have one are refused", "error", err)
	}
	if !known {
		s.metrics.Refused(metrics.Unauthorized)
		w.Header().Set("WWW-Authenticate", `Bearer realm="guardrails"`)
		rest.Refuse(w, http.StatusUnauthorized, "the token is missing or wrong; send it as Authorization: Bearer TOKEN")
		return
	}
	w.Header().Del("Connection")
	inner.ServeHTTP(w, r.WithContext(service.ForTenant(access.With(r.Context(), caller), caller.Tenant)))
}

func (g Guard) knows(host string) bool {
	return slices.ContainsFunc(g.Hosts, func(name string) bool { return strings.EqualFold(name, host) })
}

// trusts reports whether a request comes from a page of this server, or from no page.
func (g Guard) trusts(origins []string) bool {
	for _, origin := range origins {
		from, err := url.Parse(origin)
		if err != nil || from.Scheme != "http" && from.Scheme != "https" || !g.knows(from.Host) {
			return false
		}
	}
	return true
}

// secretOf is what a caller says to know.
func secretOf(r *http.Request) string {
	if scheme, given, found := strings.Cut(r.Header.Get("Authorization"), " "); found && strings.EqualFold(scheme, "Bearer") {
		return given
	}
	return r.Header.Get("X-API-Key")
}
