package service

import (
	"slices"
	"strings"
	"unicode"

	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/rules"
)

// maxSuggested is how many roles a prompt can suggest; one that names more describes no role.
const maxSuggested = 3

// suggestedRoles are those that only the prompt's words name. Who is at work is never read from a prompt, so that their
// guidelines are told about and not enforced.
func (h *held) suggestedRoles(q *evaluator.Query, r *Request) []string {
	if !r.Hook || q.Unknown.Has(guideline.FieldAgent) {
		return nil
	}
	roles := h.namedRoles(q.Agent, r.Prompt)
	if len(roles) > maxSuggested {
		return nil
	}
	return roles
}

// suggested are the guidelines with an instruction for suggested roles, highest priority first.
func (h *held) suggested(q *evaluator.Query, roles []string) (matches []evaluator.Match) {
	for _, role := range roles {
		as := *q
		as.Agent = role
		matches = append(matches, ofRole(h.set.Match(&as, nil), q.Agent)...)
	}
	slices.SortStableFunc(matches, func(a, b evaluator.Match) int { return b.Guideline.Priority - a.Guideline.Priority })
	return matches
}

// ofRole keeps instructions that hold for a role and not for the agent anyway.
func ofRole(matches []evaluator.Match, agent string) []evaluator.Match {
	return slices.DeleteFunc(matches, func(m evaluator.Match) bool {
		agents := m.Guideline.Condition.Agents
		return len(agents) == 0 || slices.Contains(agents, agent) || strings.TrimSpace(m.Guideline.Action.Instruction) == ""
	})
}

// rolesOf are the agents that guidelines name, each by its name in small letters.
func rolesOf(guidelines []rules.Source) map[string]string {
	known := map[string]string{}
	for i := range guidelines {
		if g := &guidelines[i]; g.Enabled {
			for _, name := range g.Condition.Agents {
				known[strings.ToLower(name)] = name
			}
		}
	}
	return known
}

// namedRoles are the agents of the guidelines whose name is a word of the prompt, in the prompt's order.
func (h *held) namedRoles(agent, prompt string) []string {
	if len(h.roles) == 0 || writtenByClient(prompt) {
		return nil
	}
	var roles []string
	for prompt != "" {
		var word string
		word, prompt = nextWord(prompt)
		if role := h.roles[strings.ToLower(word)]; role != "" && role != agent && !slices.Contains(roles, role) {
			roles = append(roles, role)
		}
	}
	return roles
}

// nextWord takes the next word off a text. A hyphen makes one word of two, and a path is no words at all.
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

// writtenByClient reports whether the client itself wrote a prompt, such as that a background agent has ended.
func writtenByClient(prompt string) bool {
	const wrapper = "<task-notification>"
	prompt = strings.TrimSpace(prompt)
	return len(prompt) >= len(wrapper) && strings.EqualFold(prompt[:len(wrapper)], wrapper)
}
