package lint

import (
	"fmt"
	"slices"
	"strings"

	"guardrails/detect"
	"guardrails/detect/effect"
	"guardrails/internal/document"
)

// nearest() returns the known name that was probably meant. It differs from the given name in at most two letters. If
// there is no such name, nearest() returns "".
func nearest(name string, known []string) string {
	return document.Nearest(name, known, min(2, len(name)/3))
}

// didYouMean returns the severity and remedy of a finding. If there is a suggestion, the finding is an error, and the
// remedy shows the suggestion. Otherwise, the finding is a warning, and the second parameter is its remedy.
func didYouMean(suggestion, otherwise string) (Severity, string) {
	if suggestion == "" {
		return Warning, otherwise
	}
	return Error, fmt.Sprintf("did you mean %q?", suggestion)
}

// checkEvents reports events that no tool call causes.
func (c *checker) checkEvents(s *subject) {
	var known []string
	for _, e := range effect.Events() {
		known = append(known, string(e.Event))
	}
	for i, event := range s.Condition.Events {
		if slices.Contains(known, event) || strings.ContainsAny(event, "*?") ||
			strings.TrimSpace(event) != event || event == "" {
			continue
		}
		severity, remedy := didYouMean(nearest(event, known),
			"use an event that \"guardrails events\" lists, or make sure that another program sends this event")
		c.report(s, fmt.Sprintf("condition.events[%d]", i), UnknownEvent, severity,
			"no tool call causes "+document.Excerpt(event), remedy)
	}
}

// checkActions reports misspelled actions. It also reports a guideline if hooks never send any of its actions.
// Hooks find the action in the words of the prompt.
func (c *checker) checkActions(s *subject) {
	known := detect.Actions()
	sent := slices.ContainsFunc(s.Condition.Actions, func(a string) bool { return slices.Contains(known, a) })
	for i, action := range s.Condition.Actions {
		if slices.Contains(known, action) || strings.ContainsAny(action, "*?") ||
			strings.TrimSpace(action) != action || action == "" {
			continue
		}
		suggestion := nearest(action, known)
		if sent && suggestion == "" {
			continue
		}
		severity, remedy := didYouMean(suggestion, "use one of "+strings.Join(known, ", ")+
			" or an event, or make sure that a program of yours sends this action")
		c.report(s, fmt.Sprintf("condition.actions[%d]", i), UnknownAction, severity,
			"no hook sends the action "+document.Excerpt(action), remedy)
	}
}

// checkAgents reports names of agents that look like a misspelling of another name.
func (c *checker) checkAgents() {
	uses := c.agentUses()
	for _, s := range c.subjects {
		if !s.Enabled {
			continue
		}
		for i, agent := range s.Condition.Agents {
			if other := likelySpelling(agent, uses); other != "" {
				c.report(s, fmt.Sprintf("condition.agents[%d]", i), UnknownAgent, Warning,
					fmt.Sprintf("%s and %s differ only in upper and lower case, or in one letter",
						document.Excerpt(agent), document.Excerpt(other)),
					"spell both the same way")
			}
		}
	}
}

type agentUse struct {
	name  string
	times int
}

// agentUses returns the agents that enabled guidelines name, in the order of their first use. It also returns how often
// each agent is named.
func (c *checker) agentUses() []agentUse {
	var out []agentUse
	index := map[string]int{}
	for _, s := range c.subjects {
		if !s.Enabled {
			continue
		}
		for _, agent := range s.Condition.Agents {
			i, seen := index[agent]
			if !seen {
				i, index[agent] = len(out), len(out)
				out = append(out, agentUse{name: agent})
			}
			out[i].times++
		}
	}
	return out
}

// likelySpelling returns a similar name that was probably meant. Guidelines use this name more often than the given
// name, or equally often but earlier. If there is none, likelySpelling returns "".
func likelySpelling(name string, uses []agentUse) string {
	own := slices.IndexFunc(uses, func(u agentUse) bool { return u.name == name })
	for i, other := range uses {
		better := other.times > uses[own].times || other.times == uses[own].times && i < own
		if i != own && better && alike(name, other.name) {
			return other.name
		}
	}
	return ""
}

// alike() reports whether two names differ only by case, hyphens or one letter. Short names and names with digits often
// differ by one letter on purpose, so alike() returns false for these.
func alike(a, b string) bool {
	const short = 5
	switch document.Slips(a, b) {
	case 0:
		return true
	case 1:
		return min(len(a), len(b)) >= short && withoutDigits(a) == a && withoutDigits(b) == b
	}
	return false
}

func withoutDigits(name string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, name)
}
