// Package compare compares two sets of guidelines. It asks both sets the same questions and returns the answers that
// differ. A question is a context or a tool call.
//
// Start with Run. Derive creates the questions from the two sets.
package compare

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"guardrails/decide"
	"guardrails/decide/explain"
	"guardrails/detect/toolcall"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/rules"
	"guardrails/rules/cases"
)

// Set is one of the two guideline sets.
type Set struct {
	Guidelines []rules.Source
	Compiled   *evaluator.Set
}

// Comparison holds the differences between two sets.
type Comparison struct {
	Guidelines IDChanges `json:"guidelines"`
	// Compared is the number of questions that both sets answered.
	Compared int `json:"compared"`
	// Truncated is set if there were too many questions. Some questions are then missing.
	Truncated bool     `json:"truncated,omitempty"`
	Changes   []Change `json:"changes"`
}

// Differ reports whether there is any difference between the two sets.
func (c *Comparison) Differ() bool { return len(c.Changes) > 0 || !c.Guidelines.none() }

// Run asks two sets the same questions.
func Run(before, after *Set, questions []Question) *Comparison {
	return &Comparison{
		Guidelines: compareIDs(before.Guidelines, after.Guidelines),
		Compared:   len(questions),
		Changes:    changes(before.Compiled, after.Compiled, questions),
	}
}

// Change is a group of differences that probably have the same cause, because they occur for the same questions.
type Change struct {
	Differences []Difference `json:"differences"`
	Questions   []Question   `json:"questions"`
}

// Difference is an item that is in the answer of only one set. Part says in which part of the answer the item is.
type Difference struct {
	// Part is "guidelines", "tools_allowed", "tools_denied", "tools_asked", "gates", "constraints" or "decision".
	Part    string `json:"part"`
	Removed string `json:"removed,omitempty"`
	Added   string `json:"added,omitempty"`
}

// changes() asks both sets every question. It groups the differences that occur for the same questions.
func changes(before, after *evaluator.Set, questions []Question) []Change {
	var order []Difference
	seenAt := map[Difference][]int{}
	for i := range questions {
		q := &questions[i]
		for _, d := range differ(ask(before, q), ask(after, q)) {
			if seenAt[d] == nil {
				order = append(order, d)
			}
			seenAt[d] = append(seenAt[d], i)
		}
	}
	out := []Change{}
	known := map[string]int{}
	for _, d := range order {
		key := fmt.Sprint(seenAt[d])
		n, ok := known[key]
		if !ok {
			n = len(out)
			known[key] = n
			out = append(out, Change{Questions: pick(questions, seenAt[d])})
		}
		out[n].Differences = append(out[n].Differences, d)
	}
	return out
}

func pick(questions []Question, at []int) []Question {
	out := make([]Question, len(at))
	for i, n := range at {
		out[i] = questions[n]
	}
	return out
}

// reply is what a set answers to a question: one list for each part of the answer.
type reply [][]string

func parts() []string {
	return []string{"guidelines", "tools_allowed", "tools_denied", "tools_asked", "gates", "constraints", "decision"}
}

func ask(set *evaluator.Set, q *Question) reply {
	result := set.Evaluate(q.query())
	r := reply{
		ids(result.Guidelines), result.ToolsAllowed, result.ToolsDenied, result.ToolsAsked, nil,
		explain.Constraints(&result.Constraints), nil,
	}
	for _, g := range result.GatesRequired {
		r[4] = append(r[4], fmt.Sprintf("%s (%s)", g.GateType, g.Threshold))
	}
	if q.Tool != "" {
		r[6] = []string{decision(set, q)}
	}
	return r
}

func ids(applied []evaluator.Applied) []string {
	var out []string
	for i := range applied {
		id := applied[i].ID
		if applied[i].Residual != nil {
			id += " (if the rest of its condition matches)"
		}
		out = append(out, id)
	}
	return out
}

func decision(set *evaluator.Set, q *Question) string {
	// Env is empty, so that the comparison has the same result on every machine.
	d := decide.Judge(cases.Layers(set, q.Context, q.Facts),
		toolcall.Analyze(&toolcall.Env{}, q.Tool, q.Input), cases.Facts(q.Facts))
	if d.Guideline() == "" {
		return string(d.Outcome)
	}
	return string(d.Outcome) + " by " + d.Guideline()
}

func differ(before, after reply) []Difference {
	var out []Difference
	for i, part := range parts() {
		gone, come := without(before[i], after[i]), without(after[i], before[i])
		if part == "decision" && gone != nil && come != nil {
			out = append(out, Difference{Part: part, Removed: gone[0], Added: come[0]})
			continue
		}
		for _, s := range gone {
			out = append(out, Difference{Part: part, Removed: s})
		}
		for _, s := range come {
			out = append(out, Difference{Part: part, Added: s})
		}
	}
	return out
}

func without(list, others []string) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(others, s) {
			out = append(out, s)
		}
	}
	return out
}

// IDChanges lists the guidelines that were added, removed or changed.
type IDChanges struct {
	Added   []string    `json:"added"`
	Removed []string    `json:"removed"`
	Changed []Rewritten `json:"changed"`
}

// Rewritten describes a guideline that is in both sets: its id, and the fields in which its two versions differ.
type Rewritten struct {
	ID     string   `json:"id"`
	Fields []string `json:"fields"`
}

func (c *IDChanges) none() bool { return len(c.Added)+len(c.Removed)+len(c.Changed) == 0 }

func compareIDs(before, after []rules.Source) IDChanges {
	out := IDChanges{Added: []string{}, Removed: []string{}, Changed: []Rewritten{}}
	olds, news := byID(before), byID(after)
	for _, id := range slices.Sorted(maps.Keys(news)) {
		if olds[id] == nil {
			out.Added = append(out.Added, id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(olds)) {
		if news[id] == nil {
			out.Removed = append(out.Removed, id)
		} else if fields := changedFields(olds[id], news[id]); fields != nil {
			out.Changed = append(out.Changed, Rewritten{id, fields})
		}
	}
	return out
}

func byID(list []rules.Source) map[string]*guideline.Guideline {
	out := map[string]*guideline.Guideline{}
	for i := range list {
		out[list[i].ID] = &list[i].Guideline
	}
	return out
}

func changedFields(before, after *guideline.Guideline) []string {
	was, is := flattened(before), flattened(after)
	names := maps.Clone(was)
	maps.Copy(names, is)
	var out []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !reflect.DeepEqual(was[name], is[name]) {
			out = append(out, name)
		}
	}
	return out
}

// flattened() returns the JSON fields of a guideline. Instead of the condition and the action, it returns the fields of
// both, with the prefixes "condition." and "action.".
func flattened(g *guideline.Guideline) map[string]any {
	out := map[string]any{}
	// The guideline was decoded before, so it can be encoded.
	encoded, _ := guideline.Encode(g)
	_ = json.NewDecoder(strings.NewReader(string(encoded))).Decode(&out)
	for _, part := range []string{"condition", "action"} {
		fields, _ := out[part].(map[string]any)
		for name, value := range fields {
			out[part+"."+name] = value
		}
		delete(out, part)
	}
	return out
}
