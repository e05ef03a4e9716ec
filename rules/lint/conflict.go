package lint

import (
	"fmt"
	"slices"

	"guardrails/guideline/pattern"
)

// contradictions finds allowed patterns of which a denial leaves nothing.
func (c *checker) contradictions(s *subject, live []*subject) {
	for i := range s.allowed {
		allowed := &s.allowed[i]
		if denied := s.takes(allowed); denied != "" {
			c.report(s, DenyContradictsAllow, Error,
				fmt.Sprintf("action.tools_allowed: %q is denied by tools_denied (%s), and a denial beats any allowance", allowed, denied),
				"remove one of the two")
			continue
		}
		for _, other := range live {
			if other == s || !other.contradicts(s) {
				continue
			}
			if denied := other.takes(allowed); denied != "" {
				c.report(s, DenyContradictsAllow, Warning,
					fmt.Sprintf("action.tools_allowed: %q is denied by %q (%s, %s), and a denial beats any allowance whatever its priority",
						allowed, other.ID, denied, other.Origin),
					"narrow the denial, or remove what is allowed")
				break
			}
		}
	}
}

// takes is the denied pattern that leaves nothing of an allowed one, or empty.
func (s *subject) takes(allowed *toolPattern) string {
	for i := range s.denied {
		if s.denied[i].takesAll(allowed) {
			return s.denied[i].String()
		}
	}
	return ""
}

// contradicts reports whether a denial of this guideline goes against what another one allows, and is not an exception
// from it: that would name a field more, or fewer values.
func (s *subject) contradicts(other *subject) bool {
	if len(s.denied) == 0 || s.fields&^other.fields != 0 || !s.together(other) {
		return false
	}
	return s.wider(other) || !other.wider(s)
}

// lockouts finds a guideline that leaves an agent no tool, or none of those that it lists.
func (c *checker) lockouts(s *subject, live []*subject) {
	if s.closesAll() && !slices.ContainsFunc(live, func(other *subject) bool { return len(other.allowed) > 0 && s.together(other) }) {
		c.report(s, LockedOut, Error, "action.tools_denied: every tool is denied and none is allowed, so nothing can be done at all",
			"list in tools_allowed what is left, or name in condition.events or condition.paths what is denied")
	}
	if len(s.allowed) == 0 {
		return
	}
	void := func(p toolPattern) bool { return s.takesWherever(&p, live) || isVoid(&p) }
	if !slices.ContainsFunc(s.allowed, func(p toolPattern) bool { return !void(p) }) {
		c.report(s, LockedOut, Error, "action.tools_allowed: each pattern is denied or matches nothing, so these tools cannot be used at all",
			"allow at least one thing that is not denied, or deny the tools by their names")
	}
}

// closesAll reports whether a guideline denies every tool to whoever is at work. One that names an event or a path
// denies that and nothing else.
func (s *subject) closesAll() bool {
	if s.named() {
		return false
	}
	for _, tool := range []string{"Bash", "Edit", "Read", "Write", "Glob", "Grep"} {
		if !slices.ContainsFunc(s.denied, func(p toolPattern) bool { return p.Spec == pattern.NoSpec && p.MatchTool(tool) }) {
			return false
		}
	}
	return true
}

// takesWherever reports whether an allowed pattern is denied wherever its guideline holds.
func (s *subject) takesWherever(allowed *toolPattern, live []*subject) bool {
	return slices.ContainsFunc(live, func(other *subject) bool { return other.wider(s) && other.takes(allowed) != "" })
}

// isVoid reports whether a pattern certainly matches nothing.
func isVoid(p *toolPattern) bool {
	var flaws []flaw
	switch {
	case p.Spec == pattern.PathSpec:
		flaws = pathFlaws(p.inside)
	case p.Spec == pattern.CommandSpec && p.Name == "Bash":
		flaws = commandFlaws(p.inside)
	}
	return slices.ContainsFunc(flaws, func(f flaw) bool { return f.severity == Error })
}
