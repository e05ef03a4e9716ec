package elastic

import (
	"encoding/json"
	"time"

	"guardrails/guideline"
	"guardrails/store"
)

// revisionDoc is what a document of a guideline has beside the guideline itself. Readers of a generation see the
// versions that came at or before it and were not superseded by then; so they see one moment, however far a writer has
// come.
type revisionDoc struct {
	// Tenant stands in the guideline itself, except when it is empty.
	Tenant  *string   `json:"tenant_id,omitempty"`
	Event   string    `json:"event_type"`
	Deleted bool      `json:"deleted"`
	Actor   string    `json:"actor"`
	At      time.Time `json:"at"`
	WriteID string    `json:"write_id"`
	// Generation is when the version came, Superseded when the next one did.
	Generation int64 `json:"generation"`
	Superseded int64 `json:"superseded,omitempty"`
	// What lists are sorted and searched by.
	NameFolded string   `json:"name_folded"`
	Searchable string   `json:"searchable"`
	Tags       []string `json:"tags,omitempty"`
}

// kept is a revision as it is stored.
type kept struct {
	store.Revision
	generation, superseded int64
}

func revisionID(tenant, id string, version int) string {
	return documentID(kindRevision, tenant, id, version)
}

// encode is the document of a revision.
func (k *kept) encode() (json.RawMessage, error) {
	g := &k.Guideline
	body, err := guideline.Encode(g)
	if err != nil {
		return nil, store.Errorf(store.Invalid, "the guideline %.140q cannot be written as JSON: %w", g.ID, err)
	}
	d := revisionDoc{
		Event: k.Event, Deleted: k.Deleted, Actor: k.Actor, At: k.At, WriteID: k.WriteID,
		Generation: k.generation, Superseded: k.superseded,
		NameFolded: store.Fold(g.Name), Searchable: store.Searchable(g), Tags: store.Tags(g),
	}
	if g.TenantID == "" {
		d.Tenant = &g.TenantID
	}
	beside, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	// Both are objects; joined, they are one.
	return append(append(body[:len(body)-1:len(body)-1], ','), beside[1:]...), nil
}

// decodeRevision reads a document as strictly as any input: it may have been changed by others.
func (s *Store) decodeRevision(source json.RawMessage) (k kept, err error) {
	var fields map[string]json.RawMessage
	var d revisionDoc
	if err := json.Unmarshal(source, &fields); err != nil {
		return k, err
	}
	if err := json.Unmarshal(source, &d); err != nil {
		return k, err
	}
	for _, name := range []string{"event_type", "deleted", "actor", "at", "write_id", "generation", "superseded", "name_folded", "searchable", "tags"} {
		delete(fields, name)
	}
	body, err := json.Marshal(fields)
	if err != nil {
		return k, err
	}
	g, err := guideline.Parse("", body)
	if err != nil {
		return k, store.Errorf(store.Internal, "%s has a guideline that is not valid, so somebody changed the index; restore a snapshot: %w", s.client.place, err)
	}
	r := store.Revision{Guideline: g, Event: d.Event, Deleted: d.Deleted, Actor: d.Actor, At: d.At.UTC(), WriteID: d.WriteID}
	return kept{r, d.Generation, d.Superseded}, nil
}

// current is what readers of a generation see of a tenant, deleted guidelines included.
func current(tenant string, generation int64) []tree {
	return []tree{
		term("tenant_id", tenant), span("generation", tree{"lte": generation}),
		not(span("superseded", tree{"lte": generation})),
	}
}

// visible is what readers of a generation see of a tenant.
func visible(tenant string, generation int64) []tree {
	return append(current(tenant, generation), term("deleted", false))
}
