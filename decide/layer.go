package decide

import (
	"time"

	"guardrails/evaluator"
	"guardrails/guideline"
)

// Layer holds the guidelines of one source, such as the machine, the user or the project. Each layer has its own
// context, so a layer cannot prevent the guidelines of another layer from applying.
type Layer struct {
	Set *evaluator.Set
	// Context says who makes the call and for what task. Judge does not use the paths and the event of this context. Judge
	// uses the paths and events of the call's effects instead.
	Context guideline.Context
	// Exceptions apply to the guidelines of this layer. Judge ignores an exception that has expired.
	Exceptions []Exception
	// TestCommands are commands that run tests. Package toolcall knows other test commands, which are not listed here.
	TestCommands []string
}

// Alone is a function that returns a list with a single layer, for guidelines that all come from the same source.
func Alone(set *evaluator.Set, context guideline.Context) []Layer {
	return []Layer{{Set: set, Context: context}}
}

// Exception allows calls that a guideline would stop. It has a reason and an expiry time.
type Exception struct {
	Guideline string
	// Tools are tool patterns. If there are none, the exception covers every call.
	Tools   []string
	Reason  string
	Expires time.Time
}
