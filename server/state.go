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

// state is what everybody may know about a server.
type state struct {
	// Status is ok, ready, degraded, unavailable or ending.
	Status  string `json:"status"`
	Version string `json:"version"`
	// Source is where the current guidelines come from.
	Source string `json:"source,omitempty"`
}

// standing remembers the source of the guidelines for a moment, so that many requests without a token cost little.
type standing struct {
	mu     sync.Mutex
	known  time.Time
	source string
	away   bool
}

const standingAge = time.Second

// look returns the source of the guidelines, and whether that is a fallback.
func (s *standing) look(ctx context.Context, from *service.Service) (source string, away bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.known) > standingAge {
		s.source, s.away = from.Standing(ctx)
		s.known = time.Now()
	}
	return s.source, s.away
}

// ready answers whether the server has its guidelines, or at least the last known good ones.
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
	_, _ = w.Write(append(text, '\n')) // the caller has gone
}
