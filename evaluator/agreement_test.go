package evaluator_test

import (
	"fmt"
	"slices"
	"testing"

	"guardrails/evaluator"
	"guardrails/guideline"
)

func TestAgreesWithReferenceOnRandomSets(t *testing.T) {
	wanted := 100_000
	if testing.Short() {
		wanted /= 10 // with the race detector, 100,000 queries take half a minute
	}
	compared := 0
	for seed := uint64(0); compared < wanted; seed++ {
		compared += compareSet(t, seeded(seed), 40)
		if t.Failed() {
			t.Fatalf("disagreement at seed %d", seed)
		}
	}
	t.Logf("%d comparisons", compared)
}

func TestAgreesWithReferenceOnALargeSet(t *testing.T) {
	c := seeded(1)
	guidelines := make([]guideline.Guideline, 10_000)
	for i := range guidelines {
		guidelines[i] = c.guideline(fmt.Sprintf("g%d", i))
		guidelines[i].Condition.Paths = nil // The index ignores paths, and paths make the reference slow.
		if c(20) > 0 {
			guidelines[i].Condition.Agents = []string{fmt.Sprintf("agent-%d", c(500))}
		}
	}
	set := compile(t, guidelines)
	for range 40 {
		q := c.query()
		q.Agent = c.pick(q.Agent, fmt.Sprintf("agent-%d", c(500)))
		want := []string{}
		for _, l := range newReference(guidelines, q).listed {
			want = append(want, l.ID)
		}
		if got := ids(set.Match(q, nil)); !slices.Equal(got, want) {
			t.Errorf("query %s: %d match, want %d", marshal(t, q), len(got), len(want))
		}
	}
}

func FuzzEvaluatorAgreesWithReference(f *testing.F) {
	f.Add([]byte{})
	for seed := range uint64(20) {
		c := seeded(seed)
		data := make([]byte, 600)
		for i := range data {
			data[i] = byte(c(256))
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		compareSet(t, fromBytes(data), 3)
	})
}

// compareSet evaluates random queries with a Set and with the reference, and compares the results. It returns the
// number of queries.
func compareSet(t *testing.T, c chooser, questions int) int {
	t.Helper()
	guidelines := c.guidelines()
	set := compile(t, guidelines)
	for i := range questions {
		q := c.query()
		got, want := marshal(t, set.Evaluate(q)), marshal(t, newReference(guidelines, q).result())
		if got != want {
			t.Errorf("guidelines %s\nquery %s\n got %s\nwant %s", marshal(t, guidelines), marshal(t, q), got, want)
			break
		}
		if i%4 == 0 {
			compareExplanation(t, set, q)
		}
	}
	return questions
}

func compareExplanation(t *testing.T, set *evaluator.Set, q *evaluator.Query) {
	t.Helper()
	matches := set.Match(q, nil)
	for _, e := range set.Explain(q).Guidelines {
		if e.Outcome != evaluator.Matched && e.Outcome != evaluator.Residual {
			continue
		}
		residual := e.Outcome == evaluator.Residual
		if len(matches) == 0 || matches[0].Guideline.ID != e.ID || (matches[0].Residual != 0) != residual {
			t.Errorf("Explain returns %s as %s, but Match does not; query %s", e.ID, e.Outcome, marshal(t, q))
			return
		}
		matches = matches[1:]
	}
	if len(matches) > 0 {
		t.Errorf("Match returns %s, but Explain does not; query %s", matches[0].Guideline.ID, marshal(t, q))
	}
}
