package decide_test

import (
	"fmt"
	"strings"
	"testing"

	"guardrails/decide"
	"guardrails/detect/toolcall"
	"guardrails/detect/toolcall/trace"
	"guardrails/guideline"
)

// BenchmarkJudge judges a typical command with the core pack.
func BenchmarkJudge(b *testing.B) {
	benchmark(b, "cd src && go build ./... && git commit -am 'fix: the parser' 2>&1 | tee build.log")
}

// BenchmarkJudgeManyEffects judges a call that has as many effects as a call can have.
func BenchmarkJudgeManyEffects(b *testing.B) {
	var script strings.Builder
	for i := range trace.MaxEffects / 2 {
		fmt.Fprintf(&script, "rm -rf src/%d\n", i)
	}
	benchmark(b, script.String())
}

func benchmark(b *testing.B, command string) {
	set := core(b)
	call := toolcall.AnalyzeCommand(&environment, command)
	b.ReportAllocs()
	for b.Loop() {
		decide.Judge(decide.Alone(set, guideline.Context{Agent: "backend"}), call, decide.Facts{})
	}
}
