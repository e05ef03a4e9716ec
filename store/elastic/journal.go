package elastic

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"github.com/elastic/go-elasticsearch/v8/esapi"

	"guardrails/store"
	"guardrails/store/elastic/cluster"
)

// The type "journal" is the current state of a tenant, in one document. A writer replaces the journal only if nobody
// else has changed the journal since the writer read it. Everything in the journal is therefore committed, and all
// writers agree on it. Readers see all guidelines up to the generation of the journal, and all audit entries up to its
// heads.
type journal struct {
	Kind       string       `json:"kind"`
	Tenant     string       `json:"tenant_id"`
	Generation int64        `json:"generation"`
	Heads      []store.Head `json:"heads"`
	// Segment is the number of the segment of the audit to which the last transaction wrote. The number never decreases.
	Segment int `json:"segment,omitempty"`
	// Pending is a transaction that is committed, but perhaps not executed yet. Readers do not see the changes of this
	// transaction.
	Pending *pending `json:"pending,omitempty"`

	state docState
	// The field "segments" is the list of segments when the journal was read. It is set only for writers of a split
	// audit.
	segments *segments
}

// The type "pending" is a committed transaction: its actions, and the state of the tenant after it.
type pending struct {
	ID string `json:"id"`
	// Handle is the name of the connection that committed the transaction.
	Handle     string       `json:"handle"`
	Generation int64        `json:"generation"`
	Heads      []store.Head `json:"heads"`
	Segment    int          `json:"segment,omitempty"`
	Actions    []action     `json:"actions,omitempty"`
	// Parts is the number of documents that contain the actions, if the actions do not fit into the journal.
	Parts int `json:"parts,omitempty"`
}

// docState is the state of a document before a write replaces it. The zero value means that the document does not
// exist. Index is the name of the index, not of its alias. Therefore, a state that was read before a migration does not
// match a document in the new index.
type docState struct {
	Index string `json:"_index"`
	SeqNo int    `json:"_seq_no"`
	Term  int    `json:"_primary_term"`
}

// journal() reads the journal of a tenant, or only some of its fields.
func (s *Store) journal(ctx context.Context, tenant string, fields ...string) (*journal, error) {
	j := &journal{Kind: kindJournal, Tenant: tenant}
	at, err := s.get(ctx, documentID(kindJournal, tenant), j, fields...)
	j.state = at
	return j, err
}

// journalForReaders reads the fields of a tenant's journal that readers need. From the pending transaction, it reads
// only the heads.
func (s *Store) journalForReaders(ctx context.Context, tenant string) (*journal, error) {
	return s.upToDate(ctx, tenant, func() (*journal, error) {
		return s.journal(ctx, tenant, "kind", "tenant_id", "generation", "heads", "pending.heads")
	})
}

// upToDate reads the journal of a tenant. A node that is cut off from the other nodes can answer with an older journal
// than the one that this process has written. In this case, upToDate asks the other nodes. If the journals of these
// nodes are old too, an older copy has replaced the whole store. In that case, upToDate returns the old journal, and
// its callers find out that the journal is old.
func (s *Store) upToDate(ctx context.Context, tenant string, read func() (*journal, error)) (j *journal, err error) {
	progress := s.locks.of(tenant).progress.Load()
	for range s.client.Nodes() + 1 {
		j, err = read()
		if err != nil || j.progress() >= progress {
			break
		}
		cluster.LeaveNode(ctx)
	}
	return j, err
}

// writeJournal replaces the journal if it has not changed since it was read. If the journal has changed, the error is a
// refusal with the status 409.
func (s *Store) writeJournal(ctx context.Context, j *journal) error {
	text, err := j.encode()
	if err != nil {
		return err
	}
	at, err := s.put(ctx, documentID(kindJournal, j.Tenant), text, j.state)
	if err == nil {
		j.state = at
	}
	return err
}

// encode() returns the JSON of the journal. It appends the documents of the pending transaction without using
// encoding/json. This is faster, because encoding/json would check and copy each document several times.
func (j *journal) encode() ([]byte, error) {
	if j.Pending == nil || len(j.Pending.Actions) == 0 {
		return json.Marshal(j)
	}
	bare, rest, size := *j, *j.Pending, 0
	bare.Pending, rest.Actions = nil, nil
	outer, err := json.Marshal(&bare)
	inner, lost := json.Marshal(&rest)
	for i := range j.Pending.Actions {
		size += j.Pending.Actions[i].size()
	}
	text := slices.Grow(outer[:len(outer)-1], size+len(inner)+100)
	text = append(append(append(text, `,"pending":`...), inner[:len(inner)-1]...), `,"actions":[`...)
	for i := range j.Pending.Actions {
		if i > 0 {
			text = append(text, ',')
		}
		text = j.Pending.Actions[i].append(text)
	}
	return append(text, "]}}"...), errors.Join(err, lost)
}

// The type "document" is one of the documents in an answer. A request asks for one or several documents by their names.
type document struct {
	docState
	ID     string          `json:"_id"`
	Found  bool            `json:"found"`
	Source json.RawMessage `json:"_source"`
	// Error is the reason why the servers did not return this document. It is set only if the request was for several
	// documents.
	Error json.RawMessage `json:"error"`
}

// get() reads the current state of a document of the state index, even if searches do not see this state yet. If the
// document does not exist, the result is the zero docState.
func (s *Store) get(ctx context.Context, id string, into any, fields ...string) (docState, error) {
	return s.getFrom(ctx, s.indices.name(stateIndex), id, into, fields...)
}

// getFrom() does the same as get(), but the caller names the index.
func (s *Store) getFrom(ctx context.Context, index, id string, into any, fields ...string) (docState, error) {
	var d document
	err := s.client.Do(ctx, func() esapi.Request {
		return esapi.GetRequest{Index: index, DocumentID: id, SourceIncludes: fields}
	}, &d)
	if cluster.IsRefusal(err, http.StatusNotFound) && !cluster.IsKind(err, cluster.IndexMissing) {
		return docState{}, nil
	}
	if err != nil {
		return docState{}, err
	}
	return d.docState, json.Unmarshal(d.Source, into)
}

// put() writes a document of the state index. The parameter "at" is the state of the document that the caller has read.
// The method replaces the document only if the document still has this state. If "at" is the zero docState, the method
// creates the document.
func (s *Store) put(ctx context.Context, id string, text []byte, at docState) (docState, error) {
	var written docState
	err := s.client.Do(ctx, func() esapi.Request {
		isNew := at == docState{}
		r := esapi.IndexRequest{
			Index: at.Index, DocumentID: id, Body: bytes.NewReader(text), RequireAlias: &isNew, Timeout: s.client.Timeout(),
		}
		if isNew {
			r.Index, r.OpType = s.indices.name(stateIndex), "create"
		} else {
			r.IfSeqNo, r.IfPrimaryTerm = &at.SeqNo, &at.Term
		}
		return r
	}, &written)
	return written, err
}
