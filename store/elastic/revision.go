package elastic

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"time"

	"guardrails/guideline"
	"guardrails/store"
)

// revisionDoc has the fields of a revision's document that are not part of the guideline. Readers at generation n see
// the newest version that was added in generation n or earlier. Readers therefore get a consistent view while other
// processes write.
type revisionDoc struct {
	// Tenant is set only if the name of the tenant is empty. Otherwise, the fields of the guideline contain the tenant.
	Tenant  *string   `json:"tenant_id,omitempty"`
	Event   string    `json:"event_type"`
	Deleted bool      `json:"deleted"`
	Actor   string    `json:"actor"`
	At      time.Time `json:"at"`
	WriteID string    `json:"write_id"`
	// Generation is the generation that added this version. Superseded is the generation that added the next version.
	Generation int64 `json:"generation"`
	Superseded int64 `json:"superseded,omitempty"`
	// The fields for sorting and searching lists.
	NameFolded string   `json:"name_folded"`
	Searchable string   `json:"searchable"`
	Tags       []string `json:"tags,omitempty"`
}

// storedRevision is a revision with its values of Generation and Superseded.
type storedRevision struct {
	store.Revision
	generation, superseded int64
}

func revisionID(tenant, key string, version int) string {
	return documentID(kindRevision, tenant, key, version)
}

// encode() returns the document of a revision. In the document, the field "id" contains the key of the guideline
// instead of its id.
func (k *storedRevision) encode() (json.RawMessage, error) {
	g := &k.Guideline
	keyed := *g
	keyed.ID = store.KeyOf(g)
	body, err := guideline.Encode(&keyed)
	if err != nil {
		return nil, store.Errorf(store.Invalid, "cannot write the guideline %.140q as JSON: %w", g.ID, err)
	}
	d := revisionDoc{
		Event: k.Event, Deleted: k.Deleted, Actor: k.Actor, At: k.At, WriteID: k.WriteID,
		Generation: k.generation, Superseded: k.superseded,
		NameFolded: store.Fold(g.Name), Searchable: store.Searchable(g), Tags: store.Tags(g),
	}
	if g.TenantID == "" {
		d.Tenant = &g.TenantID
	}
	rest, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	// Both texts are JSON objects. Join them into one object.
	return append(append(body[:len(body)-1:len(body)-1], ','), rest[1:]...), nil
}

// decodeRevision reads a document and validates it, because other programs may have changed it.
func (s *Store) decodeRevision(source json.RawMessage) (k storedRevision, err error) {
	var fields map[string]json.RawMessage
	var d revisionDoc
	if err := json.Unmarshal(source, &fields); err != nil {
		return k, err
	}
	if err := json.Unmarshal(source, &d); err != nil {
		return k, err
	}
	for _, name := range []string{
		"event_type", "deleted", "actor", "at", "write_id", "generation", "superseded", "name_folded", "searchable", "tags",
	} {
		delete(fields, name)
	}
	if err := useID(fields); err != nil {
		return k, err
	}
	body, err := json.Marshal(fields)
	if err != nil {
		return k, err
	}
	g, err := guideline.Parse("", body)
	if err != nil {
		return k, store.Errorf(store.Internal,
			"%s contains an invalid guideline; another program has probably changed the index; restore a snapshot: %w",
			s.client.Address(), err)
	}
	r := store.Revision{
		Guideline: g, Event: d.Event, Deleted: d.Deleted, Actor: d.Actor, At: d.At.UTC(), WriteID: d.WriteID,
	}
	return storedRevision{r, d.Generation, d.Superseded}, nil
}

// useID replaces the key in the field "id" by the id of the guideline.
func useID(fields map[string]json.RawMessage) (err error) {
	if fields["project_id"] == nil {
		return nil
	}
	var key string
	if err := json.Unmarshal(fields["id"], &key); err != nil {
		return err
	}
	_, id := store.SplitKey(key)
	fields["id"], err = json.Marshal(id)
	return err
}

// current() returns filters that match the newest versions of guidelines at a generation, including deleted guidelines.
func current(generation int64) []tree {
	return []tree{span("generation", tree{"lte": generation}), not(span("superseded", tree{"lte": generation}))}
}

// visible() returns filters that match what readers at the given generation see.
func visible(generation int64) []tree {
	return append(current(generation), term("deleted", false))
}

// indexedRevision has the indexed fields of a revision. Readers can sometimes decode these fields even if they cannot
// decode the rest of the document.
type indexedRevision struct {
	Key     string `json:"id"`
	Version int    `json:"version"`
	source  json.RawMessage
}

// eachRevision calls f with the revisions of a tenant up to the generation of the journal, ordered by guideline and
// version. Later writes do not change the result, except for Superseded.
func (s *Store) eachRevision(
	ctx context.Context, j *journal, f func(k storedRevision, indexed indexedRevision, err error) error,
) error {
	q, err := s.revisions(ctx, j, span("generation", tree{"lte": j.Generation}))
	if err != nil {
		return err
	}
	q.Sort = order{}.by("id", "asc").by("version", "asc")
	return s.eachDocument(ctx, q, func(source json.RawMessage) error {
		indexed := indexedRevision{source: source}
		if err := json.Unmarshal(source, &indexed); err != nil {
			return f(storedRevision{}, indexed, err)
		}
		k, err := s.decodeRevision(source)
		return f(k, indexed, err)
	})
}

// sameJSON reports whether two JSON values are equal. It ignores the order of fields.
func sameJSON(a, b json.RawMessage) (bool, error) {
	var one, other any
	if err := errors.Join(decodeExactly(a, &one), decodeExactly(b, &other)); err != nil {
		return false, err
	}
	return reflect.DeepEqual(one, other), nil
}

// decodeExactly decodes JSON, and keeps numbers as they are written.
func decodeExactly(text json.RawMessage, into any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	return dec.Decode(into)
}
