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

// keepAlive is how long the servers keep a moment for the next question about it.
const keepAlive = "5m"

// errStopped tells that a reader wants no more.
var errStopped = errors.New("the reader wants no more")

// atOnce runs f with one moment of some indices, which stays as it is however long f asks questions about it.
func (s *Store) atOnce(ctx context.Context, index string, f func(moment any) error) error {
	id, err := s.client.hold(ctx, index, s.indices)
	if err != nil {
		return err
	}
	// The servers forget it by themselves if they are not told.
	defer func() { _ = s.client.release(context.WithoutCancel(ctx), id) }()
	return f(tree{"id": id, "keep_alive": keepAlive})
}

// direct is a request that the library has no function for.
type direct struct {
	method, path string
	body         []byte
}

// Do sends the request.
func (d direct) Do(ctx context.Context, transport esapi.Transport) (*esapi.Response, error) {
	r, err := http.NewRequestWithContext(ctx, d.method, d.path, bytes.NewReader(d.body))
	if err != nil {
		return nil, err
	}
	if len(d.body) > 0 {
		r.Header.Set("Content-Type", "application/json")
	}
	answer, err := transport.Perform(r) //nolint:bodyclose // it is read, and closed, by whoever asked
	if err != nil {
		return nil, err
	}
	return &esapi.Response{StatusCode: answer.StatusCode, Header: answer.Header, Body: answer.Body}, nil
}

// hold makes the servers keep a moment. OpenSearch calls it otherwise than Elasticsearch.
func (c *client) hold(ctx context.Context, index string, names indices) (string, error) {
	var held struct {
		ID    string `json:"id"`
		PitID string `json:"pit_id"`
	}
	err := c.ask(ctx, func() esapi.Request {
		if c.openSearch {
			return direct{http.MethodPost, "/" + names.name(index) + "/_search/point_in_time?keep_alive=" + keepAlive, nil}
		}
		return esapi.OpenPointInTimeRequest{Index: []string{names.name(index)}, KeepAlive: keepAlive}
	}, &held)
	return held.ID + held.PitID, err
}

func (c *client) release(ctx context.Context, id string) error {
	return c.ask(ctx, func() esapi.Request {
		if c.openSearch {
			body, _ := json.Marshal(map[string][]string{"pit_id": {id}}) // texts can always be written
			return direct{http.MethodDelete, "/_search/point_in_time", body}
		}
		body, _ := json.Marshal(map[string]string{"id": id})
		return esapi.ClosePointInTimeRequest{Body: bytes.NewReader(body)}
	}, nil)
}

// audited is a moment of the whole audit of a tenant.
type audited struct {
	*journal
	moment any
	// latest is where the tenant stood after the moment: entries beyond that nobody wrote.
	latest []store.Head
}

// audit runs f with a moment of the audit that has all entries up to the journal's heads.
func (s *Store) audit(ctx context.Context, tenant string, f func(a *audited) error) error {
	for {
		before, err := s.standing(ctx, tenant)
		if err != nil {
			return err
		}
		if err := s.refresh(ctx, auditIndex); err != nil {
			return err
		}
		pruned := false
		err = s.atOnce(ctx, auditIndex, func(moment any) error {
			after, err := s.journal(ctx, tenant)
			if err != nil {
				return err
			}
			// What is pruned goes after the journal says so.
			if pruned = !slices.Equal(bases(before.Heads), bases(after.Heads)); pruned {
				return nil
			}
			latest := after.Heads
			if after.Pending != nil {
				latest = after.Pending.Heads
			}
			return f(&audited{before, moment, latest})
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
