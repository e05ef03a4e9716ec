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

// Guard decides who may use a port. Web pages in a browser can reach every port of this machine, too. They are
// recognized by the host name they use and their Origin, and they have no token.
type Guard struct {
	// Who returns the caller with a token. The error says why some tokens cannot be read.
	Who func(secret string) (c access.Caller, known bool, err error)
	// Hosts are the names of this server with its port.
	Hosts []string
}

// LocalHosts returns the names under which a port of this machine is reached, including the given names.
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
	// A proxy may pass on its own name, with its port unless that is the usual one.
	return append(out, given...)
}

// around lets only known callers through and adds the caller to the context.
func (s *Server) around(g Guard, inner http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The number of connections is limited, so callers without a token do not keep theirs.
		w.Header().Set("Connection", "close")
		switch {
		case !g.knows(r.Host):
			s.metrics.Refused(metrics.WrongHost)
			rest.Refuse(w, http.StatusMisdirectedRequest,
				"this is not a name of the server; use "+strings.Join(g.Hosts, ", ")+", or start the server with --host")
		case !g.trusts(r.Header.Values("Origin")):
			s.metrics.Refused(metrics.WrongOrigin)
			rest.Refuse(w, http.StatusForbidden, "pages of other origins are refused")
		case r.URL.Path == pathHealth || r.URL.Path == pathReady:
			inner.ServeHTTP(w, r)
		default:
			s.admit(g, w, r, inner)
		}
	})
}

// admit lets callers with a token through.
func (s *Server) admit(g Guard, w http.ResponseWriter, r *http.Request, inner http.Handler) {
	caller, known, err := g.Who(secretOf(r))
	if err != nil {
		s.log.Error("tokens cannot be read, so callers with one are refused", "error", err)
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

// trusts reports whether a request comes from a page of this server or from no page.
func (g Guard) trusts(origins []string) bool {
	for _, origin := range origins {
		from, err := url.Parse(origin)
		if err != nil || from.Scheme != "http" && from.Scheme != "https" || !g.knows(from.Host) {
			return false
		}
	}
	return true
}

// secretOf returns the token in a request.
func secretOf(r *http.Request) string {
	if scheme, given, found := strings.Cut(r.Header.Get("Authorization"), " "); found &&
		strings.EqualFold(scheme, "Bearer") {
		return given
	}
	return r.Header.Get("X-API-Key")
}
