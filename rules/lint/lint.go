// Package lint finds guidelines that are valid but probably wrong. Examples are patterns that never match,
// guidelines that other guidelines make useless, allow lists that leave an agent no tool, and events that no tool
// call causes.
//
// Start with Check. docs/lint.md describes every rule. A finding is an error if the guideline certainly has no
// effect or leaves an agent no tool. Otherwise it is a warning.
package lint

import (
	"cmp"
	"fmt"
	"slices"

	"guardrails/rules"
)

// Rule is the id of a check.
type Rule = string

// The ids of all checks.
const (
	NeverMatches         Rule = "never-matches"
	Shadowed             Rule = "shadowed"
	Duplicate            Rule = "duplicate"
	DenyContradictsAllow Rule = "deny-contradicts-allow"
	LockedOut            Rule = "locked-out"
	IncompleteAction     Rule = "incomplete-action"
	UnusedField          Rule = "unused-field"
	InvalidParameter     Rule = "invalid-parameter"
	InstructionTooLong   Rule = "instruction-too-long"
	NoDescription        Rule = "no-description"
	UnknownEvent         Rule = "unknown-event"
	UnknownAgent         Rule = "unknown-agent"
	UnknownAction        Rule = "unknown-action"
	NotCompared          Rule = "not-compared"
)

const defaultMaxInstruction = 1500

// maxCompared is the largest number of guidelines that are compared with each other, because the time grows with
// the square of this number.
const maxCompared = 5000

// Severity says whether a finding is an error or a warning.
type Severity string

// The severities.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Finding is one thing that is probably wrong with a guideline.
type Finding struct {
	// ID is the guideline's id.
	ID       string   `json:"id"`
	Rule     Rule     `json:"rule"`
	Severity Severity `json:"severity"`
	Message  string   `json:"message"`
	Remedy   string   `json:"remedy"`
	// Field is the field of the guideline that the finding is about, such as condition.paths[1], or "".
	Field string `json:"-"`
	// Origin is the place of the field that the finding is about, or of the guideline's first line.
	Origin rules.Origin `json:"origin"`
}

// String returns the finding as one line of text.
func (f *Finding) String() string {
	return f.Origin.String() + ": " + string(f.Severity) + ": " + f.ID + ": " + f.Message + "; " +
		f.Remedy + " (" + f.Rule + ")"
}

// Options adapts the checks to a project.
type Options struct {
	// MaxInstruction is the largest number of characters that an instruction should have; 0 means 1,500.
	MaxInstruction int
}

// Check applies every rule to every guideline. It compares only enabled guidelines with each other.
func Check(l *rules.Loaded, o Options) []Finding {
	if o.MaxInstruction == 0 {
		o.MaxInstruction = defaultMaxInstruction
	}
	c := &checker{options: o}
	for i := range l.Guidelines {
		c.subjects = append(c.subjects, newSubject(&l.Guidelines[i]))
	}
	for _, s := range c.subjects {
		c.checkAlone(s)
	}
	c.checkPairs()
	c.checkAgents()
	c.checkCombinedInstructions(l)
	return c.sorted()
}

type checker struct {
	options  Options
	subjects []*subject
	findings []Finding
}

func (c *checker) checkAlone(s *subject) {
	c.checkValues(s)
	c.checkDetectors(s)
	c.checkPaths(s)
	c.checkTools(s)
	c.checkAction(s)
	c.checkUnused(s)
	c.checkParameters(s)
	if s.Enabled {
		c.checkEvents(s)
		c.checkActions(s)
		c.checkTexts(s)
	}
}

// checkPairs runs the checks that compare enabled guidelines with each other.
func (c *checker) checkPairs() {
	var live []*subject
	for _, s := range c.subjects {
		if s.Enabled {
			live = append(live, s)
		}
	}
	if len(live) > maxCompared {
		c.report(live[0], "", NotCompared, Warning,
			fmt.Sprintf("is one of %d enabled guidelines; they are compared with each other only if there are at most %d",
				len(live), maxCompared),
			"check them in smaller sets")
		return
	}
	for _, s := range live {
		c.checkShadowed(s, live)
		c.checkContradictions(s, live)
		c.checkLockedOut(s, live)
	}
}

// report() adds a finding about a field of a guideline. If the parameter "field" is empty, the finding is about the
// whole guideline.
func (c *checker) report(s *subject, field string, rule Rule, severity Severity, message, remedy string) {
	origin := s.Origin
	if field != "" {
		message = s.Path(field) + ": " + message
		origin.Line = s.Line(field)
	}
	c.findings = append(c.findings, Finding{
		ID: s.ID, Rule: rule, Severity: severity, Message: message, Remedy: remedy, Field: field, Origin: origin,
	})
}

// sorted() returns the findings, sorted by file and line. Findings on the same line are sorted by guideline and rule.
func (c *checker) sorted() []Finding {
	slices.SortStableFunc(c.findings, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.Origin.File, b.Origin.File), cmp.Compare(a.Origin.Line, b.Origin.Line),
			cmp.Compare(a.ID, b.ID), cmp.Compare(a.Rule, b.Rule),
		)
	})
	return c.findings
}
