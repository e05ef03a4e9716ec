package decide

import (
	"slices"

	"guardrails/detect/effect"
	"guardrails/guideline/pattern"
)

// checkDenials finds the patterns that deny an effect. A denial overrides allow lists, except for a plain "*", which
// denies only what no allow list names.
func (j *judge) checkDenials(i int, e *effect.Effect) {
	for n := range j.candidates {
		m := &j.candidates[n]
		if p, outcome := j.firstMatch(m.Denied, i, e); p != nil {
			j.add(Finding{Guideline: m.Guideline, Outcome: outcome, Effect: i, Pattern: p.String(), Event: m.event})
		}
	}
}

// firstMatch returns the first of the patterns that matches an effect, with the outcome for a denied pattern. If none
// does, it returns the first pattern that may match it because the path is unknown; then a person is asked.
func (j *judge) firstMatch(patterns []*pattern.Tool, i int, e *effect.Effect) (*pattern.Tool, Outcome) {
	var doubtful *pattern.Tool
	for _, p := range patterns {
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

// denies reports whether a denied pattern matches an effect. A pattern with a path, a command or a host matches the
// effect whichever tool causes it. A tool name alone matches that tool, and shell commands that do the same.
func (j *judge) denies(p *pattern.Tool, e *effect.Effect) bool {
	tool := j.call.Tool
	if p.Everything() {
		return true
	}
	if p.Spec == pattern.NoSpec {
		return p.MatchTool(tool) || replaces(p, e, tool) && !e.IsTemporary() && !e.Inert
	}
	return isAbout(p, e, tool) && matches(p, e)
}

// replaces reports whether an effect of another tool does what a tool name stands for, such as a shell redirection for
// Write. Tools with a more specific name, such as Grep and NotebookEdit, are never replaced.
func replaces(p *pattern.Tool, e *effect.Effect, tool string) bool {
	switch p.Name {
	case "Write", "Edit", "Read", "WebFetch":
		return familyOf(e) == p.Family() && pattern.FamilyOf(tool) != p.Family()
	}
	return false
}

// familyOf returns the family of tools that an effect belongs to.
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

// isAbout reports whether a pattern with parentheses is about effects of this kind.
func isAbout(p *pattern.Tool, e *effect.Effect, tool string) bool {
	if f := p.Family(); f != pattern.NoFamily {
		return f == familyOf(e)
	}
	return p.MatchTool(tool)
}

func matches(p *pattern.Tool, e *effect.Effect) bool {
	switch p.Spec {
	case pattern.PathSpec:
		return e.Path != "" && (p.MatchPath(deniablePlace(e)) || slices.ContainsFunc(e.InsidePlaces(), p.MatchPath))
	case pattern.CommandSpec:
		return matchesCommand(p, e)
	case pattern.HostSpec:
		return e.Host != "" && p.MatchHost(e.Host)
	case pattern.NameSpec:
		return p.MatchName(e.Name)
	}
	return true
}

// deniablePlace returns the path of an effect as denials match it. A search through a folder counts as the folder
// alone; otherwise one denied file below it would deny every search.
func deniablePlace(e *effect.Effect) pattern.Path {
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

// isAllowed reports whether an allow list names the effect or its tool. An allowed command may also read, fetch, and
// have unknown effects, but the files that it writes must be on a list themselves.
func (j *judge) isAllowed(i int, e *effect.Effect) bool {
	if e.Inert || j.isListed(e) {
		return true
	}
	if f := familyOf(e); f == pattern.WriteFamily || f == pattern.CommandFamily {
		return false
	}
	command := CommandOf(j.call, i)
	return command != nil && j.isListed(command)
}

func (j *judge) isListed(e *effect.Effect) bool {
	for n := range j.candidates {
		for _, p := range j.candidates[n].Allowed {
			if Covers(p, e, j.call.Tool) {
				return true
			}
		}
	}
	return false
}

// CommandOf returns the command that causes an effect of a call, or nil if the call as a whole does.
func CommandOf(call *effect.Analysis, i int) *effect.Effect {
	for n := i - 1; n >= 0; n-- {
		run, of := &call.Effects[n], &call.Effects[i]
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

// Covers reports whether an allowed pattern covers an effect of a tool's call.
func Covers(p *pattern.Tool, e *effect.Effect, tool string) bool {
	if p.Spec == pattern.NoSpec {
		return p.MatchTool(tool) || replaces(p, e, tool)
	}
	if !isAbout(p, e, tool) {
		return false
	}
	if p.Spec == pattern.PathSpec {
		return e.Path != "" && !e.Unknown && (p.CoversPath(e.Place()) || coversInside(p, e))
	}
	return matches(p, e)
}

// coversInside reports whether a pattern covers the files of an effect if its path is a folder.
func coversInside(p *pattern.Tool, e *effect.Effect) bool {
	inside := e.InsidePlaces()
	return len(inside) > 0 && !slices.ContainsFunc(inside, func(at pattern.Path) bool { return !p.CoversPath(at) })
}

// checkAllowLists compares an effect with the allow lists. Only the lists with the highest priority count among those
// that restrict such effects, and they are combined. The unknown part of an allowed command is allowed with the
// command. A tool name without parentheses lets the tool run, but does not widen the paths of the same list: with
// Write(src/*) and Bash, any command may run and write below src.
func (j *judge) checkAllowLists(i int, e *effect.Effect) {
	if e.Inert || e.Kind == effect.Opaque && CommandOf(j.call, i) != nil {
		return
	}
	var decider *candidate
	var list []string
	for n := range j.candidates {
		m := &j.candidates[n]
		if decider != nil && m.Guideline.Priority < decider.Guideline.Priority {
			break
		}
		if !j.restricts(m.Allowed, e) {
			continue
		}
		if decider == nil {
			decider = m
		}
		narrowed := j.restrictsPath(m.Allowed, e)
		for _, p := range m.Allowed {
			if (p.Spec != pattern.NoSpec || !narrowed) && Covers(p, e, j.call.Tool) {
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

// restrictsPath reports whether a path pattern restricts effects of this kind.
func (j *judge) restrictsPath(allowed []*pattern.Tool, e *effect.Effect) bool {
	for _, p := range allowed {
		if p.Spec == pattern.PathSpec && j.restrictsOne(p, e) {
			return true
		}
	}
	return false
}

// restrictsOne reports whether an allowed pattern restricts effects of this kind. A path pattern restricts every way of
// writing, a command pattern restricts its tool, and a tool name restricts only the tool itself.
func (j *judge) restrictsOne(p *pattern.Tool, e *effect.Effect) bool {
	tool := j.call.Tool
	switch p.Spec {
	case pattern.NoSpec:
		return !p.Everything() && p.MatchTool(tool) && isMainEffect(e, tool)
	case pattern.PathSpec, pattern.HostSpec:
		return p.Family() == familyOf(e) && !isScratchWrite(p, e, tool) || e.Kind == effect.Opaque && p.Family() == pattern.FamilyOf(tool)
	case pattern.CommandSpec:
		return p.MatchTool(tool) && (e.Kind == effect.Run || e.Kind == effect.Opaque)
	default:
		return p.MatchTool(tool)
	}
}

// isScratchWrite reports whether a command writes to a temporary folder, which a list of paths in the project does not
// restrict. Tools that write files are restricted there too.
func isScratchWrite(p *pattern.Tool, e *effect.Effect, tool string) bool {
	return familyOf(e) == pattern.WriteFamily && pattern.FamilyOf(tool) != pattern.WriteFamily &&
		!p.Rooted() && e.IsTemporary()
}

// isMainEffect reports whether an effect is the purpose of its tool, and not a side effect of a command.
func isMainEffect(e *effect.Effect, tool string) bool {
	f := pattern.FamilyOf(tool)
	return f == pattern.NoFamily || f == familyOf(e)
}
