// Command guardrails-stop is the client's hook for the end of a turn, of a subagent and of a session.
package main

import (
	"guardrails/hooks"
	"guardrails/hooks/run"
	"guardrails/hooks/wire"
)

func main() {
	run.Main(run.Hook{Event: wire.Stop, Answer: hooks.Stop})
}
