package live

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"guardrails/guideline"
	"guardrails/store"
)

func named(keys ...string) (list []guideline.Guideline) {
	for _, key := range keys {
		project, id := store.SplitKey(key)
		list = append(list, guideline.Guideline{ID: id, ProjectID: project})
	}
	return list
}

func keysOf(list []*guideline.Guideline) string {
	var out []string
	for _, g := range list {
		out = append(out, store.KeyOf(g))
	}
	return strings.Join(out, " ")
}

func TestChangesAreAppliedInTheOrderOfKeys(t *testing.T) {
	for name, c := range map[string]struct{ had, changed, removed, want string }{
		"nothing":                     {"b d", "", "", "b d"},
		"the first":                   {"b d", "a", "", "a b d"},
		"in the middle":               {"b d", "c", "", "b c d"},
		"the last":                    {"b d", "e", "", "b d e"},
		"replaced":                    {"b d", "d", "", "b d"},
		"removed":                     {"b d", "", "b", "d"},
		"removed without being there": {"b d", "", "a c e", "b d"},
		"all at once":                 {"b d f", "a d g", "b f", "a d g"},
		"into nothing":                {"", "a b", "c", "a b"},
	} {
		had := compact(named(strings.Fields(c.had)...))
		changes := store.Changes{Changed: named(strings.Fields(c.changed)...), Removed: strings.Fields(c.removed)}
		got := apply(had, &changes)
		if keysOf(got) != c.want {
			t.Errorf("%s: got %s, want %s", name, keysOf(got), c.want)
		}
		if keysOf(had) != c.had {
			t.Errorf("%s: the earlier list changed to %s", name, keysOf(had))
		}
	}
}

func TestGuidelinesThatDidNotChangeAreShared(t *testing.T) {
	had := compact(named("a", "b", "c"))
	got := apply(had, &store.Changes{Changed: named("b")})
	if got[0] != had[0] || got[1] == had[1] || got[2] != had[2] {
		t.Error("the guidelines before and after the changed one must be the same, and the changed one must not")
	}
}

func TestAllGuidelinesReplaceWhatWasThere(t *testing.T) {
	got := apply(compact(named("a", "b")), &store.Changes{Changed: named("c"), Whole: true})
	if keysOf(got) != "c" {
		t.Errorf("got %s", keysOf(got))
	}
}

func TestRandomChangesGiveTheSameAsAMap(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	want, list := map[string]bool{}, []*guideline.Guideline{}
	for round := range 500 {
		c := store.Changes{}
		var changed []string
		for i := range 30 {
			key := store.Key([]string{"", "p", "q"}[i%3], fmt.Sprintf("g%02d", i))
			switch random.IntN(6) {
			case 0:
				changed, want[key] = append(changed, key), true
			case 1:
				c.Removed = append(c.Removed, key)
				delete(want, key)
			}
		}
		slices.Sort(changed)
		slices.Sort(c.Removed)
		c.Changed = named(changed...)
		list = apply(list, &c)
		var keys []string
		for key := range want {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		if keysOf(list) != strings.Join(keys, " ") {
			t.Fatalf("round %d: got %s, want %s", round, keysOf(list), strings.Join(keys, " "))
		}
	}
}
