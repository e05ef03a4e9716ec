// Package detect reads from a prompt what the task is about: the domain and the action that its words name.
//
// Start with New and Detector.Detect; table.go lists the words that mean something without any configuration. Words
// decide, exactly and in linear time; a Model is asked only when they say nothing or contradict each other. The agent is
// never read from a prompt.
package detect

import (
	"context"
	"maps"
)

// Options is what a Detector is built from.
type Options struct {
	// Domains are the user's own: for each domain the words, prefixes (bill*) and phrases (order history) that mean it.
	Domains map[string][]string
	// Default fills the fields that nothing decided.
	Default Default
	// Model is asked when the words say nothing or contradict each other; nil means nobody is asked.
	Model Model
}

// Default is the session's domain and action, for prompts that do not name one.
type Default struct {
	Domain string
	Action string
}

// Detector finds the context of prompts. It may be used by several goroutines at once.
type Detector struct {
	fallback Default
	model    Model
	// own are the user's domains, which go before the table's.
	own   *trie
	table *trie
	// Vocabularies hold what a model may answer.
	domainNames map[string]bool
	actionNames map[string]bool
}

// New builds a Detector. The error lists every domain and word that cannot be used, with its place and a remedy.
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

// Detect returns the context that the prompt's words yield, completed by the model's answer and the session's defaults.
func (d *Detector) Detect(ctx context.Context, prompt string) Result {
	r := Result{Matches: []Match{}}
	if !writtenByClient(prompt) {
		d.readWords(prompt, &r)
		if r.Ambiguous || len(r.Matches) == 0 {
			d.askModel(ctx, prompt, &r)
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
