// Package detect finds the domain and the action of a task from the words of its prompt.
//
// Start with New and Detector.Detect. table.go lists the built-in words. Words are matched exactly, in linear time. A
// Model is called only if no word matches or if the words contradict each other. The context of a task also contains
// the agent, but a Detector never derives the agent from a prompt.
package detect

import (
	"context"
	"maps"
)

// Options configures a Detector.
type Options struct {
	// Domains are the user's own domains, each with the words, prefixes (bill*) and phrases (order history) that name it.
	Domains map[string][]string
	// Default has values for the fields that the prompt leaves open.
	Default Default
	// Model classifies prompts in which no word matches, and prompts whose words contradict each other. Model may be nil.
	Model Model
}

// Default holds the domain and the action of the session. The session's domain applies to prompts that name no domain,
// and its action applies to prompts that name no action.
type Default struct {
	Domain string
	Action string
}

// Detector detects the context of prompts. It is safe for concurrent use.
type Detector struct {
	fallback Default
	model    Model
	// The field "own" holds the words of the user's domains. They take precedence over the built-in words.
	own   *trie
	table *trie
	// domainNames and actionNames hold the names that a model may return.
	domainNames map[string]bool
	actionNames map[string]bool
}

// New returns a Detector. The error lists every invalid domain and word with its location and a remedy.
func New(o Options) (*Detector, error) {
	own, err := compileDomains(o.Domains)
	if err != nil {
		return nil, err
	}
	d := &Detector{
		fallback: o.Default, model: o.Model,
		own: own, table: compileTable(),
		domainNames: vocabulary(domainTable(), o.Default.Domain),
		actionNames: vocabulary(actionTable(), o.Default.Action),
	}
	for name := range maps.Keys(o.Domains) {
		d.domainNames[name] = true
	}
	return d, nil
}

// Detect returns the context that the words of a prompt name. If the words leave a field open, the model's answer or
// the session's default fills the field.
func (d *Detector) Detect(ctx context.Context, prompt string) Result {
	r := Result{Matches: []Match{}}
	if !writtenByClient(prompt) {
		d.readWords(prompt, &r)
		if r.Ambiguous || len(r.Matches) == 0 {
			d.classify(ctx, prompt, &r)
		}
	}
	if r.Domain == "" {
		r.Domain = d.fallback.Domain
	}
	if r.Action == "" {
		r.Action = d.fallback.Action
	}
	return r
}
