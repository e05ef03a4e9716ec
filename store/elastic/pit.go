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
)

// keepAlive is how long the servers keep a point in time after each search.
const keepAlive = "5m"

// errStopped means that the caller stopped reading.
var errStopped = errors.New("the reader stopped")

// withPIT calls f with a point in time of an index. All searches that use it see the same documents.
func (s *Store) withPIT(ctx context.Context, index string, f func(pit any) error) error {
	id, err := s.client.openPIT(ctx, index, s.indices)
	if err != nil {
		return err
	}
	// If closing fails, the servers close the point in time themselves after keepAlive.
	defer func() { _ = s.client.closePIT(context.WithoutCancel(ctx), id) }()
	return f(tree{"id": id, "keep_alive": keepAlive})
}

// rawRequest is a request for which the library has no type.
type rawRequest struct {
	method, path string
	body         []byte
}

// Do sends the request.
func (d rawRequest) Do(ctx context.Context, transport esapi.Transport) (*esapi.Response, error) {
	r, err := http.NewRequestWithContext(ctx, d.method, d.path, bytes.NewReader(d.body))
	if err != nil {
		return nil, err
	}
	if len(d.body) > 0 {
		r.Header.Set("Content-Type", "application/json")
	}
	answer, err := transport.Perform(r) //nolint:bodyclose // client.do reads and closes it
	if err != nil {
		return nil, err
	}
	return &esapi.Response{StatusCode: answer.StatusCode, Header: answer.Header, Body: answer.Body}, nil
}

func (c *client) openPIT(ctx context.Context, index string, names indices) (string, error) {
	var answer struct {
		ID    string `json:"id"`
		PitID string `json:"pit_id"`
	}
	err := c.do(ctx, func() esapi.Request {
		if c.openSearch {
			return rawRequest{http.MethodPost, "/" + names.name(index) + "/_search/point_in_time?keep_alive=" + keepAlive, nil}
		}
		return esapi.OpenPointInTimeRequest{Index: []string{names.name(index)}, KeepAlive: keepAlive}
	}, &answer)
	return answer.ID + answer.PitID, err
}

func (c *client) closePIT(ctx context.Context, id string) error {
	return c.do(ctx, func() esapi.Request {
		if c.openSearch {
			body, _ := json.Marshal(map[string][]string{"pit_id": {id}}) // strings can always be encoded
			return rawRequest{http.MethodDelete, "/_search/point_in_time", body}
		}
		body, _ := json.Marshal(map[string]string{"id": id})
		return esapi.ClosePointInTimeRequest{Body: bytes.NewReader(body)}
	}, nil)
}

// auditSnapshot is the whole audit of a tenant at one moment.
type auditSnapshot struct {
	*journal
	pit any
	// latest has the heads that were read after the snapshot was taken. The snapshot has no entry beyond them.
	latest []store.Head
}

// withAudit calls f with a snapshot that has all entries up to the heads of the journal.
func (s *Store) withAudit(ctx context.Context, tenant string, f func(a *auditSnapshot) error) error {
	for {
		before, err := s.journalForReaders(ctx, tenant)
		if err != nil {
			return err
		}
		if err := s.refresh(ctx, auditIndex); err != nil {
			return err
		}
		pruned := false
		err = s.withPIT(ctx, auditIndex, func(pit any) error {
			after, err := s.journal(ctx, tenant)
			if err != nil {
				return err
			}
			// Prune changes the journal before it deletes entries. If it did so meanwhile, the snapshot may lack entries.
			// Then start again.
			if pruned = !slices.Equal(bases(before.Heads), bases(after.Heads)); pruned {
				return nil
			}
			latest := after.Heads
			if after.Pending != nil {
				latest = after.Pending.Heads
			}
			return f(&auditSnapshot{before, pit, latest})
		})
		if !pruned {
			return err
		}
	}
}

func bases(heads []store.Head) []int64 {
	out := make([]int64, len(heads))
	for i := range heads {
		out[i] = heads[i].Base
	}
	return out
}
