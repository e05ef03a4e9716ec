package elastic

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/elastic/go-elasticsearch/v8/esapi"
)

const (
	// window is the largest sum of offset and size that the servers allow in one search.
	window = 100_000
	// hop is how many documents one search skips to reach a page beyond the window.
	hop = 50_000
	// batchSize is how many documents each search returns when all documents of a result are read.
	batchSize = 500
)

// tree is a JSON object in a search request.
type tree = map[string]any

func term(field string, value any) tree { return tree{"term": tree{field: tree{"value": value}}} }

func terms(field string, values any) tree { return tree{"terms": tree{field: values}} }

// span matches a range of a field. The keys of bounds are gt, gte, lt and lte.
func span(field string, bounds tree) tree { return tree{"range": tree{field: bounds}} }

// all matches documents that match all filters.
func all(filters ...tree) tree { return tree{"bool": tree{"filter": filters}} }

func not(filters ...tree) tree { return tree{"bool": tree{"must_not": filters}} }

// order is the sort order of a result. Its last fields identify a document, so the order is always the same.
type order []tree

func (o order) by(field, direction string) order {
	return append(o, tree{field: tree{"order": direction}})
}

// query is a search request.
type query struct {
	Query tree  `json:"query"`
	Sort  order `json:"sort,omitempty"`
	Size  int   `json:"size"`
	From  int   `json:"from,omitempty"`
	// After continues after the document with these sort values.
	After  []any `json:"search_after,omitempty"`
	Source any   `json:"_source,omitempty"`
	Total  bool  `json:"track_total_hits"`
	PIT    any   `json:"pit,omitempty"`

	index string
}

// result is the answer to a search.
type result struct {
	TimedOut bool `json:"timed_out"`
	Hits     struct {
		Total struct {
			Value int `json:"value"`
		} `json:"total"`
		Hits []hit `json:"hits"`
	} `json:"hits"`
}

// hit is a document that was found, and its sort values.
type hit struct {
	Source json.RawMessage `json:"_source"`
	Sort   json.RawMessage `json:"sort"`
}

// search sends a search request. An incomplete result is an error.
func (s *Store) search(ctx context.Context, q *query) (*result, error) {
	body, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	var index []string
	if q.PIT == nil {
		index = []string{s.indices.name(q.index)}
	}
	no := false
	r := new(result)
	err = s.client.do(ctx, func() esapi.Request {
		return esapi.SearchRequest{Index: index, Body: bytes.NewReader(body), AllowPartialSearchResults: &no}
	}, r)
	if err == nil && r.TimedOut {
		err = &temporary{errIncomplete}
	}
	return r, err
}

// page returns the documents of one page and the total.
func (s *Store) page(ctx context.Context, q query, offset, size int) (*result, error) {
	q.Size, q.Total = size, true
	if offset+size <= window {
		q.From = offset
		return s.search(ctx, &q)
	}
	q.Size = 0
	first, err := s.search(ctx, &q)
	if err != nil || first.Hits.Total.Value <= offset {
		return first, err
	}
	if q.After, err = s.skip(ctx, q, offset); err != nil {
		return nil, err
	}
	q.Size = size
	return s.search(ctx, &q)
}

// skip returns the sort values of the last document before an offset. A search can continue after this document.
func (s *Store) skip(ctx context.Context, q query, offset int) ([]any, error) {
	q.Source, q.Total = false, false
	for offset > 0 {
		q.Size = min(hop, offset)
		r, err := s.search(ctx, &q)
		if err != nil || len(r.Hits.Hits) == 0 {
			return q.After, err
		}
		offset -= len(r.Hits.Hits)
		if q.After, err = r.Hits.Hits[len(r.Hits.Hits)-1].sortValues(); err != nil {
			return nil, err
		}
	}
	return q.After, nil
}

// sortValues returns the sort values of a document, for query.After.
func (h *hit) sortValues() (after []any, err error) {
	dec := json.NewDecoder(bytes.NewReader(h.Sort))
	dec.UseNumber()
	err = dec.Decode(&after)
	return after, err
}

// each calls f with every document of a result. It never holds more than one batch in memory.
func (s *Store) each(ctx context.Context, q query, f func(source json.RawMessage) error) error {
	q.Size = batchSize
	for {
		r, err := s.search(ctx, &q)
		if err != nil {
			return err
		}
		for i := range r.Hits.Hits {
			if err := f(r.Hits.Hits[i].Source); err != nil {
				return err
			}
		}
		if len(r.Hits.Hits) < batchSize {
			return nil
		}
		if q.After, err = r.Hits.Hits[batchSize-1].sortValues(); err != nil {
			return err
		}
	}
}
