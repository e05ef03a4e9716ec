// Command guardrails-subagent is the client's hook for the start of a subagent.
package main

import (
	"guardrails/hooks"
	"guardrails/hooks/run"
	"guardrails/hooks/wire"
)

func main() {
	run.Main(run.Hook{Event: wire.SubagentStart, Answer: hooks.Subagent})
}
