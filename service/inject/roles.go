package inject

import (
	"iter"
	"slices"
	"strings"
	"unicode"

	"guardrails/evaluator"
	"guardrails/rules"
)

// maxRoles is the largest number of roles that a prompt can suggest. If a prompt names more roles, it describes no
// particular role, so it suggests none.
const maxRoles = 3

// Roles maps the lower-case name of an agent to the name that guidelines use.
type Roles map[string]string

// RolesOf collects the agents that are named in the conditions of enabled guidelines.
func RolesOf(guidelines iter.Seq[*rules.Source]) Roles {
	known := Roles{}
	for g := range guidelines {
		if g.Enabled {
			for _, name := range g.Condition.Agents {
				known[strings.ToLower(name)] = name
			}
		}
	}
	return known
}

// Suggested returns the roles that the prompt names, in the order of the prompt, without the agent's own role. A prompt
// cannot change which agent works. So the model sees the guidelines of these roles, but hooks do not enforce them.
func (r Roles) Suggested(agent, prompt string) []string {
	if len(r) == 0 || writtenByClient(prompt) {
		return nil
	}
	var roles []string
	for prompt != "" {
		var word string
		word, prompt = nextWord(prompt)
		if role := r[strings.ToLower(word)]; role != "" && role != agent && !slices.Contains(roles, role) {
			roles = append(roles, role)
		}
	}
	if len(roles) > maxRoles {
		return nil
	}
	return roles
}

// ForRoles returns those guidelines for the given roles that have an instruction, highest priority first. It leaves out
// guidelines that also apply to the query's agent.
func ForRoles(set *evaluator.Set, q *evaluator.Query, roles []string) (matches []evaluator.Match) {
	for _, role := range roles {
		as := *q
		as.Agent = role
		matches = append(matches, onlyForRole(set.Match(&as, nil), q.Agent)...)
	}
	slices.SortStableFunc(matches, func(a, b evaluator.Match) int { return b.Guideline.Priority - a.Guideline.Priority })
	return matches
}

func onlyForRole(matches []evaluator.Match, agent string) []evaluator.Match {
	return slices.DeleteFunc(matches, func(m evaluator.Match) bool {
		agents := m.Guideline.Condition.Agents
		return len(agents) == 0 || slices.Contains(agents, agent) || strings.TrimSpace(m.Guideline.Action.Instruction) == ""
	})
}

// nextWord returns the first word of a text and the text after it. Two words with a hyphen between them count as one
// word. A path counts as one word too, so a word in a path does not suggest a role.
func nextWord(text string) (word, rest string) {
	start := strings.IndexFunc(text, inWord)
	if start < 0 {
		return "", ""
	}
	text = text[start:]
	end := strings.IndexFunc(text, func(r rune) bool { return !inWord(r) })
	if end < 0 {
		end = len(text)
	}
	return strings.Trim(text[:end], "-."), text[end:]
}

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune(`_-./\`, r)
}

// writtenByClient reports whether the client wrote the prompt itself, for example when a background agent has ended.
func writtenByClient(prompt string) bool {
	const wrapper = "<task-notification>"
	prompt = strings.TrimSpace(prompt)
	return len(prompt) >= len(wrapper) && strings.EqualFold(prompt[:len(wrapper)], wrapper)
}
