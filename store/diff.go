package store

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"guardrails/guideline"
)

// FieldChange is one field of a guideline before and after, as JSON; a value that is not there is absent.
type FieldChange struct {
	Field string          `json:"field"`
	Old   json.RawMessage `json:"old_value,omitempty"`
	New   json.RawMessage `json:"new_value,omitempty"`
}

// differences lists the fields in which two revisions differ, by name; either may be missing.
func differences(before, after *Revision) ([]FieldChange, error) {
	old, err := fields(before)
	if err != nil {
		return nil, err
	}
	fresh, err := fields(after)
	if err != nil {
		return nil, err
	}
	var out []FieldChange
	for name, value := range old {
		if !bytes.Equal(value, fresh[name]) {
			out = append(out, FieldChange{name, value, fresh[name]})
		}
	}
	for name, value := range fresh {
		if _, both := old[name]; !both {
			out = append(out, FieldChange{Field: name, New: value})
		}
	}
	slices.SortFunc(out, func(a, b FieldChange) int { return strings.Compare(a.Field, b.Field) })
	return out, nil
}

// fields are what a person can set in a guideline, each with its path.
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
	for _, kept := range []string{"id", "version", "created_at", "updated_at", "created_by", "tenant_id"} {
		delete(all, kept)
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
