package server

import (
	"encoding/json"
	"net/http"
	"strconv"
)

// health is how a server is.
type health struct {
	Status  string `json:"status"`
	Version string `json:"version"`
}

// routes are the paths that every door has.
func (s *Server) routes(protocol http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle(pathMCP, protocol)
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
	pathMCP    = "/mcp"
	pathHealth = "/healthz"
	pathReady  = "/readyz"
)

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
