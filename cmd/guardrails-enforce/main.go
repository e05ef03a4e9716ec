// Command guardrails-enforce is the client's hook for tool calls. It checks a tool call before the call runs, and
// records how the call ended.
package main

import (
	"guardrails/hooks"
	"guardrails/hooks/run"
	"guardrails/hooks/wire"
)

func main() {
	run.Main(run.Hook{Event: wire.PreToolUse, Answer: hooks.ToolCall})
}
