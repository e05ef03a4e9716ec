package notedheads_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"guardrails/store"
	"guardrails/store/notedheads"
)

// noteOf returns a note for the given numbers of changes and decisions.
func noteOf(changes, decisions int64) notedheads.Note {
	head := func(kind store.Kind, seq int64) store.Head {
		return store.Head{Chain: store.Chain{Tenant: "acme", Writer: "w", Kind: kind}, Seq: seq, Hash: fmt.Sprint(kind, seq)}
	}
	n := notedheads.Note{Tenant: "acme", Generation: changes}
	if changes > 0 {
		n.Heads = append(n.Heads, head(store.KindChange, changes))
	}
	if decisions > 0 {
		n.Heads = append(n.Heads, head(store.KindDecision, decisions))
	}
	return n
}

func reached(n *notedheads.Note) string {
	seqs := map[store.Kind]int64{}
	for _, h := range n.Heads {
		seqs[h.Kind] = h.Seq
	}
	return fmt.Sprint(n.Generation, seqs[store.KindChange], seqs[store.KindDecision])
}

func TestTenantsThatAreNotReturnedAreCounted(t *testing.T) {
	f := newFixture(t)
	for _, tenant := range []string{"acme", "blue", "red", "green"} {
		n := noteOf(1, 0)
		n.Tenant, n.Heads[0].Tenant = tenant, tenant
		_, err := f.book().Add(n)
		f.must(err)
	}
	for most, want := range map[int]int{0: 3, 1: 2, 3: 0, 9: 0} {
		got, left, err := f.book().OtherTenants("acme", most)
		f.must(err)
		if left != want || len(got) != 3-want || slices.Contains(got, "acme") {
			t.Errorf("most %d: got %v and %d more", most, got, left)
		}
	}
}

// Two processes have read the heads. The process that read older heads notes its heads after the other process.
func TestTheLastNoteHasTheNewestHeads(t *testing.T) {
	for name, c := range map[string]struct {
		first, second notedheads.Note
		want          string
		lines         int
	}{
		"newer":             {noteOf(1, 1), noteOf(2, 3), "2 2 3", 2},
		"older":             {noteOf(2, 3), noteOf(1, 1), "2 2 3", 1},
		"the same":          {noteOf(2, 3), noteOf(2, 3), "2 2 3", 1},
		"without a chain":   {noteOf(2, 3), noteOf(2, 0), "2 2 3", 1},
		"each has more":     {noteOf(2, 3), noteOf(1, 4), "2 2 4", 2},
		"a new chain":       {noteOf(2, 0), noteOf(2, 4), "2 2 4", 2},
		"accepted as it is": {noteOf(2, 3), accepted(noteOf(1, 1)), "1 1 1", 1}, // the earlier note does not count
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			for _, n := range []notedheads.Note{c.first, c.second} {
				_, err := f.book().Add(n)
				f.must(err)
			}
			last, err := f.book().Last("acme")
			f.must(err)
			if got := reached(&last); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			notes, faults, err := f.book().Notes("acme")
			f.must(err)
			if len(notes) != c.lines || len(faults) > 0 {
				t.Errorf("got %d notes, want %d; %q", len(notes), c.lines, faults)
			}
		})
	}
}

func TestANewKeySignsWhatWasNotedBefore(t *testing.T) {
	f := newFixture(t)
	for _, replace := range []bool{false, true} {
		_, err := f.book().Add(noteOf(1, 1))
		f.must(err)
		key := f.key(replace)
		_, err = f.book().Add(noteOf(1, 1))
		f.must(err)
		last, err := f.book().Last("acme")
		f.must(err)
		if last.Key != key.ID {
			t.Errorf("the last note was signed by %q, want %q", last.Key, key.ID)
		}
	}
}

func accepted(n notedheads.Note) notedheads.Note {
	n.AcceptedBy = "ann"
	return n
}

func TestNoNoteIsLostOrReplacedByAnOlderOneWhenManyProcessesNoteHeads(t *testing.T) {
	f := newFixture(t)
	const processes, each = 4, 20
	var all sync.WaitGroup
	for p := range processes {
		all.Go(func() {
			book := f.book()
			for n := range each {
				if _, err := book.Add(noteOf(int64(n*processes+p+1), int64(n+1))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	notes, faults, err := f.book().Notes("acme")
	f.must(err)
	for i := range notes[1:] {
		if before, after := notes[i].Generation, notes[i+1].Generation; after <= before {
			t.Errorf("%d follows %d", after, before)
		}
	}
	if got := reached(&notes[len(notes)-1]); got != fmt.Sprint(processes*each, processes*each, each) || len(faults) > 0 {
		t.Errorf("got %s, %q", got, faults)
	}
}
