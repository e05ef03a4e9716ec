package catalog

import (
	"context"
	"iter"

	"guardrails/store"
)

// Append adds decisions to the audit; those whose ids are there already stay as they are.
func (b *Book) Append(ctx context.Context, entries ...store.Entry) ([]store.Entry, error) {
	for i := range entries {
		b.c.maskEntry(&entries[i])
	}
	sealed, err := b.c.store.Append(ctx, b.who.Tenant, entries...)
	for i := range sealed {
		b.c.tell(Event{Kind: DecisionMade, Tenant: b.who.Tenant, Guideline: sealed[i].Guideline, Actor: sealed[i].Actor, Entry: &sealed[i]})
	}
	return sealed, err
}

// Prune gives up the oldest decisions, and says how many.
func (b *Book) Prune(ctx context.Context, r store.Retention) (int64, error) {
	return b.c.store.Prune(ctx, b.write(), r)
}

// Load takes in what Dump gave.
func (b *Book) Load(ctx context.Context, dump iter.Seq2[store.Record, error]) (store.Loaded, error) {
	loaded, err := b.c.store.Load(ctx, b.who.Tenant, dump)
	if err == nil {
		b.c.told(ctx, Event{Kind: GuidelinesImported, Tenant: b.who.Tenant, Actor: b.who.Actor})
	}
	return loaded, err
}

// maskEntry hides what looks like a secret in what people and programs wrote.
func (c *Catalog) maskEntry(e *store.Entry) {
	if d := e.Decision; d != nil {
		d.Reason, d.UserResponse = c.mask(d.Reason), c.mask(d.UserResponse)
	}
	if e.Context != nil {
		for i := range e.Context.Paths {
			e.Context.Paths[i] = c.mask(e.Context.Paths[i])
		}
	}
}
