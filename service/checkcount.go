package service

import (
	"strings"

	"guardrails/policy"
	"guardrails/service/screening"
)

// Checked describes a verdict of the safety gate, for the metrics. It contains no part of the checked text.
type Checked struct {
	// Stage is one of the stages in package policy. Gate is the gate that decided. It is GatePolicy if a policy
	// decided or made the verdict milder, and GateNone if nothing was found.
	Stage, Gate string
	// Action is "proceed", "hold" or "block". Mode is the mode in the settings.
	Action, Mode string
	// Actions has the types of the policies' actions that took effect.
	Actions []string
}

// The values of Gate that do not name a gate.
const (
	GatePolicy = "policy"
	GateNone   = "none"
)

// count() reports a check to OnChecked, unless the check is a dry run.
func (s *Service) count(stage string, a *screening.Answer, dry bool) {
	if dry {
		return
	}
	c := Checked{Stage: stage, Gate: GateNone, Action: strings.ToLower(a.Safety.Action), Mode: a.Mode}
	if a.Safety.Gate != nil {
		c.Gate = *a.Safety.Gate
	}
	add := func(action string, times int) {
		for range times {
			c.Actions = append(c.Actions, action)
		}
	}
	if a.IsSetByRule() {
		c.Gate = GatePolicy
		add(policy.OverrideSafety, 1)
	}
	add(policy.FireEvent, len(a.Policy.Events))
	add(policy.Annotate, len(a.Policy.Annotations))
	if a.Policy.StoppedBy != nil {
		add(policy.Stop, 1)
	}
	s.onChecked(c)
}
