package storetest

import (
	"fmt"
	"time"

	"guardrails/store"
)

// tenDecisions creates a guideline, appends ten decisions, and returns them.
func (b *bench) tenDecisions() (sealed []store.Entry) {
	b.Helper()
	b.create("a", simple("one"))
	for i := range 10 {
		e := decision(fmt.Sprint("d", i+1))
		e.Time = noon().Add(time.Duration(i) * time.Hour)
		added, err := b.Append(b.ctx(), "a", e)
		b.must(err)
		sealed = append(sealed, added...)
	}
	return sealed
}

// known() returns the result of an earlier verification that found the oldest decisions intact. The parameter "count"
// is the number of these decisions. The next verification must read the decisions from the number in the parameter
// "first" to the number in the parameter "last" again.
func known(sealed []store.Entry, count int, first, last int64) store.Known {
	e := &sealed[count-1]
	return store.Known{{Chain: e.Chain(), Seq: e.Seq, Hash: e.Hash, Again: store.Span{First: first, Last: last}}}
}

func continuesVerification(b *bench) {
	sealed := b.tenDecisions()
	// Each key of this map is the number of decisions that Verify must read.
	for read, k := range map[int64]store.Known{
		10: nil, 3: known(sealed, 8, 0, 0), 6: known(sealed, 8, 3, 4), 1: known(sealed, 10, 0, 0),
		9: known(sealed, 5, 3, 5), 2: append(known(sealed, 9, 0, 0),
			store.Verified{Chain: store.Chain{Tenant: "b", Kind: store.KindDecision}}),
	} {
		verdicts, err := b.Verify(b.ctx(), "a", k)
		b.must(err)
		if len(verdicts) != 2 || verdicts[0].Fault != nil || verdicts[1].Fault != nil || verdicts[0].Entries != 1 ||
			verdicts[1].Entries != read || verdicts[1].Skipped != 10-read {
			b.Errorf("%+v: got %+v, want %d decisions", k, verdicts, read)
		}
	}
	other := known(sealed, 8, 0, 0)
	other[0].Hash = sealed[0].Hash
	verdicts, err := b.Verify(b.ctx(), "a", other)
	b.must(err)
	b.found(verdicts, other[0].Chain, store.Fault{Seq: 8, Damage: store.Altered})
	b.prune(store.Retention{Before: noon().Add(8 * time.Hour)}, 8)
	for _, k := range []store.Known{known(sealed, 6, 1, 6), known(sealed, 10, 1, 3)} {
		if verdicts, err = b.Verify(b.ctx(), "a", k); err != nil || verdicts[0].Fault != nil || verdicts[1].Fault != nil {
			b.Errorf("after a pruning: got %+v, %v", verdicts, err)
		}
	}
}

// A limited verification reads the new entries up to a certain entry, and also the newest entry.
func limitsVerification(b *bench) {
	sealed := b.tenDecisions()
	limited := func(count int, end int64) store.Known {
		k := known(sealed, max(count, 1), 1, 0)
		if count == 0 {
			k = store.Known{{Chain: sealed[0].Chain()}}
		}
		k[0].Limited, k[0].End = true, end
		return k
	}
	for _, c := range []struct {
		count            int
		end, read, until int64
	}{{0, 0, 1, 0}, {0, 4, 5, 4}, {4, 4, 2, 4}, {4, 7, 5, 7}, {4, 8, 6, 8}, {4, 9, 7, 10}, {4, 10, 7, 10}} {
		verdicts, err := b.Verify(b.ctx(), "a", limited(c.count, c.end))
		b.must(err)
		v := verdicts[1]
		if v.Fault != nil || v.Entries != c.read || v.Skipped != 10-c.read || v.Until != c.until ||
			c.until > 0 && v.UntilHash != sealed[c.until-1].Hash {
			b.Errorf("%+v: got %+v", c, v)
		}
	}
	for _, seq := range []int64{3, 6, 10} {
		wrong := store.Head{Chain: sealed[0].Chain(), Seq: seq, Hash: sealed[0].Hash}
		verdicts, err := b.Verify(b.ctx(), "a", limited(0, 4), wrong)
		b.must(err)
		b.found(verdicts, wrong.Chain, store.Fault{Seq: seq, Damage: store.Altered})
	}
}

func comparesNotedHeadsWithTheKnownPart(b *bench) {
	sealed := b.tenDecisions()
	k, chain := known(sealed, 8, 3, 4), sealed[0].Chain()
	right := store.Head{Chain: chain, Seq: 6, Hash: sealed[5].Hash}
	verdicts, err := b.Verify(b.ctx(), "a", k, right)
	b.must(err)
	if verdicts[1].Fault != nil {
		b.Errorf("got %+v", verdicts[1].Fault)
	}
	for _, seq := range []int64{4, 6, 9} {
		wrong := store.Head{Chain: chain, Seq: seq, Hash: sealed[0].Hash}
		verdicts, err := b.Verify(b.ctx(), "a", k, wrong)
		b.must(err)
		b.found(verdicts, chain, store.Fault{Seq: seq, Damage: store.Altered})
	}
}
