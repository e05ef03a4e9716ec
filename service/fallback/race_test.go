package fallback

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"guardrails/guideline"
	"guardrails/internal/product"
	"guardrails/store"
)

func newKeeper(t *testing.T, now func() time.Time) *Keeper {
	t.Helper()
	home := t.TempDir()
	return &Keeper{Env: func(name string) string { return map[string]string{product.VariableHome: home}[name] }, Now: now}
}

func TestOfTwoSnapshotsTheNewerStays(t *testing.T) {
	early := time.Date(2026, 2, 5, 10, 0, 0, 0, time.UTC)
	late := early.Add(time.Millisecond)
	no, yes := never, func() bool { return true }
	for name, c := range map[string]struct {
		first, second *Snapshot
		outdated      func() bool
		want          string
	}{
		"read later, saved later":         {snapshotOf(early, 5, "a"), snapshotOf(late, 5, "b"), no, "b"},
		"read earlier, saved later":       {snapshotOf(late, 5, "a"), snapshotOf(early, 5, "b"), no, "a"},
		"read earlier, with more changes": {snapshotOf(late, 5, "a"), snapshotOf(early, 6, "b"), no, "b"},
		"read later, with fewer changes":  {snapshotOf(early, 5, "a"), snapshotOf(late, 4, "b"), yes, "a"},
		"read later from another store":   {snapshotOf(early, 5, "a"), snapshotOf(late, 1, "b"), no, "b"},
		"the first one has a time in the future": {
			snapshotOf(late.Add(time.Hour), 5, "a"), snapshotOf(early, 5, "b"), no, "b",
		},
	} {
		t.Run(name, func(t *testing.T) {
			k := newKeeper(t, func() time.Time { return late.Add(time.Second) })
			for _, s := range []struct {
				*Snapshot
				outdated func() bool
			}{{c.first, never}, {c.second, c.outdated}} {
				if _, err := k.SaveSnapshot("/p", "", s.Snapshot, s.outdated); err != nil {
					t.Fatal(err)
				}
			}
			last, err := k.ReadSnapshot("/p", "")
			if err != nil || last.Layers[0].Guidelines[0].Name != c.want {
				t.Errorf("got %+v, %v", last, err)
			}
		})
	}
}

// While one process writes the guidelines that it has read, another process saves newer ones.
func TestSharedGuidelinesAreNotReplacedByOlderOnes(t *testing.T) {
	id, other := StoreID{Place: "p"}, newKeeper(t, time.Now)
	k := &Keeper{Env: other.Env, Now: func() time.Time {
		if err := other.SaveShared(id, 2, guidelines("newer")); err != nil {
			t.Error(err)
		}
		return time.Now()
	}}
	if err := k.SaveShared(id, 1, guidelines("older")); err != nil {
		t.Fatal(err)
	}
	last, err := k.ReadShared(id, 0)
	if err != nil || last == nil || last.Changes != 2 || last.Guidelines[0].Name != "newer" {
		t.Errorf("got %+v, %v", last, err)
	}
}

func guidelines(names ...string) (out []*guideline.Guideline) {
	for _, g := range named(names...) {
		out = append(out, &g.Guideline)
	}
	return out
}

func TestTheHighestMarkStaysWhenManyProcessesRaiseIt(t *testing.T) {
	k, id := newKeeper(t, time.Now), StoreID{Place: "p"}
	chain := func(kind store.Kind, seq int) store.Head {
		return store.Head{Chain: store.Chain{Writer: "w", Kind: kind}, Seq: int64(seq), Hash: fmt.Sprint(seq)}
	}
	const rounds, each = 50, 4
	for round := range rounds {
		var all sync.WaitGroup
		for _, n := range rand.Perm(each) {
			all.Go(func() {
				number := round*each + n
				// The marks come in pairs. Both marks of a pair have the same number of changes, and the second mark has the longer
				// chain.
				if err := k.RaiseWatermark(id, Mark{int64(number / 2), []store.Head{chain(store.KindChange, number)}}); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		want := round*each + each - 1
		if got := k.Watermark(id); got.Changes != int64(want/2) || len(got.Heads) != 1 || got.Heads[0].Seq != int64(want) {
			t.Fatalf("got %+v, want the mark %d", got, want)
		}
	}
}
