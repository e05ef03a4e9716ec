package packcopies

import (
	"context"
	"slices"

	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/rules"
	"guardrails/store"
	"guardrails/store/live"
)

// Updated says what Update did.
type Updated struct {
	// The field Renewed lists unchanged copies that got the text of the installed pack. The field Taken lists changed
	// copies that got this text because the caller asked for the text. The field Removed lists copies of guidelines that
	// the pack has withdrawn.
	Renewed []string `json:"renewed"`
	Taken   []string `json:"taken"`
	Removed []string `json:"removed"`
	// The field "Kept" lists changed copies that stay as they are.
	Kept []Copy `json:"kept"`
}

// Update gives each outdated copy in a store the text of the installed pack. If the pack has withdrawn the guideline,
// Update deletes the copy. A copy that somebody has edited is replaced only if it belongs to the caller's project and
// the list "take" has its id. If dryRun is set, Update changes nothing.
func Update(ctx context.Context, s *live.TenantStore, take []string, dryRun bool) (*Updated, error) {
	copies, err := Compare(ctx, s)
	if err != nil {
		return nil, err
	}
	for _, id := range take {
		if err := copies.canTake(s.ProjectID(), id); err != nil {
			return nil, err
		}
	}
	out := &Updated{Renewed: []string{}, Taken: []string{}, Removed: []string{}, Kept: []Copy{}}
	renew := slices.Clone(copies.Outdated)
	for _, c := range copies.Outdated {
		out.note(&out.Renewed, &c)
	}
	for _, c := range copies.Changed {
		if c.ProjectID == s.ProjectID() && slices.Contains(take, c.ID) {
			out.note(&out.Taken, &c)
			renew = append(renew, c)
		} else {
			out.Kept = append(out.Kept, c)
		}
	}
	if dryRun {
		return out, nil
	}
	installed := rules.InstalledGuidelines()
	for i := range renew {
		if err := renew[i].replace(ctx, s.OfProject(renew[i].ProjectID), installed[renew[i].ID]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// note() adds the id of a copy to a list. If the pack has withdrawn the guideline, it adds the id to u.Removed instead.
func (u *Updated) note(list *[]string, c *Copy) {
	if c.Withdrawn {
		list = &u.Removed
	}
	*list = append(*list, c.ID)
}

// replace() gives a copy the text of the installed pack, or deletes it if the pack has withdrawn the guideline.
func (c *Copy) replace(ctx context.Context, s *live.TenantStore, installed *rules.Source) error {
	if installed == nil {
		return s.Delete(ctx, live.Ref{ID: c.ID, Version: c.Version})
	}
	g := installed.Guideline
	g.Version = c.Version
	_, err := s.Update(ctx, g)
	return err
}

// canTake returns nil if the store has a changed or an outdated copy of the guideline for the project. Otherwise it
// returns an error that says why Update cannot replace the copy.
func (p *Copies) canTake(projectID, id string) error {
	isOutdated := func(c Copy) bool { return c.ID == id && c.ProjectID == projectID }
	if slices.ContainsFunc(p.Outdated, isOutdated) {
		return nil
	}
	err := NotChanged(id)
	for i := range p.Changed {
		switch c := &p.Changed[i]; {
		case c.ID != id:
		case c.ProjectID == projectID:
			return nil
		default:
			err = store.Errorf(store.Invalid, "%s was changed for all projects; add --all-projects", c.ID)
		}
	}
	return err
}

// NotChanged returns the error for an id that no changed copy has.
func NotChanged(id string) error {
	return store.Errorf(store.Invalid, "%s is not the id of a changed copy of a pack's guideline; "+
		"to see the changed copies, run: guardrails packs", document.Excerpt(id))
}

// Take copies a guideline of an installed pack to a store that does not have the guideline yet. People can then change
// the copy. The copy's history begins with the text of the pack. If no pack has the guideline, Take returns a not-found
// error.
func Take(ctx context.Context, s *live.TenantStore, id string) (guideline.Guideline, error) {
	g := rules.InstalledGuidelines()[id]
	if g == nil {
		return guideline.Guideline{}, store.Errorf(store.NotFound,
			"no pack has a guideline with the id %s", document.Excerpt(id))
	}
	return s.Create(ctx, g.Guideline)
}

// Add creates a guideline in a store. If an installed pack has a guideline with this id, Add first stores the pack's
// text, so that the history begins with the pack's text.
func Add(ctx context.Context, s *live.TenantStore, g guideline.Guideline) (guideline.Guideline, error) {
	taken, err := Take(ctx, s, g.ID)
	switch {
	case store.CodeOf(err) == store.NotFound:
		return s.Create(ctx, g)
	case err != nil:
		return taken, err
	}
	if same, err := store.SameContent(&taken, &g); err != nil || same {
		return taken, err
	}
	g.Version = taken.Version
	return s.Update(ctx, g)
}
