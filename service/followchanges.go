package service

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"

	"guardrails/guideline"
	"guardrails/rules"
	"guardrails/service/inject"
	"guardrails/store"
	"guardrails/store/live"
)

// maxFollowed is the largest number of changed guidelines that are applied to a rulebook in memory. After more changes,
// the rulebook is read again.
const maxFollowed = 200

// follow() returns a copy of the rulebook with the latest changes of the guidelines in its store. Reading the rulebook
// again would give the same result, but would take much longer if there are many guidelines. If the changes could
// affect other guidelines too, follow() returns nil, and the caller must read the rulebook again.
func (s *Service) follow(ctx context.Context, b *rulebook) *rulebook {
	if b.source != SourceStore || b.settings.Server != nil || b.repeated || !s.currentProbe(ctx, b) {
		return nil
	}
	began := s.now()
	from, err := s.stores.get(ctx, &b.settings)
	if err != nil || from != b.store.from {
		return nil
	}
	v, err := s.checkedView(ctx, from, &b.settings)
	if err != nil {
		return nil
	}
	changes, ok := b.relevant(differences(b.store.view, v.Guidelines))
	if !ok {
		return nil
	}
	next := b.afterChanges(&v, changes)
	if next != nil {
		next.read = began
	}
	return next
}

// The type "difference" is a guideline in a store before and after changes. The field "before" is nil if the guideline
// was added. The field "after" is nil if the guideline was removed.
type difference struct{ before, after *guideline.Guideline }

// differences() compares two views of a store. Guidelines that did not change have the same pointer in both views.
// differences() returns at most maxFollowed+1 differences.
func differences(before, after []*guideline.Guideline) (out []difference) {
	for len(out) <= maxFollowed && (len(before) > 0 || len(after) > 0) {
		switch {
		case len(before) > 0 && len(after) > 0 && before[0] == after[0]:
			before, after = before[1:], after[1:]
		case len(after) == 0 || len(before) > 0 && store.KeyOf(before[0]) < store.KeyOf(after[0]):
			out, before = append(out, difference{before[0], nil}), before[1:]
		case len(before) == 0 || store.KeyOf(after[0]) < store.KeyOf(before[0]):
			out, after = append(out, difference{nil, after[0]}), after[1:]
		default:
			out = append(out, difference{before[0], after[0]})
			before, after = before[1:], after[1:]
		}
	}
	return out
}

func (d *difference) id() string {
	if d.before != nil {
		return d.before.ID
	}
	return d.after.ID
}

// relevant() returns the differences that concern the rulebook's project. The keys are the ids of the guidelines. The
// result "ok" is false if the rulebook must be read again. The rulebook must be read again if there are too many
// differences, or if a definition with the same id in another place could start or stop applying.
func (b *rulebook) relevant(all []difference) (byID map[string]difference, ok bool) {
	if len(all) > maxFollowed {
		return nil, false
	}
	byID = map[string]difference{}
	packs := rules.KnownPackTexts()
	for _, d := range all {
		was, is := b.precedence(d.before), b.precedence(d.after)
		if was == 0 && is == 0 {
			continue
		}
		id := d.id()
		if _, twice := byID[id]; twice || packs[id] != nil || was != is && (was == ofProject || is == ofProject) {
			return nil, false
		}
		byID[id] = d
	}
	isChanged := func(h hiddenSource) bool { _, found := byID[h.ID]; return found }
	return byID, !slices.ContainsFunc(b.hidden, isChanged) && b.definesOnce(byID)
}

func (b *rulebook) precedence(g *guideline.Guideline) int {
	if g == nil {
		return 0
	}
	return precedence(g, &b.settings)
}

// definesOnce reports whether two things are true. The rulebook has each changed guideline exactly once, in the version
// from the store. And it has no guideline with the id of an added guideline.
func (b *rulebook) definesOnce(byID map[string]difference) bool {
	found, at := 0, b.storeLayer()
	for i := range b.layers {
		for _, g := range b.layers[i].guidelines {
			d, changed := byID[g.ID]
			if !changed {
				continue
			}
			if found++; d.before == nil || i != at || !b.isStored(g, d.before) {
				return false
			}
		}
	}
	for _, d := range byID {
		if d.before != nil {
			found--
		}
	}
	return found == 0
}

// storeLayer returns the index of the layer that has the guidelines of the store.
func (b *rulebook) storeLayer() int {
	if b.otherTenant {
		return 0 // there is only one layer
	}
	return slices.IndexFunc(b.layers, func(l layer) bool { return l.Name == b.sharedLayer() })
}

// isStored reports whether a guideline of a layer was read from the given guideline of the store.
func (b *rulebook) isStored(g *rules.Source, in *guideline.Guideline) bool {
	return g.Origin.File == b.store.from.Location() && g.ProjectID == in.ProjectID && g.Version == in.Version
}

// afterChanges returns a copy of the rulebook. The guidelines that have changed are taken from a newer view of the
// store. afterChanges returns nil if the settings affect the changed guidelines differently than before.
func (b *rulebook) afterChanges(v *live.Snapshot, byID map[string]difference) *rulebook {
	next := *b
	part := *b.store
	part.generation, part.mark, part.view = v.Generation, markOf(v), v.Guidelines
	part.size, part.shared = v.Size, v.Shared
	if next.store = &part; b.probe == b.store {
		next.probe = next.store
	}
	next.layers = slices.Clone(b.layers)
	at := b.storeLayer()
	if at < 0 || !b.applyChanges(&next.layers[at], byID) {
		return nil
	}
	if !reflect.DeepEqual(ignored(b.written, next.layers), ignored(b.written, b.layers)) {
		return nil
	}
	next.roles = inject.RolesOf(next.guidelines())
	next.saved, next.answers = &atomic.Bool{}, &hookAnswers{}
	next.remeasure(byID)
	return &next
}

// applyChanges applies changes to a copy of a layer. It returns false if it cannot apply the changes, or if all
// guidelines from the store would then be gone from the layer.
func (b *rulebook) applyChanges(l *layer, byID map[string]difference) bool {
	had := l.guidelines
	stored, ordered := b.countStored(had)
	if !ordered {
		return false
	}
	var changed []*guideline.Guideline
	var added []*rules.Source
	var removed []string
	for id, d := range byID {
		if b.precedence(d.after) == 0 {
			removed = append(removed, id)
			continue
		}
		g := &rules.Source{Guideline: *d.after, Origin: rules.Origin{File: b.store.from.Location()}}
		g.Locked = g.Locked || l.Locked
		added, changed = append(added, g), append(changed, &g.Guideline)
	}
	var err error
	l.guidelines = merged(had[:stored], had[stored:], added, byID)
	l.set, err = l.set.With(changed, removed...)
	return err == nil && len(l.guidelines) > len(had)-stored
}

// countStored returns how many of the guidelines in a list are from the store. The parameter "ordered" is true if
// all guidelines from the store come first. It is false if other guidelines, such as guidelines of a pack, are before
// or between the guidelines from the store.
func (b *rulebook) countStored(list []*rules.Source) (count int, ordered bool) {
	place, ordered := b.store.from.Location(), true
	for i, g := range list {
		if g.Origin.File == place {
			ordered, count = ordered && count == i, count+1
		}
	}
	return count, ordered
}

// merged() returns the guidelines of a layer after changes. The guidelines of the store come first, ordered by id. Then
// come the other guidelines.
func merged(stored, others, added []*rules.Source, byID map[string]difference) []*rules.Source {
	slices.SortFunc(added, func(a, b *rules.Source) int { return strings.Compare(a.ID, b.ID) })
	out := make([]*rules.Source, 0, len(stored)+len(others)+len(added))
	for _, g := range stored {
		if _, changed := byID[g.ID]; changed {
			continue
		}
		for len(added) > 0 && added[0].ID < g.ID {
			out, added = append(out, added[0]), added[1:]
		}
		out = append(out, g)
	}
	return append(append(out, added...), others...)
}
