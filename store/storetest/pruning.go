package storetest

import (
	"fmt"
	"slices"
	"time"

	"guardrails/store"
)

func pruning() []test {
	return []test{
		{"Prune() MUST delete old decisions and no changes, and the chains MUST still pass verification", prunesOldDecisions},
		{"Prune() MUST keep as many entries as the retention says", prunesToANumber},
		{"the audit MUST record a pruning and its last deleted entry", auditsPruning},
		{"Prune() MUST stop at the first decision that must be kept", prunesUntilFirstKept},
		{"a decision from the future MUST NOT stop Prune()", prunesPastTheFuture},
		{"a pruning that finds nothing MUST NOT change anything", prunesNothing},
		{"pruning without a limit or an actor MUST be Invalid", refusesInvalidPruning},
		{"Prune() MUST NOT change other tenants", prunesOneTenant},
		{"a pruning of more than one batch MUST be complete", prunesMany},
	}
}

// noon() returns the time from which logAt counts hours.
func noon() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// logAt appends decisions with the ids d1, d2 and so on. For each decision, the parameter "hours" has the number of
// hours after noon.
func (b *bench) logAt(tenant string, hours ...int) (sealed []store.Entry) {
	b.Helper()
	for i, h := range hours {
		e := decision(fmt.Sprint("d", i+1))
		e.Time = noon().Add(time.Duration(h) * time.Hour)
		added, err := b.Append(b.ctx(), tenant, e)
		b.must(err)
		sealed = append(sealed, added...)
	}
	return sealed
}

// prune() calls Prune and checks how many decisions it deleted.
func (b *bench) prune(r store.Retention, want int64) {
	b.Helper()
	gone, err := b.Prune(b.ctx(), w("a"), r)
	b.must(err)
	if gone != want {
		b.Errorf("%d decisions were deleted, want %d", gone, want)
	}
}

// left() checks which decisions are still in the audit, with several queries and an export. The ids in the parameter
// "want" are ordered from oldest to newest.
func (b *bench) left(want ...string) {
	b.Helper()
	const event = "tool_call"
	for _, f := range []store.AuditFilter{
		{Event: event}, {Event: event, Session: "s1", Actor: "backend"}, {Event: event, From: noon().Add(-time.Hour)},
	} {
		got := idsOf(b.entries("a", f, len(want)))
		slices.Reverse(got)
		if !slices.Equal(got, want) {
			b.Errorf("%+v: got %v, want %v", f, got, want)
		}
	}
	ids, err := b.export("a", store.AuditFilter{Event: event})
	b.must(err)
	if !slices.Equal(ids, want) {
		b.Errorf("exported: %v, want %v", ids, want)
	}
}

func prunesOldDecisions(b *bench) {
	b.create("a", simple("one"))
	sealed := b.logAt("a", 1, 2, 3, 4)
	noted, err := b.Heads(b.ctx(), "a")
	b.must(err)
	noted = append(noted, store.Head{Chain: sealed[0].Chain(), Seq: 1, Hash: sealed[0].Hash})
	b.prune(store.Retention{Before: noon().Add(3 * time.Hour)}, 2)
	b.left("d3", "d4")
	b.entries("a", store.AuditFilter{Event: store.Created}, 1)
	b.checkVerifies("a", noted...)
	b.logAt("a", 5)
	b.checkVerifies("a", noted...)
	b.prune(store.Retention{Before: noon().Add(10 * time.Hour)}, 3)
	b.left()
	b.checkVerifies("a")
	if sealed := b.logAt("a", 6); sealed[0].Seq != 6 {
		b.Errorf("the next entry has the number %d, want 6", sealed[0].Seq)
	}
	b.checkVerifies("a")
}

func prunesToANumber(b *bench) {
	b.logAt("a", 1, 2, 3, 4, 5)
	b.prune(store.Retention{Keep: 9}, 0)
	b.prune(store.Retention{Keep: 2}, 3)
	b.left("d4", "d5")
	b.checkVerifies("a")
	b.prune(store.Retention{Keep: 9, Before: noon().Add(5 * time.Hour)}, 1)
	b.left("d5")
	b.checkVerifies("a")
}

func auditsPruning(b *bench) {
	sealed := b.logAt("a", 1, 2, 3)
	by := w("a")
	by.Actor = "bob"
	_, err := b.Prune(b.ctx(), by, store.Retention{Before: noon().Add(3 * time.Hour)})
	b.must(err)
	e := b.entries("a", store.AuditFilter{Event: store.Pruned}, 1)[0]
	want := store.Pruning{Writer: sealed[1].Writer, Seq: 2, Hash: sealed[1].Hash}
	if e.Pruning == nil || *e.Pruning != want || e.Actor != "bob" || e.Kind != store.KindChange {
		b.Errorf("got %+v with %+v, want %+v", e, e.Pruning, want)
	}
}

func prunesUntilFirstKept(b *bench) {
	b.logAt("a", 1, 5, 2, 6)
	b.prune(store.Retention{Before: noon().Add(4 * time.Hour)}, 1)
	b.entries("a", store.AuditFilter{Event: "tool_call"}, 3)
	b.checkVerifies("a")
}

func prunesPastTheFuture(b *bench) {
	const century = 24 * 365 * 100
	b.logAt("a", 1, century, 2, 6, century)
	b.prune(store.Retention{Before: noon().Add(4 * time.Hour)}, 3)
	b.left("d4", "d5")
	b.checkVerifies("a")
}

func prunesNothing(b *bench) {
	b.logAt("a", 1, 2)
	b.prune(store.Retention{Before: noon()}, 0)
	b.entries("a", store.AuditFilter{}, 2)
	gone, err := b.Prune(b.ctx(), w("never written"), store.Retention{Keep: 1})
	b.must(err)
	if gone != 0 {
		b.Errorf("%d decisions were deleted", gone)
	}
}

func refusesInvalidPruning(b *bench) {
	for _, r := range []store.Retention{{}, {Keep: -1}} {
		_, err := b.Prune(b.ctx(), w("a"), r)
		b.refused(err, store.Invalid)
	}
	_, err := b.Prune(b.ctx(), store.Write{Tenant: "a"}, store.Retention{Keep: 1})
	b.refused(err, store.Invalid)
}

func prunesOneTenant(b *bench) {
	b.logAt("a", 1, 2)
	b.logAt("b", 1, 2)
	b.prune(store.Retention{Before: noon().Add(9 * time.Hour)}, 2)
	b.entries("b", store.AuditFilter{}, 2)
	b.checkVerifies("b")
}

func prunesMany(b *bench) {
	const many = 1100
	batch := make([]store.Entry, many)
	for i := range batch {
		batch[i] = decision(fmt.Sprint("e", i))
	}
	_, err := b.Append(b.ctx(), "a", batch...)
	b.must(err)
	b.logAt("a", 5)
	b.prune(store.Retention{Before: noon().Add(time.Hour)}, many)
	b.left("d1")
	b.checkVerifies("a")
}
