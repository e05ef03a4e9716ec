package service

import (
	"slices"

	"guardrails/config"
	"guardrails/guideline"
	"guardrails/rules"
)

// agentLoop is the id of the core pack's guideline about an agent in a loop.
const agentLoop = "agent-loop"

// If the settings say that a person must be asked about loops, askAboutLoops changes the guideline whose id is
// agentLoop. The guideline then asks a person.
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
