package service

import (
	"fmt"
	"slices"
	"strings"

	"guardrails/evaluator"
)

// injectionLimit is how many characters the model is told at most. The client spills what is over 10,000 into a file.
const injectionLimit = 9000

// entry is what one guideline adds to the injection.
type entry struct {
	ids []string
	// instruction stands on its own; facts are lines of a list.
	instruction string
	facts       []string
	// suggested is set where nothing but a word of the prompt speaks for it.
	suggested bool
}

// injection is the text for the model, before what has no room is left out.
type injection struct {
	header string
	// agent is who is at work, allowed are the tool patterns that hold.
	agent   string
	allowed []string
	// roles are those that the prompt's words suggest.
	roles   []string
	entries []entry
}

// inject writes what the model is told. It reads as fact, because a text from nowhere that gives orders is not believed.
func (h *held) inject(q *evaluator.Query, matches []evaluator.Match, a *Answer, roles []string) string {
	t := injection{header: header(q, matches) + asideOf(h.source), agent: q.Agent, allowed: a.ToolsAllowed}
	t.addAll(h, matches)
	t.addSuggested(h, q, roles)
	if len(matches) == 0 && len(t.entries) == 0 {
		return ""
	}
	return t.fitted()
}

// addAll adds what guidelines say, each instruction once.
func (t *injection) addAll(h *held, matches []evaluator.Match) {
	first := map[string]int{}
	for i := range matches {
		m := &matches[i]
		overruled := overruled(matches[:i], m)
		e := entry{ids: []string{m.Guideline.ID}, facts: t.facts(m, overruled)}
		if !h.silent[m.Guideline.ID] && (m.Residual == 0 || len(e.facts) == 0 && !overruled) {
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

func (t *injection) addSuggested(h *held, q *evaluator.Query, roles []string) {
	matches := h.suggested(q, roles)
	for i := range matches {
		m := &matches[i]
		if slices.ContainsFunc(t.entries, func(e entry) bool { return e.ids[0] == m.Guideline.ID }) {
			continue
		}
		t.roles = roles
		t.entries = append(t.entries, entry{ids: []string{m.Guideline.ID}, instruction: instruction(m), suggested: true})
	}
}

// instruction is a guideline's text, with the part of its condition that is still open.
func instruction(m *evaluator.Match) string {
	text := strings.TrimSpace(m.Guideline.Action.Instruction)
	if text != "" && m.Residual != 0 {
		return upperFirst(moment(m)) + ": " + text
	}
	return text
}

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
	text := "guardrails: " + counted(now)
	if len(who) > 0 {
		text += " (" + strings.Join(who, ", ") + ")"
	}
	if later := len(matches) - now; later > 0 {
		text += fmt.Sprintf(", and %d more on certain paths or events", later)
	}
	return text + "."
}

// asideOf says what the guidelines are where they are not the project's current ones.
func asideOf(source string) string {
	switch source {
	case SourceSnapshot:
		return " They are the last known good ones: the current ones cannot be read or reached at the moment."
	case SourceStatic:
		return " They are what can be read at the moment, with the core pack."
	}
	return ""
}

func counted(n int) string {
	if n == 1 {
		return "1 guideline holds"
	}
	return fmt.Sprintf("%d guidelines hold", n)
}

// brief makes a name fit into a line, whoever chose it.
func brief(name string) string {
	const limit = 60
	if runes := []rune(shown(name)); len(runes) > limit {
		return string(runes[:limit]) + "…"
	}
	return shown(name)
}
