package server

import (
	"fmt"
	"net/http"
	"strconv"

	"guardrails/server/access"
	"guardrails/server/rest"
	"guardrails/service"
)

// The paths of the server.
const (
	pathMCP     = "/mcp"
	pathAPI     = "/api/"
	pathMetrics = "/metrics"
	pathHealth  = "/healthz"
	pathReady   = "/readyz"
)

// routes returns the paths that every transport has.
func (s *Server) routes(protocol http.Handler) *http.ServeMux {
	mux := http.NewServeMux()
	mux.Handle(pathMCP, protocol)
	mux.Handle("GET "+pathMetrics, s.needsRead(s.metrics))
	mux.HandleFunc("GET "+pathHealth, s.healthy)
	mux.HandleFunc("GET "+pathReady, s.ready)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		rest.Refuse(w, http.StatusNotFound, "nothing is at "+strconv.Quote(r.URL.Path)+"; MCP is at "+pathMCP)
	})
	return mux
}

// needsRead refuses callers of other tenants and callers that may not read: the metrics are about all callers.
func (s *Server) needsRead(inner http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller := access.From(r.Context())
		if !caller.May(access.Read) || caller.Tenant != s.tenant {
			rest.Refuse(w, http.StatusForbidden, fmt.Sprintf("this needs the role %s in the server's own tenant; use a token with it", access.Read))
			return
		}
		inner.ServeHTTP(w, r)
	})
}

// as handles every request as one of the given caller, who sees in each project the guidelines of the project's tenant.
func as(c access.Caller, inner http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		inner.ServeHTTP(w, r.WithContext(service.ForProject(access.With(r.Context(), c))))
	})
}
