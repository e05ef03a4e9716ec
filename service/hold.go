package service

import (
	"context"
	"errors"
	"slices"

	"guardrails/config"
	"guardrails/detect"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/internal/product"
	"guardrails/rules"
)

// held is what holds in a project, before anybody asks for whom.
type held struct {
	settings config.Config
	// owner is the project's tenant.
	owner string
	// misread is set when the settings have a mistake, so that some of them are not known.
	misread    bool
	detector   *detect.Detector
	guidelines []rules.Source
	// store is what of it was taken from a store.
	store *taken
	// set is the guidelines, compiled; roles are the agents that they name, and silent those whose text the client itself
	// gives to the model.
	set      *evaluator.Set
	roles    map[string]string
	silent   map[string]bool
	source   string
	fallback *Fallback
	notices  []string
	// of is what is kept of this; set where a question is answered.
	of *remembered
}

func (h *held) plain() []guideline.Guideline {
	return (&rules.Loaded{Guidelines: h.guidelines}).Plain()
}

// hold finds what holds in a project, or what holds in its place. What is returned is the caller's own, as far as it is
// not compiled.
func (s *Service) hold(ctx context.Context, root string, r *Request) (*held, error) {
	if err := s.bind(ctx, root, r); err != nil {
		return nil, err
	}
	key := s.memoryKey(root, r)
	known := s.recall(ctx, key)
	s.asked(known != nil)
	if known == nil {
		var err error
		if known, err = s.read(ctx, key, root, r); err != nil {
			return nil, err
		}
	}
	h := *known.held
	h.of = known
	h.notices = slices.Clone(h.notices)
	switch {
	case h.fallback != nil:
	case r.Hook:
		h.notices = append(h.notices, s.keep(root, r, known)...)
	case s.serves(r, &h):
		h.notices = append(h.notices, s.save(root, r, known)...)
	}
	return &h, nil
}

// serves tells whether a question is for what holds in a server's own project, whoever asks it. Those who ask a server
// over its port have no hooks, and need what was last known as well.
func (s *Service) serves(r *Request, h *held) bool {
	return s.memory != nil && r.Project == "" && !r.Definitions && (r.bound && r.TenantID == h.owner || !r.bound && r.TenantID == "")
}

// read reads what holds in a project, and remembers it unless something is wrong.
func (s *Service) read(ctx context.Context, key, root string, r *Request) (*remembered, error) {
	var before []stamp
	if s.memory != nil {
		before = stampsOf(root)
		s.memory.watched.of(root, before)
	}
	began := s.now()
	h := &held{store: &taken{}}
	err := s.settings(root, r, h)
	if r.bound && (err != nil || h.owner != r.TenantID) {
		if err := s.readAbroad(ctx, root, r, h); err != nil {
			return nil, err
		}
		return s.memory.remember(key, h, before, began), nil
	}
	if err == nil {
		err = s.fill(ctx, root, r, h)
	}
	wrong := err != nil
	if wrong {
		s.fallBack(root, r, h, err)
	}
	if err := h.compile(); err != nil {
		return nil, err
	}
	if wrong {
		return &remembered{held: h}, nil
	}
	return s.memory.remember(key, h, before, began), nil
}

// fill puts everything in that holds in a project.
func (s *Service) fill(ctx context.Context, root string, r *Request, h *held) error {
	all, err := s.collect(ctx, root, r, &h.settings)
	if err != nil {
		return err
	}
	h.guidelines, h.notices, h.source, h.store = all.guidelines, all.notices, all.source, all.store
	return nil
}

// compile prepares what every question needs.
func (h *held) compile() (err error) {
	if h.set, err = evaluator.Compile(h.plain()); err != nil {
		return err
	}
	h.roles, h.silent = rolesOf(h.guidelines), map[string]bool{}
	for i := range h.guidelines {
		if s := &h.guidelines[i]; fromClientRules(s) && h.source != SourceStatic {
			h.silent[s.ID] = true
		}
	}
	return nil
}

// settings reads the project's settings. Those with a mistake are not believed where they would let something pass.
func (s *Service) settings(root string, r *Request, h *held) error {
	c, problems := config.Load(root, s.env)
	h.owner = c.Tenant
	if r.TenantID != "" || r.bound {
		c.Tenant = r.TenantID
	}
	if r.Definitions {
		// A server that asks another one could be asked by that one in turn.
		c.Server = nil
	}
	detector, err := detect.New(detect.Options{Domains: c.Domains})
	if err != nil {
		detector = plainDetector()
		err = s.ofDomains(err)
	}
	if mistakes := problems.Err(); mistakes != nil {
		err = mistakes
	}
	if err != nil {
		c.Fallback, c.Exceptions = config.AskUser, nil
	}
	h.settings, h.detector, h.misread = c, detector, err != nil
	return err
}

// plainDetector knows the words that everybody's prompts have.
func plainDetector() *detect.Detector {
	d, _ := detect.New(detect.Options{}) // without domains of its own a detector cannot fail
	return d
}

// ofDomains says of mistakes in the project's domains where these stand.
func (s *Service) ofDomains(err error) error {
	problems, ok := errors.AsType[document.Problems](err)
	if !ok {
		return err
	}
	file := config.File
	if s.env(domainsVariable) != "" {
		file = domainsVariable
	}
	problems = slices.Clone(problems)
	for i := range problems {
		problems[i].File = file
	}
	return problems
}

const domainsVariable = product.VariableDomains
