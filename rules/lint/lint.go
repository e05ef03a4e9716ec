// Package lint finds what is valid in a guideline set and yet cannot be meant: patterns that never match, guidelines
// that others leave nothing to do, allow lists that lock everything out, events that nothing sends.
//
// Start with Check. Every rule is described in docs/lint.md; what certainly does nothing or locks out is an error,
// everything else a warning.
package lint

import (
	"cmp"
	"fmt"
	"slices"

	"guardrails/rules"
)

// Rule is the id of a check.
type Rule = string

// The rules.
const (
	NeverMatches         Rule = "never-matches"
	Shadowed             Rule = "shadowed"
	Duplicate            Rule = "duplicate"
	DenyContradictsAllow Rule = "deny-contradicts-allow"
	LockedOut            Rule = "locked-out"
	IncompleteAction     Rule = "incomplete-action"
	UnusedField          Rule = "unused-field"
	InstructionTooLong   Rule = "instruction-too-long"
	NoDescription        Rule = "no-description"
	UnknownEvent         Rule = "unknown-event"
	UnknownAgent         Rule = "unknown-agent"
	NotCompared          Rule = "not-compared"
)

const defaultMaxInstruction = 1500

// maxCompared is how many guidelines are held against each other; the time for that grows with their square.
const maxCompared = 5000

// Rules lists every rule that a guideline can break; NotCompared is about the set as a whole.
func Rules() []Rule {
	return []Rule{
		NeverMatches, Shadowed, Duplicate, DenyContradictsAllow, LockedOut, IncompleteAction, UnusedField,
		InstructionTooLong, NoDescription, UnknownEvent, UnknownAgent,
	}
}

// Severity says how sure it is that something is wrong.
type Severity string

// The severities.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Finding is one thing that cannot be meant.
type Finding struct {
	// ID is the guideline's id.
	ID       string       `json:"id"`
	Rule     Rule         `json:"rule"`
	Severity Severity     `json:"severity"`
	Message  string       `json:"message"`
	Remedy   string       `json:"remedy"`
	Origin   rules.Origin `json:"origin"`
}

// String is the finding on one line.
func (f *Finding) String() string {
	return f.Origin.String() + ": " + string(f.Severity) + ": " + f.ID + ": " + f.Message + "; " + f.Remedy + " (" + f.Rule + ")"
}

// Options adapt the checks to a project.
type Options struct {
	// Agents are those that exist; when there are none, only names that look like a slip of another one are found.
	Agents []string
	// MaxInstruction is how many characters an instruction should have at most; 0 means 1,500.
	MaxInstruction int
}

// Check holds every guideline against every rule. Of a disabled guideline only what it says is looked at, not how it
// goes together with others.
func Check(l *rules.Loaded, o Options) []Finding {
	if o.MaxInstruction == 0 {
		o.MaxInstruction = defaultMaxInstruction
	}
	c := &checker{options: o}
	for i := range l.Guidelines {
		c.subjects = append(c.subjects, newSubject(&l.Guidelines[i]))
	}
	for _, s := range c.subjects {
		c.alone(s)
	}
	c.pairs()
	c.agents()
	c.combinedInstructions(l)
	return c.sorted()
}

type checker struct {
	options  Options
	subjects []*subject
	findings []Finding
}

// alone runs the rules that need to see one guideline only.
func (c *checker) alone(s *subject) {
	c.conditionValues(s)
	c.conditionPaths(s)
	c.toolPatterns(s)
	c.incomplete(s)
	c.unused(s)
	if s.Enabled {
		c.events(s)
		c.texts(s)
	}
}

// pairs runs the rules about how guidelines that are in force go together.
func (c *checker) pairs() {
	var live []*subject
	for _, s := range c.subjects {
		if s.Enabled {
			live = append(live, s)
		}
	}
	if len(live) > maxCompared {
		c.report(live[0], NotCompared, Warning,
			fmt.Sprintf("is one of %d guidelines in force, more than %d, so they are not compared with one another", len(live), maxCompared),
			"check them in smaller sets")
		return
	}
	for _, s := range live {
		c.shadow(s, live)
		c.contradictions(s, live)
		c.lockouts(s, live)
	}
}

func (c *checker) report(s *subject, rule Rule, severity Severity, message, remedy string) {
	c.findings = append(c.findings, Finding{
		ID: s.ID, Rule: rule, Severity: severity, Message: message, Remedy: remedy, Origin: s.Origin,
	})
}

// sorted puts the findings in the order of the files; those of one guideline and rule stay in the order of its fields.
func (c *checker) sorted() []Finding {
	slices.SortStableFunc(c.findings, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.Origin.File, b.Origin.File), cmp.Compare(a.Origin.Line, b.Origin.Line),
			cmp.Compare(a.ID, b.ID), cmp.Compare(a.Rule, b.Rule),
		)
	})
	return c.findings
}
