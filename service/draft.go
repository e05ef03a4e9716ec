package service

import (
	"slices"
	"strings"

	"guardrails/guideline"
	"guardrails/rules"
)

// Draft is a change of a store's guidelines that nobody has saved yet.
type Draft struct {
	// Guidelines lists the guidelines that the draft saves. If a project already has a guideline with the same id, the
	// draft replaces it. Otherwise the draft adds the new one.
	Guidelines []guideline.Guideline
	// The field Remove lists the guidelines that the draft deletes from the store. The entry ID deletes the guidelines
	// with this id in every project. The entry PROJECT/ID deletes only the guideline of this project. The entry /ID
	// deletes only the guideline that belongs to all projects.
	Remove []string
}

// draftFile is used as the file name for the guidelines of a draft, which have no file.
const draftFile = "the draft"

// withDraft returns the rulebook as it would be if somebody saved a draft. It does not change the rulebook b.
func (b *rulebook) withDraft(d *Draft) (*rulebook, error) {
	next := *b
	next.layers = slices.Clone(b.layers)
	next.notices, next.hidden = nil, slices.Clone(b.hidden)
	l := next.layer(b.sharedLayer())
	if l == nil { // any tenant other than the project's tenant has only the guidelines of its store
		l = &next.layers[len(next.layers)-1]
	}
	l.guidelines = slices.DeleteFunc(slices.Clone(l.guidelines), func(g *rules.Source) bool { return d.changes(&g.Guideline) })
	for i := range d.Guidelines {
		next.addDraft(l, d, &rules.Source{Guideline: d.Guidelines[i], Origin: rules.Origin{File: draftFile, Line: i + 1}})
	}
	b.uncover(l, d)
	err := next.compile()
	for _, notice := range b.notices {
		if !slices.Contains(next.notices, notice) {
			next.notices = append(next.notices, notice)
		}
	}
	return &next, err
}

// addDraft adds a guideline of a draft to a layer, unless the guideline belongs to another project, or another
// guideline with the same id has precedence over it.
func (b *rulebook) addDraft(l *layer, d *Draft, draft *rules.Source) {
	rank := func(s *rules.Source) int { return precedence(&s.Guideline, &b.settings) }
	if rank(draft) == 0 {
		return
	}
	if rival := b.hiddenIn(l.Name, draft.ID, d); rival != nil && rival.ProjectID != "" && rank(rival) > rank(draft) {
		draft = rival
	}
	at := slices.IndexFunc(l.guidelines, func(g *rules.Source) bool { return g.ID == draft.ID && g.ProjectID != draft.ProjectID })
	switch {
	case at < 0:
		l.guidelines = append(l.guidelines, draft)
	case rank(l.guidelines[at]) > rank(draft):
		b.hide(l.Name, *draft)
	default:
		b.hide(l.Name, *l.guidelines[at])
		l.guidelines[at] = draft
	}
}

// changes() reports whether the draft removes or replaces a saved guideline. Guidelines of different projects can have
// the same id.
func (d *Draft) changes(saved *guideline.Guideline) bool {
	replaces := func(g guideline.Guideline) bool { return g.ID == saved.ID && g.ProjectID == saved.ProjectID }
	isRemoved := slices.Contains(d.Remove, saved.ID) || slices.Contains(d.Remove, saved.ProjectID+"/"+saved.ID)
	return isRemoved || slices.ContainsFunc(d.Guidelines, replaces)
}

// uncover() adds the guidelines that apply once the draft has removed other guidelines with the same ids. These are
// guidelines that were hidden by a removed guideline, and guidelines of packs.
func (b *rulebook) uncover(l *layer, d *Draft) {
	known, installed := rules.KnownPackTexts(), rules.InstalledGuidelines()
	for _, place := range d.Remove {
		id := place[strings.LastIndexByte(place, '/')+1:]
		if slices.ContainsFunc(l.guidelines, func(g *rules.Source) bool { return g.ID == id }) {
			continue
		}
		newest, isPacks := known.Current(id)
		if again := b.hiddenIn(l.Name, id, d); again != nil {
			l.guidelines = append(l.guidelines, again)
		} else if isPacks && installed[id] != nil && slices.Contains(l.Packs, newest.Pack) {
			l.guidelines = append(l.guidelines, installed[id])
		}
	}
}

// hiddenIn returns the guideline with the given id that is hidden in a layer, or nil. It ignores guidelines that the
// draft changes. If several hidden guidelines have the id, it returns the guideline with the highest precedence.
func (b *rulebook) hiddenIn(layer, id string, d *Draft) (first *rules.Source) {
	for i := range b.hidden {
		h := &b.hidden[i]
		if h.layer != layer || h.ID != id || d.changes(&h.Guideline) {
			continue
		}
		if first == nil || precedence(&h.Guideline, &b.settings) > precedence(&first.Guideline, &b.settings) {
			first = &h.Source
		}
	}
	return first
}
