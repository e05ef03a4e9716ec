package elastic

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/elastic/go-elasticsearch/v8/esapi"

	"guardrails/store"
	"guardrails/store/elastic/cluster"
)

const (
	// The constant "window" is the largest sum of offset and size that the servers allow in one search.
	window = 100_000
	// The constant "hop" is the number of documents that one search skips.
	hop = 50_000
	// batchSize is how many documents each search returns when all documents of a result are read.
	batchSize = 500
)

// The type "tree" is a JSON object in a search request.
type tree = map[string]any

func term(field string, value any) tree { return tree{"term": tree{field: tree{"value": value}}} }

func terms(field string, values any) tree { return tree{"terms": tree{field: values}} }

// span() returns a query for a range of a field. The keys in "bounds" are gt, gte, lt and lte.
func span(field string, bounds tree) tree { return tree{"range": tree{field: bounds}} }

// matchAll returns a query for the documents that match all filters.
func matchAll(filters ...tree) tree { return tree{"bool": tree{"filter": filters}} }

func not(filters ...tree) tree { return tree{"bool": tree{"must_not": filters}} }

// The type "order" is the sort order of a result. The last fields of an order identify a document, so documents always
// come in the same order.
type order []tree

func (o order) by(field, direction string) order {
	return append(o, tree{field: tree{"order": direction}})
}

// The type "query" is a search request.
type query struct {
	Query tree  `json:"query"`
	Sort  order `json:"sort,omitempty"`
	Size  int   `json:"size"`
	From  int   `json:"from,omitempty"`
	// After has the sort values of a document. The search continues after this document.
	After  sortValues `json:"search_after,omitempty"`
	Source any        `json:"_source,omitempty"`
	Total  bool       `json:"track_total_hits"`
	PIT    any        `json:"pit,omitempty"`
	// If States is set, the servers add the states of the documents to the result.
	States bool `json:"seq_no_primary_term,omitempty"`

	index string
	// The servers send searches with the same preference to the same copies of an index.
	preference string
}

// The type "result" is the answer to a search.
type result struct {
	TimedOut bool `json:"timed_out"`
	Hits     struct {
		Total struct {
			Value int `json:"value"`
		} `json:"total"`
		Hits []hit `json:"hits"`
	} `json:"hits"`
}

// The type "hit" is a document that was found, and its sort values.
type hit struct {
	document
	Sort sortValues `json:"sort"`
}

// search() sends a search request. An incomplete result is an error.
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
	err = s.client.Do(ctx, func() esapi.Request {
		return esapi.SearchRequest{
			Index: index, Body: bytes.NewReader(body), AllowPartialSearchResults: &no, Preference: q.preference,
		}
	}, r)
	if err == nil && r.TimedOut {
		err = &cluster.Temporary{Err: cluster.ErrIncomplete}
	}
	return r, err
}

// The type sortValues has the values of the sort fields of a document. A search can continue after the document.
type sortValues []any

// UnmarshalJSON reads the values and keeps numbers exact.
func (v *sortValues) UnmarshalJSON(text []byte) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	return dec.Decode((*[]any)(v))
}

// readPage reads one page. The servers count the total only if the page was requested by its number.
func readPage[T any](
	ctx context.Context, s *Store, q query, p *store.Pager[sortValues], decode func(json.RawMessage) (T, error),
) (store.Page[T], error) {
	q.Size, q.From, q.Total = p.Limit(), p.Skip(), p.Place == nil
	r, err := s.search(ctx, &q)
	if err != nil {
		return store.Page[T]{}, err
	}
	return pageOf(r, r.Hits.Total.Value, p, decode)
}

// pageOf returns the page of a search. If the page was requested by its number, the parameter "total" is the number of
// items on all pages.
func pageOf[T any](
	r *result, total int, p *store.Pager[sortValues], decode func(json.RawMessage) (T, error),
) (store.Page[T], error) {
	items := []T{}
	for i := range r.Hits.Hits {
		item, err := decode(r.Hits.Hits[i].Source)
		if err != nil {
			return store.Page[T]{}, err
		}
		items = append(items, item)
	}
	return store.PageOf(p, items, total, func(i int) sortValues { return r.Hits.Hits[i].Sort })
}

// skip() returns the sort values of the last document before an offset. A search can continue after this document.
func (s *Store) skip(ctx context.Context, q query, offset int) (sortValues, error) {
	q.Source = false
	for offset > 0 {
		q.Size = min(hop, offset)
		r, err := s.search(ctx, &q)
		if err != nil || len(r.Hits.Hits) == 0 {
			return q.After, err
		}
		offset -= len(r.Hits.Hits)
		q.After = r.Hits.Hits[len(r.Hits.Hits)-1].Sort
	}
	return q.After, nil
}

// eachDocument calls f with every document of a result. It never keeps more than one batch in memory.
func (s *Store) eachDocument(ctx context.Context, q query, f func(source json.RawMessage) error) error {
	return s.eachHit(ctx, q, func(h *hit) error { return f(h.Source) })
}

// eachHit does the same as eachDocument, but f also gets the name of each document.
func (s *Store) eachHit(ctx context.Context, q query, f func(h *hit) error) error {
	q.Size = batchSize
	for {
		r, err := s.search(ctx, &q)
		if err != nil {
			return err
		}
		for i := range r.Hits.Hits {
			if err := f(&r.Hits.Hits[i]); err != nil {
				return err
			}
		}
		if len(r.Hits.Hits) < batchSize {
			return nil
		}
		q.After = r.Hits.Hits[batchSize-1].Sort
	}
}
