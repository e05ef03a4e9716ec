package proof

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"guardrails/guideline"
	"guardrails/store"
)

// Moving a tenant to another driver and back must not change anything, not even a hash.
func TestMovingBetweenDriversLosesNothing(t *testing.T) {
	for _, server := range []string{"Elasticsearch", "OpenSearch"} {
		t.Run(server, func(t *testing.T) {
			t.Parallel()
			start, middle, end := drivers()["sqlite"](t)[0], drivers()[server](t)[0], drivers()["sqlite"](t)[0]
			fill(t, start)
			heads, err := start.Heads(t.Context(), tenant)
			if err != nil {
				t.Fatal(err)
			}
			move(t, start, middle)
			move(t, middle, end)
			want := dumped(t, start)
			for name, s := range map[string]store.Store{"on the way": middle, "in the end": end} {
				if got := dumped(t, s); !slices.Equal(got, want) {
					t.Errorf("%s: %d records, want %d; the first difference: %s", name, len(got), len(want), difference(got, want))
				}
				verdicts, err := s.Verify(t.Context(), tenant, nil, heads...)
				if err != nil || len(verdicts) == 0 {
					t.Errorf("%s: %v", name, err)
				}
				for _, v := range verdicts {
					if v.Fault != nil {
						t.Errorf("%s: %+v: %+v", name, v.Chain, *v.Fault)
					}
				}
			}
		})
	}
}

// fill() fills a tenant with every kind of record, and with more records than fit into one request.
func fill(t *testing.T, s store.Store) {
	t.Helper()
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	w := func() store.Write {
		return store.Write{ID: store.NewID(time.Now()), Tenant: tenant, Actor: "ann", Session: "s"}
	}
	var items []guideline.Guideline
	for i := range 600 {
		items = append(items, difficult(fmt.Sprint("g", i)))
	}
	_, err := s.Import(t.Context(), w(), items, store.ImportOptions{})
	do(err)
	_, err = s.Toggle(t.Context(), w(), store.Ref{Key: "g1", Version: 1})
	do(err)
	changed := difficult("g1")
	changed.Version, changed.Name, changed.Condition.Agents = 2, "Other", nil
	_, err = s.Update(t.Context(), w(), changed)
	do(err)
	do(s.Delete(t.Context(), w(), store.Ref{Key: "g2", Version: 1}))
	_, err = s.Restore(t.Context(), w(), store.Ref{Key: "g2", Version: 2}, 1)
	do(err)
	do(s.Delete(t.Context(), w(), store.Ref{Key: "g3", Version: 1}))
	var entries []store.Entry
	for i := range 2500 {
		entries = append(entries, decision(i))
	}
	_, err = s.Append(t.Context(), tenant, entries...)
	do(err)
	_, err = s.Prune(t.Context(), w(), store.Retention{Before: decision(100).Time})
	do(err)
}

// difficult() returns a guideline with values that are difficult to store.
func difficult(id string) guideline.Guideline {
	return guideline.Guideline{
		ID: id, Name: "Ünï 日本 🙂 " + id, Description: "<&>\n\t\u2028 \"quoted\" \\", Category: guideline.Security, Priority: 7, Enabled: true,
		Condition: guideline.Condition{
			Agents: []string{"backend"}, Paths: []string{"src/**"}, Custom: map[string]any{"a.b": 1.50, "": []any{"x"}},
		},
		Action: guideline.Action{
			Type: guideline.ToolRestriction, ToolsDenied: []string{"Bash(rm *)"}, Parameters: map[string]any{"..": nil},
		},
		Metadata: map[string]any{"tags": []any{"red"}, "deep": map[string]any{"n": 1e21, "list": []any{true, nil, "<"}}},
	}
}

func decision(i int) store.Entry {
	return store.Entry{
		ID: fmt.Sprint("d", i), Kind: store.KindDecision, Event: "tool_call", Actor: "backend", Session: fmt.Sprint("s", i%3), Guideline: "g1", GuidelineName: "<g1>",
		Version: 2, Time: time.Date(
			2026, 3, 1, 12, 0, i, 0, time.UTC,
		), Decision: &store.Decision{Result: "deny", Reason: "bad \xff <text>", Micros: 5},
		Context: &guideline.Context{
			Agent: "backend", Paths: []string{"a b.go"}, Metadata: map[string]any{"n": 1.5, "..": []any{map[string]any{"": 1}}},
		},
	}
}

func move(t *testing.T, from, to store.Store) {
	t.Helper()
	if _, err := to.Load(t.Context(), tenant, from.Dump(t.Context(), tenant)); err != nil {
		t.Fatal(err)
	}
}

// dumped() returns the records of a store as sorted texts.
func dumped(t *testing.T, s store.Store) (out []string) {
	t.Helper()
	for r, err := range s.Dump(t.Context(), tenant) {
		if err != nil {
			t.Fatal(err)
		}
		line, err := store.EncodeRecord(r)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(line))
	}
	set, err := s.All(t.Context(), tenant)
	if err != nil {
		t.Fatal(err)
	}
	for i := range set.Guidelines {
		text, err := guideline.Encode(&set.Guidelines[i])
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(text))
	}
	slices.Sort(out)
	return out
}

func difference(got, want []string) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return strings.Join([]string{got[i], want[i]}, "\n")
		}
	}
	return "one ends before the other"
}
