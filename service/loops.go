package service

import (
	"slices"

	"guardrails/config"
	"guardrails/guideline"
	"guardrails/rules"
)

// agentLoop is the id of the core pack's guideline about an agent in a loop.
const agentLoop = "agent-loop"

// askAboutLoops makes the guideline with the id agentLoop ask a person, if the settings say so.
func (b *rulebook) askAboutLoops() {
	if b.settings.Detectors.ToolLoop != config.Ask {
		return
	}
	for i := range b.layers {
		l := &b.layers[i]
		at := slices.IndexFunc(l.guidelines, func(g *rules.Source) bool { return g.ID == agentLoop })
		if at >= 0 {
			asking := *l.guidelines[at]
			asking.Action.GateThreshold = guideline.Mandatory
			l.guidelines = slices.Clone(l.guidelines)
			l.guidelines[at] = &asking
		}
	}
}
