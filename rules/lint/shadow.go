package lint

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"guardrails/guideline"
)

// checkShadowed reports guideline s if it has no effect because another guideline precedes it. If there are several
// such guidelines, the report names the first of them.
func (c *checker) checkShadowed(s *subject, live []*subject) {
	var by *subject
	for _, other := range live {
		if other != s && other.precedes(s) && (by == nil || other.precedes(by)) && other.isShadowing(s) {
			by = other
		}
	}
	switch {
	case by == nil:
	case s.appliesWherever(by) && sameAction(&s.Action, &by.Action):
		c.report(s, "", Duplicate, Warning,
			fmt.Sprintf("has the same condition and action as %q (%s)", by.ID, by.Origin), "remove one of the two")
	default:
		c.report(s, "", Shadowed, Error,
			fmt.Sprintf("has no effect: wherever it applies, %q (%s) decides instead", by.ID, by.Origin),
			"remove it, narrow the other guideline, or give this one a higher priority")
	}
}

func sameAction(a, b *guideline.Action) bool {
	left, leftErr := json.Marshal(a)
	right, rightErr := json.Marshal(b)
	return leftErr == nil && rightErr == nil && bytes.Equal(left, right)
}

// isShadowing reports whether the other guideline has no effect because of guideline s, which precedes it.
func (s *subject) isShadowing(other *subject) bool {
	if !s.appliesWherever(other) {
		return false
	}
	if sameAction(&s.Action, &other.Action) && s.dependsOnCall() == other.dependsOnCall() {
		return true
	}
	return hasEffect(&other.Action) && s.decidesText(other) && s.decidesDenials(other) && s.decidesLists(other) &&
		s.decidesGate(other) && s.decidesConstraints(other)
}

// hasEffect reports whether an action has an effect that another guideline can take away.
func hasEffect(a *guideline.Action) bool {
	return a.Type != guideline.Telemetry && (!isBlank(a.Instruction) || slices.ContainsFunc(parts(a), func(p part) bool { return p.isSet }))
}

func isBlank(text string) bool { return strings.TrimSpace(text) == "" }

func (s *subject) decidesText(other *subject) bool {
	return isBlank(other.Action.Instruction) ||
		strings.TrimSpace(s.Action.Instruction) == strings.TrimSpace(other.Action.Instruction)
}

func (s *subject) decidesDenials(other *subject) bool {
	for _, pattern := range other.Action.ToolsDenied {
		if !slices.Contains(s.Action.ToolsDenied, pattern) {
			return false
		}
	}
	return true
}

// decidesLists reports whether the allow list of the other guideline has no effect because of guideline s. Among
// lists for the same tools, the list with the highest priority decides. Lists with the same priority are combined.
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

// decidesGate reports whether guideline s makes the gate of the other guideline redundant: s requires this gate
// whenever the other guideline requires it, and at least as strictly. A gate without events and paths does not apply to
// calls that only read.
func (s *subject) decidesGate(other *subject) bool {
	a, b := &s.Action, &other.Action
	if b.GateType == "" {
		return true
	}
	weaker := a.Threshold() == guideline.Advisory && b.Threshold() == guideline.Mandatory
	return a.GateType == b.GateType && !weaker && s.dependsOnCall() == other.dependsOnCall() && s.asksAboutAll(other)
}

// asksAboutAll reports whether the gate of guideline s has every tool pattern of the other gate. If only one of the
// two gates has patterns, it returns false.
func (s *subject) asksAboutAll(other *subject) bool {
	ours, theirs := s.Action.ToolsAsked, other.Action.ToolsAsked
	unasked := func(pattern string) bool { return !slices.Contains(ours, pattern) }
	return (len(ours) == 0) == (len(theirs) == 0) && !slices.ContainsFunc(theirs, unasked)
}

// decidesConstraints reports whether guideline s sets every limit that the other guideline sets. If both guidelines
// have the same priority, the limits of s must be at least as strict.
func (s *subject) decidesConstraints(other *subject) bool {
	a, b := &s.Action, &other.Action
	higher := s.Priority > other.Priority
	decided := func(ours, theirs *bool) bool {
		return theirs == nil || ours != nil && (higher || *ours || !*theirs)
	}
	files := b.MaxFiles == nil || a.MaxFiles != nil && (higher || *a.MaxFiles <= *b.MaxFiles)
	return files && decided(a.RequireTests, b.RequireTests) && decided(a.RequireReview, b.RequireReview)
}
