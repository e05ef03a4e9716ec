package elastic

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"github.com/elastic/go-elasticsearch/v8/esapi"

	"guardrails/store"
)

// entryDoc is the document of an entry: the entry itself, with values of fields as texts, so that every kind of value is
// searched in the same way.
type entryDoc struct {
	store.Entry
	Tenant  string      `json:"tenant_id"`
	Changes []changeDoc `json:"changes,omitempty"`
}

type changeDoc struct {
	Field string  `json:"field"`
	Old   *string `json:"old_value,omitempty"`
	New   *string `json:"new_value,omitempty"`
}

func entryID(tenant, id string) string { return documentID(kindEntry, tenant, id) }

// docOf is the document of an entry that is sealed; text is what was hashed.
func docOf(text []byte, hash string) (*entryDoc, error) {
	e, err := store.DecodeEntry(text)
	e.Hash = hash
	d := &entryDoc{Entry: e, Tenant: e.Tenant}
	for _, c := range e.Changes {
		d.Changes = append(d.Changes, changeDoc{c.Field, textOf(c.Old), textOf(c.New)})
	}
	return d, err
}

func textOf(value json.RawMessage) *string {
	if value == nil {
		return nil
	}
	text := string(value)
	return &text
}

// decodeEntry reads the document of an entry.
func decodeEntry(source json.RawMessage) (store.Entry, error) {
	var d entryDoc
	dec := json.NewDecoder(bytes.NewReader(source))
	dec.UseNumber()
	if err := dec.Decode(&d); err != nil {
		return d.Entry, store.Errorf(store.Internal, "an audit entry cannot be read: %w", err)
	}
	e := d.Entry
	e.Tenant = d.Tenant
	for _, c := range d.Changes {
		e.Changes = append(e.Changes, store.FieldChange{Field: c.Field, Old: valueOf(c.Old), New: valueOf(c.New)})
	}
	return e, nil
}

func valueOf(text *string) json.RawMessage {
	if text == nil {
		return nil
	}
	return json.RawMessage(*text)
}

// documents reads documents by their names, as they are now; those that are not there are missing.
func (s *Store) documents(ctx context.Context, index string, ids []string) (map[string]json.RawMessage, error) {
	out := map[string]json.RawMessage{}
	for len(ids) > 0 {
		some := ids[:min(maxItems, len(ids))]
		ids = ids[len(some):]
		body, err := json.Marshal(map[string]any{"ids": some})
		if err != nil {
			return nil, err
		}
		var answer struct {
			Docs []found `json:"docs"`
		}
		if err := s.client.ask(ctx, func() esapi.Request {
			return esapi.MgetRequest{Index: s.indices.name(index), Body: bytes.NewReader(body)}
		}, &answer); err != nil {
			return nil, err
		}
		if len(answer.Docs) != len(some) {
			return nil, &passing{errHalfAnswer}
		}
		for _, d := range answer.Docs {
			if d.Error != nil {
				return nil, readRefusal(http.StatusServiceUnavailable, d.Error)
			}
			if d.Found {
				out[d.ID] = d.Source
			}
		}
	}
	return out, nil
}
