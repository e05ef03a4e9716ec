package lint

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"guardrails/guideline"
)

// shadow finds the first guideline, by priority, that leaves another one nothing to do.
func (c *checker) shadow(s *subject, live []*subject) {
	var by *subject
	for _, other := range live {
		if other != s && other.precedes(s) && (by == nil || other.precedes(by)) && other.shadows(s) {
			by = other
		}
	}
	switch {
	case by == nil:
	case s.wider(by) && sameAction(&s.Action, &by.Action):
		c.report(s, Duplicate, Warning, fmt.Sprintf("says the same as %q (%s)", by.ID, by.Origin), "remove one of the two")
	default:
		c.report(s, Shadowed, Error,
			fmt.Sprintf("does nothing: %q (%s) holds wherever it does and decides all that it says", by.ID, by.Origin),
			"remove it, narrow the other one, or give it a higher priority")
	}
}

func sameAction(a, b *guideline.Action) bool {
	left, leftErr := json.Marshal(a)
	right, rightErr := json.Marshal(b)
	return leftErr == nil && rightErr == nil && bytes.Equal(left, right)
}

// shadows reports whether all that another guideline does is decided by this one, which precedes it.
func (s *subject) shadows(other *subject) bool {
	if !s.wider(other) {
		return false
	}
	if sameAction(&s.Action, &other.Action) && s.named() == other.named() {
		return true
	}
	return says(&other.Action) && s.decidesText(other) && s.decidesDenials(other) && s.decidesLists(other) &&
		s.decidesGate(other) && s.decidesConstraints(other)
}

// says reports whether an action does something that another one could decide.
func says(a *guideline.Action) bool {
	return a.Type != guideline.Telemetry && (!isBlank(a.Instruction) || slices.ContainsFunc(parts(a), func(p part) bool { return p.isSet }))
}

func isBlank(text string) bool { return strings.TrimSpace(text) == "" }

func (s *subject) decidesText(other *subject) bool {
	return isBlank(other.Action.Instruction) || strings.TrimSpace(s.Action.Instruction) == strings.TrimSpace(other.Action.Instruction)
}

func (s *subject) decidesDenials(other *subject) bool {
	for _, pattern := range other.Action.ToolsDenied {
		if !slices.Contains(s.Action.ToolsDenied, pattern) {
			return false
		}
	}
	return true
}

// decidesLists reports whether the other's allow lists have no say: of lists for the same tools the highest priority
// decides, and lists of equal priority unite.
func (s *subject) decidesLists(other *subject) bool {
	for i := range other.allowed {
		theirs := &other.allowed[i]
		decides := func(ours toolPattern) bool {
			if s.Priority == other.Priority {
				return ours.String() == theirs.String()
			}
			return ours.Spec == theirs.Spec && ours.Name == theirs.Name
		}
		if !slices.ContainsFunc(s.allowed, decides) {
			return false
		}
	}
	return true
}

// decidesGate reports whether the same gate is asked for, not weaker, wherever the other asks for it: a gate that names
// no event and no path lets reading pass.
func (s *subject) decidesGate(other *subject) bool {
	a, b := &s.Action, &other.Action
	if b.GateType == "" {
		return true
	}
	weaker := a.Threshold() == guideline.Advisory && b.Threshold() == guideline.Mandatory
	return a.GateType == b.GateType && !weaker && s.named() == other.named()
}

// decidesConstraints reports whether each limit of the other is set here, and at equal priority is at least as strict.
func (s *subject) decidesConstraints(other *subject) bool {
	a, b := &s.Action, &other.Action
	higher := s.Priority > other.Priority
	decided := func(ours, theirs *bool) bool {
		return theirs == nil || ours != nil && (higher || *ours || !*theirs)
	}
	files := b.MaxFiles == nil || a.MaxFiles != nil && (higher || *a.MaxFiles <= *b.MaxFiles)
	return files && decided(a.RequireTests, b.RequireTests) && decided(a.RequireReview, b.RequireReview)
}
