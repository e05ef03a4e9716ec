package live

import (
	"cmp"
	"context"
	"errors"

	"guardrails/guideline"
	"guardrails/store"
)

// Edit changes a guideline from what it is: edit says what becomes of it. A reference with version 0 stands for whatever
// version there is.
func (b *Book) Edit(ctx context.Context, ref store.Ref, edit func(guideline.Guideline) (guideline.Guideline, error)) (guideline.Guideline, error) {
	base, err := b.base(ctx, ref)
	if err != nil {
		return guideline.Guideline{}, err
	}
	g, err := edit(base)
	if err != nil {
		return guideline.Guideline{}, err
	}
	g.Version = cmp.Or(ref.Version, base.Version)
	return b.Update(ctx, g)
}

// base is what an edit changes: the guideline as it is. A change that may be a repetition is made onto what its caller saw,
// so that it is the same one; that others were faster is for the store to find.
func (b *Book) base(ctx context.Context, ref store.Ref) (guideline.Guideline, error) {
	g, err := b.Get(ctx, ref.ID)
	if b.who.WriteID == "" || err == nil && g.Version == ref.Version || err != nil && store.CodeOf(err) != store.NotFound {
		return g, err
	}
	newest, gone := b.History(ctx, ref.ID, store.Paging{Page: 1, Size: 1})
	if gone != nil || len(newest.Items) == 0 || newest.Items[0].Guideline.Version <= ref.Version {
		return g, errors.Join(err, gone)
	}
	// Versions grow by one, and the history begins with the newest.
	back := newest.Items[0].Guideline.Version - ref.Version
	old, failed := b.History(ctx, ref.ID, store.Paging{Page: back + 1, Size: 1})
	if failed != nil || len(old.Items) == 0 {
		return g, errors.Join(err, failed)
	}
	return old.Items[0].Guideline, nil
}
