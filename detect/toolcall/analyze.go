package toolcall

import (
	"guardrails/detect/effect"
	"guardrails/detect/toolcall/shell"
	"guardrails/detect/toolcall/tool"
	"guardrails/detect/toolcall/trace"
)

// Analyze returns what a tool call would do. Input is the JSON object of the tool's arguments as the client sends it.
func Analyze(env *trace.Env, name string, input []byte) *effect.Analysis {
	t := newTrace(env, name)
	t.Guard(func() { tool.Analyze(t, name, input) })
	return t.Finish()
}

// AnalyzeCommand returns what a shell command would do when the Bash tool runs it.
func AnalyzeCommand(env *trace.Env, command string) *effect.Analysis {
	t := newTrace(env, "Bash")
	t.Guard(func() { shell.Bash(t, command) })
	return t.Finish()
}
