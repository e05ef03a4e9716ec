package detect

import (
	"context"
	"strings"
)

// Model classifies prompts in which no word matches, and prompts whose words contradict each other.
type Model interface {
	// Classify returns the domain and the action of a prompt. It must respect the deadline of ctx. An error means that
	// there is no answer.
	Classify(ctx context.Context, prompt string) (Answer, error)
}

// Answer is the domain and the action that a Model assigns to a prompt. A field is empty if the Model cannot decide.
type Answer struct {
	Domain string `json:"domain"`
	Action string `json:"action"`
}

// classify() asks the model and uses its answer for the fields that the words left open. It ignores a model that fails
// or returns an unknown name.
func (d *Detector) classify(ctx context.Context, prompt string, r *Result) {
	if d.model == nil || strings.TrimSpace(prompt) == "" {
		return
	}
	answer, err := d.model.Classify(ctx, prompt)
	if err != nil || !d.knows(answer) {
		return
	}
	if r.Domain == "" {
		r.Domain = answer.Domain
	}
	if r.Action == "" {
		r.Action = answer.Action
	}
}

func (d *Detector) knows(a Answer) bool {
	return (a.Domain == "" || d.domainNames[a.Domain]) && (a.Action == "" || d.actionNames[a.Action])
}

// vocabulary() returns a set that contains all names in a table and one extra name.
func vocabulary(table []entry, extra string) map[string]bool {
	names := map[string]bool{extra: true}
	for _, e := range table {
		names[e.value] = true
	}
	return names
}
