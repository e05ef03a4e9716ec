package elastic

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"reflect"

	"guardrails/store"
)

// The methods of the type "reading" read the entries of a tenant for a verification.
type reading struct {
	*Store
	audit        *auditSnapshot
	verification *store.Verification
}

// entries() first reads the parts of each chain that this verification must read. Then it reads the documents that
// belong to no chain.
func (r *reading) entries(ctx context.Context) error {
	for _, h := range r.audit.Heads {
		for _, span := range r.verification.Spans(h.Chain) {
			if err := r.span(ctx, h, span); err != nil {
				return err
			}
		}
	}
	if err := r.rest(ctx); err != nil || !r.verification.Partial() {
		return err
	}
	return r.unread(ctx)
}

// span() reads a part of a chain, but no entries after the head of the chain. Each search reads only a few hundred
// entries, because a search for a large part would sort all documents of that part to find the first ones.
func (r *reading) span(ctx context.Context, h store.Head, span store.Span) error {
	const step = batchSize - 1 // so that one search is enough
	for first := span.First; first <= min(span.Last, h.Seq); first += step {
		last := min(first+step-1, span.Last, h.Seq)
		q := query{
			PIT: r.audit.pit, Sort: order{}.by("seq", "asc").by("id", "asc"),
			Query: matchAll(append(chainFilters(h.Chain), term("tenant_id", r.audit.Tenant), within(first, last))...),
		}
		if err := r.eachDocument(ctx, q, r.verify); err != nil {
			return err
		}
	}
	return nil
}

func within(first, last int64) tree { return span("seq", tree{"gte": first, "lte": last}) }

// rest() reads two kinds of documents of the tenant: documents that are in no chain, and documents after the head of
// their chain. Other programs, or a writer that has not finished, have written such documents.
func (r *reading) rest(ctx context.Context) error {
	filters := r.audit.entries()
	for _, h := range r.audit.Heads {
		filters = append(filters, not(matchAll(append(chainFilters(h.Chain), within(h.Base+1, h.Seq))...)))
	}
	q := query{
		PIT: r.audit.pit, Query: matchAll(filters...),
		Sort: order{}.by("writer", "asc").by("kind", "asc").by("seq", "asc").by("id", "asc"),
	}
	return r.eachDocument(ctx, q, r.verify)
}

// verify() verifies the entry in a document.
func (r *reading) verify(source json.RawMessage) error {
	indexed, e, err := decodeIndexed(r.audit.Tenant, source)
	switch {
	case err != nil:
		r.verification.Unreadable(indexed.Chain, indexed.Seq, err.Error())
	case indexed.Mode != "" && indexed.Mode != e.Mode():
		r.verification.Unreadable(indexed.Chain, indexed.Seq, "its mode in the index differs from the entry")
	case !r.audit.isLater(&e):
		if same, err := isDocOf(source, &e); err == nil && !same && e.IsGenuine() {
			r.verification.Unreadable(indexed.Chain, indexed.Seq, "the fields of its document differ from the entry")
			return nil
		}
		r.verification.Next(indexed.Chain, &e)
	}
	return nil
}

// isDocOf reports whether a document has the fields of an entry, and no others. It ignores the mode.
func isDocOf(source json.RawMessage, e *store.Entry) (bool, error) {
	text, err := e.Sealed()
	if err != nil {
		return false, err
	}
	want, err := docOf(text, e)
	if err != nil || bytes.Equal(want, source) {
		return err == nil, err
	}
	var one, other map[string]any
	if err := errors.Join(decodeExactly(want, &one), decodeExactly(source, &other)); err != nil {
		return false, err
	}
	delete(one, "mode")
	delete(other, "mode")
	return reflect.DeepEqual(one, other), nil
}

// indexedEntry has the values that the index has for an entry: the chain, the number and the mode.
type indexedEntry struct {
	store.Head
	Mode string `json:"mode"`
}

// decodeIndexed decodes the document of an entry.
func decodeIndexed(tenant string, source json.RawMessage) (indexed indexedEntry, e store.Entry, err error) {
	if err := json.Unmarshal(source, &indexed); err != nil {
		return indexedEntry{Head: store.Head{Chain: store.Chain{Tenant: tenant, Kind: store.KindChange}}}, e, err
	}
	e, err = decodeEntry(source)
	return indexed, e, err
}

// unread() counts the entries of each chain, and looks for the noted heads among the entries that were not read.
func (r *reading) unread(ctx context.Context) error {
	for _, h := range r.audit.Heads {
		q := query{
			PIT: r.audit.pit, Total: true,
			Query: matchAll(append(chainFilters(h.Chain), term("tenant_id", r.audit.Tenant), within(h.Base+1, h.Seq))...),
		}
		found, err := r.search(ctx, &q)
		if err != nil {
			return err
		}
		r.verification.Counted(h.Chain, int64(found.Hits.Total.Value))
	}
	for _, h := range r.verification.Unread() {
		if held, err := r.hasHead(ctx, r.audit.journal, h); err != nil {
			return err
		} else if !held {
			r.verification.Lacks(h)
		}
	}
	return nil
}
