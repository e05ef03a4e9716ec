// Package packcopies compares the copies of pack guidelines in a store with the installed packs, and updates the
// copies.
//
// To change a guideline of a pack for a project, people copy the guideline to the store and change the copy. The
// function Take makes such a copy. Start with Compare and Update.
package packcopies

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"guardrails/guideline"
	"guardrails/rules"
	"guardrails/store"
	"guardrails/store/live"
)

// Copies lists the copies of pack guidelines in a store. It includes copies of guidelines that a pack no longer has.
type Copies struct {
	// The field Outdated lists the unchanged copies whose text comes from an older version of the pack. The text of the
	// installed pack applies instead. If the pack no longer has the guideline, the copy does not apply.
	Outdated []Copy
	// The field "Changed" lists the copies whose text is in no version of the pack, because somebody changed them.
	Changed []Copy
}

// Copy is a copy of a pack's guideline in a store.
type Copy struct {
	ID   string `json:"id"`
	Pack string `json:"pack"`
	// ProjectID is the project that the copy belongs to. If ProjectID is empty, the copy belongs to all projects.
	ProjectID string `json:"project_id,omitempty"`
	// Version is the version of the guideline in the store.
	Version int `json:"version"`
	// The field "Off" is set if the guideline is disabled.
	Off bool `json:"off"`
	// Base is the version of the pack from which the copy was made. It is 0 if the history does not show this version.
	Base int `json:"base_version,omitempty"`
	// Behind is set if the copy was made from an older text than the text in the installed pack. Behind is also set if the
	// text from which the copy was made is unknown.
	Behind bool `json:"behind"`
	// Withdrawn is set if the installed pack no longer has the guideline.
	Withdrawn bool `json:"withdrawn,omitempty"`
	// Fields lists the fields whose values differ from the installed pack.
	Fields []Field `json:"fields"`
}

// Text describes in a few words how the copy differs from the pack.
func (c *Copy) Text() string {
	text := "changed in the store for this project"
	if c.Off {
		text = "off in the store for this project"
	}
	if c.ProjectID == "" {
		text = strings.Replace(text, "this project", "all projects", 1)
	}
	switch {
	case c.Withdrawn:
		return text + "; the installed pack no longer has it"
	case c.Base == 0:
		return text + "; the version of the pack that it was taken from is not known"
	case c.Behind:
		return fmt.Sprintf("%s; it was taken from version %d, and the pack has a newer text", text, c.Base)
	}
	return text
}

// Field is a field with three values. Old is the value in the pack version from which the copy was made. Yours is the
// value in the store. New is the value in the installed pack. A value is nil if the field is not set.
type Field struct {
	Field string          `json:"field"`
	Old   json.RawMessage `json:"old,omitempty"`
	Yours json.RawMessage `json:"yours,omitempty"`
	New   json.RawMessage `json:"new,omitempty"`
}

// Compare compares the store's copies of pack guidelines with the installed packs. It compares the copies for all
// projects and the copies for the caller's project.
func Compare(ctx context.Context, s *live.TenantStore) (*Copies, error) {
	return compareAll(ctx, s, func(projectID string) bool { return projectID == "" || projectID == s.ProjectID() })
}

// CompareEverywhere is like Compare, but it compares the copies for every project.
func CompareEverywhere(ctx context.Context, s *live.TenantStore) (*Copies, error) {
	return compareAll(ctx, s, func(string) bool { return true })
}

// compareAll compares the copies for the projects for which the function isWanted() returns true.
func compareAll(ctx context.Context, s *live.TenantStore, isWanted func(projectID string) bool) (*Copies, error) {
	set, err := s.All(ctx)
	if err != nil {
		return nil, err
	}
	out := &Copies{}
	known, installed := rules.KnownPackTexts(), rules.InstalledGuidelines()
	for i := range set.Guidelines {
		g := &set.Guidelines[i]
		newest, isPacks := known.Current(g.ID)
		if !isPacks || !isWanted(g.ProjectID) {
			continue
		}
		c := Copy{
			ID: g.ID, Pack: newest.Pack, ProjectID: g.ProjectID, Version: g.Version, Off: !g.Enabled,
			Withdrawn: newest.Withdrawn(), Fields: []Field{},
		}
		switch text, found := known.Find(g); {
		case found && !text.Current:
			c.Base, c.Behind = text.Version, true
			if c.Fields, err = threeWay(g, g, guidelineOf(installed[g.ID])); err != nil {
				return nil, err
			}
			out.Outdated = append(out.Outdated, c)
		case !found:
			if err := c.compare(ctx, s.OfProject(g.ProjectID), known, g, installed[g.ID]); err != nil {
				return nil, err
			}
			out.Changed = append(out.Changed, c)
		}
	}
	return out, nil
}

// compare() sets the fields Base, Behind and Fields of c. The parameter "installed" is nil if the pack has
// withdrawn the guideline.
func (c *Copy) compare(
	ctx context.Context, s *live.TenantStore, known rules.PackTexts, yours *guideline.Guideline, installed *rules.Source,
) error {
	base, text, err := packBase(ctx, s, known, c.ID)
	if store.CodeOf(err) == store.NotFound || err == nil && base == nil && c.ProjectID != "" {
		// The project's copy may have been made from the copy for all projects.
		base, text, err = packBase(ctx, s.OfProject(""), known, c.ID)
	}
	if err != nil && store.CodeOf(err) != store.NotFound {
		return err
	}
	c.Base, c.Behind = text.Version, base == nil || !text.Current
	c.Fields, err = threeWay(base, yours, guidelineOf(installed))
	return err
}

// guidelineOf returns the guideline of a source, or nil.
func guidelineOf(s *rules.Source) *guideline.Guideline {
	if s == nil {
		return nil
	}
	return &s.Guideline
}

// packBase searches a guideline's history for the newest version whose text comes from a pack. It returns nil if there
// is no such version.
func packBase(
	ctx context.Context, s *live.TenantStore, known rules.PackTexts, id string,
) (*guideline.Guideline, rules.PackText, error) {
	for at := (store.Paging{Size: store.MaxPageSize}); ; {
		revisions, err := s.History(ctx, id, at)
		if err != nil {
			return nil, rules.PackText{}, err
		}
		for i := range revisions.Items {
			if r := &revisions.Items[i]; !r.Deleted {
				if text, found := known.Find(&r.Guideline); found {
					return &r.Guideline, text, nil
				}
			}
		}
		if at.Cursor = revisions.Next; at.Cursor == "" {
			return nil, rules.PackText{}, nil
		}
	}
}

// threeWay returns the fields that have different values in the guidelines "yours" and "current". For each field, it
// returns the values in all three guidelines.
func threeWay(old, yours, current *guideline.Guideline) ([]Field, error) {
	list := []Field{}
	differing, err := store.Differences(revisionOf(yours), revisionOf(current))
	if err != nil {
		return nil, err
	}
	before, err := store.Differences(nil, revisionOf(old))
	if err != nil {
		return nil, err
	}
	values := map[string]json.RawMessage{}
	for _, c := range before {
		values[c.Field] = c.New
	}
	for _, c := range differing {
		list = append(list, Field{Field: c.Field, Old: values[c.Field], Yours: c.Old, New: c.New})
	}
	return list, nil
}

func revisionOf(g *guideline.Guideline) *store.Revision {
	if g == nil {
		return nil
	}
	return &store.Revision{Guideline: *g}
}
