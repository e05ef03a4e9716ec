package elastic

import (
	"context"
	"errors"

	"guardrails/store"
)

// addEntries takes the entries that wait: those that are not there. What was pruned here stays away.
func (l *load) addEntries(ctx context.Context) error {
	entries := l.entries
	l.entries = nil
	there, err := l.store.sealed(ctx, l.from.Tenant, entries)
	if err != nil {
		return err
	}
	for _, e := range entries {
		had, known := there[e.ID]
		if err := l.addEntry(e, had, known); err != nil {
			return err
		}
	}
	return l.flush(ctx)
}

func (l *load) addEntry(e *store.Entry, had store.Entry, known bool) error {
	c := l.Chains[e.Chain()]
	switch {
	case e.Seq <= c.Had.Base:
		return nil
	case e.Seq <= c.Had.Seq && known && had.Hash == e.Hash && had.Seq == e.Seq && had.Chain() == e.Chain():
		return nil
	case e.Seq <= c.Had.Seq || known:
		return store.Clash("entry", e.ID)
	}
	text, err := e.Sealed()
	if err != nil {
		return err
	}
	doc, err := docOf(text, e.Hash)
	if err != nil {
		return err
	}
	l.Done.Entries++
	return l.add(auditIndex, entryID(e.Tenant, e.ID), false, doc)
}

// addRevisions takes the revisions that wait: those that are not there.
func (l *load) addRevisions(ctx context.Context) error {
	revisions := l.revisions
	l.revisions = nil
	ids, names := make([]string, len(revisions)), make([]string, len(revisions))
	for i, r := range revisions {
		ids[i], names[i] = revisionID(l.from.Tenant, r.Guideline.ID, r.Guideline.Version), r.Guideline.ID
	}
	there, err := l.store.documents(ctx, configIndex, ids)
	if err != nil {
		return err
	}
	if err := l.lookUp(ctx, names); err != nil {
		return err
	}
	for i, r := range revisions {
		if source, known := there[ids[i]]; known {
			had, err := l.store.decodeRevision(source)
			if err := errors.Join(err, r.Same(&had.Revision)); err != nil {
				return err
			}
			continue
		}
		if err := l.addRevision(r); err != nil {
			return err
		}
	}
	return l.flush(ctx)
}

// lookUp finds the newest versions of guidelines that were not looked up yet.
func (l *load) lookUp(ctx context.Context, names []string) error {
	var unknown []string
	for _, name := range names {
		if _, known := l.before[name]; !known {
			l.before[name] = nil
			unknown = append(unknown, name)
		}
	}
	newest, err := l.store.newest(ctx, l.from, unknown...)
	for name, k := range newest {
		l.before[name] = k
	}
	return err
}

// addRevision makes a revision the newest one, from the generation on that the transaction makes.
func (l *load) addRevision(r *store.Revision) error {
	g := &r.Guideline
	before := l.before[g.ID]
	if before != nil && before.Guideline.Version >= g.Version {
		return store.Clash("guideline", g.ID)
	}
	next := &kept{*r, l.from.Generation + 1, 0}
	l.before[g.ID] = next
	l.Done.Revisions++
	if before != nil {
		old := *before
		old.superseded = next.generation
		if err := l.keep(&old, true); err != nil {
			return err
		}
	}
	return l.keep(next, false)
}

// flush puts what is staged aside when it is much.
func (l *load) flush(ctx context.Context) error {
	parts := portions(l.actions, maxBulk)
	if len(parts) < 2 {
		return nil
	}
	for _, actions := range parts {
		if err := l.store.addPart(ctx, l.transaction, actions); err != nil {
			return err
		}
	}
	l.actions = nil
	return nil
}
