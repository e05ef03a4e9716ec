package elastic

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"github.com/elastic/go-elasticsearch/v8/esapi"
)

// documents reads the current state of documents by name. Documents that do not exist are missing in the result.
func (s *Store) documents(ctx context.Context, index string, ids []string) (map[string]json.RawMessage, error) {
	out := map[string]json.RawMessage{}
	for len(ids) > 0 {
		some := ids[:min(maxItems, len(ids))]
		ids = ids[len(some):]
		err := s.readDocuments(ctx, index, some, out)
		// The servers may answer without the state of some documents. That is a temporary error.
		for attempt := 1; attempt < attempts && isTemporary(err) && pause(ctx, attempt); attempt++ {
			err = s.readDocuments(ctx, index, some, out)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s *Store) readDocuments(ctx context.Context, index string, ids []string, out map[string]json.RawMessage) error {
	body, err := json.Marshal(map[string]any{"ids": ids})
	if err != nil {
		return err
	}
	var answer struct {
		Docs []document `json:"docs"`
	}
	if err := s.client.do(ctx, func() esapi.Request {
		return esapi.MgetRequest{Index: s.indices.name(index), Body: bytes.NewReader(body)}
	}, &answer); err != nil {
		return err
	}
	if len(answer.Docs) != len(ids) {
		return &temporary{errIncomplete}
	}
	for _, d := range answer.Docs {
		if d.Error != nil {
			return &temporary{readRefusal(http.StatusServiceUnavailable, d.Error)}
		}
		if d.Found {
			out[d.ID] = d.Source
		}
	}
	return nil
}
