package elastic

import (
	"bytes"
	"encoding/json"
	"slices"

	"guardrails/store"
)

// entryDoc is the document of an entry. The old and new values of changes are strings, so that all types of values are
// indexed in the same way.
type entryDoc struct {
	store.Entry
	Tenant  string      `json:"tenant_id"`
	Changes []changeDoc `json:"changes,omitempty"`
	Mode    string      `json:"mode,omitempty"`
}

type changeDoc struct {
	Field string  `json:"field"`
	Old   *string `json:"old_value,omitempty"`
	New   *string `json:"new_value,omitempty"`
}

func entryID(tenant, id string) string { return documentID(kindEntry, tenant, id) }

// docOf returns the document of a sealed entry. The parameter "text" is the JSON from which the hash was computed. If
// the entry has no changes, docOf saves time, because it does not decode the text. Instead, it appends the fields that
// the text lacks, such as the hash and the mode.
func docOf(text []byte, e *store.Entry) (json.RawMessage, error) {
	if len(e.Changes) == 0 {
		hash, err := json.Marshal(e.Hash)
		more := ""
		if e.Tenant == "" {
			more = `,"tenant_id":""` // the text leaves an empty tenant out, but searches need the field
		}
		if mode := e.Mode(); mode != "" {
			more += `,"mode":"` + mode + `"`
		}
		return slices.Concat(text[:len(text)-1], []byte(`,"hash":`), hash, []byte(more+"}")), err
	}
	decoded, err := store.DecodeEntry(text)
	if err != nil {
		return nil, err
	}
	decoded.Hash = e.Hash
	d := &entryDoc{Entry: decoded, Tenant: decoded.Tenant, Mode: decoded.Mode()}
	for _, c := range decoded.Changes {
		d.Changes = append(d.Changes, changeDoc{c.Field, textOf(c.Old), textOf(c.New)})
	}
	return json.Marshal(d)
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
