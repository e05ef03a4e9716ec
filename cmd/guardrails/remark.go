package main

import (
	"fmt"
	"slices"

	"guardrails/detect/toolcall"
	"guardrails/evaluator"
	"guardrails/internal/document"
)

// remarks says on stderr what of a question is probably a slip. The answer stands all the same: a program may send
// events of its own, and an agent may have no guidelines.
func (a *app) remarks(set *evaluator.Set, q *evaluator.Query) {
	guidelines := set.Guidelines()
	var agents, events []string
	for i := range guidelines {
		agents = append(agents, guidelines[i].Condition.Agents...)
		events = append(events, guidelines[i].Condition.Events...)
	}
	if q.Event != "" && !isSent(q.Event) && !slices.Contains(events, q.Event) {
		a.remark("no tool call sends the event " + document.Excerpt(q.Event) + "; run \"guardrails events\" for the list")
	}
	if q.Agent != "" && len(agents) > 0 && !slices.Contains(agents, q.Agent) {
		a.remark("no guideline names the agent " + document.Excerpt(q.Agent))
	}
}

func isSent(event string) bool {
	return slices.ContainsFunc(toolcall.Events(), func(e toolcall.EventInfo) bool { return string(e.Event) == event })
}

func (a *app) remark(text string) {
	// Where stderr is closed, the answer is still good.
	_, _ = fmt.Fprintln(a.stderr, "note: "+text)
}
