package elastic

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"github.com/elastic/go-elasticsearch/v8/esapi"

	"guardrails/store"
)

// journal says where a tenant stands. It is the one document on which writers agree, and the only one that is ever
// written under a condition: what it says happened. Readers see what is at or before its generation and within its
// heads.
type journal struct {
	Kind       string       `json:"kind"`
	Tenant     string       `json:"tenant_id"`
	Generation int64        `json:"generation"`
	Heads      []store.Head `json:"heads"`
	// Pending is what was committed and may not have been carried out yet. Readers do not see it.
	Pending *pending `json:"pending,omitempty"`

	place place
}

// pending is a transaction on its way: what is to be written, and where the tenant stands afterwards.
type pending struct {
	ID string `json:"id"`
	// Handle is the connection that committed it.
	Handle     string       `json:"handle"`
	Generation int64        `json:"generation"`
	Heads      []store.Head `json:"heads"`
	Actions    []action     `json:"actions,omitempty"`
	// Parts is how many documents have the actions, when they are too many for this one.
	Parts int `json:"parts,omitempty"`
}

// place is the state of a document that a write is to replace; the zero place is that of a document that is not there.
// Index is the index itself and not its alias: when the documents move to an index of a newer version, what was read
// from the old one says nothing of the new one.
type place struct {
	Index string `json:"_index"`
	SeqNo int    `json:"_seq_no"`
	Term  int    `json:"_primary_term"`
}

// journal reads where a tenant stands, with what is pending only if that is wanted.
func (s *Store) journal(ctx context.Context, tenant string, fields ...string) (*journal, error) {
	j := &journal{Kind: kindJournal, Tenant: tenant}
	at, err := s.get(ctx, documentID(kindJournal, tenant), j, fields...)
	j.place = at
	return j, err
}

// standing reads what readers need of a journal.
func (s *Store) standing(ctx context.Context, tenant string) (*journal, error) {
	return s.journal(ctx, tenant, "kind", "tenant_id", "generation", "heads")
}

// writeJournal replaces the journal in the state in which it was read. Was it changed since, the error is a refusal
// with the status 409.
func (s *Store) writeJournal(ctx context.Context, j *journal) error {
	text, err := json.Marshal(j)
	if err != nil {
		return err
	}
	at, err := s.put(ctx, documentID(kindJournal, j.Tenant), text, j.place)
	if err == nil {
		j.place = at
	}
	return err
}

// found is a document that was asked for by its name.
type found struct {
	place
	ID     string          `json:"_id"`
	Found  bool            `json:"found"`
	Source json.RawMessage `json:"_source"`
	// Error is why nothing is known of the document, when many were asked for.
	Error json.RawMessage `json:"error"`
}

// get reads a document of the state index as it is now, whether searches see it yet or not. One that is not there has
// the zero place.
func (s *Store) get(ctx context.Context, id string, into any, fields ...string) (place, error) {
	var f found
	err := s.client.ask(ctx, func() esapi.Request {
		return esapi.GetRequest{Index: s.indices.name(stateIndex), DocumentID: id, SourceIncludes: fields}
	}, &f)
	if isRefusal(err, http.StatusNotFound) && !isKind(err, indexIsMissing) {
		return place{}, nil
	}
	if err != nil {
		return place{}, err
	}
	return f.place, json.Unmarshal(f.Source, into)
}

// put writes a document of the state index in place of one, or as a new one.
func (s *Store) put(ctx context.Context, id string, text []byte, at place) (place, error) {
	var written place
	err := s.client.ask(ctx, func() esapi.Request {
		isNew := at == place{}
		r := esapi.IndexRequest{Index: at.Index, DocumentID: id, Body: bytes.NewReader(text), RequireAlias: &isNew, Timeout: s.client.timeout}
		if isNew {
			r.Index, r.OpType = s.indices.name(stateIndex), "create"
		} else {
			r.IfSeqNo, r.IfPrimaryTerm = &at.SeqNo, &at.Term
		}
		return r
	}, &written)
	return written, err
}
