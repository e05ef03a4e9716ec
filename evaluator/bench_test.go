package evaluator_test

import (
	"fmt"
	"testing"

	"guardrails/evaluator"
	"guardrails/guideline"
)

// tenMatching returns the query of the benchmarks. Ten of the guidelines from manyGuidelines match this query.
func tenMatching() *evaluator.Query {
	return &evaluator.Query{Context: guideline.Context{
		Agent: "backend", Domain: "P01", Action: "implement", Event: "commit",
		Paths: []string{"src/workers/pool.py", "tests/test_pool.py"},
	}}
}

// manyGuidelines returns guidelines with many priorities. Ten of them match the query of tenMatching. Each of the other
// guidelines differs from this query in one or two fields.
func manyGuidelines(count int) []guideline.Guideline {
	out := make([]guideline.Guideline, count)
	for i := range out {
		out[i] = guideline.Guideline{
			ID: fmt.Sprintf("guideline-%05d", i), Name: fmt.Sprintf("Guideline %d", i), Enabled: true,
			Priority: i * 1000 / count,
			Category: guideline.ContextConstraint,
			Condition: guideline.Condition{
				Agents: []string{"backend", "frontend"}, Actions: []string{"implement", "fix", "refactor"},
				Paths: []string{"src/workers/*", "contracts/**/*.json"},
			},
			Action: guideline.Action{
				Type: guideline.ToolRestriction, Instruction: "Keep to your own folders.",
				ToolsAllowed: []string{"Write(src/workers/*)", "Bash(pytest*)"}, ToolsDenied: []string{"Write(contracts/*)"},
			},
		}
		if i%(count/10) != 0 {
			makeDifferent(&out[i].Condition, i)
		}
	}
	return out
}

func makeDifferent(c *guideline.Condition, i int) {
	switch i % 4 {
	case 0:
		c.Agents = []string{fmt.Sprintf("agent-%d", i)}
	case 1:
		c.Agents, c.Events = nil, []string{fmt.Sprintf("event-%d", i%50), "push"}
	case 2:
		c.Domains = []string{fmt.Sprintf("P%d", 2+i%80)}
	case 3:
		c.Agents, c.Actions = []string{"frontend", "devops"}, []string{"implement"}
	}
}

// crossedGuidelines returns guidelines with many combinations of the values of four fields. Each value occurs in about
// a tenth of the guidelines, so every field alone leaves many guidelines that do not match. Ten of the guidelines match
// the query of tenMatching.
func crossedGuidelines(count int) []guideline.Guideline {
	out := manyGuidelines(count)
	for i := range out {
		c := &out[i].Condition
		if i%(count/10) == 0 {
			c.Domains, c.Events = []string{"P01"}, []string{"commit"}
			continue
		}
		pick := func(place int, mine string) []string {
			if digit := i / place % 10; digit > 0 {
				return []string{fmt.Sprintf("%s-%d", mine, digit)}
			}
			return []string{mine}
		}
		c.Agents, c.Domains, c.Actions, c.Events = pick(1, "backend"), pick(10, "P01"), pick(100, "implement"), pick(1000, "commit")
		if count < 10000 && i%10 == 0 {
			c.Events = []string{"push"}
		}
	}
	return out
}

func BenchmarkMatch1000(b *testing.B) { benchmarkMatch(b, manyGuidelines(1000), 0) }

func BenchmarkMatch10000(b *testing.B) { benchmarkMatch(b, manyGuidelines(10000), 0) }

func BenchmarkMatch50000(b *testing.B) { benchmarkMatch(b, manyGuidelines(50000), 0) }

func BenchmarkMatch10000PathsUnknown(b *testing.B) {
	benchmarkMatch(b, manyGuidelines(10000), guideline.FieldPaths)
}

func BenchmarkMatchCrossed1000(b *testing.B) { benchmarkMatch(b, crossedGuidelines(1000), 0) }

func BenchmarkMatchCrossed10000(b *testing.B) { benchmarkMatch(b, crossedGuidelines(10000), 0) }

func BenchmarkMatchCrossed50000(b *testing.B) { benchmarkMatch(b, crossedGuidelines(50000), 0) }

func benchmarkMatch(b *testing.B, guidelines []guideline.Guideline, unknown guideline.Fields) {
	set := compile(b, guidelines)
	q := tenMatching()
	q.Unknown = unknown
	into := make([]evaluator.Match, 0, 16)
	if into = set.Match(q, into); len(into) != 10 {
		b.Fatalf("%d guidelines match, want 10", len(into))
	}
	b.ReportAllocs()
	for b.Loop() {
		into = set.Match(q, into[:0])
	}
}

func BenchmarkEvaluate1000(b *testing.B) {
	set := compile(b, manyGuidelines(1000))
	q := tenMatching()
	b.ReportAllocs()
	for b.Loop() {
		set.Evaluate(q)
	}
}

func BenchmarkExplain1000(b *testing.B) {
	set := compile(b, manyGuidelines(1000))
	q := tenMatching()
	for b.Loop() {
		set.Explain(q)
	}
}

func BenchmarkCompile1000(b *testing.B) {
	guidelines := manyGuidelines(1000)
	b.ReportAllocs()
	for b.Loop() {
		compile(b, guidelines)
	}
}

// BenchmarkMatchAll1000 matches every guideline, because all fields are unknown.
func BenchmarkMatchAll1000(b *testing.B) {
	set := compile(b, manyGuidelines(1000))
	q := tenMatching()
	q.Unknown, _ = guideline.ParseFields(guideline.FieldNames())
	into := set.Match(q, nil)
	for b.Loop() {
		into = set.Match(q, into[:0])
	}
}

// BenchmarkMatchPathsOnly1000 measures a set for which the index is useless, because every condition has only a path.
func BenchmarkMatchPathsOnly1000(b *testing.B) {
	guidelines := manyGuidelines(1000)
	for i := range guidelines {
		guidelines[i].Condition = guideline.Condition{Paths: []string{fmt.Sprintf("src/module%d/*", i), "*.generated.go"}}
	}
	set := compile(b, guidelines)
	q := tenMatching()
	for b.Loop() {
		set.Match(q, nil)
	}
}
