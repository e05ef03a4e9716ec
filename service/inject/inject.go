// Package inject writes the text that the model receives about the guidelines for its task.
//
// Start with Text. facts.go writes the lines about tools and gates, words.go describes events and patterns in words,
// fit.go leaves out lines that do not fit, and roles.go finds the roles that the words of a prompt suggest.
//
// The text is a paragraph and lists of lines under headings. Hooks compare these lines with the lines that the model
// has already received; see session.Told.
package inject

import (
	"strings"

	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/hooks/session"
	"guardrails/internal/document"
)

// The constant "limit" is the largest number of characters in the text. The client moves a text with more than 10,000
// characters to a file.
const limit = 9000

const header = "guardrails checks every tool call in this project. When it refuses a call, it says what to do instead. When it " +
	"asks the user about a file, the dialog does not show the reason. So tell the user the reason " +
	"before you make the call."

// Input is the input of the function Text.
type Input struct {
	Query *evaluator.Query
	// Matches lists the guidelines that apply to the query, highest priority first.
	Matches []evaluator.Match
	// The field Allowed lists the tool patterns of the calls that are allowed.
	Allowed []string
	// Remark says where the guidelines come from when they are not the current ones.
	Remark string
	// Silent contains the ids of guidelines whose instruction the client itself passes to the model.
	Silent map[string]bool
	// Roles lists the roles that the prompt names. The field Suggested lists the guidelines for these roles.
	Roles     []string
	Suggested []evaluator.Match
}

// A part says under which heading a line appears.
type part uint8

const (
	source part = iota
	refused
	asked
	rule
	// The constant "task" stands for the part of the text that has the guidelines about the present domain or action. The
	// next prompt may be about another domain or action.
	task
	// The constant "suggested" stands for the part of the text that has the guidelines of roles that the prompt names.
	suggested
	parts
)

type line struct {
	id   string
	part part
	text string
}

// An injection collects all lines of the text. Lines that do not fit are omitted later.
type injection struct {
	query   *evaluator.Query
	allowed []string
	silent  map[string]bool
	roles   []string
	lines   []line
	// The field "said" has the texts of all lines. It prevents duplicate lines.
	said map[string]bool
}

// Text returns the text for the model, or "" if there is nothing to say. It states facts, because a model does not
// trust orders in a text of unknown origin.
func Text(in *Input) string {
	t := injection{query: in.Query, allowed: in.Allowed, silent: in.Silent, roles: in.Roles, said: map[string]bool{}}
	if in.Remark != "" {
		t.add("", source, in.Remark)
	}
	for i := range in.Matches {
		m := &in.Matches[i]
		overruled := overruled(in.Matches[:i], m)
		before := len(t.lines)
		t.addFacts(m, overruled)
		if m.Residual == 0 || len(t.lines) == before && !overruled && m.Guideline.Action.GateType == "" {
			t.add(m.Guideline.ID, t.partOf(m, rule), t.instruction(m))
		}
	}
	for i := range in.Suggested {
		t.add(in.Suggested[i].Guideline.ID, suggested, t.instruction(&in.Suggested[i]))
	}
	if len(t.lines) == 0 {
		return ""
	}
	return t.fitted()
}

// add() adds a line, unless the text is empty or another line has the same text.
func (t *injection) add(id string, p part, text string) {
	text = strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ")
	if text == "" || t.said[text] {
		return
	}
	t.said[text] = true
	t.lines = append(t.lines, line{id, p, text})
}

// partOf returns the part of the text in which a line about a guideline belongs. If the guideline is about the query's
// domain or action, partOf returns the constant "task". Otherwise it returns the argument "usual".
func (t *injection) partOf(m *evaluator.Match, usual part) part {
	if m.Matched.Has(guideline.FieldDomain) || m.Matched.Has(guideline.FieldAction) {
		return task
	}
	return usual
}

// instruction() returns a guideline's instruction. If it is not known yet whether the guideline applies, the text
// begins with the guideline's conditions.
func (t *injection) instruction(m *evaluator.Match) string {
	text := strings.TrimSpace(m.Guideline.Action.Instruction)
	if text == "" || t.silent[m.Guideline.ID] {
		return ""
	}
	if m.Residual != 0 {
		return upperFirst(moment(m)) + ": " + text
	}
	return text
}

func (t *injection) heading(p part) string {
	switch p {
	case source:
		return "About these guidelines:"
	case refused:
		return "Not allowed. What to do instead:"
	case asked:
		return "The user is asked first. What to do instead:"
	case task:
		return session.TaskHeading + t.task() + ":"
	case suggested:
		var names []string
		for _, role := range t.roles {
			names = append(names, brief(role))
		}
		return session.TaskHeading + ", as suggestions that are not enforced (its words point to: " +
			strings.Join(names, ", ") + "):"
	}
	return "How to work here:"
}

// task() returns the domain and the action of the query, in parentheses.
func (t *injection) task() string {
	var what []string
	if t.query.Domain != "" {
		what = append(what, "domain "+brief(t.query.Domain))
	}
	if t.query.Action != "" {
		what = append(what, "action "+brief(t.query.Action))
	}
	if len(what) == 0 {
		return ""
	}
	return " (" + strings.Join(what, ", ") + ")"
}

func brief(name string) string {
	const longest = 60
	text := document.OneLine(name)
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return text
}
