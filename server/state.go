package server

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"guardrails/service"
	"guardrails/service/fallback"
)

// state is how a server is, as everybody may know it.
type state struct {
	// Status is ok, ready, degraded, unavailable or ending.
	Status  string `json:"status"`
	Version string `json:"version"`
	// Source is where the guidelines come from that hold now.
	Source string `json:"source,omitempty"`
}

// standing remembers for a moment what holds, so that who asks without a token again and again costs nothing.
type standing struct {
	mu     sync.Mutex
	known  time.Time
	source string
	away   bool
}

const standingAge = time.Second

// look says where the guidelines come from, and whether that is in place of where they should come from.
func (s *standing) look(ctx context.Context, from *service.Service) (source string, away bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.known) > standingAge {
		s.source, s.away = from.Standing(ctx)
		s.known = time.Now()
	}
	return s.source, s.away
}

// ready says whether the server can answer: from what it should or, degraded, from the last guidelines that it knew.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	if s.ending.Load() {
		s.say(w, http.StatusServiceUnavailable, state{Status: "ending"})
		return
	}
	source, away := s.standing.look(r.Context(), s.own)
	switch {
	case !away:
		s.say(w, http.StatusOK, state{Status: "ready", Source: source})
	case source == fallback.SourceSnapshot:
		s.say(w, http.StatusOK, state{Status: "degraded", Source: source})
	default:
		s.say(w, http.StatusServiceUnavailable, state{Status: "unavailable", Source: source})
	}
}

func (s *Server) healthy(w http.ResponseWriter, _ *http.Request) {
	s.say(w, http.StatusOK, state{Status: "ok"})
}

func (s *Server) say(w http.ResponseWriter, status int, is state) {
	is.Version = s.version
	text, err := json.Marshal(is)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n')) // whoever asked has gone
}
