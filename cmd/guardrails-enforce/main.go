// Command guardrails-enforce is the client's hook for tool calls: it checks each before it runs, and learns afterwards
// what became of it.
package main

import (
	"guardrails/hooks"
	"guardrails/hooks/run"
	"guardrails/hooks/wire"
)

func main() {
	run.Main(run.Hook{Event: wire.PreToolUse, Answer: hooks.ToolCall})
}
