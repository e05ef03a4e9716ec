package cache

import (
	"strconv"
	"strings"

	"guardrails/detect/effect"
	"guardrails/guideline"
	"guardrails/guideline/pattern"
)

// The type "selector" is one way in which a guideline can be relevant for an effect of a call. The effect must have one
// of the kinds and one of the events, and its text must contain one of the needles. A selector can select more effects
// than necessary, but never too few.
type selector struct {
	kinds kindSet
	// The field "events" is zero if the guideline does not depend on events.
	events eventSet
	// The field "impossible" is set if the guideline requires an event that no call can have.
	impossible bool
	// The field "where" has the needles of the paths in the condition. The field "what" has the needles of the
	// tool patterns. If one of these two fields is nil, any text is accepted.
	where, what []string
}

type kindSet uint16

const (
	kindRead kindSet = 1 << iota
	kindWrite
	kindDelete
	kindRun
	kindFetch
	kindSend
	kindUse
	kindOpaque
	allKinds      = kindRead | kindWrite | kindDelete | kindRun | kindFetch | kindSend | kindUse | kindOpaque
	changingKinds = allKinds &^ (kindRead | kindFetch | kindUse)
)

func kindOf(k effect.Kind) kindSet {
	switch k {
	case effect.Read:
		return kindRead
	case effect.Write:
		return kindWrite
	case effect.Delete:
		return kindDelete
	case effect.Run:
		return kindRun
	case effect.Fetch:
		return kindFetch
	case effect.Send:
		return kindSend
	case effect.Use:
		return kindUse
	}
	return kindOpaque
}

func kindsOf(f pattern.Family) kindSet {
	switch f {
	case pattern.ReadFamily:
		return kindRead
	case pattern.WriteFamily:
		return kindWrite | kindDelete
	case pattern.CommandFamily:
		return kindRun
	case pattern.FetchFamily:
		return kindFetch | kindSend
	}
	return allKinds
}

// eventSet is a set of events, with one bit per event number.
type eventSet uint64

func eventBit(event string) eventSet {
	if number := effect.Event(event).Number(); number > 0 {
		return 1 << number
	}
	return 0
}

// selectors() returns the selectors of a guideline. It returns none if the guideline is never relevant for a tool call.
func selectors(g *guideline.Guideline) []selector {
	base := conditionSelector(&g.Condition)
	if !g.Enabled || base.impossible {
		return nil
	}
	if g.Action.Type == guideline.Telemetry || named(&g.Condition) && appliesToAll(&g.Action) {
		base.kinds = allKinds
		return []selector{base}
	}
	list := append(actionSelectors(&g.Action, base), constraintSelectors(&g.Action, base)...)
	if len(g.Condition.Agents) > 0 && len(g.Action.ToolsAllowed)+len(g.Action.ToolsDenied) > 0 {
		// The tool lists of a guideline about an agent also decide which agents this agent may start.
		start := base
		start.kinds, start.what = kindUse, []string{"agent"}
		list = append(list, start)
	}
	return list
}

func conditionSelector(c *guideline.Condition) selector {
	var s selector
	for _, event := range c.Events {
		s.events |= eventBit(event)
	}
	s.impossible = len(c.Events) > 0 && s.events == 0
	s.where = pathNeedles(c.Paths)
	return s
}

func named(c *guideline.Condition) bool { return len(c.Events)+len(c.Paths) > 0 }

// appliesToAll reports whether an action applies to every effect that its condition matches, and not only to the
// listed tools.
func appliesToAll(a *guideline.Action) bool {
	return a.GateType != "" || a.Instruction != "" || len(a.ToolsAllowed)+len(a.ToolsDenied) == 0
}

// actionSelectors returns the selectors for the tool patterns of an action. If an action has a gate but no tool
// patterns, it gets one selector for all effects that change something.
func actionSelectors(a *guideline.Action, base selector) []selector {
	var out []selector
	add := func(kinds kindSet, what []string) {
		s := base
		s.kinds, s.what = kinds, what
		out = append(out, s)
	}
	if a.GateType != "" && len(a.ToolsAsked) == 0 {
		add(changingKinds, nil)
	}
	for _, pattern := range a.ToolsAsked {
		add(patternSelector(pattern))
	}
	for _, pattern := range a.ToolsAllowed {
		// An allow list denies everything that its patterns do not match, including effects that are only partly known.
		// So the selector uses the kinds of the patterns, but not their needles.
		kinds, _ := patternSelector(pattern)
		add(kinds|kindOpaque, nil)
	}
	for _, pattern := range a.ToolsDenied {
		add(patternSelector(pattern))
	}
	return merged(out)
}

// constraintSelectors returns the selectors for the limits of an action. These selectors select the effects to which a
// limit applies.
func constraintSelectors(a *guideline.Action, base selector) []selector {
	var out []selector
	add := func(kinds kindSet, events ...effect.Event) {
		s := base
		s.kinds = kinds
		for _, event := range events {
			s.events |= eventBit(string(event))
		}
		out = append(out, s)
	}
	if a.MaxFiles != nil {
		add(kindWrite | kindDelete)
		add(allKinds, effect.Commit)
	}
	if a.RequireTests != nil {
		add(allKinds, effect.Commit)
	}
	if a.RequireReview != nil {
		add(allKinds, effect.Merge, effect.DefaultPush)
	}
	return out
}

// merged() joins selectors that differ only in their needles or kinds.
func merged(list []selector) []selector {
	var out []selector
next:
	for _, s := range list {
		for i := range out {
			have := &out[i]
			switch {
			case (s.what == nil) != (have.what == nil):
			case s.what == nil:
				have.kinds |= s.kinds
				continue next
			case s.kinds == have.kinds:
				have.what = append(have.what, s.what...)
				continue next
			}
		}
		out = append(out, s)
	}
	return out
}

// appendTo adds a selector to an index line. It writes the kinds, the events, the position of the guideline and the
// needles. Before these parts, it leaves space for the signature of the guideline.
func (s *selector) appendTo(line []byte, at int, text []byte) []byte {
	line = append(append(line, noSum...), ',')
	line = strconv.AppendUint(line, uint64(s.kinds), 16)
	line = strconv.AppendUint(append(line, ','), uint64(s.events), 16)
	line = strconv.AppendInt(append(line, ','), int64(at), 10)
	line = strconv.AppendInt(append(line, ','), int64(len(text)), 10)
	line = append(append(line, ','), strings.Join(s.where, "|")...)
	return append(append(line, ','), strings.Join(s.what, "|")...)
}
