// Command guardrails-inject is the client's hook for prompts.
package main

import (
	"guardrails/hooks"
	"guardrails/hooks/run"
	"guardrails/hooks/wire"
)

func main() {
	run.Main(run.Hook{Event: wire.UserPromptSubmit, Answer: hooks.Inject})
}
