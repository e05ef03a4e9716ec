package inject

import (
	"slices"
	"strings"
	"unicode"

	"guardrails/evaluator"
	"guardrails/rules"
)

// maxRoles is the largest number of roles that a prompt can suggest. A prompt that names more roles does not describe
// a role.
const maxRoles = 3

// Roles maps the lower-case name of an agent to the name that guidelines use.
type Roles map[string]string

// RolesOf collects the agents that guidelines name.
func RolesOf(guidelines []rules.Source) Roles {
	known := Roles{}
	for i := range guidelines {
		if g := &guidelines[i]; g.Enabled {
			for _, name := range g.Condition.Agents {
				known[strings.ToLower(name)] = name
			}
		}
	}
	return known
}

// Suggested returns the roles that the prompt names, in the order of the prompt, without the agent's own role. A
// prompt never determines which agent works, so the guidelines of these roles are shown but not enforced.
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

// ForRoles returns the guidelines with an instruction for the given roles, highest priority first. It leaves out
// guidelines that apply to the query's agent in any case.
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

// nextWord returns the first word of a text and the rest of the text. Two words joined by a hyphen are one word. A
// path is not a word.
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
