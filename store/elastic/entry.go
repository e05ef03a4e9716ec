package elastic

import (
	"bytes"
	"encoding/json"

	"guardrails/store"
)

// entryDoc is the document of an entry. The old and new values of changes are strings, so that all types of values are
// indexed in the same way.
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

// docOf returns the document of a sealed entry. text is the text from which the hash was computed.
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
		return d.Entry, store.Errorf(store.Internal, "cannot read an audit entry: %w", err)
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
