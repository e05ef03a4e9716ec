package service

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"guardrails/config"
	"guardrails/decide"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/rules"
	"guardrails/service/guidelinefiles"
	"guardrails/service/remote"
	"guardrails/store"
)

// Layers reads all current guidelines of a project, layer by layer. Hooks use the same guidelines. The notices are for
// the user. If there is an error, the list is empty.
func (s *Service) Layers(ctx context.Context, root string) (list []Layered, notices []string, err error) {
	r := &Request{}
	b := &rulebook{store: &storePart{}}
	higher, own := s.useSettings(ctx, root, r, b)
	if err := errors.Join(higher, own); err != nil {
		return nil, nil, err
	}
	if err := errors.Join(s.collectHigher(ctx, root, r, b), s.collectOwn(ctx, root, r, b)); err != nil {
		return nil, nil, err
	}
	if err := b.compile(); err != nil {
		return nil, nil, err
	}
	for i := range b.layers {
		l := &b.layers[i]
		list = append(list, Layered{Layer: l.Layer, Guidelines: values(l.guidelines), Set: l.set, Exceptions: l.exceptions(s.now())})
	}
	return list, b.notices, nil
}

// Guidelines reads all current guidelines of a project, the highest layer first. The notices are for the user.
func (s *Service) Guidelines(ctx context.Context, root string) (all []rules.Source, notices []string, err error) {
	layers, notices, err := s.Layers(ctx, root)
	for i := range layers {
		all = append(all, layers[i].Guidelines...)
	}
	return all, notices, err
}

// Layered is a layer's settings with its guidelines.
type Layered struct {
	config.Layer
	Guidelines []rules.Source
	// Set holds the compiled guidelines.
	Set *evaluator.Set
	// Exceptions lists the exceptions that apply to the layer's guidelines now.
	Exceptions []decide.Exception
}

func (b *rulebook) layer(name string) *layer {
	for i := range b.layers {
		if b.layers[i].Name == name {
			return &b.layers[i]
		}
	}
	return nil
}

// collectHigher reads the guidelines of the layers above the project's layer: from packs, from files, and from the
// store or the server.
func (s *Service) collectHigher(ctx context.Context, root string, r *Request, b *rulebook) error {
	if !b.settings.HasHigher() {
		return nil
	}
	places := s.places(root)
	var problems document.Problems
	for name, loaded := range guidelinefiles.Higher(&b.settings, &places) {
		problems = append(problems, loaded.Problems...)
		b.layer(name).guidelines = store.Pointers(loaded.Guidelines)
	}
	err := problems.Err()
	if err != nil {
		return err
	}
	user := b.layer(config.User)
	user.guidelines, err = s.addShared(ctx, root, r, b, user.guidelines, "the user's file")
	return err
}

// collectOwn reads the guidelines in the project's packs and files, and those client rules that enforce something. In a
// project without higher layers, it also reads the guidelines of the store or the server.
func (s *Service) collectOwn(ctx context.Context, root string, r *Request, b *rulebook) error {
	own := guidelinefiles.Read(root, &b.settings)
	if err := own.Problems.Err(); err != nil {
		return err
	}
	all := store.Pointers(own.Guidelines)
	if !b.settings.HasHigher() {
		var err error
		if all, err = s.addShared(ctx, root, r, b, all, "the project"); err != nil {
			return err
		}
	}
	client := guidelinefiles.ClientRules(root)
	seen := map[string]rules.Origin{}
	for _, g := range all {
		seen[g.ID] = g.Origin
	}
	enforcing, repeated := rules.Unique(guidelinefiles.Enforcing(client.Guidelines), seen)
	b.repeated = len(repeated) > 0
	for _, p := range append(client.Problems, repeated...) {
		b.notices = append(b.notices, "guardrails does not enforce a rule: "+p.Error())
	}
	b.layer(config.Project).guidelines = slices.Concat(all, store.Pointers(enforcing))
	return nil
}

// addShared joins the guidelines of the layer's files with the guidelines of the server. Without a server, it uses
// the guidelines of the store.
func (s *Service) addShared(
	ctx context.Context, root string, r *Request, b *rulebook, own []*rules.Source, whose string,
) ([]*rules.Source, error) {
	c := &b.settings
	if c.Server != nil {
		client := remote.Client{Env: s.env, Timeout: s.patience}
		note := s.downNote(r, c)
		if err := note.Read(); err != nil {
			return nil, err
		}
		shared, said, err := client.Guidelines(ctx, c)
		if note.Result(err) != nil {
			return nil, err
		}
		all, hidden, notices := join(shared, own, whose, "the server", func(*rules.Source) bool { return false })
		b.hide(b.sharedLayer(), hidden...)
		b.source, b.notices = SourceServer, slices.Concat(b.notices, notices, said)
		return all, nil
	}
	if err := s.useStore(ctx, root, r, b); err != nil {
		return nil, err
	}
	b.hide(b.sharedLayer(), b.store.hidden...)
	if len(b.store.sources) == 0 {
		return own, nil
	}
	shared, covered := withoutClaimed(b.store.sources, own, c)
	b.hide(b.sharedLayer(), covered...)
	// If a copy in the store differs from the pack, there is no notice, because people copy guidelines in order to change
	// them.
	all, hidden, notices := join(shared, own, whose, "the store", guidelinefiles.IsFromPack)
	b.hide(b.sharedLayer(), hidden...)
	b.source, b.notices = SourceStore, append(b.notices, notices...)
	return all, nil
}

// An untrusted project can claim a project id. If a guideline of the claimed project has the same id as a guideline in
// a file or a pack, withoutClaimed leaves out the guideline of the claimed project. Otherwise, the untrusted project
// could replace one of the user's guidelines with a milder one.
func withoutClaimed(shared []rules.Source, own []*rules.Source, c *config.Config) (left, covered []rules.Source) {
	if c.ClaimedProject == "" {
		return shared, nil
	}
	known := map[string]bool{}
	for _, g := range own {
		known[g.ID] = true
	}
	for _, g := range shared {
		if known[g.ID] && precedence(&g.Guideline, c) == ofClaimed {
			covered = append(covered, g)
		} else {
			left = append(left, g)
		}
	}
	return left, covered
}

// sharedLayer returns the name of the layer to which the guidelines of the server or the store belong.
func (b *rulebook) sharedLayer() string {
	if b.settings.HasHigher() {
		return config.User
	}
	return config.Project
}

// useStore reads the store. If the settings name the user's own store, and this store has already been read, useStore
// does not read it again.
func (s *Service) useStore(ctx context.Context, root string, r *Request, b *rulebook) (err error) {
	if b.probe != nil && b.probe.from != nil && b.settings.Store == nil && b.settings.Tenant == "" &&
		b.probe.projectID == b.settings.Project && b.settings.ClaimedProject == "" {
		b.store = b.probe
		return nil
	}
	b.store, err = s.readStore(ctx, root, r, &b.settings)
	if err != nil {
		b.store = &storePart{}
	}
	return err
}

// join() combines two lists of guidelines. The list "own" has guidelines from files, and the list "shared" has
// guidelines of a store or server. If both lists have a guideline with the same id, the shared guideline applies, and
// the file's guideline has no effect. If these two guidelines have different contents, a notice names them, unless
// mayDiffer returns true.
func join(
	shared []rules.Source, own []*rules.Source, who, whose string, mayDiffer func(*rules.Source) bool,
) (all []*rules.Source, hidden []rules.Source, notices []string) {
	known := map[string]*guideline.Guideline{}
	for i := range shared {
		known[shared[i].ID] = &shared[i].Guideline
	}
	var differing []string
	all = store.Pointers(shared)
	for _, g := range own {
		other := known[g.ID]
		if other == nil {
			all = append(all, g)
			continue
		}
		hidden = append(hidden, *g)
		if !mayDiffer(g) && !sameContent(other, &g.Guideline) {
			differing = append(differing, g.ID)
		}
	}
	if len(differing) == 0 {
		return all, hidden, nil
	}
	definitions := "definition applies"
	if len(differing) > 1 {
		definitions = "definitions apply"
	}
	return all, hidden, []string{fmt.Sprintf("guardrails: %s defines %s differently than %s; %s's %s",
		who, strings.Join(differing, ", "), whose, whose, definitions)}
}

// sameContent reports whether two guidelines have the same content. It ignores the version, the author, the
// tenant, the project and the times.
func sameContent(a, b *guideline.Guideline) bool {
	x, y := *a, *b
	for _, g := range []*guideline.Guideline{&x, &y} {
		g.Version, g.CreatedBy, g.TenantID, g.ProjectID = 0, "", "", ""
		g.CreatedAt, g.UpdatedAt = b.CreatedAt, b.UpdatedAt
	}
	first, err := guideline.Encode(&x)
	if err != nil {
		return false
	}
	second, err := guideline.Encode(&y)
	return err == nil && string(first) == string(second)
}
