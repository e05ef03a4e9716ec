package evaluator_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"guardrails/evaluator"
	"guardrails/guideline"
)

// changeSome changes, removes and adds some guidelines. It returns all guidelines after these changes, and the
// arguments for With.
func (c chooser) changeSome(all []guideline.Guideline, round int) (
	after []guideline.Guideline, changed []*guideline.Guideline, removed []string,
) {
	for i := range all {
		g := all[i]
		switch c(6) {
		case 0:
			removed = append(removed, g.ID)
			continue
		case 1:
			g = c.guideline(g.ID)
			changed = append(changed, &g)
		}
		after = append(after, g)
	}
	for i := range c(6) {
		g := c.guideline(fmt.Sprintf("%s-new-%d-%d", c.pick("a", "b", "c"), round, i))
		after, changed = append(after, g), append(changed, &g)
	}
	return after, changed, append(removed, "never-there")
}

// describe() returns what a set answers to a query, as text.
func describe(t *testing.T, s *evaluator.Set, q *evaluator.Query) string {
	t.Helper()
	text, err := json.Marshal([]any{s.Evaluate(q), s.Explain(q)})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestASetWithChangesAnswersAsIfItHadBeenCompiled(t *testing.T) {
	for seed := range uint64(300) {
		c := seeded(seed)
		all := c.guidelines()
		set := compile(t, all)
		for round := range 1 + c(4) {
			after, changed, removed := c.changeSome(all, round)
			next, err := set.With(changed, removed...)
			if err != nil {
				t.Fatal(err)
			}
			want := compile(t, after)
			for range 5 {
				q := c.query()
				if got, want := describe(t, next, q), describe(t, want, q); got != want {
					t.Fatalf("seed %d, query %+v:\ngot  %s\nwant %s", seed, q, got, want)
				}
			}
			all, set = after, next
		}
	}
}

func TestALargeSetWithChangesLooksAtFewGuidelines(t *testing.T) {
	all := make([]guideline.Guideline, 1000)
	for i := range all {
		agents := []string{fmt.Sprint("agent-", i/10)}
		all[i] = newGuideline(fmt.Sprintf("g%04d", i), i%7, when(guideline.Condition{Agents: agents}))
	}
	changed := newGuideline("g0500", 3, when(guideline.Condition{Agents: []string{"agent-7"}}))
	set, err := compile(t, all).With([]*guideline.Guideline{&changed}, "g0501")
	if err != nil {
		t.Fatal(err)
	}
	for agent, want := range map[string]int{"agent-7": 11, "agent-50": 8, "agent-51": 10} {
		q := &evaluator.Query{Context: guideline.Context{Agent: agent}}
		if got := set.Match(q, nil); len(got) != want || q.Looked != want {
			t.Errorf("%s: %d guidelines match and %d were looked at, want %d", agent, len(got), q.Looked, want)
		}
	}
}

func TestAChangeThatCannotBeCompiledIsRefused(t *testing.T) {
	set := compile(t, []guideline.Guideline{newGuideline("one", 1)})
	broken := newGuideline("two", 1, when(guideline.Condition{Paths: []string{"../x"}}))
	if _, err := set.With([]*guideline.Guideline{&broken}); err == nil || !strings.Contains(err.Error(), `"two"`) {
		t.Errorf("got %v", err)
	}
	if got := set.Match(&evaluator.Query{}, nil); len(got) != 1 {
		t.Errorf("the earlier set has %d guidelines", len(got))
	}
}
