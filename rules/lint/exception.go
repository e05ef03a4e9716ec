package lint

import (
	"fmt"
	"slices"
	"time"

	"guardrails/decide"
	"guardrails/detect/effect"
	"guardrails/guideline"
	"guardrails/guideline/pattern"
	"guardrails/internal/document"
	"guardrails/rules"
)

// DeadException is an exception in the settings that can never let a call pass.
type DeadException struct {
	// Index is the exception's position in the list of exceptions.
	Index     int    `json:"index"`
	Guideline string `json:"guideline"`
	Message   string `json:"message"`
	Remedy    string `json:"remedy"`
}

// String returns the finding as one line of text.
func (x *DeadException) String() string {
	return fmt.Sprintf("exceptions[%d] for %s: %s; %s", x.Index, document.Excerpt(x.Guideline), x.Message, x.Remedy)
}

// CheckExceptions finds exceptions that can never let a call pass. There are three causes: the guideline does not
// exist, is switched off or stops nothing; a pattern is for a tool that the guideline does not stop; or the exception
// has expired.
func CheckExceptions(all []rules.Source, list []decide.Exception, now time.Time) []DeadException {
	var out []DeadException
	for i := range list {
		add := func(message, remedy string) {
			out = append(out, DeadException{i, list[i].Guideline, message, remedy})
		}
		checkException(all, &list[i], now, add)
	}
	return out
}

func checkException(all []rules.Source, x *decide.Exception, now time.Time, add func(message, remedy string)) {
	if !now.Before(x.Expires) {
		add("it has expired", "remove it, or give it a new date")
		return
	}
	g := namedBy(all, x.Guideline)
	switch {
	case x.Guideline == decide.SelfProtection:
		add("an exception cannot switch off the guard's own protection", "remove it, and change the guard's files yourself")
	case g == nil:
		add("there is no such guideline"+suggestion(all, x.Guideline), "write the id that the question or refusal names")
	case !g.Enabled:
		add("the guideline is switched off", "remove it")
	case !stopsCalls(&g.Action):
		add("the guideline stops no call", "remove it")
	default:
		for _, text := range x.Tools {
			if p, err := pattern.CompileTool(text); err == nil && !mayObject(g, p) {
				add(text+" is for a tool that the guideline never stops", "write a pattern for what the guideline stops")
			}
		}
	}
}

func namedBy(all []rules.Source, id string) *guideline.Guideline {
	for i := range all {
		if g := &all[i].Guideline; g.ID == id || slices.Contains(g.Aliases(), id) {
			return g
		}
	}
	return nil
}

func suggestion(all []rules.Source, id string) string {
	var ids []string
	for i := range all {
		ids = append(ids, all[i].ID)
	}
	if meant := nearest(id, ids); meant != "" {
		return fmt.Sprintf(" (did you mean %q?)", meant)
	}
	return ""
}

// stopsCalls reports whether an action can deny a call, ask about it or warn about it.
func stopsCalls(a *guideline.Action) bool {
	return len(a.ToolsAllowed)+len(a.ToolsDenied) > 0 || a.GateType != "" || hasConstraint(a)
}

// mayObject reports whether a guideline can object to a call that a pattern covers. It returns false only
// for patterns of files and hosts, because a command or any other tool can have any effect.
func mayObject(g *guideline.Guideline, p *pattern.Tool) bool {
	family := p.Family()
	if family == pattern.NoFamily || family == pattern.CommandFamily || p.Everything() {
		return true
	}
	if events := g.Condition.Events; len(events) > 0 && !slices.ContainsFunc(events, func(event string) bool { return !isOfCommands(event) }) {
		return false
	}
	a := &g.Action
	if a.GateType != "" && len(a.ToolsAsked) == 0 || hasConstraint(a) || len(g.Condition.Events) > 0 {
		return true
	}
	for _, text := range slices.Concat(a.ToolsAllowed, a.ToolsDenied, a.ToolsAsked) {
		other, err := pattern.CompileTool(text)
		if err != nil || other.Family() == family || other.Family() == pattern.NoFamily {
			return true
		}
	}
	return false
}

// isOfCommands reports whether only commands themselves cause an event, and never the files or hosts that they use.
func isOfCommands(event string) bool {
	switch effect.Event(event) {
	case effect.Commit, effect.Push, effect.ForcePush, effect.Merge, effect.HistoryRewrite, effect.Deploy, effect.Publish,
		effect.TestRun, effect.RemoteExecution, effect.PipeToShell, effect.UntrustedSource:
		return true
	}
	return false
}
