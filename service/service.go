// Package service is the API behind every transport of the product: hooks, MCP, REST and the command line. It finds a
// project's settings and guidelines and answers which of them apply to a task.
//
// Start with Service.GetContext. rulebook.go reads the settings and guidelines of a project, and collect.go combines
// the sources of guidelines. The packages below have one job each: files reads a project's own guidelines, remote asks
// another server, memory caches what was read, fallback decides which guidelines apply while something cannot be read,
// and inject writes the text for the model.
package service

import (
	"context"
	"errors"
	"time"

	"guardrails/config"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/service/fallback"
	"guardrails/service/memory"
	"guardrails/store/live"
)

// Options configures a Service.
type Options struct {
	Env func(string) string
	Now func() time.Time
	// Dir is where the service looks for the project when a request names none.
	Dir string
	// Memory makes the service keep what it has read as long as the files do not change.
	Memory bool
	// Remote is set when callers may be on other machines. The service then refuses requests that contain an
	// environment.
	Remote bool
	// Mask hides secrets in what is recorded.
	Mask func(string) string
	// Open opens the store that settings name. The error is live.ErrNoStore if there is none. If Open is nil, there
	// is no store.
	Open func(context.Context, *config.Config) (*live.Store, error)
	// Places returns the folders of the layers for a project. If it is nil, they are those of config.PlacesOf.
	Places func(root string) config.Places
	// Flags are the settings from the command line of this process. Hooks of other projects do not use them. It may be nil.
	Flags func(variable string) string
	// OnRequest is called for each request. Its argument says whether memory had the guidelines. It may be nil.
	OnRequest func(fromMemory bool)
}

// Service answers questions about guidelines. Several goroutines may use it at once. It notices a changed file at the
// next request.
type Service struct {
	env func(string) string
	now func() time.Time
	dir string
	// placesOf may be nil.
	placesOf func(root string) config.Places
	// flags may be nil.
	flags func(variable string) string
	// patience is how long to wait for a server or a store.
	patience  time.Duration
	memory    *memory.Memory[*rulebook]
	mask      func(string) string
	remote    bool
	stores    *stores
	onRequest func(fromMemory bool)
}

// patience is how long to wait for a server or a store. The hook that waits for the answer has three seconds.
const patience = 2 * time.Second

// New returns a service. Close it when it is no longer needed.
func New(o Options) *Service { return newService(o, newStores(o.Open)) }

// WithSharedStores returns another service that shares the stores of this one.
func (s *Service) WithSharedStores(o Options) *Service { return newService(o, s.stores) }

func newService(o Options, shared *stores) *Service {
	s := &Service{
		env: o.Env, now: o.Now, dir: o.Dir, patience: patience, mask: o.Mask, remote: o.Remote, stores: shared,
		onRequest: o.OnRequest, placesOf: o.Places, flags: o.Flags,
	}
	if s.onRequest == nil {
		s.onRequest = func(bool) {}
	}
	if o.Memory {
		s.memory = &memory.Memory[*rulebook]{}
	}
	return s
}

// keeper keeps files for times when guidelines cannot be read.
func (s *Service) keeper() *fallback.Keeper { return &fallback.Keeper{Env: s.env, Now: s.now} }

// Request asks which guidelines apply to a task.
type Request struct {
	guideline.Context
	// Unknown names fields that may have any value.
	Unknown guideline.Fields
	// Prompt is what the user wrote. It supplies the domain and the action if they are not given.
	Prompt string
	// Project is the absolute path of the project's root; empty means the one that the service runs in.
	Project string
	// ProjectID is the project whose guidelines in the store apply, besides those of all projects; empty means the one of
	// Project.
	ProjectID string
	// Choice is how the session's user chose to continue during an outage: fallback.ChoiceStatic, ChoiceOpen or
	// nothing.
	Choice string
	// Hook asks for the injection and the session cache too, and leaves paths, event and gate type unknown.
	Hook bool
	// MainThread is set by hooks for calls of the main thread. Its agent is named by the client's settings or by a variable.
	// A project can set both, so the guidelines of higher layers for their usual agent apply as well.
	MainThread bool
	// Tasks are what the last prompt was about in each layer, if there is no Prompt.
	Tasks []Task
	// Definitions asks for the guidelines as they were written. Servers set it when they ask other servers.
	Definitions bool
	// Environment has the settings from the caller's environment variables. It is nil if the caller has the same
	// environment as the service.
	Environment map[string]string

	// bound is set if the tenant is the caller's own, which may be empty.
	bound bool
}

// Task is what a prompt was about.
type Task struct{ Domain, Action string }

// Answer has the guidelines that apply to a request, in the form that every transport shows.
type Answer struct {
	evaluator.Result
	// Context is the task with everything filled in.
	Context guideline.Context `json:"context"`
	// Source is one of the sources below or of the package fallback.
	Source   string             `json:"source"`
	Fallback *fallback.Fallback `json:"fallback,omitempty"`
	// Notices are sentences for the user.
	Notices []string `json:"notices,omitempty"`
	// Ignored are the settings that do not apply as they are written.
	Ignored []config.Ignored `json:"ignored,omitempty"`
	// Injection is text for the model.
	Injection string `json:"injection,omitempty"`
	// SessionCache is the document that hooks use to judge the next tool calls.
	SessionCache string                `json:"session_cache,omitempty"`
	Definitions  []guideline.Guideline `json:"definitions,omitzero"`
}

// The sources of a project's current guidelines.
const (
	SourceFiles  = "files"
	SourceServer = "server"
	SourceStore  = "store"
)

// GetContext answers a request. If guidelines cannot be read or reached, it returns no error but an answer with a
// fallback.
func (s *Service) GetContext(ctx context.Context, r Request) (*Answer, error) {
	if err := s.checkRemote(&r); err != nil {
		return nil, err
	}
	if err := s.checkPlaces(r.Environment); err != nil {
		return nil, err
	}
	root, err := s.root(&r)
	if err != nil {
		return nil, err
	}
	s = s.in(r.Environment)
	b, err := s.rulebook(ctx, root, &r)
	if err != nil {
		return nil, err
	}
	q := b.query(ctx, s.env, root, &r)
	a, err := s.answer(b, q, &r)
	if err == nil && !r.Hook {
		a.Notices = append(a.Notices, b.unknownAgent(q.own())...)
	}
	return a, err
}

// checkRemote refuses what only hooks of this computer may send, because their answers are kept as the last known good
// ones.
func (s *Service) checkRemote(r *Request) error {
	switch {
	case s.remote && r.Environment != nil:
		return errors.New("environment: is not accepted from a caller over the network; remove it")
	case s.remote && r.Hook:
		return errors.New("hook: is not accepted from a caller over the network; remove it")
	}
	return nil
}

// GuidelineSource returns the source of the guidelines of the service's own project, and whether that is a fallback.
func (s *Service) GuidelineSource(ctx context.Context) (source string, isFallback bool) {
	_, b, err := s.all(ctx, "", "")
	if err != nil {
		return "", true
	}
	return b.source, b.fallback != nil
}

// Outage returns the outage that the hooks of a project noticed, or nil when they can read its guidelines.
func (s *Service) Outage(root string) (*fallback.Outage, error) { return s.keeper().Outage(root) }

// Forget makes the service read everything again.
func (s *Service) Forget() {
	if s.memory != nil {
		s.memory.Clear()
	}
}
