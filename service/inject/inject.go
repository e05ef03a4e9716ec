// Package inject writes the text that the model receives about the guidelines for its task.
//
// Start with Text. facts.go writes the lines about tools and gates, fit.go leaves out entries that do not fit, and
// roles.go finds the roles that the words of a prompt suggest.
package inject

import (
	"fmt"
	"slices"
	"strings"

	"guardrails/evaluator"
	"guardrails/internal/document"
)

// limit is the largest number of characters in the text. The client moves anything over 10,000 into a file.
const limit = 9000

// Input is the data for the text.
type Input struct {
	Query *evaluator.Query
	// Matches are the guidelines that apply to the query, highest priority first.
	Matches []evaluator.Match
	// Allowed are the tool patterns in force.
	Allowed []string
	// Remark follows the first sentence; it says where the guidelines come from when they are not the current ones.
	Remark string
	// Silent are the ids of guidelines whose instruction the client itself passes to the model.
	Silent map[string]bool
	// Roles are suggested by the prompt's words, and Suggested are the guidelines for them.
	Roles     []string
	Suggested []evaluator.Match
}

// entry is the part of the text for one guideline.
type entry struct {
	ids         []string
	instruction string
	// facts are lines of the list of gates and tools.
	facts []string
	// suggested is set if only a word of the prompt suggests that the guideline applies.
	suggested bool
}

// injection is the text before anything is left out.
type injection struct {
	header  string
	agent   string
	allowed []string
	roles   []string
	entries []entry
}

// Text writes what the model receives, or "" when there is nothing to say. It states facts, because a model does not
// trust text of unknown origin that gives orders.
func Text(in *Input) string {
	t := injection{header: header(in.Query, in.Matches) + in.Remark, agent: in.Query.Agent, allowed: in.Allowed}
	t.addMatches(in.Matches, in.Silent)
	t.addSuggested(in.Suggested, in.Roles)
	if len(in.Matches) == 0 && len(t.entries) == 0 {
		return ""
	}
	return t.fitted()
}

// addMatches adds the entries of the guidelines that apply, with each instruction only once.
func (t *injection) addMatches(matches []evaluator.Match, silent map[string]bool) {
	first := map[string]int{}
	for i := range matches {
		m := &matches[i]
		overruled := overruled(matches[:i], m)
		e := entry{ids: []string{m.Guideline.ID}, facts: t.facts(m, overruled)}
		if !silent[m.Guideline.ID] && (m.Residual == 0 || len(e.facts) == 0 && !overruled) {
			e.instruction = instruction(m)
		}
		if at, known := first[e.instruction]; known && e.instruction != "" {
			t.entries[at].ids = append(t.entries[at].ids, m.Guideline.ID)
			e.instruction = ""
		}
		if e.instruction == "" && len(e.facts) == 0 {
			continue
		}
		if e.instruction != "" {
			first[e.instruction] = len(t.entries)
		}
		t.entries = append(t.entries, e)
	}
}

func (t *injection) addSuggested(matches []evaluator.Match, roles []string) {
	for i := range matches {
		m := &matches[i]
		if slices.ContainsFunc(t.entries, func(e entry) bool { return e.ids[0] == m.Guideline.ID }) {
			continue
		}
		t.roles = roles
		t.entries = append(t.entries, entry{ids: []string{m.Guideline.ID}, instruction: instruction(m), suggested: true})
	}
}

// instruction returns a guideline's instruction. The part of the condition that is still open comes first.
func instruction(m *evaluator.Match) string {
	text := strings.TrimSpace(m.Guideline.Action.Instruction)
	if text != "" && m.Residual != 0 {
		return upperFirst(moment(m)) + ": " + text
	}
	return text
}

// header returns the first sentence.
func header(q *evaluator.Query, matches []evaluator.Match) string {
	now := 0
	for i := range matches {
		if matches[i].Residual == 0 {
			now++
		}
	}
	var who []string
	for _, f := range []struct{ name, value string }{{"agent", q.Agent}, {"domain", q.Domain}, {"action", q.Action}} {
		if f.value != "" {
			who = append(who, f.name+" "+brief(f.value))
		}
	}
	task := ""
	if len(who) > 0 {
		task = " (" + strings.Join(who, ", ") + ")"
	}
	switch later := len(matches) - now; {
	case later == 0:
		return "guardrails: " + apply(now) + task + "."
	case now == 0:
		return "guardrails: " + apply(later) + " to certain paths or events" + task + "."
	default:
		return fmt.Sprintf("guardrails: %s%s, and %d more to certain paths or events.", apply(now), task, later)
	}
}

func apply(n int) string {
	if n == 1 {
		return "1 guideline applies"
	}
	return fmt.Sprintf("%d guidelines apply", n)
}

// brief shortens a name so that it fits into a line.
func brief(name string) string {
	const longest = 60
	text := document.OneLine(name)
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return text
}
