// Package service is the API behind every transport of the product: hooks, MCP, REST and the command line. It finds a
// project's settings and guidelines, and says which guidelines apply to a task.
//
// Start with Service.GetContext. rulebook.go reads the settings and guidelines of a project, and collect.go combines
// the sources of guidelines. The packages below have one job each; docs/architecture.md lists them.
package service

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"guardrails/config"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/internal/kernelclock"
	"guardrails/internal/private"
	"guardrails/policy"
	"guardrails/service/dependence"
	"guardrails/service/detectors"
	"guardrails/service/fallback"
	"guardrails/service/memory"
	"guardrails/service/modelclients"
	"guardrails/service/policyfile"
	"guardrails/service/remote"
	"guardrails/service/storefault"
	"guardrails/store/live"
)

// Options configures a Service.
type Options struct {
	Env func(string) string
	Now func() time.Time
	// The function Kernel asks the kernel about the clock. It may be nil.
	Kernel func() (kernelclock.Reading, bool)
	// Dir is the folder in which the service looks for the project if a request names no project.
	Dir string
	// If Memory is set, the service caches the settings and guidelines until the files change. MemoryLimit is the number
	// of bytes that the cache may take. Services with shared stores share this limit. If MemoryLimit is 0, a default
	// applies.
	Memory      bool
	MemoryLimit int64
	// Remote is set if callers can be on other computers. The service then rejects requests with fields that only hooks on
	// this computer may send.
	Remote bool
	// The function Mask hides secrets in the texts that are recorded.
	Mask func(string) string
	// Open opens the store that the settings name. If there is no store, the error is live.ErrNoStore. If Open is nil, the
	// service has no store.
	Open func(context.Context, *config.Config) (*live.Store, error)
	// Places returns the folders of the layers for a project. If it is nil, the service uses config.PlacesOf.
	Places func(root string) config.Places
	// Flags returns settings from the command line of this process. These settings do not apply to hooks of other
	// projects. Flags may be nil.
	Flags func(variable string) string
	// Policies is the path of the policy file for all callers, of every tenant. If it is empty, the callers of the
	// project's own tenant have the project's policies, and other callers have no policies.
	Policies string
	// Tenants returns the tenants whose callers may use the server. It may be nil.
	Tenants func() []string
	// PageAge is how long the service may remember the address of the page that shows decisions. If it is 0, each
	// request looks for the page.
	PageAge time.Duration
	// OnRequest is called for each request. fromMemory says whether the guidelines were cached. OnRequest may be nil.
	OnRequest func(fromMemory bool)
	// OnMasked is called for each masked part of a text, with the category of the personal data. OnMasked may be nil.
	OnMasked func(category string)
	// OnBroken is called when a policy file gets a mistake. OnBroken may be nil.
	OnBroken func(problem string)
	// OnChecked is called for each verdict of the safety gate. OnChecked may be nil.
	OnChecked func(Checked)
	// OnChanged is called after the files of a watched project changed. OnChanged may be nil.
	OnChanged func()
	// Meter counts questions to models. Meter may be nil.
	Meter Meter
}

// Service answers questions about guidelines. It is safe for concurrent use. It notices a changed file at the next
// request.
type Service struct {
	env      func(string) string
	now      func() time.Time
	clock    *storefault.ClockWatcher
	dir      string
	placesOf func(root string) config.Places
	flags    func(variable string) string
	patience time.Duration
	memory   *memory.Memory[*rulebook]
	shown    *shownPage
	mask     func(string) string
	remote   bool
	stores   *stores
	budget   *memory.Budget
	// The field "taking" adds decisions to the audit before a server acknowledges them. It is nil in a process that
	// answers one request.
	taking *taking
	// The field "failed" has the remote servers to which no decisions are sent for a while.
	failed    *remote.Failed
	onRequest func(fromMemory bool)
	onMasked  func(category string)
	onChecked func(Checked)
	onChanged func()
	tenants   func() []string
	desk      *detectors.Desk
	policies  *policyfile.Files
	followed  *followedPolicies
	// recordingTime is how much time one step of Upkeep may spend on recording changes of policies.
	recordingTime time.Duration
	// policyFile is the policy file for all callers, or "".
	policyFile string
	cooldowns  *policy.Cooldowns
	trips      *dependence.Trips
	// The field "reminded" records for which people this process has read earlier checks (see remind).
	reminded *sync.Map
	models   *modelclients.Clients
	meter    Meter
}

// The constant "patience" is the longest wait for a server or a store.
const patience = 2 * time.Second

// New returns a service. Close it when it is no longer needed.
func New(o Options) *Service {
	budget := memory.NewBudget(cmp.Or(o.MemoryLimit, maxMemory))
	return newService(o, newStores(o.Open), &modelclients.Clients{}, budget)
}

// WithSharedStores returns another service. Both services share the stores, the models and the memory limit. They also
// share the data that the safety gate remembers: the policies, the cooldowns and the trips.
func (s *Service) WithSharedStores(o Options) *Service {
	other := newService(o, s.stores, s.models, s.budget)
	other.policies, other.followed = s.policies, s.followed
	other.cooldowns, other.trips, other.reminded = s.cooldowns, s.trips, s.reminded
	return other
}

func newService(o Options, shared *stores, asked *modelclients.Clients, budget *memory.Budget) *Service {
	s := &Service{
		env: o.Env, now: o.Now, clock: storefault.NewClockWatcher(o.Now, o.Kernel), dir: o.Dir, patience: patience,
		mask: o.Mask, remote: o.Remote,
		tenants: o.Tenants, stores: shared, models: asked, budget: budget, meter: o.Meter,
		failed: &remote.Failed{}, onRequest: o.OnRequest, placesOf: o.Places, flags: o.Flags, policyFile: o.Policies,
		policies: &policyfile.Files{Report: o.OnBroken}, cooldowns: &policy.Cooldowns{}, trips: &dependence.Trips{},
		followed: &followedPolicies{}, recordingTime: recordingTime, reminded: &sync.Map{},
	}
	s.desk = detectors.New(func() (*private.Dir, error) { return private.Runtime(o.Env) })
	if s.onMasked = o.OnMasked; s.onMasked == nil {
		s.onMasked = func(string) {}
	}
	if s.onChecked = o.OnChecked; s.onChecked == nil {
		s.onChecked = func(Checked) {}
	}
	if s.onChanged = o.OnChanged; s.onChanged == nil {
		s.onChanged = func() {}
	}
	if s.meter == nil {
		s.meter = noMeter{}
	}
	if s.onRequest == nil {
		s.onRequest = func(bool) {}
	}
	s.shown = &shownPage{age: o.PageAge}
	if o.Memory {
		s.memory, s.taking = memory.New(budget, (*rulebook).size), &taking{}
	}
	return s
}

func (s *Service) keeper() *fallback.Keeper { return &fallback.Keeper{Env: s.env, Now: s.now} }

// Request asks which guidelines apply to a task.
type Request struct {
	guideline.Context
	// Unknown has the fields whose values are unknown. Such a field matches every condition.
	Unknown guideline.Fields
	// Prompt is the text that the user wrote. If Domain or Action is empty, its value is derived from the prompt.
	Prompt string
	// Project is the absolute path of the project's root. If it is empty, the service uses its own project.
	Project string
	// ProjectID selects the project whose guidelines are read from the store, in addition to the guidelines of all
	// projects. If it is empty, the service uses the id of Project.
	ProjectID string
	// Choice is how the session's user chose to continue during an outage: fallback.ChoiceStatic, fallback.ChoiceOpen
	// or "".
	Choice string
	// Hook is set for requests of hooks. The answer then includes Injection and SessionCache. Paths, event and gate
	// type are unknown.
	Hook bool
	// MainThread is set by hooks for calls of the main thread. A project can choose the agent of the main thread, with the
	// client's settings or with an environment variable. In this way, it could avoid guidelines for other agents.
	// Therefore, in the higher layers, the guidelines for the user's own default agent apply as well.
	MainThread bool
	// Tasks has the task that each layer found in the last prompt. The service uses the domain or action of this task if
	// neither the request nor Prompt has one.
	Tasks []Task
	// Definitions is set if the answer must include the guidelines as they were written. A service sets Definitions in its
	// requests to a server.
	Definitions bool
	// Typed is set by hooks if a person typed the prompt, or reads the answer. Its value is the client's entry point, for
	// example "cli" for a terminal.
	Typed string
	// AgentID is the client's id of a subagent, or "". If the agent's last calls could be a loop, the field "Calls" has
	// hashes of these calls. Otherwise, it is empty. If AgentID is set, the service answers with only Note, Loop and
	// Notices.
	AgentID, Calls string
	// Answer is a final answer of the model. If it is set, the service answers with only Message, Counter, Note and
	// Notices. The field "Again" is set if a hook asked the model for this final answer.
	Answer string
	Again  bool
	// Display is a part of a model's answer that the client is about to show. If it is set, the service answers with only
	// Display.
	Display string
	// Environment has the settings in the caller's environment variables. It is nil if the caller has the same
	// environment as the service.
	Environment map[string]string

	// Draft changes the guidelines for this request only. Draft is not an argument of a tool.
	Draft *Draft

	// The field "bound" is set if the caller is allowed to use only its own tenant. The name of this tenant can be "".
	bound bool
}

// Task is the domain and the action of a prompt.
type Task struct{ Domain, Action string }

// Answer holds the guidelines that apply to a request. All transports return it in this form.
type Answer struct {
	Success bool `json:"success"`
	// Count is the number of guidelines that apply or possibly apply.
	Count int `json:"count"`
	// Result is nil in answers to hooks, which do not read it.
	*evaluator.Result
	// Context is the task, including the fields that the service filled in.
	Context guideline.Context `json:"context"`
	// Source is one of the sources below, or one of the sources in package fallback.
	Source   string             `json:"source"`
	Fallback *fallback.Fallback `json:"fallback,omitempty"`
	// Notices are messages for the user.
	Notices []string `json:"notices,omitempty"`
	// The field Ignored lists the settings that have no effect, or less effect than intended.
	Ignored []config.Ignored `json:"ignored,omitempty"`
	// Message contains lines for the user from the detectors, the safety gate and the output guard. Note is for the
	// model, and Counter is a text that asks the model for another answer. Loop is "ask" if the user is asked about the
	// next identical call. None of these four fields is shared with other sessions.
	Message string `json:"message,omitempty"`
	Note    string `json:"note,omitempty"`
	Counter string `json:"counter,omitempty"`
	Loop    string `json:"loop,omitempty"`
	// Refusal is the text that the user reads instead of an answer if the safety gate refuses the prompt.
	Refusal string `json:"refusal,omitempty"`
	// Display is the part of the model's answer from the request, with personal data masked. It is empty if the part
	// has no personal data, or if the settings do not switch the masking on.
	Display string `json:"display,omitempty"`
	// Injection is text for the model.
	Injection string `json:"injection,omitempty"`
	// SessionCache is the document with which hooks judge the next tool calls.
	SessionCache string                `json:"session_cache,omitempty"`
	Definitions  []guideline.Guideline `json:"definitions,omitzero"`
}

// The sources of a project's current guidelines.
const (
	SourceFiles  = "files"
	SourceServer = "server"
	SourceStore  = "store"
)

// GetContext answers a request. If guidelines cannot be read or reached, it returns an answer with a fallback and no
// error.
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
	s = s.forCaller(r.Environment)
	began := time.Now()
	reading, stop := s.readingTime(ctx, &r)
	defer stop()
	b, err := s.rulebook(reading, root, &r)
	if err != nil {
		return nil, err
	}
	if r.Display != "" {
		return s.display(ctx, root, b, &r), nil
	}
	if r.Calls != "" || r.Answer != "" {
		return s.observe(ctx, root, b, &r), nil
	}
	asking, end := s.modelTime(ctx, began, &r, &b.settings.Model)
	defer end()
	q := b.query(asking, s.env, root, &r)
	a, err := s.answer(b, q, &r)
	if err == nil && r.Typed != "" {
		s.advise(asking, root, b, &r, a)
	}
	if err == nil {
		s.screen(asking, root, b, &r, a)
	}
	if err == nil && !r.Hook {
		a.Notices = append(a.Notices, b.unknownAgent(q.own())...)
	}
	return a, err
}

// readingTime returns a context that limits how long the guidelines are read for a hook. A service with a memory has no
// limit, because it reads its stores in the background.
func (s *Service) readingTime(ctx context.Context, r *Request) (context.Context, context.CancelFunc) {
	if !r.Hook || s.memory != nil {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, s.patience)
}

// checkRemote rejects a request from another computer if it has fields that only hooks on this computer may send.
func (s *Service) checkRemote(r *Request) error {
	switch {
	case s.remote && r.Environment != nil:
		return errors.New("environment: is not accepted from a caller over the network; remove it")
	case s.remote && r.Typed+r.Calls+r.Answer+r.Display != "":
		return errors.New("these fields are not accepted over the network; remove them: typed, calls, answer, display")
	case s.remote && r.Hook:
		return errors.New("hook: is not accepted from a caller over the network; remove it")
	}
	return nil
}

// GuidelineSource returns the source of the guidelines of the service's own project. The result "instead" is set if
// the current guidelines cannot be read.
func (s *Service) GuidelineSource(ctx context.Context) (source string, instead *fallback.Fallback) {
	_, b, err := s.wholeRulebook(ctx, "", "")
	if err != nil {
		return "", &fallback.Fallback{}
	}
	return b.source, b.fallback
}

// LastKnown returns when the last known good guidelines of a project were read, and how many guidelines there were. If
// a project has no last known good guidelines, the number is 0.
func (s *Service) LastKnown(root string) (at time.Time, guidelines int) {
	last, err := s.keeper().ReadSnapshot(root, s.snapshotOf(root, &Request{}))
	if err != nil {
		return time.Time{}, 0
	}
	return last.Time.UTC(), last.Count()
}

// Outage returns the current outage that a project's hooks recorded, or nil if there is none.
func (s *Service) Outage(root string) (*fallback.Outage, error) { return s.keeper().Outage(root) }

// Forget makes the service read everything again.
func (s *Service) Forget() {
	if s.memory != nil {
		s.memory.Forget()
	}
}
