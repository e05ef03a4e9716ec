package decide

import (
	"slices"

	"guardrails/detect/effect"
	"guardrails/guideline/pattern"
)

// checkDelegation asks a person before an agent starts another agent that has fewer restrictions. The new agent has
// fewer restrictions if a guideline with a tool list names the calling agent, but not the new one. If an allow list has
// Agent or Agent(tester), the start is permitted, so nobody is asked. A command that starts another client starts the
// agent "main".
func (j *judge) checkDelegation(i int, e *effect.Effect) {
	tool := j.call.Tool
	if e.Kind == effect.Run {
		tool = "Agent"
	}
	if e.Kind != effect.Use && e.Kind != effect.Run || e.Name == "" || tool != "Agent" && tool != "Task" || j.isListed(e) {
		return
	}
	for n := range j.candidates {
		m := &j.candidates[n]
		agents := m.Guideline.Condition.Agents
		if !limitsWork(tool, m.Allowed) && !limitsWork(tool, m.Denied) || len(agents) == 0 || slices.Contains(agents, e.Name) {
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
// agents. The parameter "tool" is Agent, or the other name of this tool.
func limitsWork(tool string, list []*pattern.Tool) bool {
	return slices.ContainsFunc(list, func(p *pattern.Tool) bool { return !p.MatchTool(tool) })
}
