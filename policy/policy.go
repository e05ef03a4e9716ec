// Package policy changes verdicts of the safety gate. A policy file has rules: when a message and the facts about it
// match a condition, the actions of the rule run. An action can change the verdict, fire an event, add a note, or stop
// the rules after it.
//
// Start with Parse, which reads the rules of a file, and Set.Run, which applies them.
package policy

import (
	"cmp"
	"regexp"
	"slices"
	"time"
)

// The verdicts.
const (
	Proceed = "PROCEED"
	Hold    = "HOLD"
	Block   = "BLOCK"
)

// Set has those rules of a policy file that are switched on, in the order in which they run.
type Set struct {
	rules []Rule
	// onlyStricter is set if rules cannot make a verdict milder.
	onlyStricter bool
}

// Tightening returns a set with the same rules. The rules of the returned set cannot make a verdict milder.
func (s *Set) Tightening() *Set {
	if s == nil {
		return nil
	}
	return &Set{rules: s.rules, onlyStricter: true}
}

// Lowering returns the names of the rules that let a text pass whenever the rule applies.
func (s *Set) Lowering() []string {
	var names []string
	for i := range s.all() {
		lowers := func(a action) bool { return a.kind == OverrideSafety && a.verdict == Proceed }
		if slices.ContainsFunc(s.rules[i].actions, lowers) {
			names = append(names, s.rules[i].Name)
		}
	}
	return names
}

func (s *Set) all() []Rule {
	if s == nil {
		return nil
	}
	return s.rules
}

// Rule is one rule of a policy file.
type Rule struct {
	Name     string
	priority int
	enabled  bool
	when     *placed // nil if the rule always applies
	actions  []action
}

// LongestCooldown returns the longest cooldown of all events, or 0.
func (s *Set) LongestCooldown() (longest time.Duration) {
	for i := range s.all() {
		for _, a := range s.rules[i].actions {
			longest = max(longest, a.cooldown)
		}
	}
	return longest
}

// Rules returns the number of rules that are switched on.
func (s *Set) Rules() int {
	return len(s.all())
}

// Summary describes a rule.
type Summary struct {
	Name     string `json:"name"`
	Priority int    `json:"priority"`
	// Actions lists the kinds of the rule's actions, in order.
	Actions []string `json:"actions"`
}

// Summaries describes the rules that are switched on, in the order in which they run.
func (s *Set) Summaries() []Summary {
	out := []Summary{}
	for i := range s.all() {
		rule := Summary{Name: s.rules[i].Name, Priority: s.rules[i].priority, Actions: []string{}}
		for _, a := range s.rules[i].actions {
			rule.Actions = append(rule.Actions, a.kind)
		}
		out = append(out, rule)
	}
	return out
}

// newSet puts rules into the order in which they run: rules with a higher priority come first.
func newSet(rules []Rule) *Set {
	s := &Set{}
	for i := range rules {
		if rules[i].enabled {
			s.rules = append(s.rules, rules[i])
		}
	}
	slices.SortStableFunc(s.rules, func(a, b Rule) int { return cmp.Compare(b.priority, a.priority) })
	return s
}

// The kinds of actions.
const (
	OverrideSafety = "override_safety"
	FireEvent      = "fire_event"
	Annotate       = "annotate"
	Stop           = "stop"
)

// ActionKinds returns all kinds of actions.
func ActionKinds() []string { return []string{OverrideSafety, FireEvent, Annotate, Stop} }

type action struct {
	kind string
	// The field "verdict" is set for an action of the kind override_safety.
	verdict string
	// The fields "event" and "cooldown" are set for an action of the kind fire_event.
	event    string
	cooldown time.Duration
	// The fields "tag" and "detail" are set for an action of the kind annotate.
	tag, detail string
}

// The type "placed" is a condition with its path in the rule.
type placed struct {
	path string
	condition
}

// The type "condition" is one field of a rule's "when", or a list of conditions in "all", "any" or "not".
type condition interface {
	holds(m *moment) truth
}

type (
	// The condition "every" is true if all conditions in the list are true. The condition "some" is true if at least one
	// condition in the list is true.
	every    []placed
	some     []placed
	negation struct{ inner placed }
	// The condition "contains" is true if the message contains one of the folded texts in the list.
	contains []string
	matches  struct{ pattern *regexp.Regexp }
	// The condition "number" compares a fact with a number.
	number struct {
		field string
		comparison
	}
	// The condition "oneOf" is true if a fact contains at least one of the names. The field "field" has the name of this
	// fact.
	oneOf struct {
		field string
		names []string
	}
)
