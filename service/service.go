// Package service does, once, what every door of the product does: it finds a project's settings and guidelines and
// answers which of them hold for a task.
//
// Start with Service.GetContext. project.go, sources.go and fromstore.go say where settings and guidelines come from,
// remote.go how a server is asked for them, fallback.go what holds when they cannot be read or reached, and injection.go what the model
// is told.
package service

import (
	"context"
	"errors"
	"time"

	"guardrails/config"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/store/live"
)

// Options is what a Service needs from outside.
type Options struct {
	Env func(string) string
	Now func() time.Time
	// Dir is where the project of a request is looked for that names none.
	Dir string
	// Memory makes the service keep what it has read as long as the files stay as they are.
	Memory bool
	// Remote is set where callers may be on other machines: what they say of their environment is not taken then.
	Remote bool
	// Mask hides secrets in what is written down for good.
	Mask func(string) string
	// Open opens the store that settings name; the error is live.ErrNone where there is none. Unset, there never is one.
	Open func(context.Context, *config.Config) (*live.Catalog, error)
	// Asked is told of each question whether it was answered from memory; nil where nobody counts.
	Asked func(fromMemory bool)
}

// Service answers questions about guidelines. It may be used by several goroutines at once. It sees every change of a file
// with the next question; with a memory, with those that come more than 20 milliseconds later.
type Service struct {
	env func(string) string
	now func() time.Time
	dir string
	// patience is how long a server or a store may take.
	patience time.Duration
	memory   *memory
	// glance is for how long what was read is believed without a look at the files.
	glance time.Duration
	mask   func(string) string
	remote bool
	places *places
	asked  func(fromMemory bool)
}

// New makes a service. Close it when it is no longer needed.
func New(o Options) *Service { return made(o, newPlaces(o.Open)) }

// Beside makes another service that shares the stores which this one has open.
func (s *Service) Beside(o Options) *Service { return made(o, s.places) }

func made(o Options, open *places) *Service {
	s := &Service{env: o.Env, now: o.Now, dir: o.Dir, patience: serverTimeout, mask: o.Mask, remote: o.Remote, places: open, asked: o.Asked}
	if s.asked == nil {
		s.asked = func(bool) {}
	}
	if o.Memory {
		s.memory, s.glance = &memory{began: time.Now()}, glance
	}
	return s
}

// Request is a question: which guidelines hold for a task.
type Request struct {
	guideline.Context
	// Unknown names fields that may have any value.
	Unknown guideline.Fields
	// Prompt is what the user wrote; domain and action are read from it where they are not given.
	Prompt string
	// Project is the absolute path of the project's root; empty means the one that the service runs in.
	Project string
	// Choice is what the session's user answered to the fallback question: ChoiceStatic, ChoiceOpen or nothing.
	Choice string
	// Hook asks for the injection and the session cache too, and leaves paths, event and gate type unknown.
	Hook bool
	// Definitions asks for the guidelines as they were written: what one server asks of another.
	Definitions bool
	// Environment are the variables of settings that are set where the question comes from; nil when it comes from the
	// environment that the service has.
	Environment map[string]string

	// bound is set when the tenant is the caller's, empty or not.
	bound bool
}

// Answer is what holds for a request, in the shape that every door of the product gives it.
type Answer struct {
	evaluator.Result
	// Context is the task as it was resolved.
	Context guideline.Context `json:"context"`
	// Source is one of the sources below.
	Source   string    `json:"source"`
	Fallback *Fallback `json:"fallback,omitempty"`
	// Notices are sentences for the user.
	Notices []string `json:"notices,omitempty"`
	// Injection is for the model, SessionCache for the tool calls to come.
	Injection    string                `json:"injection,omitempty"`
	SessionCache string                `json:"session_cache,omitempty"`
	Definitions  []guideline.Guideline `json:"definitions,omitzero"`
	// common is what it shares with those to other sessions; nil where it shares nothing.
	common *common
}

// Where guidelines come from.
const (
	SourceFiles    = "files"
	SourceServer   = "server"
	SourceStore    = "store"
	SourceSnapshot = "snapshot"
	SourceStatic   = "static"
	SourceOpen     = "open"
)

// GetContext answers a request. What cannot be read or reached is no error: the answer then says so in its fallback.
func (s *Service) GetContext(ctx context.Context, r Request) (*Answer, error) {
	if err := s.fromAfar(&r); err != nil {
		return nil, err
	}
	if err := s.elsewhere(r.Environment); err != nil {
		return nil, err
	}
	root, err := s.root(&r)
	if err != nil {
		return nil, err
	}
	s = s.under(r.Environment)
	h, err := s.hold(ctx, root, &r)
	if err != nil {
		return nil, err
	}
	q := s.query(ctx, h, &r)
	return s.answer(h, q, &r, h.suggestedRoles(q, &r))
}

// find answers a question with everything filled in; roles are those that the prompt's words suggest.
func (s *Service) find(h *held, q *evaluator.Query, r *Request, roles []string) (a *Answer, err error) {
	a = &Answer{Result: *h.set.Evaluate(q), Context: q.Context, Source: h.source, Fallback: h.fallback, Notices: h.notices}
	if !r.Hook && !r.Definitions {
		return a, nil
	}
	matches := h.set.Match(q, nil)
	if r.Definitions {
		a.Definitions = definitions(matches)
	}
	if r.Hook {
		a.Injection = h.inject(q, matches, a, roles)
		a.SessionCache, err = s.sessionCache(h, q, matches)
	}
	return a, err
}

// fromAfar refuses what only the hooks of this computer may say: what they are answered is kept as the last known good.
func (s *Service) fromAfar(r *Request) error {
	switch {
	case s.remote && r.Environment != nil:
		return errors.New("environment: is not taken from a caller over the network; remove it")
	case s.remote && r.Hook:
		return errors.New("hook: is not taken from a caller over the network; remove it")
	}
	return nil
}

func definitions(matches []evaluator.Match) []guideline.Guideline {
	out := make([]guideline.Guideline, len(matches))
	for i := range matches {
		out[i] = *matches[i].Guideline
	}
	return out
}
