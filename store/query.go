package store

import (
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"guardrails/guideline"
)

// The limits of pages and searches.
const (
	DefaultPageSize = 20
	MaxPageSize     = 1000
	// MaxNumbered limits reading by page number: only the first MaxNumbered items of a list can be read in this way. Later
	// items can be read only with cursors.
	MaxNumbered = 10000
	MaxSearch   = 200
)

// Paging selects a page, by its number or by a cursor. The first page has the number 1. The defaults are the first page
// and DefaultPageSize.
type Paging struct {
	Page int
	Size int
	// Cursor is the field Next of the previous page. With a cursor, Page must be 0.
	Cursor string
}

// Page is one page of a list.
type Page[T any] struct {
	Items []T
	// Total counts the items on all pages. A page that was read with a cursor has the total of the first page.
	Total int
	// The field "Next" is the cursor of the next page. It is empty on the last page.
	Next string
	Paging
}

// Offset returns the number of items before the page.
func (p Paging) Offset() int { return (p.Page - 1) * p.Size }

// WithDefaults sets the defaults and checks the values.
func (p Paging) WithDefaults() (Paging, error) {
	if p.Cursor != "" && p.Page != 0 {
		return p, Errorf(Invalid, "a page number and a cursor were given; use one of them")
	}
	if p.Page == 0 && p.Cursor == "" {
		p.Page = 1
	}
	if p.Size == 0 {
		p.Size = DefaultPageSize
	}
	if p.Size < 1 || p.Size > MaxPageSize {
		return p, Errorf(Invalid, "the page size %d is out of range; use 1 to %d", p.Size, MaxPageSize)
	}
	if p.Cursor == "" && (p.Page < 1 || p.Page > math.MaxInt32) {
		return p, Errorf(Invalid, "the page %d is out of range; use 1 to %d", p.Page, math.MaxInt32)
	}
	if p.Page*p.Size > MaxNumbered && p.Page > 1 {
		return p, Errorf(Invalid, "the page %d is beyond the first %d items; "+
			"read on from an earlier page with its next_cursor, or use filters", p.Page, MaxNumbered)
	}
	return p, nil
}

// Filter selects guidelines that match all of its fields. Fields that are not set match every guideline.
type Filter struct {
	Category guideline.Category
	Enabled  *bool
	// Each of the fields Agent, Domain, Action and Event selects the guidelines whose condition has the value of the
	// field.
	Agent, Domain, Action, Event string
	// Tag selects guidelines with this tag.
	Tag string
	// ProjectID selects guidelines of this project. An empty text selects the guidelines that belong to all projects. If
	// ProjectID is nil, every guideline matches.
	ProjectID *string
	// PriorityFrom selects guidelines whose priority is this value or higher. PriorityBelow selects guidelines whose
	// priority is lower than this value.
	PriorityFrom, PriorityBelow *int
	// Search is a list of words. Each word must occur in the name or the description, ignoring case.
	Search string
}

// Sort is the field by which guidelines are sorted.
type Sort string

// The sort fields. Sorting by name ignores case.
const (
	ByPriority Sort = "priority"
	ByName     Sort = "name"
	ByCategory Sort = "category"
	ByUpdated  Sort = "updated"
)

// Order is the sort order.
type Order string

// The sort orders.
const (
	Ascending  Order = "asc"
	Descending Order = "desc"
)

// ListQuery selects one page of guidelines. By default, guidelines are sorted by priority. Priorities and times are
// sorted in descending order by default, and names and categories in ascending order.
type ListQuery struct {
	Filter
	Sort  Sort
	Order Order
	Paging
}

// WithDefaults sets the defaults and checks the values.
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
		return q, Errorf(Invalid, "cannot sort guidelines by %.40q; use priority, name, category or updated", q.Sort)
	}
	if q.Order != Ascending && q.Order != Descending {
		return q, Errorf(Invalid, "the sort order %.40q is unknown; use asc or desc", q.Order)
	}
	if utf8.RuneCountInString(q.Search) > MaxSearch {
		return q, Errorf(Invalid, "the search is longer than %d characters; shorten it", MaxSearch)
	}
	var err error
	q.Paging, err = q.Paging.WithDefaults()
	return q, err
}

// Words returns the words of the search in lower case, without duplicates.
func (f *Filter) Words() []string {
	words := strings.Fields(Fold(f.Search))
	slices.Sort(words)
	return slices.Compact(words)
}

// Fold returns a text in lower case, for comparisons that ignore case.
func Fold(text string) string { return strings.ToLower(text) }

// Searchable returns the searchable text of a guideline in lower case: its name and description.
func Searchable(g *guideline.Guideline) string { return Fold(g.Name + "\n" + g.Description) }

// Tags returns the tags of a guideline. The tags are in the field "tags" of the metadata.
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

// AuditFilter selects audit entries that match all of its fields. Fields that are not set match every entry.
type AuditFilter struct {
	// ID is the id of one entry.
	ID        string
	Kind      Kind
	Event     string
	Result    string
	Guideline string
	Actor     string
	// Agent is the agent that the entry is about.
	Agent   string
	Session string
	// Mode is the mode in which the safety gate or OutputGuard gave the verdict.
	Mode string
	// Project is the id of a project.
	Project string
	// From and To limit the time of the entries. The field "From" is inclusive, and To is exclusive.
	From, To time.Time
}

// AuditQuery selects one page of the audit.
type AuditQuery struct {
	AuditFilter
	Paging
}
