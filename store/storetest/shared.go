package storetest

import (
	"testing"

	"guardrails/store"
)

// RunShared tests that several handles on one store agree. This matters because several processes may use a store.
// Every call of open() prepares a new store and returns a function that opens a handle on that store.
func RunShared(t *testing.T, open func(t *testing.T) func() store.Store) {
	for must, run := range map[string]func(b *bench, other store.Store){
		"a change through one handle MUST be seen through the other at once": agree,
		"exactly one of several concurrent changes through both handles MUST succeed": func(b *bench, other store.Store) {
			b.create("a", simple("one"))
			race(b, b.Store, other)
		},
		"entries that are appended through both handles MUST be in chains that pass verification": func(b *bench, other store.Store) {
			appendTogether(b, b.Store, other)
		},
	} {
		t.Run(must, func(t *testing.T) {
			again := open(t)
			one, two := again(), again()
			defer closeStore(t, one)
			defer closeStore(t, two)
			run(&bench{Store: one, T: t}, two)
		})
	}
	t.Run(
		"acknowledged changes MUST exist after closing and opening", func(t *testing.T) { survivesReopening(t, open(t)) },
	)
}

func survivesReopening(t *testing.T, again func() store.Store) {
	b := &bench{Store: again(), T: t}
	g, write := b.create("a", simple("one")), w("a")
	b.must(b.Delete(b.ctx(), write, store.Ref{Key: b.create("a", simple("two")).ID, Version: 1}))
	_, err := b.Append(b.ctx(), "a", decision("d"))
	b.must(err)
	noted, err := b.Heads(b.ctx(), "a")
	b.must(err)
	generation := b.generation("a")
	b.must(b.Close())

	b = &bench{Store: again(), T: t}
	defer closeStore(t, b.Store)
	b.checkSame(b.get("a", "one"), g)
	b.entries("a", store.AuditFilter{}, 4)
	b.checkVerifies("a", noted...)
	b.must(b.Delete(b.ctx(), write, store.Ref{Key: "two", Version: 1}))
	if b.generation("a") != generation {
		t.Errorf("the generation is %d, and it was %d before", b.generation("a"), generation)
	}
}
