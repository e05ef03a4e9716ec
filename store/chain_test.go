package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"guardrails/store"
)

var start = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

// sealed() returns a chain of entries and its head.
func sealed(t *testing.T, count int) ([]store.Entry, store.Head) {
	t.Helper()
	head := store.Head{Chain: store.Chain{Tenant: "a", Writer: "w", Kind: store.KindDecision}}
	entries := make([]store.Entry, count)
	for i := range entries {
		entries[i] = store.Entry{
			ID: fmt.Sprint("e", i+1), Time: start, Event: "tool_call", Decision: &store.Decision{Result: "allow"},
		}
		entries[i], head = seal(t, head, entries[i])
	}
	return entries, head
}

func seal(t *testing.T, h store.Head, e store.Entry) (store.Entry, store.Head) {
	t.Helper()
	next, text, err := h.Seal(&e)
	if err != nil {
		t.Fatal(err)
	}
	if read, err := store.DecodeEntry(text); err != nil || read.Seq != e.Seq {
		t.Fatalf("got %+v, %v", read, err)
	}
	return e, next
}

// verify() verifies entries as a chain, in the given order.
func verify(head store.Head, entries []store.Entry, noted ...store.Head) store.Verdict {
	v := store.NewVerifier(head, noted...)
	for i := range entries {
		v.Next(&entries[i])
	}
	return v.Verdict()
}

func TestAnUndamagedChainVerifies(t *testing.T) {
	for _, count := range []int{0, 1, 6} {
		entries, head := sealed(t, count)
		if v := verify(head, entries, head); v.Fault != nil || v.Entries != int64(count) {
			t.Errorf("got %+v", v)
		}
	}
}

func TestAPrunedChainVerifiesFromItsBase(t *testing.T) {
	entries, head := sealed(t, 6)
	noted := store.Head{Chain: head.Chain, Seq: 1, Hash: entries[0].Hash}
	head.Base, head.BaseHash = 3, entries[2].Hash
	if v := verify(head, entries[3:], noted); v.Fault != nil {
		t.Errorf("got %+v", *v.Fault)
	}
	if v := verify(head, entries[4:]); v.Fault == nil || v.Fault.Damage != store.Removed || v.Fault.Seq != 4 {
		t.Errorf("got %+v", v.Fault)
	}
}

// reseal() changes entry 4 and computes its hash again. If the parameter "all" is true, it also computes the hashes of
// all later entries.
func reseal(t *testing.T, e []store.Entry, all bool) []store.Entry {
	h := store.Head{Chain: e[0].Chain(), Seq: 3, Hash: e[2].Hash}
	e[3].Actor = "mallory"
	for i := 3; i < len(e) && (all || i == 3); i++ {
		e[i], h = seal(t, h, e[i])
	}
	return e
}

func TestTheFirstDamagedEntryIsFound(t *testing.T) {
	type chain = []store.Entry
	for name, c := range map[string]struct {
		damage func(e chain, h *store.Head) chain
		want   store.Fault
		// The field "noted" is set if the head was recorded before the damage.
		noted bool
	}{
		"altered": {
			func(e chain, _ *store.Head) chain { e[3].Decision = &store.Decision{Result: "deny"}; return e },
			store.Fault{Seq: 4, ID: "e4", Damage: store.Altered},
			false,
		},
		"altered twice": {
			func(e chain, _ *store.Head) chain { e[1].Actor, e[4].Actor = "x", "x"; return e },
			store.Fault{Seq: 2, ID: "e2", Damage: store.Altered},
			false,
		},
		"another hash": {
			func(e chain, _ *store.Head) chain { e[3].Hash = e[2].Hash; return e },
			store.Fault{Seq: 4, ID: "e4", Damage: store.Altered},
			false,
		},
		"another number": {
			func(e chain, _ *store.Head) chain { e[3].Seq = 9; return e },
			store.Fault{Seq: 9, ID: "e4", Damage: store.Altered},
			false,
		},
		"another writer": {
			func(e chain, _ *store.Head) chain { e[3].Writer = "v"; return e },
			store.Fault{Seq: 4, ID: "e4", Damage: store.Altered},
			false,
		},
		"resealed": {
			func(e chain, _ *store.Head) chain { return reseal(t, e, false) },
			store.Fault{Seq: 4, Damage: store.Altered},
			false,
		},
		"all resealed": {
			func(e chain, _ *store.Head) chain { return reseal(t, e, true) },
			store.Fault{Seq: 6, Damage: store.Altered},
			false,
		},
		"removed": {
			func(e chain, _ *store.Head) chain { return slices.Delete(e, 2, 4) },
			store.Fault{Seq: 3, Damage: store.Removed},
			false,
		},
		"removed beginning": {
			func(e chain, _ *store.Head) chain { return e[2:] },
			store.Fault{Seq: 1, Damage: store.Removed},
			false,
		},
		"swapped": {
			func(e chain, _ *store.Head) chain { e[2], e[3] = e[3], e[2]; return e },
			store.Fault{Seq: 3, ID: "e3", Damage: store.Reordered},
			false,
		},
		"moved to the end": {
			func(e chain, _ *store.Head) chain { return append(slices.Delete(slices.Clone(e), 1, 2), e[1]) },
			store.Fault{Seq: 2, ID: "e2", Damage: store.Reordered},
			false,
		},
		"twice": {
			func(e chain, _ *store.Head) chain { return slices.Insert(e, 4, e[1]) },
			store.Fault{Seq: 2, ID: "e2", Damage: store.Reordered},
			false,
		},
		"truncated": {
			func(e chain, _ *store.Head) chain { return e[:4] },
			store.Fault{Seq: 5, Damage: store.Truncated},
			false,
		},
		"emptied": {
			func(chain, *store.Head) chain { return nil },
			store.Fault{Seq: 1, Damage: store.Truncated},
			false,
		},
		"head set back": {
			func(e chain, h *store.Head) chain { h.Seq, h.Hash = 3, e[2].Hash; return e },
			store.Fault{Seq: 3, Damage: store.Altered},
			false,
		},
		"both cut": {
			func(e chain, h *store.Head) chain { h.Seq, h.Hash = 3, e[2].Hash; return e[:3] },
			store.Fault{Seq: 4, Damage: store.Truncated},
			true,
		},
		"completely resealed with its head": {func(e chain, h *store.Head) chain {
			e = reseal(t, e, true)
			h.Hash = e[5].Hash
			return e
		}, store.Fault{Seq: 6, ID: "e6", Damage: store.Altered}, true},
	} {
		t.Run(name, func(t *testing.T) {
			entries, head := sealed(t, 6)
			var noted []store.Head
			if c.noted {
				noted = append(noted, head)
			}
			entries = c.damage(entries, &head)
			fault := verify(head, entries, noted...).Fault
			if fault == nil || fault.Why == "" {
				t.Fatalf("got %+v", fault)
			}
			if fault.Why = ""; *fault != c.want {
				t.Errorf("got %+v, want %+v", *fault, c.want)
			}
		})
	}
}

func TestChainsAreVerifiedSeparately(t *testing.T) {
	entries, head := sealed(t, 3)
	other := store.Head{Chain: store.Chain{Tenant: "a", Writer: "w", Kind: store.KindChange}}
	change, other := seal(t, other, store.Entry{ID: "c1", Time: start, Event: store.Created})
	noted := []store.Head{
		{Chain: store.Chain{Tenant: "b", Writer: "w", Kind: store.KindChange}, Seq: 3},
		{Chain: store.Chain{Tenant: "a", Writer: "gone", Kind: store.KindChange}, Seq: 3},
	}
	v := store.NewVerification("a", []store.Head{head, other}, nil, noted)
	v.Next(head.Chain, &entries[0])
	v.Next(other.Chain, &change)
	v.Unreadable(head.Chain, 2, "it is not JSON")
	verdicts := v.Verdicts()
	if len(verdicts) != 3 {
		t.Fatalf("got %+v", verdicts)
	}
	gone, changes, decisions := verdicts[0], verdicts[1], verdicts[2]
	if gone.Writer != "gone" || gone.Fault == nil || gone.Fault.Damage != store.Truncated || changes.Fault != nil {
		t.Errorf("got %+v and %+v", gone, changes)
	}
	if f := decisions.Fault; f == nil || f.Seq != 2 || f.Why != "it is not JSON" {
		t.Errorf("got %+v", f)
	}
}

func TestTheBeginningOfAChainMayBeMissingOnlyIfItWasPruned(t *testing.T) {
	for name, c := range map[string]struct {
		pruning *store.Pruning
		base    int64
		valid   bool
	}{
		"no pruning":                {nil, 3, false},
		"as it was pruned":          {&store.Pruning{Writer: "w", Seq: 3}, 3, true},
		"pruned halfway":            {&store.Pruning{Writer: "w", Seq: 5}, 3, true},
		"more entries are missing":  {&store.Pruning{Writer: "w", Seq: 2}, 3, false},
		"pruned to another entry":   {&store.Pruning{Writer: "w", Seq: 3, Hash: "other"}, 3, false},
		"another writer was pruned": {&store.Pruning{Writer: "v", Seq: 3}, 3, false},
		"announced but not started": {&store.Pruning{Writer: "w", Seq: 3}, 0, true},
		"pruned to the end":         {&store.Pruning{Writer: "w", Seq: 6}, 6, true},
	} {
		t.Run(name, func(t *testing.T) {
			entries, head := sealed(t, 6)
			if c.pruning != nil && c.pruning.Hash == "" {
				c.pruning.Hash = entries[c.pruning.Seq-1].Hash
			}
			if c.base > 0 {
				head.Base, head.BaseHash = c.base, entries[c.base-1].Hash
			}
			changes := store.Head{Chain: store.Chain{Tenant: "a", Writer: "w", Kind: store.KindChange}}
			change, changes := seal(t, changes, store.Entry{ID: "c1", Time: start, Event: store.Pruned, Pruning: c.pruning})
			v := store.NewVerification("a", []store.Head{head, changes}, nil, nil)
			for i := range entries[c.base:] {
				v.Next(head.Chain, &entries[c.base:][i])
			}
			v.Next(changes.Chain, &change)
			if fault := v.Verdicts()[1].Fault; (fault == nil) != c.valid {
				t.Errorf("got %+v", fault)
			}
		})
	}
}
