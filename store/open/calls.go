package open

import (
	"context"
	"iter"

	"guardrails/guideline"
	"guardrails/store"
)

// Get is that of the store.
func (r *reopening) Get(ctx context.Context, tenant, id string) (guideline.Guideline, error) {
	return use(ctx, r, func(s store.Store) (guideline.Guideline, error) { return s.Get(ctx, tenant, id) })
}

// List is that of the store.
func (r *reopening) List(ctx context.Context, tenant string, q store.ListQuery) (store.Page[guideline.Guideline], error) {
	return use(ctx, r, func(s store.Store) (store.Page[guideline.Guideline], error) { return s.List(ctx, tenant, q) })
}

// All is that of the store. Its generation differs from those of what was opened before.
func (r *reopening) All(ctx context.Context, tenant string) (store.Set, error) {
	s, epoch, err := r.opened(ctx)
	if err != nil {
		return store.Set{}, err
	}
	set, err := s.All(ctx, tenant)
	r.lost(s, err)
	set.Generation = store.InEpoch(epoch, set.Generation)
	return set, err
}

// Generation is that of the store, which differs from those of what was opened before.
func (r *reopening) Generation(ctx context.Context, tenant string) (int64, error) {
	s, epoch, err := r.opened(ctx)
	if err != nil {
		return 0, err
	}
	number, err := s.Generation(ctx, tenant)
	r.lost(s, err)
	return store.InEpoch(epoch, number), err
}

// Create is that of the store.
func (r *reopening) Create(ctx context.Context, w store.Write, g guideline.Guideline) (guideline.Guideline, error) {
	return use(ctx, r, func(s store.Store) (guideline.Guideline, error) { return s.Create(ctx, w, g) })
}

// Update is that of the store.
func (r *reopening) Update(ctx context.Context, w store.Write, g guideline.Guideline) (guideline.Guideline, error) {
	return use(ctx, r, func(s store.Store) (guideline.Guideline, error) { return s.Update(ctx, w, g) })
}

// Toggle is that of the store.
func (r *reopening) Toggle(ctx context.Context, w store.Write, ref store.Ref) (guideline.Guideline, error) {
	return use(ctx, r, func(s store.Store) (guideline.Guideline, error) { return s.Toggle(ctx, w, ref) })
}

// Delete is that of the store.
func (r *reopening) Delete(ctx context.Context, w store.Write, ref store.Ref) error {
	_, err := use(ctx, r, func(s store.Store) (none struct{}, err error) { return none, s.Delete(ctx, w, ref) })
	return err
}

// History is that of the store.
func (r *reopening) History(ctx context.Context, tenant, id string, p store.Paging) (store.Page[store.Revision], error) {
	return use(ctx, r, func(s store.Store) (store.Page[store.Revision], error) { return s.History(ctx, tenant, id, p) })
}

// Restore is that of the store.
func (r *reopening) Restore(ctx context.Context, w store.Write, ref store.Ref, version int) (guideline.Guideline, error) {
	return use(ctx, r, func(s store.Store) (guideline.Guideline, error) { return s.Restore(ctx, w, ref, version) })
}

// Import is that of the store.
func (r *reopening) Import(ctx context.Context, w store.Write, items []guideline.Guideline, how store.ImportOptions) (store.ImportResult, error) {
	return use(ctx, r, func(s store.Store) (store.ImportResult, error) { return s.Import(ctx, w, items, how) })
}

// Append is that of the store.
func (r *reopening) Append(ctx context.Context, tenant string, entries ...store.Entry) ([]store.Entry, error) {
	return use(ctx, r, func(s store.Store) ([]store.Entry, error) { return s.Append(ctx, tenant, entries...) })
}

// Query is that of the store.
func (r *reopening) Query(ctx context.Context, tenant string, q store.AuditQuery) (store.Page[store.Entry], error) {
	return use(ctx, r, func(s store.Store) (store.Page[store.Entry], error) { return s.Query(ctx, tenant, q) })
}

// Export is that of the store.
func (r *reopening) Export(ctx context.Context, tenant string, f store.AuditFilter) iter.Seq2[store.Entry, error] {
	return stream(ctx, r, func(s store.Store) iter.Seq2[store.Entry, error] { return s.Export(ctx, tenant, f) })
}

// Prune is that of the store.
func (r *reopening) Prune(ctx context.Context, w store.Write, keep store.Retention) (int64, error) {
	return use(ctx, r, func(s store.Store) (int64, error) { return s.Prune(ctx, w, keep) })
}

// Heads is that of the store.
func (r *reopening) Heads(ctx context.Context, tenant string) ([]store.Head, error) {
	return use(ctx, r, func(s store.Store) ([]store.Head, error) { return s.Heads(ctx, tenant) })
}

// Verify is that of the store.
func (r *reopening) Verify(ctx context.Context, tenant string, noted ...store.Head) ([]store.Verdict, error) {
	return use(ctx, r, func(s store.Store) ([]store.Verdict, error) { return s.Verify(ctx, tenant, noted...) })
}

// Dump is that of the store.
func (r *reopening) Dump(ctx context.Context, tenant string) iter.Seq2[store.Record, error] {
	return stream(ctx, r, func(s store.Store) iter.Seq2[store.Record, error] { return s.Dump(ctx, tenant) })
}

// Load is that of the store.
func (r *reopening) Load(ctx context.Context, tenant string, dump iter.Seq2[store.Record, error]) (store.Loaded, error) {
	return use(ctx, r, func(s store.Store) (store.Loaded, error) { return s.Load(ctx, tenant, dump) })
}

// stream gives what the store that is open gives piece by piece.
func stream[T any](ctx context.Context, r *reopening, begin func(store.Store) iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		s, _, err := r.opened(ctx)
		if err != nil {
			var none T
			yield(none, err)
			return
		}
		begin(s)(yield)
	}
}
