package decide

import (
	"guardrails/detect/effect"
	"guardrails/guideline/pattern"
)

// denials finds the patterns that deny an effect. Deny beats allow, but for a bare star: it closes what no allow list
// names.
func (j *judge) denials(i int, e *effect.Effect) {
	for n := range j.held {
		m := &j.held[n]
		if p, outcome := j.denial(m, i, e); p != nil {
			j.add(Finding{Guideline: m.Guideline, Outcome: outcome, Effect: i, Pattern: p.String(), Event: m.event})
		}
	}
}

// denial is the first pattern of a guideline that denies an effect or, when none does, the first that may: the path is
// not known, and a person is asked.
func (j *judge) denial(m *held, i int, e *effect.Effect) (*pattern.Tool, Outcome) {
	var doubtful *pattern.Tool
	for _, p := range m.Denied {
		switch {
		case p.Everything() && j.isAllowed(i, e):
		case j.denies(p, e):
			return p, Deny
		case doubtful == nil && mayDeny(p, e, j.call.Tool):
			doubtful = p
		}
	}
	return doubtful, Ask
}

// denies reports whether a denied pattern speaks of an effect. A pattern with a path, a command or a host holds for
// every way of doing the same; a bare tool name for the tool, and for what a shell does in its place.
func (j *judge) denies(p *pattern.Tool, e *effect.Effect) bool {
	tool := j.call.Tool
	if p.Everything() {
		return true
	}
	if p.Spec == pattern.NoSpec {
		return p.MatchTool(tool) || stands(p, e, tool) && !e.IsTemporary() && !e.Inert
	}
	return speaksOf(p, e, tool) && matches(p, e)
}

// stands reports whether an effect of another tool does what a bare name is for: a shell's write for Write. A tool that
// has a name of its own is meant by that name alone, and the narrower tools (Grep, NotebookEdit) stand for nothing else.
func stands(p *pattern.Tool, e *effect.Effect, tool string) bool {
	switch p.Name {
	case "Write", "Edit", "Read", "WebFetch":
		return familyOf(e) == p.Family() && pattern.FamilyOf(tool) != p.Family()
	}
	return false
}

// familyOf is the family of tools that an effect belongs to.
func familyOf(e *effect.Effect) pattern.Family {
	switch e.Kind {
	case effect.Write, effect.Delete:
		return pattern.WriteFamily
	case effect.Read:
		return pattern.ReadFamily
	case effect.Fetch, effect.Send:
		return pattern.FetchFamily
	case effect.Run:
		return pattern.CommandFamily
	}
	return pattern.NoFamily
}

// speaksOf reports whether a pattern with parentheses is about effects of this kind.
func speaksOf(p *pattern.Tool, e *effect.Effect, tool string) bool {
	if f := p.Family(); f != pattern.NoFamily {
		return f == familyOf(e)
	}
	return p.MatchTool(tool)
}

func matches(p *pattern.Tool, e *effect.Effect) bool {
	switch p.Spec {
	case pattern.PathSpec:
		return e.Path != "" && p.MatchPath(judged(e))
	case pattern.CommandSpec:
		return matchesCommand(p, e)
	case pattern.HostSpec:
		return e.Host != "" && p.MatchHost(e.Host)
	case pattern.NameSpec:
		return p.MatchName(e.Name)
	}
	return true
}

// judged is the place that a denial is held against. A search through a folder is judged by the folder alone: else a
// denied file somewhere below would deny every search.
func judged(e *effect.Effect) pattern.Path {
	place := e.Place()
	place.Tree = place.Tree && e.Kind != effect.Read
	return place
}

func matchesCommand(p *pattern.Tool, e *effect.Effect) bool {
	if !e.Data && p.MatchCommand(e.Command) {
		return true
	}
	for _, form := range e.Forms {
		if p.MatchCommand(form) {
			return true
		}
	}
	return false
}

// isAllowed reports whether some allow list of the matching guidelines names the effect or its tool. What an allowed
// command reads, fetches or leaves unknown is allowed with it; what it writes must be named too.
func (j *judge) isAllowed(i int, e *effect.Effect) bool {
	if e.Inert || j.isNamed(e) {
		return true
	}
	if f := familyOf(e); f == pattern.WriteFamily || f == pattern.CommandFamily {
		return false
	}
	command := j.commandOf(i)
	return command != nil && j.isNamed(command)
}

func (j *judge) isNamed(e *effect.Effect) bool {
	for n := range j.held {
		for _, p := range j.held[n].Allowed {
			if Covers(p, e, j.call.Tool) {
				return true
			}
		}
	}
	return false
}

// commandOf is the command that an effect comes from, or nil when it comes from the call as a whole.
func (j *judge) commandOf(i int) *effect.Effect {
	for n := i - 1; n >= 0; n-- {
		run, of := &j.call.Effects[n], &j.call.Effects[i]
		if run.Kind != effect.Run {
			continue
		}
		if run.Span.Start <= of.Span.Start && of.Span.End <= run.Span.End && !of.Has(effect.TooLarge) {
			return run
		}
		return nil
	}
	return nil
}

// Covers reports whether an allowed pattern lets an effect of a tool's call pass.
func Covers(p *pattern.Tool, e *effect.Effect, tool string) bool {
	if p.Spec == pattern.NoSpec {
		return p.MatchTool(tool) || stands(p, e, tool)
	}
	if !speaksOf(p, e, tool) {
		return false
	}
	if p.Spec == pattern.PathSpec {
		return e.Path != "" && !e.Unknown && p.CoversPath(e.Place())
	}
	return matches(p, e)
}

// lists holds an effect against the allow lists: of those that restrict such effects the highest priority decides,
// and lists of the same priority unite. What an allowed command leaves unknown is judged with the command.
func (j *judge) lists(i int, e *effect.Effect) {
	if e.Inert || e.Kind == effect.Opaque && j.commandOf(i) != nil {
		return
	}
	var decider *held
	var list []string
	for n := range j.held {
		m := &j.held[n]
		if decider != nil && m.Guideline.Priority < decider.Guideline.Priority {
			break
		}
		if !j.restricts(m.Allowed, e) {
			continue
		}
		if decider == nil {
			decider = m
		}
		for _, p := range m.Allowed {
			if Covers(p, e, j.call.Tool) {
				return
			}
			if j.restrictsOne(p, e) {
				list = append(list, p.String())
			}
		}
	}
	if decider != nil {
		j.add(Finding{Guideline: decider.Guideline, Outcome: Deny, Effect: i, Allowed: list})
	}
}

func (j *judge) restricts(allowed []*pattern.Tool, e *effect.Effect) bool {
	for _, p := range allowed {
		if j.restrictsOne(p, e) {
			return true
		}
	}
	return false
}

// restrictsOne reports whether an allowed pattern makes a list for effects of this kind: a path list for every way of
// writing, a command list for its tool, a bare name for nothing but the tool itself.
func (j *judge) restrictsOne(p *pattern.Tool, e *effect.Effect) bool {
	tool := j.call.Tool
	switch p.Spec {
	case pattern.NoSpec:
		return !p.Everything() && p.MatchTool(tool) && ofTool(e, tool)
	case pattern.PathSpec, pattern.HostSpec:
		return p.Family() == familyOf(e) && !aside(p, e, tool) || e.Kind == effect.Opaque && p.Family() == pattern.FamilyOf(tool)
	case pattern.CommandSpec:
		return p.MatchTool(tool) && (e.Kind == effect.Run || e.Kind == effect.Opaque)
	default:
		return p.MatchTool(tool)
	}
}

// aside reports whether an effect is what a command leaves in a temporary folder: a list of paths in the project says
// nothing about that. The tools for writing are held to the list there too.
func aside(p *pattern.Tool, e *effect.Effect, tool string) bool {
	return familyOf(e) == pattern.WriteFamily && pattern.FamilyOf(tool) != pattern.WriteFamily &&
		!p.Rooted() && e.IsTemporary()
}

// ofTool reports whether an effect is what the tool itself is for, and not something a command does on the side.
func ofTool(e *effect.Effect, tool string) bool {
	f := pattern.FamilyOf(tool)
	return f == pattern.NoFamily || f == familyOf(e)
}
