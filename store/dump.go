package store

import (
	"bytes"
	"encoding/json"

	"guardrails/guideline"
)

// Record is one record of a dump. Exactly one of its fields is set. A dump first contains the heads of all chains,
// then the audit entries of each chain in order, and then the revisions of each guideline in order.
type Record struct {
	Head     *Head     `json:"head,omitempty"`
	Entry    *Entry    `json:"entry,omitempty"`
	Revision *Revision `json:"revision,omitempty"`
}

// Loaded has the numbers of records that the method Load added to the store.
type Loaded struct {
	Entries   int64 `json:"entries"`
	Revisions int64 `json:"revisions"`
}

// EncodeRecord returns a record as one line of JSON, without the newline.
func EncodeRecord(r Record) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return nil, Errorf(Invalid, "cannot write a record of the dump as JSON: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), nil
}

// DecodeRecord decodes a record. It returns an error for unknown fields.
func DecodeRecord(line []byte) (Record, error) {
	var parts struct {
		Head     *Head           `json:"head"`
		Entry    json.RawMessage `json:"entry"`
		Revision *struct {
			Revision
			Guideline json.RawMessage `json:"guideline"`
		} `json:"revision"`
	}
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&parts); err != nil {
		return Record{}, Errorf(Invalid, "%.200q is not a record of a dump: %w", line, err)
	}
	if dec.More() {
		return Record{}, Errorf(Invalid, "%.200q is more than one record of a dump; write one record per line", line)
	}
	r := Record{Head: parts.Head}
	if parts.Entry != nil {
		e, err := DecodeEntry(parts.Entry)
		if err != nil {
			return r, Errorf(Invalid, "a record of the dump has an invalid entry: %w", err)
		}
		r.Entry = &e
	}
	if parts.Revision != nil {
		g, err := guideline.Parse("", parts.Revision.Guideline)
		if err != nil {
			return r, Errorf(Invalid, "a record of the dump has an invalid guideline: %w", err)
		}
		r.Revision = &parts.Revision.Revision
		r.Revision.Guideline = g
	}
	return r, nil
}
