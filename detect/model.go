package detect

import (
	"context"
	"strings"
)

// Model classifies a prompt whose words do not decide.
type Model interface {
	// Classify returns what the prompt is about. It keeps to the deadline of ctx; an error means no answer.
	Classify(ctx context.Context, prompt string) (Answer, error)
}

// Answer is what a Model takes a prompt to be about; a field that it cannot tell is empty.
type Answer struct {
	Domain string `json:"domain"`
	Action string `json:"action"`
}

// askModel fills the fields that the words left open. A model that fails or invents a name changes nothing: the prompt
// is then treated as if nobody had been asked.
func (d *Detector) askModel(ctx context.Context, prompt string, r *Result) {
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

func vocabulary(table []entry, also string) map[string]bool {
	names := map[string]bool{also: true}
	for _, e := range table {
		names[e.value] = true
	}
	return names
}
