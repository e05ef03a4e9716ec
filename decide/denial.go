package decide

import (
	"slices"

	"guardrails/detect/effect"
	"guardrails/guideline/pattern"
)

// checkDenials finds the patterns that deny an effect. A denied effect stays denied even if an allow list names it too.
// The pattern "*" is an exception: it denies only effects that no allow list names.
func (j *judge) checkDenials(i int, e *effect.Effect) {
	for n := range j.candidates {
		m := &j.candidates[n]
		if p, outcome := j.firstMatch(m.Denied, i, e); p != nil {
			j.add(Finding{Guideline: m.Guideline, Outcome: outcome, Effect: i, Pattern: p.String(), Event: m.event})
		}
	}
}

// firstMatch returns Deny and the first pattern that matches an effect. If there is none, it returns Ask and the first
// pattern that may match. Such a match is uncertain because the path is not fully known.
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

// denies() reports whether a denied pattern matches an effect. A pattern with a path, a command or a host matches the
// effect of any tool. A pattern with only a tool name matches this tool, and shell commands that do the same as the
// tool.
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

// replaces() reports whether the call does the same as the tool that a pattern names, but with another tool. For
// example, a shell redirection replaces Write. Tools with a special purpose, such as Grep and NotebookEdit, cannot be
// replaced.
func replaces(p *pattern.Tool, e *effect.Effect, tool string) bool {
	switch p.Name {
	case "Write", "Edit", "Read", "WebFetch":
		return familyOf(e) == p.Family() && pattern.FamilyOf(tool) != p.Family()
	}
	return false
}

// familyOf returns the family of tools that are made for effects of this kind.
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

// isAbout reports whether a pattern with parentheses can match an effect of this kind.
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

// deniablePlace returns the path that is compared with denied patterns. For a search in a folder, it returns the folder
// without its content. Otherwise, a single denied file in the folder would deny every search of the folder.
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

// isAllowed reports whether an allow list contains the effect. It also returns true if an allow list contains the
// command that causes the effect, because an allowed command may read files, fetch URLs, and have unknown effects.
// But the files that it writes must be on an allow list themselves.
func (j *judge) isAllowed(i int, e *effect.Effect) bool {
	if e.Inert || j.isListed(e) {
		return true
	}
	if f := familyOf(e); f == pattern.WriteFamily || f == pattern.CommandFamily {
		return false
	}
	command := j.commandOf(i)
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

// CommandOf returns the command that causes an effect of a call. It returns nil if no single command causes the
// effect.
func CommandOf(call *effect.Analysis, i int) *effect.Effect {
	for n := i - 1; n >= 0; n-- {
		if call.Effects[n].Kind == effect.Run {
			return causes(&call.Effects[n], &call.Effects[i])
		}
	}
	return nil
}

// causes() returns the given command ("run") if it causes the given effect ("of"). Otherwise, it returns nil.
func causes(run, of *effect.Effect) *effect.Effect {
	if run.Span.Start <= of.Span.Start && of.Span.End <= run.Span.End && !of.Has(effect.TooLarge) {
		return run
	}
	return nil
}

// commandOf does the same as CommandOf, but it searches the call for commands only once.
func (j *judge) commandOf(i int) *effect.Effect {
	if i < 0 {
		return nil
	}
	if j.runs == nil {
		j.runs = make([]int, len(j.call.Effects))
		last := -1
		for n := range j.call.Effects {
			j.runs[n] = last
			if j.call.Effects[n].Kind == effect.Run {
				last = n
			}
		}
	}
	if j.runs[i] < 0 {
		return nil
	}
	return causes(&j.call.Effects[j.runs[i]], &j.call.Effects[i])
}

// Covers reports whether a pattern in an allow list allows an effect of a call completely.
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

// coversInside reports whether a pattern allows all files of an effect whose path is a folder.
func coversInside(p *pattern.Tool, e *effect.Effect) bool {
	inside := e.InsidePlaces()
	return len(inside) > 0 && !slices.ContainsFunc(inside, func(at pattern.Path) bool { return !p.CoversPath(at) })
}

// checkAllowLists denies an effect if allow lists restrict effects of its kind and none of these lists contains the
// effect. Only the lists with the highest priority count. The effect is allowed if at least one of these lists contains
// it. If a command is allowed, its unknown effects are allowed too. A tool name without parentheses allows the tool but
// no additional paths: with Write(src/*) and Bash, any command may run, but the command may write only below src.
func (j *judge) checkAllowLists(i int, e *effect.Effect) {
	if e.Inert || e.Kind == effect.Opaque && j.commandOf(i) != nil {
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

// restrictsPath reports whether an allow list has a pattern with a path, and this pattern restricts effects of this
// kind.
func (j *judge) restrictsPath(allowed []*pattern.Tool, e *effect.Effect) bool {
	for _, p := range allowed {
		if p.Spec == pattern.PathSpec && j.restrictsOne(p, e) {
			return true
		}
	}
	return false
}

// restrictsOne reports whether the pattern p, as part of an allow list, restricts effects of this kind. Such an effect
// is then denied unless a pattern allows it. A pattern with a path restricts every way of writing, a pattern with a
// command restricts its tool, and a tool name restricts only the tool itself.
func (j *judge) restrictsOne(p *pattern.Tool, e *effect.Effect) bool {
	tool := j.call.Tool
	switch p.Spec {
	case pattern.NoSpec:
		return !p.Everything() && p.MatchTool(tool) && isMainEffect(e, tool)
	case pattern.PathSpec, pattern.HostSpec:
		return p.Family() == familyOf(e) && !isScratchWrite(p, e, tool) || e.Kind == effect.Opaque &&
			p.Family() == pattern.FamilyOf(tool)
	case pattern.CommandSpec:
		return p.MatchTool(tool) && (e.Kind == effect.Run || e.Kind == effect.Opaque)
	default:
		return p.MatchTool(tool)
	}
}

// isScratchWrite reports whether a command writes to a temporary folder. If an allow list names paths in the project,
// commands are still allowed to write to temporary folders, but tools that write files are not.
func isScratchWrite(p *pattern.Tool, e *effect.Effect, tool string) bool {
	return familyOf(e) == pattern.WriteFamily && pattern.FamilyOf(tool) != pattern.WriteFamily &&
		!p.Rooted() && e.IsTemporary()
}

// isMainEffect reports whether an effect is what its tool is made for. Other effects are side effects, for example of a
// command.
func isMainEffect(e *effect.Effect, tool string) bool {
	f := pattern.FamilyOf(tool)
	return f == pattern.NoFamily || f == familyOf(e)
}
