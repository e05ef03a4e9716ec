package lint

import (
	"slices"

	"guardrails/detect/effect"
	"guardrails/guideline"
	"guardrails/internal/document"
)

// checkDetectors reports a guideline that should stop calls, but whose events all come from detectors and never belong
// to a call.
func (c *checker) checkDetectors(s *subject) {
	events := s.Condition.Events
	stops := s.Action.Type != guideline.Instruction && s.Action.Type != guideline.Telemetry
	if len(events) == 0 || !stops || slices.ContainsFunc(events, isOfCall) {
		return
	}
	c.report(s, "condition.events", NeverMatches, Error,
		"no tool call has the event "+document.Excerpt(events[0])+", so the guideline stops nothing",
		`use the action type "instruction" or "telemetry", or the event "tool_loop"`)
}

// isOfCall reports whether a tool call can have the given event.
func isOfCall(event string) bool {
	e := effect.Event(event)
	return !e.IsOfDetector() || e == effect.ToolLoop
}
