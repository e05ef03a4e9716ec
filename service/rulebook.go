package service

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"guardrails/config"
	"guardrails/detect"
	"guardrails/evaluator"
	"guardrails/internal/document"
	"guardrails/internal/product"
	"guardrails/rules"
	"guardrails/service/fallback"
	"guardrails/service/files"
	"guardrails/service/inject"
	"guardrails/service/memory"
)

// rulebook holds the current guidelines and settings of a project, for any task.
type rulebook struct {
	settings config.Config
	// owner is the project's tenant.
	owner string
	// misread is set when the settings have a mistake, so that some of them are unknown.
	misread    bool
	detector   *detect.Detector
	guidelines []rules.Source
	// store describes the part of the rulebook that came from a store.
	store *storePart
	// set has the guidelines, compiled.
	set *evaluator.Set
	// roles are the agents that guidelines name.
	roles inject.Roles
	// silent are the ids of guidelines whose text the client itself passes to the model.
	silent   map[string]bool
	source   string
	fallback *fallback.Fallback
	notices  []string
	// saved is set once the guidelines have been saved as the last known good ones.
	saved  *atomic.Bool
	caches *sessionCaches
}

// serverAge is how long the answer of another server may be reused.
const serverAge = 2 * time.Second

// rulebook returns the rulebook of a project, from memory if it is still current.
func (s *Service) rulebook(ctx context.Context, root string, r *Request) (*rulebook, error) {
	if err := s.bind(ctx, root, r); err != nil {
		return nil, err
	}
	key := s.memoryKey(root, r)
	book := s.recall(ctx, key)
	s.onRequest(book != nil)
	if book == nil {
		var err error
		if book, err = s.read(ctx, key, root, r); err != nil {
			return nil, err
		}
	}
	own := *book // callers add notices
	own.notices = slices.Clone(own.notices)
	switch {
	case own.fallback != nil:
	case r.Hook:
		own.notices = append(own.notices, s.keeper().EndOutage(root)...)
		own.notices = append(own.notices, s.save(root, r, &own)...)
	case s.servesItself(r, &own):
		own.notices = append(own.notices, s.save(root, r, &own)...)
	}
	return &own, nil
}

// recall returns the rulebook that memory has for a key, or nil if it is missing or no longer current.
func (s *Service) recall(ctx context.Context, key memory.Key) *rulebook {
	if s.memory == nil {
		return nil
	}
	book, ok := s.memory.Get(key, s.now())
	if !ok || !s.current(ctx, &book.settings, book.store) {
		return nil
	}
	return book
}

// memoryKey returns the key of the rulebook for a request. Requests that see different parts of a project have
// different keys.
func (s *Service) memoryKey(root string, r *Request) memory.Key {
	kind := "all"
	if r.Definitions {
		kind = "own"
	}
	if r.bound {
		kind += " of a tenant"
	}
	view := slices.Concat([]string{r.TenantID, kind, s.env(product.VariableHome)}, config.Overrides(s.env))
	return memory.Key{Root: root, View: strings.Join(view, "\x00")}
}

// servesItself reports whether a request is about the server's own project. Its guidelines are saved as the last known
// good ones, because callers on a port have no hooks that would save them.
func (s *Service) servesItself(r *Request, b *rulebook) bool {
	return s.memory != nil && r.Project == "" && !r.Definitions &&
		(r.bound && r.TenantID == b.owner || !r.bound && r.TenantID == "")
}

// save saves the guidelines as the last known good ones, once for each change. It returns sentences for the user about
// any problems.
func (s *Service) save(root string, r *Request, b *rulebook) (notices []string) {
	if b.saved.Load() {
		return nil
	}
	c := &b.settings
	settings := fallback.Settings{
		Tenant: c.Tenant, DefaultAgent: c.DefaultAgent, Environment: c.Environment,
		Strict: c.Strict, Database: b.database(),
	}
	notice, err := s.keeper().SaveSnapshot(root, snapshotTenant(r), settings, b.guidelines)
	if notice != "" {
		notices = append(notices, notice)
	}
	if err == nil {
		err = s.raiseWatermark(b)
	}
	if err != nil {
		return append(notices, "guardrails cannot save the last known good guidelines: "+err.Error())
	}
	b.saved.Store(notice == "") // a notice is repeated in every answer
	return notices
}

// snapshotTenant returns the tenant of a snapshot. A caller who belongs to the project's tenant uses the project's
// snapshot.
func snapshotTenant(r *Request) string {
	if r.bound {
		return ""
	}
	return r.TenantID
}

// database returns the place of the default database if guidelines came from it.
func (b *rulebook) database() string {
	if b.store.from == nil || b.settings.Store != nil {
		return ""
	}
	return b.store.from.Location()
}

// read reads the rulebook of a project. It remembers the result unless something is wrong.
func (s *Service) read(ctx context.Context, key memory.Key, root string, r *Request) (*rulebook, error) {
	var before memory.Stamps
	if s.memory != nil {
		before = memory.Look(root)
		s.memory.Watch(root, before)
	}
	began := s.now()
	b := &rulebook{store: &storePart{}, saved: &atomic.Bool{}, caches: &sessionCaches{}}
	err := s.settings(root, r, b)
	if r.bound && (err != nil || b.owner != r.TenantID) {
		if err := s.readOtherTenant(ctx, root, r, b); err != nil {
			return nil, err
		}
		s.remember(key, b, before, began)
		return b, nil
	}
	if err == nil {
		err = s.fill(ctx, root, r, b)
	}
	wrong := err != nil
	if wrong {
		s.addSubstitute(root, r, b, err)
	}
	if err := b.compile(); err != nil {
		return nil, err
	}
	if !wrong {
		s.remember(key, b, before, began)
	}
	return b, nil
}

func (s *Service) remember(key memory.Key, b *rulebook, before memory.Stamps, began time.Time) {
	if s.memory == nil {
		return
	}
	var until time.Time
	if b.settings.Server != nil {
		until = began.Add(serverAge)
	}
	s.memory.Put(key, b, before, began, until)
}

// fill adds the current guidelines of a project to its rulebook.
func (s *Service) fill(ctx context.Context, root string, r *Request, b *rulebook) error {
	all, err := s.collect(ctx, root, r, &b.settings)
	if err != nil {
		return err
	}
	b.guidelines, b.notices, b.source, b.store = all.guidelines, all.notices, all.source, all.store
	return nil
}

// addSubstitute adds the guidelines that apply when the project cannot be read.
func (s *Service) addSubstitute(root string, r *Request, b *rulebook, err error) {
	_, storeDown := errors.AsType[*storeDownError](err)
	substitute := s.keeper().Substitute(&fallback.Failure{
		Err: err, StoreDown: storeDown, Root: root, Tenant: snapshotTenant(r), Config: &b.settings,
		Session: r.SessionID, Choice: r.Choice, Hook: r.Hook,
	})
	b.fallback, b.source, b.guidelines = substitute.Fallback, substitute.Source, substitute.Guidelines
	b.notices = append(b.notices, substitute.Notices...)
	if b.misread && substitute.Settings != nil {
		substitute.Settings.Apply(&b.settings)
	}
}

// compile prepares the data that every request needs.
func (b *rulebook) compile() (err error) {
	if b.set, err = evaluator.Compile((&rules.Loaded{Guidelines: b.guidelines}).Plain()); err != nil {
		return err
	}
	b.roles, b.silent = inject.RolesOf(b.guidelines), map[string]bool{}
	for i := range b.guidelines {
		if g := &b.guidelines[i]; files.IsClientRule(g) && b.source != fallback.SourceStatic {
			b.silent[g.ID] = true
		}
	}
	return nil
}

// settings reads the project's settings. If they contain a mistake, settings that would allow more are ignored.
func (s *Service) settings(root string, r *Request, b *rulebook) error {
	c, problems := config.Load(root, s.env)
	b.owner = c.Tenant
	if r.TenantID != "" || r.bound {
		c.Tenant = r.TenantID
	}
	if r.Definitions {
		c.Server = nil // two servers could ask each other for ever
	}
	detector, err := detect.New(detect.Options{Domains: c.Domains})
	if err != nil {
		detector = plainDetector()
		err = s.inDomains(err)
	}
	if mistakes := problems.Err(); mistakes != nil {
		err = mistakes
	}
	if err != nil {
		c.Fallback, c.Exceptions = config.AskUser, nil
	}
	b.settings, b.detector, b.misread = c, detector, err != nil
	return err
}

// plainDetector returns a detector without the project's own domains.
func plainDetector() *detect.Detector {
	d, _ := detect.New(detect.Options{}) // only domains can be wrong
	return d
}

// inDomains completes the mistakes in the project's domains with the place where the domains are defined.
func (s *Service) inDomains(err error) error {
	problems, ok := errors.AsType[document.Problems](err)
	if !ok {
		return err
	}
	file := config.File
	if s.env(product.VariableDomains) != "" {
		file = product.VariableDomains
	}
	problems = slices.Clone(problems)
	for i := range problems {
		problems[i].File = file
	}
	return problems
}
