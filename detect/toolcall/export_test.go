package toolcall

import (
	"guardrails/detect/effect"
	"guardrails/detect/toolcall/tool"
	"guardrails/detect/toolcall/trace"
)

// AnalyzeInSteps returns the result of Analyze, and the number of steps that the analysis took.
func AnalyzeInSteps(env *trace.Env, name string, input []byte) (*effect.Analysis, int) {
	t := newTrace(env, name)
	t.Guard(func() { tool.Analyze(t, name, input) })
	return t.Finish(), t.Steps
}
