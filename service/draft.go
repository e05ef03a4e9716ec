package service

import (
	"slices"

	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/rules"
)

// Draft is a change of a store's guidelines that nobody has saved yet.
type Draft struct {
	// Guidelines replace the stored guidelines with the same ids, and are added if there are none.
	Guidelines []guideline.Guideline
	// Remove lists the ids of guidelines that the draft deletes from the store.
	Remove []string
}

// draftFile stands for the file of a draft's guidelines.
const draftFile = "the draft"

// withDraft returns the rulebook as it would be if somebody saved a draft. The rulebook itself stays the same.
func (b *rulebook) withDraft(d *Draft) (*rulebook, error) {
	next := *b
	next.layers = slices.Clone(b.layers)
	next.notices, next.hidden = nil, slices.Clone(b.hidden)
	l := next.layer(b.sharedLayer())
	if l == nil { // another tenant than the project's has only the guidelines of its store
		l = &next.layers[len(next.layers)-1]
	}
	l.guidelines = slices.DeleteFunc(slices.Clone(l.guidelines), func(g *rules.Source) bool { return d.changes(&g.Guideline) })
	for i := range d.Guidelines {
		g := d.Guidelines[i]
		if g.ProjectID == "" || g.ProjectID == b.settings.Project {
			l.guidelines = append(l.guidelines, &rules.Source{Guideline: g, Origin: rules.Origin{File: draftFile, Line: i + 1}})
		}
	}
	l.guidelines = append(l.guidelines, d.uncovered(l.Packs)...)
	err := next.compile()
	for _, notice := range b.notices {
		if !slices.Contains(next.notices, notice) {
			next.notices = append(next.notices, notice)
		}
	}
	return &next, err
}

// changes reports whether the draft removes a guideline, or replaces it. Guidelines of different projects can have the
// same id.
func (d *Draft) changes(saved *guideline.Guideline) bool {
	replaces := func(g guideline.Guideline) bool { return g.ID == saved.ID && g.ProjectID == saved.ProjectID }
	return slices.Contains(d.Remove, saved.ID) || slices.ContainsFunc(d.Guidelines, replaces)
}

// uncovered returns the guidelines of packs that apply again when the draft removes their copies from the store.
func (d *Draft) uncovered(packs []string) (out []*rules.Source) {
	if len(d.Remove) == 0 {
		return nil
	}
	known, installed := rules.KnownPackTexts(), rules.InstalledGuidelines()
	for _, id := range d.Remove {
		newest, isPacks := known.Current(id)
		if isPacks && installed[id] != nil && slices.Contains(packs, newest.Pack) {
			out = append(out, installed[id])
		}
	}
	return out
}

// ReadTask reads the description of a task from a part of a document.
func ReadTask(d *document.Decoder, n *document.Node, at string) Request {
	var r Request
	specs := append(guideline.ContextFields(), document.Spec{Name: "prompt"}, document.Spec{Name: "project_id"})
	d.Fields(n, at, specs, func(name string, n *document.Node, at string) { r.read(d, name, n, at) })
	return r
}

// ReadCall reads a tool call from a part of a document.
func ReadCall(d *document.Decoder, n *document.Node, at string) CallRequest {
	var r CallRequest
	d.Fields(n, at, callFields(), func(name string, n *document.Node, at string) { r.readCall(d, name, n, at) })
	r.checkCall(d, n)
	return r
}
