package lint

import (
	"fmt"
	"slices"

	"guardrails/guideline/pattern"
)

// checkContradictions reports each allowed pattern that a denied pattern covers completely.
func (c *checker) checkContradictions(s *subject, live []*subject) {
	for i := range s.allowed {
		allowed := &s.allowed[i]
		if denied := s.denying(allowed); denied != "" {
			c.report(s, allowed.field, DenyContradictsAllow, Error,
				fmt.Sprintf("%q is denied by tools_denied (%s), and a denial always wins", allowed, denied),
				"remove one of the two")
			continue
		}
		for _, other := range live {
			if other == s || !other.isAgainst(s) {
				continue
			}
			if denied := other.denying(allowed); denied != "" {
				c.report(s, allowed.field, DenyContradictsAllow, Warning,
					fmt.Sprintf("%q is denied by %q (%s, %s), and a denial wins whatever the priorities are", allowed,
						other.ID, denied, other.Origin),
					"narrow the denial, or remove the allowed pattern")
				break
			}
		}
	}
}

// denying() returns a denied pattern that covers the allowed pattern completely, or "".
func (s *subject) denying(allowed *toolPattern) string {
	for i := range s.denied {
		if s.denied[i].deniesAllOf(allowed) {
			return s.denied[i].String()
		}
	}
	return ""
}

// isAgainst reports whether the denials of guideline s contradict the allow list of another guideline. If the condition
// of the denial is narrower (it has more fields or fewer values), the denial is an exception to the list and does not
// contradict it.
func (s *subject) isAgainst(other *subject) bool {
	if len(s.denied) == 0 || s.fields&^other.fields != 0 || !s.mayApplyWith(other) {
		return false
	}
	return s.appliesWherever(other) || !other.appliesWherever(s)
}

// checkLockedOut reports a guideline that denies an agent every tool. It does not report the guideline if another
// guideline that may apply at the same time allows a tool. It also reports a guideline whose allow list has only
// patterns that are denied or match nothing.
func (c *checker) checkLockedOut(s *subject, live []*subject) {
	allows := func(other *subject) bool { return len(other.allowed) > 0 && s.mayApplyWith(other) }
	if s.deniesEveryTool() && !slices.ContainsFunc(live, allows) {
		c.report(s, "action.tools_denied", LockedOut, Error,
			"every tool is denied and none is allowed, so the agent can do nothing",
			"allow some tools in tools_allowed, or limit the denial with condition.events or condition.paths")
	}
	if len(s.allowed) == 0 {
		return
	}
	usable := func(p toolPattern) bool { return !s.alwaysDenied(&p, live) && !matchesNothing(&p) }
	if !slices.ContainsFunc(s.allowed, usable) {
		c.report(s, "action.tools_allowed", LockedOut, Error,
			"every pattern is denied or matches nothing, so these tools cannot be used",
			"allow something that is not denied, or deny the tools by name")
	}
}

// deniesEveryTool reports whether a guideline denies every tool call. If the condition of a guideline has events or
// paths, the guideline denies only some calls.
func (s *subject) deniesEveryTool() bool {
	if s.dependsOnCall() {
		return false
	}
	for _, tool := range []string{"Bash", "Edit", "Read", "Write", "Glob", "Grep"} {
		if !slices.ContainsFunc(s.denied, func(p toolPattern) bool { return p.Spec == pattern.NoSpec && p.MatchTool(tool) }) {
			return false
		}
	}
	return true
}

// alwaysDenied reports whether another guideline denies an allowed pattern whenever guideline s applies.
func (s *subject) alwaysDenied(allowed *toolPattern, live []*subject) bool {
	return slices.ContainsFunc(live, func(other *subject) bool { return other.appliesWherever(s) && other.denying(allowed) != "" })
}

// matchesNothing reports whether a pattern certainly matches nothing.
func matchesNothing(p *toolPattern) bool {
	var flaws []flaw
	switch {
	case p.Spec == pattern.PathSpec:
		flaws = pathFlaws(p.inside)
	case p.Spec == pattern.CommandSpec && p.Name == "Bash":
		flaws = commandFlaws(p.inside)
	}
	return slices.ContainsFunc(flaws, func(f flaw) bool { return f.severity == Error })
}
