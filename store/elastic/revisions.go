package elastic

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
)

// revisionPlace is what the index says of a revision, which may be unreadable otherwise.
type revisionPlace struct {
	ID      string `json:"id"`
	Version int    `json:"version"`
	source  json.RawMessage
}

// eachRevision gives the revisions of a tenant up to where it stands, those of each guideline in order. New versions do
// not change what this finds, except for when those before them were superseded.
func (s *Store) eachRevision(ctx context.Context, j *journal, f func(k kept, place revisionPlace, err error) error) error {
	q := question{
		index: configIndex, Query: all(term("tenant_id", j.Tenant), span("generation", tree{"lte": j.Generation})),
		Sort: order{}.by("id", "asc").by("version", "asc"),
	}
	return s.each(ctx, q, func(source json.RawMessage) error {
		place := revisionPlace{source: source}
		if err := json.Unmarshal(source, &place); err != nil {
			return f(kept{}, place, err)
		}
		k, err := s.decodeRevision(source)
		return f(k, place, err)
	})
}

// sameJSON compares values, whatever the order of their fields.
func sameJSON(a, b json.RawMessage) (bool, error) {
	var one, other any
	for text, into := range map[*json.RawMessage]*any{&a: &one, &b: &other} {
		dec := json.NewDecoder(bytes.NewReader(*text))
		dec.UseNumber()
		if err := dec.Decode(into); err != nil {
			return false, err
		}
	}
	return reflect.DeepEqual(one, other), nil
}
