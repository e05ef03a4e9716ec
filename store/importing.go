package store

import (
	"bytes"

	"guardrails/guideline"
)

// OnConflict says what an import does with an id that exists.
type OnConflict string

// What an import can do with an id that exists: refuse the import, leave the guideline, or give it the new content.
const (
	FailOnConflict   OnConflict = "fail"
	SkipOnConflict   OnConflict = "skip"
	UpdateOnConflict OnConflict = "update"
)

// ImportOptions say how to import. The empty OnConflict is fail.
type ImportOptions struct {
	OnConflict OnConflict
	DryRun     bool
}

// Outcome is what an import makes of one item.
type Outcome string

// The outcomes. Unchanged is an item that is there already, word for word; it makes no new version.
const (
	ItemCreated   Outcome = "created"
	ItemUpdated   Outcome = "updated"
	ItemUnchanged Outcome = "unchanged"
	ItemSkipped   Outcome = "skipped"
	ItemFailed    Outcome = "failed"
)

// ImportItem is the result of one item.
type ImportItem struct {
	ID      string  `json:"id"`
	Outcome Outcome `json:"outcome"`
	// Version is the guideline's version after the import.
	Version int    `json:"version,omitempty"`
	Code    Code   `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
}

// ImportResult is the result of an import.
type ImportResult struct {
	Items []ImportItem `json:"items"`
	// Applied tells whether the guidelines were taken in: not in a dry run, and not when an item failed.
	Applied bool `json:"applied"`
}

// Count is how many items had an outcome.
func (r *ImportResult) Count(outcome Outcome) int {
	count := 0
	for i := range r.Items {
		if r.Items[i].Outcome == outcome {
			count++
		}
	}
	return count
}

// Validate says what is wrong with the options.
func (o ImportOptions) Validate() error {
	switch o.OnConflict {
	case "", FailOnConflict, SkipOnConflict, UpdateOnConflict:
		return nil
	}
	return Errorf(Invalid, "an import does not know what to do on a conflict by %.40q; use fail, skip or update", o.OnConflict)
}

// Import plans an import; newest finds the newest revision of an id, or nil. The changes are all of them, or none when an
// item failed or nothing is to be done.
func (p Planner) Import(newest func(id string) (*Revision, error), items []guideline.Guideline, how ImportOptions) ([]Change, ImportResult, error) {
	var changes []Change
	result := ImportResult{Items: make([]ImportItem, len(items))}
	seen := make(map[string]bool, len(items))
	for i := range items {
		change, item, err := p.importItem(newest, items[i], how, seen[items[i].ID])
		if err != nil {
			return nil, result, err
		}
		seen[item.ID], result.Items[i] = true, item
		if change != nil {
			changes = append(changes, *change)
		}
	}
	if err := result.failure(); err != nil {
		return nil, result, err
	}
	result.Applied = !how.DryRun
	return changes, result, nil
}

func (p Planner) importItem(newest func(string) (*Revision, error), g guideline.Guideline, how ImportOptions, twice bool) (*Change, ImportItem, error) {
	if twice {
		err := Errorf(Invalid, "the guideline %s stands twice in the import; remove one", g.ID)
		return nil, failed(g.ID, err), nil
	}
	checked, err := p.checked(g)
	if err != nil {
		return nil, failed(g.ID, err), nil
	}
	current, err := newest(g.ID)
	if err != nil {
		return nil, ImportItem{}, err
	}
	if !current.live() {
		change, err := p.change(Imported, current, p.fresh(checked))
		return &change, ImportItem{ID: g.ID, Outcome: ItemCreated, Version: change.Revision.version()}, err
	}
	return p.importOver(current, checked, how)
}

// importOver plans an item whose id exists.
func (p Planner) importOver(current *Revision, g guideline.Guideline, how ImportOptions) (*Change, ImportItem, error) {
	item := ImportItem{ID: g.ID, Version: current.version()}
	same, err := SameContent(&current.Guideline, &g)
	if err != nil {
		return nil, item, err
	}
	switch {
	case how.OnConflict == SkipOnConflict:
		item.Outcome = ItemSkipped
	case how.OnConflict != UpdateOnConflict:
		return nil, failed(g.ID, existing(g.ID, current.version())), nil
	case same:
		item.Outcome = ItemUnchanged
	default:
		change, err := p.change(Imported, current, succeeding(g, &current.Guideline))
		item.Outcome, item.Version = ItemUpdated, change.Revision.version()
		return &change, item, err
	}
	return nil, item, nil
}

func failed(id string, err error) ImportItem {
	item := ImportItem{ID: id, Outcome: ItemFailed, Code: CodeOf(err), Message: err.Error()}
	return item
}

// failure is the error of an import in which items failed.
func (r *ImportResult) failure() error {
	code, first := Code(""), ""
	for i := range r.Items {
		if item := &r.Items[i]; item.Outcome == ItemFailed && (code == "" || code == Conflict && item.Code == Invalid) {
			code, first = item.Code, item.Message
		}
	}
	if code == "" {
		return nil
	}
	return Errorf(code, "nothing was imported, because %d of %d items failed; the first: %s", r.Count(ItemFailed), len(r.Items), first)
}

// SameContent reports whether two guidelines are the same in all that a caller can set.
func SameContent(a, b *guideline.Guideline) (bool, error) {
	one, err := guideline.Encode(a)
	if err != nil {
		return false, err
	}
	other := *b
	other.Version, other.TenantID = a.Version, a.TenantID
	other.CreatedAt, other.UpdatedAt, other.CreatedBy = a.CreatedAt, a.UpdatedAt, a.CreatedBy
	two, err := guideline.Encode(&other)
	return bytes.Equal(one, two), err
}
