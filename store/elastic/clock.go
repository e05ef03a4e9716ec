package elastic

import (
	"context"
	"strconv"
	"time"

	"github.com/elastic/go-elasticsearch/v8/esapi"

	"guardrails/store"
	"guardrails/store/elastic/cluster"
)

var _ store.Clock = (*Store)(nil)

// Time returns the time of the servers.
func (s *Store) Time(ctx context.Context) (time.Time, error) {
	if err := s.calls.Begin(); err != nil {
		return time.Time{}, err
	}
	defer s.calls.End()
	var answer []struct {
		Epoch string `json:"epoch"`
	}
	err := s.client.Do(ctx, func() esapi.Request {
		return esapi.CatHealthRequest{H: []string{"epoch"}, Format: "json"}
	}, &answer)
	if err == nil && len(answer) != 1 {
		err = cluster.ErrIncomplete
	}
	if err != nil {
		return time.Time{}, s.failure(ctx, err)
	}
	seconds, err := strconv.ParseInt(answer[0].Epoch, 10, 64)
	return time.Unix(seconds, 0), s.failure(ctx, err)
}
