package elastic

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"guardrails/store/elastic/cluster"

	"github.com/elastic/go-elasticsearch/v8/esapi"
)

// Maintain begins a new segment of the audit if the newest segment is large or old, and removes segments whose
// decisions were all pruned. Servers call it regularly.
func (s *Store) Maintain(ctx context.Context) error {
	if err := s.calls.Begin(); err != nil {
		return err
	}
	defer s.calls.End()
	if !s.indices.split {
		return nil
	}
	list, err := s.readSegments(ctx)
	if err != nil || list.List.Joining != "" {
		return s.failure(ctx, err)
	}
	if err = s.roll(ctx, list); err == nil {
		err = s.dropPruned(ctx, list)
	}
	return s.failure(ctx, err)
}

// roll() begins a new segment if the newest segment has reached a limit.
func (s *Store) roll(ctx context.Context, list *segments) error {
	full, err := s.isFull(ctx, list.List.newest())
	if err != nil || !full {
		return err
	}
	// The new segment gets the mapping of the previous one, because a newer program may have added fields to that mapping.
	from := segmentIndex(list.List.newest().Number)
	number := list.List.add(s.now())
	next := s.segment(layouts()[1], number)
	if err := s.createLike(ctx, from, next); err != nil {
		return err
	}
	if err := s.awaitStarted(ctx, next); err != nil {
		return err
	}
	if err := s.writeSegments(ctx, list); !cluster.IsRefusal(err, http.StatusConflict) {
		return err
	}
	// Another process has changed the list of segments first.
	now, err := s.readSegments(ctx)
	*list = *now
	return err
}

// isFull reports whether a segment has entries and has reached a limit.
func (s *Store) isFull(ctx context.Context, newest segment) (bool, error) {
	var answer struct {
		All struct {
			Primaries struct {
				Docs struct {
					Count int64 `json:"count"`
				} `json:"docs"`
				Store struct {
					Bytes int64 `json:"size_in_bytes"`
				} `json:"store"`
			} `json:"primaries"`
		} `json:"_all"`
	}
	err := s.client.Do(ctx, func() esapi.Request {
		return esapi.IndicesStatsRequest{
			Index: []string{s.indices.name(segmentIndex(newest.Number))}, Metric: []string{"docs", "store"},
		}
	}, &answer)
	has := answer.All.Primaries
	isOld := s.now().Sub(newest.Created) >= s.segmentAge
	return has.Docs.Count > 0 && (has.Store.Bytes >= s.segmentBytes || isOld), err
}

// createLike creates a segment with the mapping of another segment. If the segment exists already, nothing changes.
func (s *Store) createLike(ctx context.Context, from string, l target) error {
	var answer map[string]struct {
		Mappings json.RawMessage `json:"mappings"`
	}
	if err := s.client.Do(ctx, func() esapi.Request {
		return esapi.IndicesGetMappingRequest{Index: []string{s.indices.name(from)}}
	}, &answer); err != nil {
		return err
	}
	for _, index := range answer {
		body := fmt.Sprintf(`{
			"aliases": {%q: {"is_write_index": true}, %q: {"is_write_index": false}}, "settings": %s, "mappings": %s
		}`, l.aliases[0], l.aliases[1], l.settings(), index.Mappings)
		err := s.client.Do(ctx, func() esapi.Request {
			return esapi.IndicesCreateRequest{Index: l.name, Body: strings.NewReader(body)}
		}, nil)
		if err != nil && !cluster.IsKind(err, "resource_already_exists_exception") {
			return err
		}
	}
	return nil
}
