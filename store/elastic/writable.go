package elastic

import (
	"context"
	"net/http"
)

// Writable returns an error if the indices cannot be changed now. It sends a change under a condition that never holds.
func (s *Store) Writable(ctx context.Context) error {
	if err := s.calls.Begin(); err != nil {
		return err
	}
	defer s.calls.End()
	_, err := s.put(ctx, documentID(kindIdentity), []byte(`{}`),
		docState{Index: s.indices.name(stateIndex), SeqNo: 1 << 50, Term: 1 << 30})
	if isRefusal(err, http.StatusConflict) {
		return nil
	}
	return s.failure(ctx, err)
}
