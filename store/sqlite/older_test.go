package sqlite_test

import (
	"iter"
	"os"
	"slices"
	"strings"
	"testing"

	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/sqlite"
)

// olderCopy returns a store, and an older copy of this store that lacks some changes. The result "lacked" is the id of
// one of the missing writes.
func olderCopy(t *testing.T) (s, older *sqlite.Store, path, lacked string) {
	t.Helper()
	path = newPath(t)
	s = open(t, path)
	t.Cleanup(func() { _ = s.Close() })
	createFor(t, s, "a", "one")
	createFor(t, s, "a", "two")
	raw(t, path, "VACUUM INTO '"+path+".older'")
	createFor(t, s, "a", "three")
	createFor(t, s, "a", "four")
	w := newWrite()
	_, err := s.Toggle(t.Context(), w, store.Ref{Key: "one", Version: 1})
	err = join(err, s.Delete(t.Context(), newWrite(), store.Ref{Key: "two", Version: 1}))
	_, failed := s.Import(t.Context(), newWrite(), []guideline.Guideline{small("five"), small("six")}, store.ImportOptions{})
	if err = join(err, failed); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path+".older", 0o600); err != nil {
		t.Fatal(err)
	}
	older = open(t, path+".older")
	t.Cleanup(func() { _ = older.Close() })
	return s, older, path + ".older", w.ID
}

func dumpOf(t *testing.T, s *sqlite.Store) iter.Seq2[store.Record, error] {
	t.Helper()
	return s.Dump(t.Context(), "a")
}

func faultsOf(t *testing.T, s *sqlite.Store, noted ...store.Head) (faults []string) {
	t.Helper()
	verdicts, err := s.Verify(t.Context(), "a", nil, noted...)
	if err != nil {
		t.Fatal(err)
	}
	for i := range verdicts {
		if f := verdicts[i].Fault; f != nil {
			faults = append(faults, f.Why)
		}
	}
	return faults
}

func generationOf(t *testing.T, s *sqlite.Store) int64 {
	t.Helper()
	generation, err := store.GenerationOf(t.Context(), s, "a")
	if err != nil {
		t.Fatal(err)
	}
	return generation
}

// The copy has the same writer as the store from which the dump was made. A dump does not contain the results of write
// ids.
func TestAnOlderCopyIsIntactAfterANewerDumpWasLoaded(t *testing.T) {
	s, older, _, lacked := olderCopy(t)
	heads, err := s.Heads(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // loading it again changes nothing
		if _, err := older.Load(t.Context(), "a", dumpOf(t, s)); err != nil {
			t.Fatal(err)
		}
		if faults := faultsOf(t, older, heads...); len(faults) > 0 {
			t.Errorf("verification finds %q", faults)
		}
		if got, want := generationOf(t, older), generationOf(t, s); got != want {
			t.Errorf("the older store counts %d changes, want %d", got, want)
		}
		if got, want := idsOf(t, older, "a"), idsOf(t, s, "a"); !slices.Equal(got, want) {
			t.Errorf("the older store has %v, want %v", got, want)
		}
	}
	w := newWrite()
	w.ID = lacked
	if _, err := older.Toggle(t.Context(), w, store.Ref{Key: "one", Version: 1}); store.CodeOf(err) != store.Invalid {
		t.Errorf("a write in the dump was repeated: %v", err)
	}
	createFor(t, older, "a", "seven")
	if faults := faultsOf(t, older, heads...); len(faults) > 0 {
		t.Errorf("after another change, verification finds %q", faults)
	}
}

func TestRemovedResultsAreStillFoundAfterANewerDumpWasLoaded(t *testing.T) {
	for name, when := range map[string]struct{ before, after string }{
		"a result that the copy had":        {before: "DELETE FROM written"},
		"a result that the copy had, later": {after: "DELETE FROM written WHERE fingerprint != ''"},
		"all results":                       {after: "DELETE FROM written"},
	} {
		t.Run(name, func(t *testing.T) {
			s, older, path, _ := olderCopy(t)
			if when.before != "" {
				raw(t, path, when.before)
			}
			if _, err := older.Load(t.Context(), "a", dumpOf(t, s)); err != nil {
				t.Fatal(err)
			}
			if when.after != "" {
				raw(t, path, when.after)
			}
			if faults := strings.Join(faultsOf(t, older), " "); !strings.Contains(faults, "the result of the write") {
				t.Errorf("got %q", faults)
			}
		})
	}
}
