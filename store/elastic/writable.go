package elastic

import (
	"context"
	"net/http"
	"strings"

	"guardrails/store/elastic/cluster"

	"github.com/elastic/go-elasticsearch/v8/esapi"
)

// Writable returns an error if a tenant cannot be changed now. The reason can be that an index was lost, that the
// indices do not belong together, or that the indices are read-only. Writable sends a change under a condition that is
// never true, so nothing is changed.
func (s *Store) Writable(ctx context.Context, tenant string) error {
	_, err := write(ctx, s, tenant, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, s.tryWrite(ctx, tenant)
	})
	return err
}

// tryWrite does the checks of Writable. The lock of the tenant must be held.
func (s *Store) tryWrite(ctx context.Context, tenant string) error {
	names := []string{s.indices.single(configIndex), s.indices.single(auditIndex), s.indices.single(stateIndex)}
	if err := s.checkThere(ctx, names); err != nil {
		return err
	}
	j, err := s.journalForWriters(ctx, tenant)
	if err != nil {
		return err
	}
	if err := s.checkThere(ctx, s.segmentNames(j)); err != nil {
		return err
	}
	if err := s.checkWritable(ctx, j); err != nil {
		return err
	}
	_, err = s.put(ctx, documentID(kindIdentity), []byte(`{}`),
		docState{Index: s.indices.name(stateIndex), SeqNo: 1 << 50, Term: 1 << 30})
	if cluster.IsRefusal(err, http.StatusConflict) {
		return nil
	}
	return err
}

// segmentNames returns the aliases of the segments of a split audit.
func (s *Store) segmentNames(j *journal) (names []string) {
	if j.segments == nil {
		return nil
	}
	for _, part := range j.segments.List.Segments {
		names = append(names, s.indices.single(segmentIndex(part.Number)))
	}
	return names
}

// checkThere returns an error if an index does not exist or is closed.
func (s *Store) checkThere(ctx context.Context, names []string) error {
	if len(names) == 0 {
		return nil
	}
	return s.client.Do(ctx, func() esapi.Request {
		return esapi.SearchRequest{Index: names, Body: strings.NewReader(`{"size":0,"query":{"match_none":{}}}`)}
	}, nil)
}
