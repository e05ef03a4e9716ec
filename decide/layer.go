package decide

import (
	"time"

	"guardrails/evaluator"
	"guardrails/guideline"
)

// Layer has the guidelines of one source, such as the machine, the user or the project. Its guidelines are judged in
// its own context, so that no other layer can prevent them from applying.
type Layer struct {
	Set *evaluator.Set
	// Context says who makes the call and for what task. Judge ignores its paths and its event, because every effect of
	// the call has its own.
	Context guideline.Context
	// Exceptions apply to the guidelines of this layer. Judge ignores an exception that has expired.
	Exceptions []Exception
	// TestCommands are commands that run tests, in addition to those that the analysis knows.
	TestCommands []string
}

// Alone returns the layers of guidelines that all come from one source.
func Alone(set *evaluator.Set, context guideline.Context) []Layer {
	return []Layer{{Set: set, Context: context}}
}

// Exception lets calls pass that a guideline would stop, for a reason and until a time.
type Exception struct {
	Guideline string
	// Tools are tool patterns. An exception without any covers every call.
	Tools   []string
	Reason  string
	Expires time.Time
}
