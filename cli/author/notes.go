package author

import (
	"slices"

	"guardrails/cli/app"
	"guardrails/detect/effect"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/internal/document"
)

// noteUnknownNames prints a note about an event or an agent that is probably misspelled. An unknown name is not an
// error, because a program can send its own events, and there can be agents without guidelines.
func noteUnknownNames(a *app.App, parts []evaluator.Part, q *evaluator.Query) {
	var guidelines []guideline.Guideline
	for _, p := range parts {
		guidelines = append(guidelines, p.Set.Guidelines()...)
	}
	var agents, events []string
	for i := range guidelines {
		agents = append(agents, guidelines[i].Condition.Agents...)
		events = append(events, guidelines[i].Condition.Events...)
	}
	if q.Event != "" && !isSent(q.Event) && !slices.Contains(events, q.Event) {
		a.Note("no tool call sends the event " + document.Excerpt(q.Event) + "; run \"guardrails events\" for a list")
	}
	if q.Agent != "" && len(agents) > 0 && !slices.Contains(agents, q.Agent) {
		a.Note("no guideline names the agent " + document.Excerpt(q.Agent))
	}
}

func isSent(event string) bool {
	return slices.ContainsFunc(effect.Events(), func(e effect.EventInfo) bool { return string(e.Event) == event })
}
