package elastic

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/elastic/go-elasticsearch/v8/esapi"
)

const (
	// window is how far into a result one question may ask.
	window = 100_000
	// hop is how far one question goes on the way to a page beyond the window.
	hop = 50_000
	// batch is how many documents are read at once where all are wanted.
	batch = 500
)

// tree is a piece of a question, as the servers read it.
type tree = map[string]any

func term(field string, value any) tree { return tree{"term": tree{field: tree{"value": value}}} }

func terms(field string, values any) tree { return tree{"terms": tree{field: values}} }

// span is what a field is between, each bound with how it is meant: gt, gte, lt or lte.
func span(field string, bounds tree) tree { return tree{"range": tree{field: bounds}} }

// all is what passes every filter.
func all(filters ...tree) tree { return tree{"bool": tree{"filter": filters}} }

func not(filters ...tree) tree { return tree{"bool": tree{"must_not": filters}} }

// order is the order of a result: fields, the first counts most; the last of them make it unique.
type order []tree

func (o order) by(field, direction string) order {
	return append(o, tree{field: tree{"order": direction}})
}

// question asks for documents.
type question struct {
	Query tree  `json:"query"`
	Sort  order `json:"sort,omitempty"`
	Size  int   `json:"size"`
	From  int   `json:"from,omitempty"`
	// After goes on after a document, whose place in the order it is.
	After  []any `json:"search_after,omitempty"`
	Source any   `json:"_source,omitempty"`
	Total  bool  `json:"track_total_hits"`
	Moment any   `json:"pit,omitempty"`

	index string
}

// result is what was found.
type result struct {
	TimedOut bool `json:"timed_out"`
	Hits     struct {
		Total struct {
			Value int `json:"value"`
		} `json:"total"`
		Hits []hit `json:"hits"`
	} `json:"hits"`
}

// hit is a document that was found, and its place in the order.
type hit struct {
	Source json.RawMessage `json:"_source"`
	Sort   json.RawMessage `json:"sort"`
}

// search asks a question. Half a result is none.
func (s *Store) search(ctx context.Context, q *question) (*result, error) {
	body, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	var index []string
	if q.Moment == nil {
		index = []string{s.indices.name(q.index)}
	}
	no := false
	r := new(result)
	err = s.client.ask(ctx, func() esapi.Request {
		return esapi.SearchRequest{Index: index, Body: bytes.NewReader(body), AllowPartialSearchResults: &no}
	}, r)
	if err == nil && r.TimedOut {
		err = &passing{errHalfAnswer}
	}
	return r, err
}

// page gives the documents of one page, and how many there are on all pages.
func (s *Store) page(ctx context.Context, q question, offset, size int) (*result, error) {
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

// skip finds the place in the order after which an offset begins.
func (s *Store) skip(ctx context.Context, q question, offset int) ([]any, error) {
	q.Source, q.Total = false, false
	for offset > 0 {
		q.Size = min(hop, offset)
		r, err := s.search(ctx, &q)
		if err != nil || len(r.Hits.Hits) == 0 {
			return q.After, err
		}
		offset -= len(r.Hits.Hits)
		if q.After, err = r.Hits.Hits[len(r.Hits.Hits)-1].place(); err != nil {
			return nil, err
		}
	}
	return q.After, nil
}

// place is where the document stands in the order, for going on after it.
func (h *hit) place() (after []any, err error) {
	dec := json.NewDecoder(bytes.NewReader(h.Sort))
	dec.UseNumber()
	err = dec.Decode(&after)
	return after, err
}

// each gives every document of a result, in constant memory.
func (s *Store) each(ctx context.Context, q question, f func(source json.RawMessage) error) error {
	q.Size = batch
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
		if len(r.Hits.Hits) < batch {
			return nil
		}
		if q.After, err = r.Hits.Hits[batch-1].place(); err != nil {
			return err
		}
	}
}

// refresh makes searches see all that was written.
func (s *Store) refresh(ctx context.Context, index string) error {
	return s.client.ask(ctx, func() esapi.Request { return esapi.IndicesRefreshRequest{Index: []string{s.indices.name(index)}} }, nil)
}
