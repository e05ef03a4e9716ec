package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"guardrails/server/access"
)

// health is how a server is.
type health struct {
	Status  string `json:"status"`
	Version string `json:"version"`
}

// routes are the paths that every door has.
func (s *Server) routes(protocol http.Handler) *http.ServeMux {
	mux := http.NewServeMux()
	mux.Handle(pathMCP, protocol)
	mux.Handle("GET "+pathMetrics, needs(access.Read, s.metrics))
	mux.HandleFunc("GET "+pathHealth, func(w http.ResponseWriter, _ *http.Request) {
		s.say(w, http.StatusOK, "ok")
	})
	mux.HandleFunc("GET "+pathReady, func(w http.ResponseWriter, _ *http.Request) {
		if s.ending.Load() {
			s.say(w, http.StatusServiceUnavailable, "ending")
			return
		}
		s.say(w, http.StatusOK, "ready")
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "there is nothing at "+strconv.Quote(r.URL.Path)+"; MCP is at "+pathMCP, http.StatusNotFound)
	})
	return mux
}

// The paths.
const (
	pathMCP     = "/mcp"
	pathAPI     = "/api/"
	pathMetrics = "/metrics"
	pathHealth  = "/healthz"
	pathReady   = "/readyz"
)

// needs lets through only callers that have a role.
func needs(role access.Role, inner http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if caller := access.From(r.Context()); !caller.May(role) {
			http.Error(w, fmt.Sprintf("this needs the role %s, and this caller has the role %s; use a token that has it", role, caller.Role), http.StatusForbidden)
			return
		}
		inner.ServeHTTP(w, r)
	})
}

func (s *Server) say(w http.ResponseWriter, status int, word string) {
	text, err := json.Marshal(health{word, s.version})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n')) // whoever asked has gone
}
