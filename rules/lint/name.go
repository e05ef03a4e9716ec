package lint

import (
	"fmt"
	"slices"
	"strings"

	"guardrails/detect/effect"
	"guardrails/internal/document"
)

// events finds events that no tool call sends.
func (c *checker) events(s *subject) {
	var known []string
	for _, e := range effect.Events() {
		known = append(known, string(e.Event))
	}
	for i, event := range s.Condition.Events {
		if slices.Contains(known, event) || strings.ContainsAny(event, "*?") || strings.TrimSpace(event) != event || event == "" {
			continue
		}
		severity, remedy := didYouMean(nearest(event, known), "use one of the events that tool calls send, or see to it that something sends this one")
		c.report(s, UnknownEvent, severity, fmt.Sprintf("condition.events[%d]: no tool call sends %s", i, document.Excerpt(event)), remedy)
	}
}

// agents finds names of agents that do not exist or, when it is not said which do, look like a slip of another name.
func (c *checker) agents() {
	uses := c.agentUses()
	for _, s := range c.subjects {
		if !s.Enabled {
			continue
		}
		for i, agent := range s.Condition.Agents {
			at := fmt.Sprintf("condition.agents[%d]: ", i)
			if len(c.options.Agents) > 0 {
				c.strangeAgent(s, at, agent)
			} else if other := twin(agent, uses); other != "" {
				c.report(s, UnknownAgent, Warning,
					fmt.Sprintf("%s%s differs from %s in one letter or in case only", at, document.Excerpt(agent), document.Excerpt(other)),
					"write both the same way")
			}
		}
	}
}

func (c *checker) strangeAgent(s *subject, at, agent string) {
	if slices.Contains(c.options.Agents, agent) || strings.ContainsAny(agent, "*?") {
		return
	}
	severity, remedy := didYouMean(nearest(agent, c.options.Agents), "use one that exists: "+strings.Join(c.options.Agents, ", "))
	c.report(s, UnknownAgent, severity, at+"there is no agent "+document.Excerpt(agent), remedy)
}

// agentUse is a name with how often it is used; the list is in the order of first use.
type agentUse struct {
	name  string
	times int
}

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

// twin is a name of which another one is probably a slip: it is used more often, or as often and earlier.
func twin(name string, uses []agentUse) string {
	own := slices.IndexFunc(uses, func(u agentUse) bool { return u.name == name })
	for i, other := range uses {
		better := other.times > uses[own].times || other.times == uses[own].times && i < own
		if i != own && better && alike(name, other.name) {
			return other.name
		}
	}
	return ""
}

// alike reports whether two names differ by case, hyphens or one letter. Short names and numbered ones are often that
// near on purpose.
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
