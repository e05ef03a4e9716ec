package service

import (
	"cmp"
	"context"
	"errors"
	"reflect"

	"guardrails/config"
	"guardrails/detect"
	"guardrails/internal/document"
	"guardrails/internal/product"
	"guardrails/store/live"
)

// The type "settings" holds a project's combined settings, and the other content that was read to find them.
type settings struct {
	config.Config
	layers *config.Layers
	// The field "probe" is the content of the user's own store, if it was read to find out whether the user's layer
	// exists. The field "probe" is nil if the settings of the administrator or of the user already show that the layer
	// exists.
	probe *storePart
	// storeError is the reason why the user's own store cannot be used, or nil.
	storeError error
	// derivedID is the id that guardrails derives for the project if its settings do not name one. The field "renamed"
	// is a notice for the user if guardrails would now derive another id.
	derivedID, renamed string
}

// readSettings reads the settings of a project. The user's layer exists if the user has settings or guidelines, or if
// the user's own store has guidelines. If the user's own store cannot be used, readSettings assumes that the store has
// guidelines.
func (s *Service) readSettings(ctx context.Context, root string, r *Request) *settings {
	out := &settings{layers: config.Read(s.places(root), s.env)}
	out.derivedID, out.renamed = s.projectID(root)
	s.combine(ctx, root, r, out)
	if out.Project == "" {
		out.Project = out.derivedID
	} else {
		out.renamed = ""
	}
	return out
}

// combine() combines the settings of all layers. If neither the administrator nor the user has settings or guidelines
// in files, it reads the user's own store to find out whether the user's layer exists.
func (s *Service) combine(ctx context.Context, root string, r *Request, out *settings) {
	if out.Config = out.layers.Combine(false); out.layers.HasHigher() {
		return
	}
	out.probe, out.storeError = s.readOwnStore(ctx, out.derivedID)
	if out.storeError != nil {
		out.probe = &storePart{}
	} else if s.stores != nil && out.probe.from == nil && out.Store == nil && out.Server == nil {
		out.storeError = s.checkNotLost(root, r)
	}
	if out.storeError != nil || len(out.probe.sources) > 0 {
		out.Config = out.layers.Combine(true)
	}
}

// readLocation reads the settings that say where a project's guidelines are: the store or the server, the tenant and
// the project id. It reads the user's own store only if these settings depend on whether the user's layer exists.
func (s *Service) readLocation(ctx context.Context, root string) (*config.Config, document.Problems) {
	l := config.Read(s.places(root), s.env)
	alone, higher := l.Combine(false), l.Combine(true)
	if alone.Tenant == higher.Tenant && alone.Project == higher.Project && alone.StoreKey() == higher.StoreKey() &&
		reflect.DeepEqual(alone.Server, higher.Server) {
		if higher.Project == "" {
			higher.Project, _ = s.projectID(root)
		}
		return &higher, l.Problems()
	}
	return &s.readSettings(ctx, root, &Request{}).Config, l.Problems()
}

// readOwnStore returns the guidelines that the user's own store has for a project. The user's own store is the store
// that is used if no settings name a store. If it does not exist, the result is empty.
func (s *Service) readOwnStore(ctx context.Context, projectID string) (*storePart, error) {
	own := &config.Config{Project: projectID}
	from, err := s.stores.get(ctx, own)
	if errors.Is(err, live.ErrNoStore) {
		return &storePart{}, nil
	}
	if err == nil {
		var part *storePart
		if part, err = s.partOf(ctx, from, own); err == nil {
			return part, nil
		}
	}
	return nil, &storeDownError{err}
}

// Settings returns the settings of a project. If the parameter "project" is empty, it uses the service's own project.
// The error has the type document.Problems and lists the mistakes in the settings of all layers.
func (s *Service) Settings(ctx context.Context, project string) (*config.Config, error) {
	r := Request{Project: project}
	root, err := s.root(&r)
	if err != nil {
		return &config.Config{}, err
	}
	found := s.readSettings(ctx, root, &r)
	return &found.Config, found.layers.Problems().Err()
}

func (s *Service) places(root string) config.Places {
	if s.placesOf != nil {
		return s.placesOf(root)
	}
	p := config.PlacesOf(root, s.env)
	p.Flags = s.flags
	return p
}

// useSettings reads the settings of a project into a rulebook. If the settings have a mistake, useSettings ignores the
// settings that could make the checks less strict. useSettings returns the error in the settings of the higher layers,
// and the error in the project's own settings.
func (s *Service) useSettings(ctx context.Context, root string, r *Request, b *rulebook) (higher, own error) {
	found := s.readSettings(ctx, root, r)
	c := &found.Config
	b.owner, b.probe, b.written, b.derivedID = c.Tenant, found.probe, found.layers, found.derivedID
	if r.ProjectID != "" {
		c.Project, c.ClaimedProject = r.ProjectID, ""
	} else if found.renamed != "" {
		b.notices = append(b.notices, found.renamed)
	}
	if r.TenantID != "" || r.bound {
		c.Tenant = r.TenantID
	}
	if r.Definitions {
		b.partial, c.Server = c.Server != nil, nil // otherwise, two servers could ask each other forever
	}
	higher, own = found.layers.HigherProblems().Err(), found.layers.ProjectProblems().Err()
	if higher == nil {
		higher = found.storeError
	}
	wrongHigher, wrongOwn := s.setLayers(b, c)
	higher, own = cmp.Or(higher, wrongHigher), cmp.Or(own, wrongOwn)
	b.settings, b.misread = *c, higher != nil || own != nil
	if b.misread {
		b.distrust(higher != nil)
	}
	return higher, own
}

// setLayers creates the layers of the rulebook from the settings. It returns errors if the settings define domains
// wrongly.
func (s *Service) setLayers(b *rulebook, c *config.Config) (higher, own error) {
	b.layers = nil
	for i := range c.Layers {
		l := layer{Layer: c.Layers[i]}
		var err error
		if l.detector, err = detect.New(detect.Options{Domains: l.Domains, Model: s.classifier(c, l.Domains)}); err != nil {
			l.detector = plainDetector()
			if err = s.inDomains(err); l.Name == config.Project {
				own = err
			} else {
				higher = err
			}
		}
		b.layers = append(b.layers, l)
	}
	return higher, own
}

// distrust() ignores settings that could make the checks less strict: the fallback mode, the exceptions and the test
// commands. It also switches off the recording of calls, because the settings that cannot be read might switch it off.
// If the parameter "all" is false, distrust() keeps the exceptions and test commands of the higher layers.
func (b *rulebook) distrust(all bool) {
	b.settings.Fallback, b.settings.Audit.NoCalls = config.AskUser, true
	for i := range b.layers {
		if l := &b.layers[i]; all || l.Name == config.Project {
			l.Exceptions, l.Others, l.TestCommands = nil, nil, nil
		}
	}
}

func plainDetector() *detect.Detector {
	d, _ := detect.New(detect.Options{}) // only domains can be wrong
	return d
}

// inDomains adds to each mistake the name of the file or variable that defines the domains.
func (s *Service) inDomains(err error) error {
	problems, ok := errors.AsType[document.Problems](err)
	if !ok {
		return err
	}
	file := config.File
	if s.env(product.VariableDomains) != "" {
		file = product.VariableDomains
	}
	out := make(document.Problems, len(problems))
	for i, p := range problems {
		p.File = file
		out[i] = p
	}
	return out
}

// isCurrent reports whether the stores from which the rulebook was read are unchanged since then.
func (s *Service) isCurrent(ctx context.Context, b *rulebook) bool {
	return s.currentProbe(ctx, b) && (b.settings.Server != nil || s.currentIn(ctx, &b.settings, b.store))
}

// currentProbe reports whether the user's own store is unchanged since the rulebook was read. If the user's own store
// was not read, or is also the store of the rulebook, currentProbe returns true.
func (s *Service) currentProbe(ctx context.Context, b *rulebook) bool {
	return b.probe == nil || b.probe == b.store || s.currentIn(ctx, &config.Config{}, b.probe)
}

// currentIn reports whether the settings still name the store from which the given storePart was read, and whether this
// store is unchanged since then.
func (s *Service) currentIn(ctx context.Context, c *config.Config, part *storePart) bool {
	from, err := s.stores.get(ctx, c)
	if errors.Is(err, live.ErrNoStore) {
		return part.from == nil
	}
	if err != nil || from != part.from {
		return false
	}
	v, err := s.view(ctx, from, c.Tenant)
	return err == nil && v.Generation == part.generation
}
