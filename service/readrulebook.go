package service

import (
	"context"
	"errors"
	"slices"

	"guardrails/config"
	"guardrails/service/fallback"
)

// fill() reads the guidelines of all layers into a rulebook. The parameter "higher" is the error in the settings of
// the higher layers. The parameter "own" is the error in the project's settings. Both errors may be nil. If only
// the project's settings or guidelines cannot be read, fill() keeps the guidelines of the higher layers, and uses
// substitutes only for the project's guidelines.
func (s *Service) fill(ctx context.Context, root string, r *Request, b *rulebook, higher, own error) error {
	b.source = SourceFiles
	if higher == nil {
		higher = s.collectHigher(ctx, root, r, b)
	}
	if higher == nil && own == nil {
		own = s.collectOwn(ctx, root, r, b)
	}
	switch {
	case higher != nil:
		s.addSubstitute(ctx, root, r, b, higher, false)
	case own != nil:
		s.addSubstitute(ctx, root, r, b, own, b.settings.HasHigher())
	}
	return b.compile()
}

// addSubstitute uses substitutes in place of guidelines that cannot be read. If keepHigher is set, it replaces only the
// project's guidelines.
func (s *Service) addSubstitute(ctx context.Context, root string, r *Request, b *rulebook, err error, keepHigher bool) {
	_, storeDown := errors.AsType[*storeDownError](err)
	substitute := s.keeper().Substitute(&fallback.Failure{
		Err: err, StoreDown: storeDown, Root: root, Tenant: s.snapshotOf(root, r), Config: &b.settings,
		Places:  s.places(root),
		Session: r.SessionID, Choice: r.Choice, Hook: r.Hook, KeepHigher: keepHigher,
		Known: s.lastKnown(s.memoryKey(root, r)), Seen: s.seenChanges(ctx, &b.settings),
		Stored: func(changes int64) *fallback.Selected { return s.lastStored(ctx, b, changes) },
	})
	b.fallback, b.source = substitute.Fallback, substitute.Source
	b.notices = append(b.notices, substitute.Notices...)
	if !b.settings.HasHigher() && slices.ContainsFunc(substitute.Layers, isHigher) {
		// When the snapshot was saved, the user's layer existed. The user's layer does not exist now.
		b.settings.Layers = b.written.Combine(true).Layers
		_, _ = s.setLayers(b, &b.settings) // the error was reported before
		b.distrust(true)
	}
	for i := range b.layers {
		if l := &b.layers[i]; !keepHigher || l.Name == config.Project {
			l.use(substitute.Layer(l.Name), b.misread)
		}
	}
	if last := substitute.Settings; last != nil && b.misread && !keepHigher {
		b.settings.Tenant, b.settings.Strict = last.Tenant, b.settings.Strict || last.Strict
	}
}

func isHigher(l fallback.Layer) bool { return l.Name != config.Project && len(l.Guidelines) > 0 }

// use() replaces a layer's guidelines with substitutes. The parameter "misread" is set if the settings could not be
// read. In this case, use() also replaces the layer's settings.
func (l *layer) use(from *fallback.Layer, misread bool) {
	l.guidelines = slices.Clip(from.Guidelines)
	if misread && from.Environment != "" {
		l.DefaultAgent, l.Environment, l.Locked = from.DefaultAgent, from.Environment, l.Locked || from.Locked
	}
}

// plain() returns the layer in the form in which a snapshot stores it.
func (l *layer) plain() fallback.Layer {
	return fallback.Layer{
		Name: l.Name, DefaultAgent: l.DefaultAgent, Environment: l.Environment, Locked: l.Locked, Guidelines: l.guidelines,
	}
}
