package store

import (
	"bytes"

	"guardrails/guideline"
)

// OnConflict says what an import does if a guideline with the same key already exists.
type OnConflict string

// An import can fail, skip the guideline, or update it.
const (
	FailOnConflict   OnConflict = "fail"
	SkipOnConflict   OnConflict = "skip"
	UpdateOnConflict OnConflict = "update"
)

// ImportOptions configure an import. The default of OnConflict is FailOnConflict.
type ImportOptions struct {
	OnConflict OnConflict
	DryRun     bool
}

// Outcome is the result of importing one item.
type Outcome string

// The outcomes of importing an item. ItemUnchanged is the outcome if the options allow the import to update the
// existing guideline, but this guideline already has the same content. Then the import adds no new version.
const (
	ItemCreated   Outcome = "created"
	ItemUpdated   Outcome = "updated"
	ItemUnchanged Outcome = "unchanged"
	ItemSkipped   Outcome = "skipped"
	ItemFailed    Outcome = "failed"
)

// ImportItem is the result of one item.
type ImportItem struct {
	ID string `json:"id"`
	// ProjectID is the id of the project to which the guideline belongs. If it is empty, the guideline belongs to all
	// projects.
	ProjectID string  `json:"project_id,omitempty"`
	Outcome   Outcome `json:"outcome"`
	// Version is the guideline's version after the import.
	Version int    `json:"version,omitempty"`
	Code    Code   `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
}

// ImportResult is the result of an import.
type ImportResult struct {
	Items []ImportItem `json:"items"`
	// Applied is true if the guidelines were imported. It is false after a dry run, or if an item failed.
	Applied bool `json:"applied"`
}

// Count returns the number of items that have the given outcome.
func (r *ImportResult) Count(outcome Outcome) int {
	count := 0
	for i := range r.Items {
		if r.Items[i].Outcome == outcome {
			count++
		}
	}
	return count
}

// Validate checks the options.
func (o ImportOptions) Validate() error {
	switch o.OnConflict {
	case "", FailOnConflict, SkipOnConflict, UpdateOnConflict:
		return nil
	}
	return Errorf(Invalid, "%.40q is not a way to handle conflicts; use fail, skip or update", o.OnConflict)
}

// Import plans an import. newest() returns the newest revision of the guideline with a key, or nil. If an item fails,
// Import returns no changes.
func (p Planner) Import(
	newest func(key string) (*Revision, error), items []guideline.Guideline, options ImportOptions,
) ([]Change, ImportResult, error) {
	var changes []Change
	result := ImportResult{Items: make([]ImportItem, len(items))}
	seen := make(map[string]bool, len(items))
	for i := range items {
		change, item, err := p.importItem(newest, items[i], options, seen[KeyOf(&items[i])])
		if err != nil {
			return nil, result, err
		}
		seen[item.Key()], result.Items[i] = true, item
		if change != nil {
			changes = append(changes, *change)
		}
	}
	if err := result.failure(); err != nil {
		return nil, result, err
	}
	result.Applied = !options.DryRun
	return changes, result, nil
}

func (p Planner) importItem(
	newest func(string) (*Revision, error), g guideline.Guideline, options ImportOptions, duplicate bool,
) (*Change, ImportItem, error) {
	if duplicate {
		err := Errorf(Invalid, "the import contains the guideline %s twice; remove one", KeyOf(&g))
		return nil, failed(&g, err), nil
	}
	checked, err := p.checked(g)
	if err != nil {
		return nil, failed(&g, err), nil
	}
	current, err := newest(KeyOf(&g))
	if err != nil {
		return nil, ImportItem{}, err
	}
	if !current.live() {
		change, err := p.change(Imported, current, p.created(checked))
		item := itemOf(&g, ItemCreated)
		item.Version = change.Revision.version()
		return &change, item, err
	}
	return p.importOver(current, checked, options)
}

// importOver plans the import of an item if a guideline with the same key already exists in the store.
func (p Planner) importOver(
	current *Revision, g guideline.Guideline, options ImportOptions,
) (*Change, ImportItem, error) {
	item := itemOf(&g, "")
	item.Version = current.version()
	same, err := SameContent(&current.Guideline, &g)
	if err != nil {
		return nil, item, err
	}
	switch {
	case options.OnConflict == SkipOnConflict:
		item.Outcome = ItemSkipped
	case options.OnConflict != UpdateOnConflict:
		return nil, failed(&g, existing(KeyOf(&g), current.version())), nil
	case same:
		item.Outcome = ItemUnchanged
	default:
		change, err := p.change(Imported, current, updated(g, &current.Guideline))
		item.Outcome, item.Version = ItemUpdated, change.Revision.version()
		return &change, item, err
	}
	return nil, item, nil
}

func itemOf(g *guideline.Guideline, outcome Outcome) ImportItem {
	return ImportItem{ID: g.ID, ProjectID: g.ProjectID, Outcome: outcome}
}

func failed(g *guideline.Guideline, err error) ImportItem {
	item := itemOf(g, ItemFailed)
	item.Code, item.Message = CodeOf(err), err.Error()
	return item
}

// failure() returns an error if items of an import failed. Otherwise it returns nil.
func (r *ImportResult) failure() error {
	code, first := Code(""), ""
	for i := range r.Items {
		item := &r.Items[i]
		if item.Outcome == ItemFailed && (code == "" || code == Conflict && item.Code == Invalid) {
			code, first = item.Code, item.Message
		}
	}
	if code == "" {
		return nil
	}
	return Errorf(code, "nothing was imported because %d of %d items failed; the first error: %s",
		r.Count(ItemFailed), len(r.Items), first)
}

// SameContent reports whether two guidelines are equal in all fields that a caller can set.
func SameContent(a, b *guideline.Guideline) (bool, error) {
	one, err := guideline.Encode(a)
	if err != nil {
		return false, err
	}
	other := *b
	other.Version, other.TenantID, other.ProjectID = a.Version, a.TenantID, a.ProjectID
	other.CreatedAt, other.UpdatedAt, other.CreatedBy = a.CreatedAt, a.UpdatedAt, a.CreatedBy
	two, err := guideline.Encode(&other)
	return bytes.Equal(one, two), err
}
