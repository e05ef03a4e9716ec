package live

import (
	"context"
	"iter"

	"guardrails/guideline"
	"guardrails/store"
)

// Get gives one guideline.
func (b *Book) Get(ctx context.Context, id string) (guideline.Guideline, error) {
	return b.c.store.Get(ctx, b.who.Tenant, id)
}

// List gives one page of the guidelines that pass a filter.
func (b *Book) List(ctx context.Context, q store.ListQuery) (store.Page[guideline.Guideline], error) {
	return b.c.store.List(ctx, b.who.Tenant, q)
}

// All gives every guideline, disabled ones included.
func (b *Book) All(ctx context.Context) (store.Set, error) { return b.c.store.All(ctx, b.who.Tenant) }

// Generation is a number that grows with every change of a guideline. It is asked of the store, not of what is in memory.
func (b *Book) Generation(ctx context.Context) (int64, error) {
	return b.c.store.Generation(ctx, b.who.Tenant)
}

// History gives a guideline's revisions, newest first.
func (b *Book) History(ctx context.Context, id string, p store.Paging) (store.Page[store.Revision], error) {
	return b.c.store.History(ctx, b.who.Tenant, id, p)
}

// Audit gives one page of the audit, newest first.
func (b *Book) Audit(ctx context.Context, q store.AuditQuery) (store.Page[store.Entry], error) {
	return b.c.store.Query(ctx, b.who.Tenant, q)
}

// Entries gives every entry of the audit that passes a filter, oldest first.
func (b *Book) Entries(ctx context.Context, f store.AuditFilter) iter.Seq2[store.Entry, error] {
	return b.c.store.Export(ctx, b.who.Tenant, f)
}

// Heads gives the newest entry of every chain of the audit.
func (b *Book) Heads(ctx context.Context) ([]store.Head, error) {
	return b.c.store.Heads(ctx, b.who.Tenant)
}

// Verify looks for entries that were altered, removed, reordered or cut off, and for guidelines that are not what the
// audit says.
func (b *Book) Verify(ctx context.Context, noted ...store.Head) ([]store.Verdict, error) {
	return b.c.store.Verify(ctx, b.who.Tenant, noted...)
}

// Dump gives everything of the tenant, to be taken to another store.
func (b *Book) Dump(ctx context.Context) iter.Seq2[store.Record, error] {
	return b.c.store.Dump(ctx, b.who.Tenant)
}
