package toolcall

import (
	"guardrails/detect/effect"
	"guardrails/detect/toolcall/tool"
	"guardrails/detect/toolcall/trace"
)

// Analyze returns what a call of the tool with this name would do. The input is the JSON object with the tool's
// arguments as the client sends it.
func Analyze(env *trace.Env, name string, input []byte) *effect.Analysis {
	t := newTrace(env, name)
	t.Guard(func() { tool.Analyze(t, name, input) })
	return t.Finish()
}

// AnalyzeCommand returns what a call of the Bash tool with this command would do.
func AnalyzeCommand(env *trace.Env, command string) *effect.Analysis {
	t := newTrace(env, "Bash")
	t.Guard(func() { tool.Bash(t, command) })
	return t.Finish()
}
