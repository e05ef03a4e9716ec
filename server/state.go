package server

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"guardrails/service"
	"guardrails/service/fallback"
	"guardrails/service/storefault"
)

// The type "state" is the part of a server's status that every caller may see.
type state struct {
	// Status is ok, ready, degraded, unavailable or ending.
	Status  string `json:"status"`
	Version string `json:"version"`
	// Source is where the current guidelines come from.
	Source string `json:"source,omitempty"`
	// KnownAt is when the last known guidelines were read, and Guidelines is their number. Both are zero if the last
	// known guidelines do not apply.
	KnownAt    time.Time `json:"known_at,omitzero"`
	Guidelines int       `json:"guidelines,omitempty"`
	// Fault is the name of the problem of the store or the clock: "older", "lost", "full", "clock", or the code of an
	// error. If there is no such problem, it is the first fault of another tenant.
	Fault string `json:"fault,omitempty"`
}

// sourceCache remembers the source of the guidelines for a second. So even many requests by callers without a token
// cost little.
type sourceCache struct {
	mu      sync.Mutex
	known   time.Time
	source  string
	instead *fallback.Fallback
}

const sourceCacheAge = time.Second

// get() returns the source of the guidelines. If the current guidelines cannot be read, the result "instead"
// describes the guidelines that apply in their place.
func (c *sourceCache) get(ctx context.Context, from *service.Service) (source string, instead *fallback.Fallback) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.known) > sourceCacheAge {
		// All callers share the result, so the result must not depend on whether this caller still waits for an answer.
		ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), answerTime)
		c.source, c.instead = from.GuidelineSource(ctx)
		stop()
		c.known = time.Now()
	}
	return c.source, c.instead
}

// ready() tells the caller whether the server has the current guidelines, or at least the last known good guidelines.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	if s.ending.Load() {
		s.say(w, http.StatusServiceUnavailable, state{Status: "ending"})
		return
	}
	source, instead := s.source.get(r.Context(), s.own)
	fault := ""
	if last := s.fault.Load(); last != nil {
		fault = *last
	}
	is := state{Status: "unavailable", Source: source, Fault: fault}
	if instead != nil {
		is.KnownAt, is.Guidelines = instead.KnownAt, instead.Guidelines
	}
	status := http.StatusOK
	switch {
	case instead == nil && (fault == "" || fault == storefault.Clock):
		is.Status, is.Fault = "ready", cmp.Or(fault, s.tenantFaults.first())
	case instead == nil, source == fallback.SourceSnapshot:
		is.Status = "degraded"
	default:
		status = http.StatusServiceUnavailable
	}
	s.say(w, status, is)
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
	_, _ = w.Write(append(text, '\n')) // an error means that the caller has disconnected
}
