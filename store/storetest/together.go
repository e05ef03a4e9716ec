package storetest

import (
	"fmt"
	"strings"
	"sync"

	"guardrails/store"
)

// together() makes many changes at once. A driver may make some of them in one transaction.
func together(b *bench) {
	const many = 24
	b.create("a", simple("taken"))
	b.create("a", simple("busy"))
	var callers sync.WaitGroup
	call := func(n int, f func(i int) error) {
		for i := range n {
			callers.Go(func() {
				if err := f(i); err != nil {
					b.Error(err)
				}
			})
		}
	}
	call(many, func(i int) error {
		_, err := b.Create(b.ctx(), w("a"), simple(fmt.Sprint("new", i)))
		return err
	})
	call(many, func(int) error {
		_, err := b.Create(b.ctx(), w("a"), simple("taken"))
		if store.CodeOf(err) != store.Conflict {
			return fmt.Errorf("creating an existing guideline: got %w, want a conflict", err)
		}
		return nil
	})
	same := w("a")
	call(many, func(int) error { // one change that is repeated
		g, err := b.Create(b.ctx(), same, simple("once"))
		if err == nil && g.Version != 1 {
			err = fmt.Errorf("the repeated change made version %d", g.Version)
		}
		return err
	})
	other := w("a")
	var lock sync.Mutex
	made, refused := 0, 0
	call(many, func(i int) error { // different changes with the same write id
		_, err := b.Create(b.ctx(), other, simple(fmt.Sprint("other", i)))
		lock.Lock()
		defer lock.Unlock()
		if err == nil {
			made++
		} else if store.CodeOf(err) == store.Invalid {
			refused++
		}
		return nil
	})
	call(many/4, func(int) error { return toggleUntilDone(b, "busy") })
	callers.Wait()
	if made != 1 || refused != many-1 {
		b.Errorf("%d of %d changes with one write id were made and %d refused", made, many, refused)
	}
	if g := b.get("a", "busy"); g.Version != 1+many/4 {
		b.Errorf("busy has version %d, want %d", g.Version, 1+many/4)
	}
	b.entries("a", store.AuditFilter{}, 2+many+1+1+many/4)
	if got := b.generation("a"); got != int64(2+many+1+1+many/4) {
		b.Errorf("the generation is %d", got)
	}
	b.checkVerifies("a")
}

// toggleUntilDone toggles a guideline once. If another caller was faster, it tries again with the new version.
func toggleUntilDone(b *bench, id string) error {
	for {
		g, err := b.Get(b.ctx(), "a", id)
		if err != nil {
			return err
		}
		_, err = b.Toggle(b.ctx(), w("a"), store.Ref{Key: id, Version: g.Version})
		if store.CodeOf(err) != store.Conflict {
			return err
		}
		if !strings.Contains(err.Error(), id) {
			return fmt.Errorf("the conflict does not name the guideline: %w", err)
		}
	}
}
