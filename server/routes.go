package server

import (
	"fmt"
	"net/http"
	"strconv"

	"guardrails/server/access"
	"guardrails/server/rest"
	"guardrails/service"
)

// The paths.
const (
	pathMCP     = "/mcp"
	pathAPI     = "/api/"
	pathMetrics = "/metrics"
	pathHealth  = "/healthz"
	pathReady   = "/readyz"
)

// routes are the paths that every door has.
func (s *Server) routes(protocol http.Handler) *http.ServeMux {
	mux := http.NewServeMux()
	mux.Handle(pathMCP, protocol)
	mux.Handle("GET "+pathMetrics, s.needsRead(s.metrics))
	mux.HandleFunc("GET "+pathHealth, s.healthy)
	mux.HandleFunc("GET "+pathReady, s.ready)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		rest.Refuse(w, http.StatusNotFound, "there is nothing at "+strconv.Quote(r.URL.Path)+"; MCP is at "+pathMCP)
	})
	return mux
}

// needsRead lets through callers of this server's tenant that may read: what is counted is of all of them.
func (s *Server) needsRead(inner http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller := access.From(r.Context())
		if !caller.May(access.Read) || caller.Tenant != s.tenant {
			rest.Refuse(w, http.StatusForbidden, fmt.Sprintf("this needs the role %s in the server's own tenant; use a token that has it", access.Read))
			return
		}
		inner.ServeHTTP(w, r)
	})
}

// as lets everybody in as one caller who works in projects.
func as(c access.Caller, inner http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		inner.ServeHTTP(w, r.WithContext(service.ForProject(access.With(r.Context(), c))))
	})
}
