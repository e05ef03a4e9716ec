package live

import (
	"cmp"
	"context"

	"guardrails/guideline"
	"guardrails/store"
)

// Who is behind what a Book does.
type Who struct {
	Tenant string
	// Actor is a person or program, as the audit shall name it.
	Actor string
	// Session is the agent's session that a change came from, if there is one.
	Session string
	// WriteID makes a change that is repeated the same change; empty makes a new one.
	WriteID string
}

// Book is the guidelines and the audit of one tenant, in the hands of one caller. Every change gets its id and author, is
// in force at once and is told to the listeners.
type Book struct {
	c   *Catalog
	who Who
}

// For gives a caller the book of a tenant.
func (c *Catalog) For(who Who) *Book { return &Book{c, who} }

func (b *Book) write() store.Write {
	return store.Write{ID: cmp.Or(b.who.WriteID, store.NewID(b.c.now())), Tenant: b.who.Tenant, Actor: b.who.Actor, Session: b.who.Session}
}

// Create adds a guideline.
func (b *Book) Create(ctx context.Context, g guideline.Guideline) (guideline.Guideline, error) {
	return b.changed(ctx, func(w store.Write) (guideline.Guideline, error) { return b.c.store.Create(ctx, w, g) })
}

// Update replaces the guideline whose id and version g has.
func (b *Book) Update(ctx context.Context, g guideline.Guideline) (guideline.Guideline, error) {
	return b.changed(ctx, func(w store.Write) (guideline.Guideline, error) { return b.c.store.Update(ctx, w, g) })
}

// Toggle switches a guideline on or off.
func (b *Book) Toggle(ctx context.Context, ref store.Ref) (guideline.Guideline, error) {
	return b.changed(ctx, func(w store.Write) (guideline.Guideline, error) { return b.c.store.Toggle(ctx, w, ref) })
}

// Restore makes the content of an earlier version the newest one.
func (b *Book) Restore(ctx context.Context, ref store.Ref, version int) (guideline.Guideline, error) {
	return b.changed(ctx, func(w store.Write) (guideline.Guideline, error) { return b.c.store.Restore(ctx, w, ref, version) })
}

// Delete removes a guideline; its history stays.
func (b *Book) Delete(ctx context.Context, ref store.Ref) error {
	_, err := b.changed(ctx, func(w store.Write) (guideline.Guideline, error) {
		return guideline.Guideline{ID: ref.ID}, b.c.store.Delete(ctx, w, ref)
	})
	return err
}

// Import takes in many guidelines, all or none.
func (b *Book) Import(ctx context.Context, items []guideline.Guideline, how store.ImportOptions) (store.ImportResult, error) {
	result, err := b.c.store.Import(ctx, b.write(), items, how)
	if err == nil && result.Applied {
		b.c.told(ctx, Event{Kind: GuidelinesImported, Tenant: b.who.Tenant, Actor: b.who.Actor})
	}
	return result, err
}

// changed makes a change, and lets everybody see it.
func (b *Book) changed(ctx context.Context, change func(store.Write) (guideline.Guideline, error)) (guideline.Guideline, error) {
	g, err := change(b.write())
	if err == nil {
		b.c.told(ctx, Event{Kind: GuidelineChanged, Tenant: b.who.Tenant, Guideline: g.ID, Version: g.Version, Actor: b.who.Actor})
	}
	return g, err
}
