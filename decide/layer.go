package decide

import (
	"time"

	"guardrails/evaluator"
	"guardrails/guideline"
)

// Layer holds the guidelines of one source, such as the machine, the user or the project. Each layer has its own
// context. So no other layer can prevent its guidelines from applying.
type Layer struct {
	Set *evaluator.Set
	// Context says who makes the call and for what task. Judge ignores its paths and its event, and uses those of
	// each effect.
	Context guideline.Context
	// Exceptions apply to the guidelines of this layer. Judge ignores an exception that has expired.
	Exceptions []Exception
	// TestCommands are commands that run tests, in addition to the commands that package toolcall knows.
	TestCommands []string
}

// Alone returns a single layer for guidelines that all come from one source.
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
