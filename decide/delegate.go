package decide

import (
	"slices"

	"guardrails/detect/effect"
	"guardrails/guideline/pattern"
)

// checkDelegation asks a person before an agent starts another agent that has fewer restrictions. The new agent has
// fewer restrictions if a guideline with a tool list names the calling agent, but not the new one. If an allow list has
// Agent or Agent(tester), the start is permitted, so nobody is asked.
func (j *judge) checkDelegation(i int, e *effect.Effect) {
	if e.Kind != effect.Use || e.Name == "" || j.call.Tool != "Agent" && j.call.Tool != "Task" || j.isListed(e) {
		return
	}
	for n := range j.candidates {
		m := &j.candidates[n]
		agents := m.Guideline.Condition.Agents
		if !j.limitsWork(m.Allowed) && !j.limitsWork(m.Denied) || len(agents) == 0 || slices.Contains(agents, e.Name) {
			continue
		}
		j.add(Finding{
			Guideline: m.Guideline, Outcome: Ask, Effect: i, Event: m.event,
			Seen: "the call starts the agent " + e.Name + ", which this guideline does not restrict, so it may do what " +
				j.query.Agent + " may not.",
		})
	}
}

// limitsWork reports whether a list names a tool besides Agent. The tool Agent does no work itself: it only starts
// agents.
func (j *judge) limitsWork(list []*pattern.Tool) bool {
	return slices.ContainsFunc(list, func(p *pattern.Tool) bool { return !p.MatchTool(j.call.Tool) })
}
