package store

import (
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"guardrails/guideline"
)

// Sizes of pages and searches.
const (
	DefaultPageSize = 20
	MaxPageSize     = 1000
	MaxSearch       = 200
)

// Paging names a page; pages count from 1. Zero values are the first page and the default size.
type Paging struct {
	Page int
	Size int
}

// Page is one page of a list.
type Page[T any] struct {
	Items []T
	// Total counts the items on all pages.
	Total int
	Paging
}

// Offset is how many items stand before the page.
func (p Paging) Offset() int { return (p.Page - 1) * p.Size }

// WithDefaults fills in what is not set and says what is wrong.
func (p Paging) WithDefaults() (Paging, error) {
	if p.Page == 0 {
		p.Page = 1
	}
	if p.Size == 0 {
		p.Size = DefaultPageSize
	}
	if p.Size < 1 || p.Size > MaxPageSize {
		return p, Errorf(Invalid, "the page size %d is not between 1 and %d; change it", p.Size, MaxPageSize)
	}
	if p.Page < 1 || p.Page > math.MaxInt32 {
		return p, Errorf(Invalid, "the page %d is not between 1 and %d; change it", p.Page, math.MaxInt32)
	}
	return p, nil
}

// Filter says which guidelines to list: those that pass every field that is set.
type Filter struct {
	Category guideline.Category
	Enabled  *bool
	// Agent, Domain, Action and Event are values that the condition names.
	Agent, Domain, Action, Event string
	// Tag is one of the guideline's tags.
	Tag string
	// Search is words; each of them occurs in the name or in the description, capital or small.
	Search string
}

// Sort is what guidelines are listed by.
type Sort string

// The sorts. Names are compared without regard to capitals.
const (
	ByPriority Sort = "priority"
	ByName     Sort = "name"
	ByCategory Sort = "category"
	ByUpdated  Sort = "updated"
)

// Order is the direction of a list.
type Order string

// The orders.
const (
	Ascending  Order = "asc"
	Descending Order = "desc"
)

// ListQuery asks for one page of guidelines. Unset, the highest priority or the newest comes first, names and
// categories go from a to z.
type ListQuery struct {
	Filter
	Sort  Sort
	Order Order
	Paging
}

// WithDefaults fills in what is not set and says what is wrong.
func (q ListQuery) WithDefaults() (ListQuery, error) {
	if q.Sort == "" {
		q.Sort = ByPriority
	}
	if q.Order == "" {
		q.Order = Ascending
		if q.Sort == ByPriority || q.Sort == ByUpdated {
			q.Order = Descending
		}
	}
	if !slices.Contains([]Sort{ByPriority, ByName, ByCategory, ByUpdated}, q.Sort) {
		return q, Errorf(Invalid, "guidelines are not sorted by %.40q; use priority, name, category or updated", q.Sort)
	}
	if q.Order != Ascending && q.Order != Descending {
		return q, Errorf(Invalid, "the order %.40q is neither asc nor desc; use one of them", q.Order)
	}
	if utf8.RuneCountInString(q.Search) > MaxSearch {
		return q, Errorf(Invalid, "the search is longer than %d characters; shorten it", MaxSearch)
	}
	var err error
	q.Paging, err = q.Paging.WithDefaults()
	return q, err
}

// Words are the search's words as they are compared: folded, each once.
func (f *Filter) Words() []string {
	words := strings.Fields(Fold(f.Search))
	slices.Sort(words)
	return slices.Compact(words)
}

// Fold makes texts equal that differ in capitals alone.
func Fold(text string) string { return strings.ToLower(text) }

// Searchable is the text of a guideline in which searches look, folded.
func Searchable(g *guideline.Guideline) string { return Fold(g.Name + "\n" + g.Description) }

// Tags are a guideline's tags; they stand in metadata.tags.
func Tags(g *guideline.Guideline) []string {
	list, _ := g.Metadata["tags"].([]any)
	var out []string
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// AuditFilter says which entries of the audit to give: those that pass every field that is set.
type AuditFilter struct {
	Guideline string
	Event     string
	Session   string
	Actor     string
	// From and To bound the entries' time: From is still in, To is not.
	From, To time.Time
}

// AuditQuery asks for one page of the audit.
type AuditQuery struct {
	AuditFilter
	Paging
}
