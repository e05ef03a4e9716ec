package elastic

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"guardrails/store/elastic/cluster"

	"github.com/elastic/go-elasticsearch/v8/esapi"
)

// The type "address" identifies a document.
type address struct {
	// Index is an alias of one index, with the prefix.
	Index string `json:"_index"`
	ID    string `json:"_id"`
}

// addresses() returns the addresses of the documents with the given names in an index.
func (s *Store) addresses(index string, ids []string) []address {
	out := make([]address, len(ids))
	for i, id := range ids {
		out[i] = address{s.indices.single(index), id}
	}
	return out
}

// documents() reads the current state of the documents with the given names. The keys of the result are the names. The
// result has no key for a document that does not exist.
func (s *Store) documents(ctx context.Context, index string, ids []string) (map[string]json.RawMessage, error) {
	found, err := s.find(ctx, s.addresses(index, ids))
	return sources(found), err
}

func sources(found map[string]document) map[string]json.RawMessage {
	out := make(map[string]json.RawMessage, len(found))
	for id := range found {
		out[id] = found[id].Source
	}
	return out
}

// find() reads the current state of documents, or only some of their fields. It returns the documents that exist. The
// keys of the result are the names of the documents.
func (s *Store) find(ctx context.Context, list []address, fields ...string) (map[string]document, error) {
	out := map[string]document{}
	for len(list) > 0 {
		some := list[:min(maxItems, len(list))]
		list = list[len(some):]
		incomplete, err := s.readDocuments(ctx, some, fields, out)
		for attempt := 1; attempt < cluster.Attempts && incomplete && cluster.Pause(ctx, attempt); attempt++ {
			incomplete, err = s.readDocuments(ctx, some, fields, out)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// readDocuments reads documents. It adds the documents that exist to the map "out". If the answer lacks the state of
// some documents, the result "incomplete" is true, and err is temporary.
func (s *Store) readDocuments(
	ctx context.Context, list []address, fields []string, out map[string]document,
) (incomplete bool, err error) {
	body, err := json.Marshal(map[string]any{"docs": list})
	if err != nil {
		return false, err
	}
	var answer struct {
		Docs []document `json:"docs"`
	}
	if err := s.client.Do(ctx, func() esapi.Request {
		return esapi.MgetRequest{Body: bytes.NewReader(body), SourceIncludes: fields}
	}, &answer); err != nil {
		return false, err
	}
	if len(answer.Docs) != len(list) {
		return true, &cluster.Temporary{Err: cluster.ErrIncomplete}
	}
	for _, d := range answer.Docs {
		if d.Error != nil {
			err := documentError(d.Error)
			return cluster.IsTemporary(err), err
		}
		if d.Found {
			out[d.ID] = d
		}
	}
	return false, nil
}

// documentError returns the error for a document that could not be read. It is temporary unless the index is gone or
// closed.
func documentError(text json.RawMessage) error {
	r := cluster.ReadRefusal(http.StatusServiceUnavailable, text)
	switch r.Kind {
	case cluster.IndexMissing:
		r.Status = http.StatusNotFound
	case cluster.IndexClosed:
		r.Status = http.StatusBadRequest
	default:
		return &cluster.Temporary{Err: r}
	}
	return r
}
