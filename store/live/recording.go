package live

import (
	"context"
	"iter"
	"slices"

	"guardrails/store"
)

// Append adds decisions to the audit; those whose ids are there already stay as they are.
func (b *Book) Append(ctx context.Context, entries ...store.Entry) ([]store.Entry, error) {
	entries = slices.Clone(entries)
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

// maskEntry hides what looks like a secret in what people and programs wrote. What the caller has stays as it is.
func (c *Catalog) maskEntry(e *store.Entry) {
	if e.Decision != nil {
		d := *e.Decision
		d.Reason, d.UserResponse = c.mask(d.Reason), c.mask(d.UserResponse)
		e.Decision = &d
	}
	if e.Context != nil {
		of := *e.Context
		of.Paths = slices.Clone(of.Paths)
		for i := range of.Paths {
			of.Paths[i] = c.mask(of.Paths[i])
		}
		of.Metadata, _ = c.masked(of.Metadata).(map[string]any)
		e.Context = &of
	}
}

// masked is a value of JSON in which every text is masked.
func (c *Catalog) masked(value any) any {
	switch v := value.(type) {
	case string:
		return c.mask(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = c.masked(v[i])
		}
		return out
	case map[string]any:
		if v == nil {
			return v
		}
		out := make(map[string]any, len(v))
		for key := range v {
			out[key] = c.masked(v[key])
		}
		return out
	}
	return value
}
