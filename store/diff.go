package store

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"guardrails/guideline"
)

// FieldChange is a field of a guideline before and after a change, as JSON. A value is nil if the field is not set.
type FieldChange struct {
	Field string          `json:"field"`
	Old   json.RawMessage `json:"old_value,omitempty"`
	New   json.RawMessage `json:"new_value,omitempty"`
}

// Differences returns the fields in which two revisions differ, sorted by name. One or both revisions may be nil.
func Differences(before, after *Revision) ([]FieldChange, error) {
	old, err := fields(before)
	if err != nil {
		return nil, err
	}
	updated, err := fields(after)
	if err != nil {
		return nil, err
	}
	var out []FieldChange
	for name, value := range old {
		if !bytes.Equal(value, updated[name]) {
			out = append(out, FieldChange{name, value, updated[name]})
		}
	}
	for name, value := range updated {
		if _, both := old[name]; !both {
			out = append(out, FieldChange{Field: name, New: value})
		}
	}
	slices.SortFunc(out, func(a, b FieldChange) int { return strings.Compare(a.Field, b.Field) })
	return out, nil
}

// fields() returns the fields of a guideline that a caller can set. The keys of the result are the paths of the fields.
// If the guideline does not exist, the result is nil.
func fields(r *Revision) (map[string]json.RawMessage, error) {
	if !r.live() {
		return nil, nil
	}
	text, err := guideline.Encode(&r.Guideline)
	if err != nil {
		return nil, err
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, err
	}
	for _, ownField := range []string{
		"id", "version", "created_at", "updated_at", "created_by", "tenant_id", "project_id",
	} {
		delete(all, ownField)
	}
	for _, nested := range []string{"condition", "action"} {
		if err := flatten(all, nested); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func flatten(all map[string]json.RawMessage, name string) error {
	var inner map[string]json.RawMessage
	if err := json.Unmarshal(all[name], &inner); err != nil {
		return err
	}
	delete(all, name)
	for field, value := range inner {
		all[name+"."+field] = value
	}
	return nil
}
