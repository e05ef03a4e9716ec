package store_test

import (
	"slices"
	"strings"
	"testing"

	"guardrails/store"
)

// The chain has the entries 1 to 12. An earlier verification found 1 to 8 intact.
func TestAVerificationThatContinuesReadsOnlyPartsOfAChain(t *testing.T) {
	for name, c := range map[string]struct {
		base  int64
		again store.Span
		want  []store.Span
	}{
		"nothing again":                {0, store.Span{}, []store.Span{{First: 8, Last: endless}}},
		"the beginning again":          {0, store.Span{First: 1, Last: 3}, []store.Span{{First: 1, Last: 3}, {First: 8, Last: endless}}},
		"a part from the entry before": {0, store.Span{First: 4, Last: 5}, []store.Span{{First: 3, Last: 5}, {First: 8, Last: endless}}},
		"the end again, in one piece":  {0, store.Span{First: 6, Last: 8}, []store.Span{{First: 5, Last: endless}}},
		"everything again":             {0, store.Span{First: 1, Last: 8}, []store.Span{{First: 1, Last: endless}}},
		"a part that was pruned":       {5, store.Span{First: 1, Last: 3}, []store.Span{{First: 8, Last: endless}}},
		"a part that was pruned half":  {2, store.Span{First: 1, Last: 5}, []store.Span{{First: 3, Last: 5}, {First: 8, Last: endless}}},
		"everything known was pruned":  {8, store.Span{First: 1, Last: 3}, []store.Span{{First: 9, Last: endless}}},
		"more than that was pruned":    {10, store.Span{First: 1, Last: 3}, []store.Span{{First: 11, Last: endless}}},
	} {
		t.Run(name, func(t *testing.T) {
			v, head, entries := continued(t, c.base, c.again)
			if got := v.Spans(head.Chain); !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
			read := int64(0)
			for _, span := range v.Spans(head.Chain) {
				for i := range entries {
					if seq := entries[i].Seq; seq >= span.First && seq <= span.Last {
						v.Next(head.Chain, &entries[i])
						read++
					}
				}
			}
			got := v.Verdicts()[0]
			if got.Fault != nil || got.Entries != read || got.Skipped != 12-c.base-read {
				t.Errorf("got %+v with %+v", got, got.Fault)
			}
		})
	}
}

const endless = 1<<63 - 1

// continued() returns a verification that knows the entries 1 to 8. It also returns the head and all entries of the
// chain.
func continued(t *testing.T, base int64, again store.Span) (*store.Verification, store.Head, []store.Entry) {
	t.Helper()
	entries, head := sealed(t, 12)
	if base > 0 {
		head.Base, head.BaseHash = base, entries[base-1].Hash
	}
	known := store.Known{{Chain: head.Chain, Seq: 8, Hash: entries[7].Hash, Again: again}}
	pruning := store.Pruning{Writer: "w", Seq: base}
	if base > 0 {
		pruning.Hash = entries[base-1].Hash
	}
	changes := store.Head{Chain: store.Chain{Tenant: "a", Writer: "x", Kind: store.KindChange}}
	change, changes := seal(t, changes, store.Entry{ID: "c1", Time: start, Event: store.Pruned, Pruning: &pruning})
	v := store.NewVerification("a", []store.Head{head, changes}, known, nil)
	v.Next(changes.Chain, &change)
	return v, head, entries[base:]
}

// Each case alters entries after a verification that found the entries 1 to 8 intact. The next verification reads the
// new entries (8 to 12), and a part of the older ones again (3 to 5).
func TestAVerificationThatContinuesFindsDamageInWhatItReads(t *testing.T) {
	for name, c := range map[string]struct {
		alter func(t *testing.T, e []store.Entry) []store.Entry
		want  store.Fault
	}{
		"nothing":                     {func(_ *testing.T, e []store.Entry) []store.Entry { return e }, store.Fault{}},
		"an entry that is not read":   {altered(6), store.Fault{}},
		"a new entry":                 {altered(10), store.Fault{Seq: 10, Damage: store.Altered}},
		"the newest known entry":      {altered(8), store.Fault{Seq: 8, Damage: store.Altered}},
		"an entry that is read again": {altered(4), store.Fault{Seq: 4, Damage: store.Altered}},
		"the entry before that part":  {altered(3), store.Fault{Seq: 3, Damage: store.Altered}},
		"the last of that part":       {altered(5), store.Fault{Seq: 5, Damage: store.Altered}},
		"a removed new entry":         {removed(9), store.Fault{Seq: 9, Damage: store.Removed}},
		"the removed last entry":      {removed(12), store.Fault{Seq: 12, Damage: store.Truncated}},
		"the removed known entry":     {removed(8), store.Fault{Seq: 8, Damage: store.Removed}},
		"a removed entry of the part": {removed(4), store.Fault{Seq: 4, Damage: store.Removed}},
		"all known entries rewritten": {rewritten(1, 8), store.Fault{Seq: 8, Damage: store.Altered}},
		"everything rewritten":        {rewritten(1, 12), store.Fault{Seq: 8, Damage: store.Altered}},
		"the part rewritten":          {rewritten(4, 5), store.Fault{}}, // the next part begins with entry 5
	} {
		t.Run(name, func(t *testing.T) {
			v, head, entries := continued(t, 0, store.Span{First: 4, Last: 5})
			for _, e := range c.alter(t, entries) {
				if e.Seq >= 3 && e.Seq <= 5 || e.Seq >= 8 {
					v.Next(head.Chain, &e)
				}
			}
			got := v.Verdicts()[0].Fault
			if got == nil {
				got = new(store.Fault)
			}
			if got.Seq != c.want.Seq || got.Damage != c.want.Damage {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func altered(seq int64) func(*testing.T, []store.Entry) []store.Entry {
	return func(_ *testing.T, e []store.Entry) []store.Entry {
		e[seq-1].Actor = "mallory"
		return e
	}
}

func removed(seq int64) func(*testing.T, []store.Entry) []store.Entry {
	return func(_ *testing.T, e []store.Entry) []store.Entry { return slices.Delete(e, int(seq-1), int(seq)) }
}

// rewritten() returns a function that seals some entries again, with another actor.
func rewritten(first, last int64) func(*testing.T, []store.Entry) []store.Entry {
	return func(t *testing.T, e []store.Entry) []store.Entry {
		head := store.Head{Chain: e[0].Chain(), Seq: first - 1}
		if first > 1 {
			head.Hash = e[first-2].Hash
		}
		for i := first - 1; i < last; i++ {
			e[i].Actor = "mallory"
			e[i], head = seal(t, head, e[i])
		}
		return e
	}
}

func TestTheNextPartShowsThatTheOneBeforeWasRewritten(t *testing.T) {
	v, head, entries := continued(t, 0, store.Span{First: 6, Last: 6})
	for _, e := range rewritten(4, 5)(t, entries) {
		if e.Seq >= 5 && e.Seq <= 6 || e.Seq >= 8 {
			v.Next(head.Chain, &e)
		}
	}
	if f := v.Verdicts()[0].Fault; f == nil || f.Seq != 5 {
		t.Errorf("got %+v", f)
	}
}

// Each case tells the verification something about entries that the verification does not read. If the verification
// must accept these entries, want is "".
func TestAVerificationThatContinuesChecksWhatItDoesNotRead(t *testing.T) {
	for name, c := range map[string]struct {
		say  func(v *store.Verification, head store.Head)
		want string
	}{
		"as many entries as the head says": {func(v *store.Verification, h store.Head) { v.Counted(h.Chain, 12) }, ""},
		"a missing entry":                  {func(v *store.Verification, h store.Head) { v.Counted(h.Chain, 11) }, "must have 12 entries, but the store has 11"},
		"one entry too many":               {func(v *store.Verification, h store.Head) { v.Counted(h.Chain, 13) }, "must have 12 entries, but the store has 13"},
		"all entries are in chains":        {func(v *store.Verification, _ store.Head) { v.CountedAll(13, 13) }, ""},
		"an entry without a chain":         {func(v *store.Verification, _ store.Head) { v.CountedAll(14, 13) }, "the tenant has 14 entries, but its chains have 13"},
		"a noted head that is missing":     {func(v *store.Verification, h store.Head) { v.Lacks(store.Head{Chain: h.Chain, Seq: 6}) }, "differs from the noted one"},
		"an entry in the place of a later": {func(v *store.Verification, h store.Head) { v.Misplaced(h.Chain, 9) }, "before an entry with a lower number"},
	} {
		t.Run(name, func(t *testing.T) {
			v, head, entries := continued(t, 0, store.Span{})
			for _, e := range entries[7:] {
				v.Next(head.Chain, &e)
			}
			c.say(v, head)
			var got []string
			for _, verdict := range v.Verdicts() {
				if verdict.Fault != nil {
					got = append(got, verdict.Fault.Why)
				}
			}
			if all := strings.Join(got, "\n"); c.want == "" && all != "" || !strings.Contains(all, c.want) {
				t.Errorf("got %q, want %q", all, c.want)
			}
		})
	}
}

func TestOnlyNotedHeadsInPartsThatAreNotReadAreLookedUp(t *testing.T) {
	entries, head := sealed(t, 12)
	var noted []store.Head
	for _, seq := range []int64{2, 4, 6, 8, 12} {
		noted = append(noted, store.Head{Chain: head.Chain, Seq: seq, Hash: entries[seq-1].Hash})
	}
	known := store.Known{{Chain: head.Chain, Seq: 8, Hash: entries[7].Hash, Again: store.Span{First: 4, Last: 5}}}
	unread := store.NewVerification("a", []store.Head{head}, known, noted).Unread()
	if !slices.Equal(unread, []store.Head{noted[0], noted[2]}) {
		t.Errorf("got %+v", unread)
	}
}

func TestTwoNotedHeadsOfOneEntryThatDifferAreFound(t *testing.T) {
	entries, head := sealed(t, 3)
	other := store.Head{Chain: head.Chain, Seq: 3, Hash: entries[0].Hash}
	for _, noted := range [][]store.Head{{head, other}, {other, head}} {
		if f := verify(head, entries, noted...).Fault; f == nil || f.Seq != 3 || f.Damage != store.Altered {
			t.Errorf("got %+v", f)
		}
	}
}
