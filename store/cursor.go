package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"sort"
)

// MaxCursor is the largest length of a cursor.
const MaxCursor = 4096

// Pager reads one page of a list, by its number or by a cursor. A cursor contains the place where the previous page
// ended. Every page therefore costs as much as the first one, and a write between two pages does not shift the items of
// the later pages. A place has the values by which the list is sorted. P is the type of a place. Each driver has its
// own type for each list.
type Pager[P any] struct {
	Paging
	// Place is where the previous page ended. It is nil if the page was requested by its number.
	Place *P
	// Total is the number of items on all pages together when the first page was read. It is set only if Place is set.
	Total int
	list  string
}

// The type "position" is the content of a cursor.
type position struct {
	// List is the digest of the list: its kind, tenant, filter and order.
	List  string          `json:"l"`
	Page  int             `json:"p"`
	Total int             `json:"t"`
	Place json.RawMessage `json:"a"`
}

// NewPager checks the paging. The values in the parameter "list" identify the list. They are the kind of the list, the
// driver, the tenant, the filter and the order. A cursor that was made for another list is Invalid.
func NewPager[P any](p Paging, list ...any) (Pager[P], error) {
	p, err := p.WithDefaults()
	if err != nil {
		return Pager[P]{}, err
	}
	digest, err := Fingerprint("list", list...)
	if err != nil {
		return Pager[P]{}, err
	}
	out := Pager[P]{Paging: p, list: digest[:16]}
	if p.Cursor == "" {
		return out, nil
	}
	at, err := openCursor(p.Cursor)
	if err != nil {
		return out, err
	}
	if at.List != out.list {
		return out, Errorf(Invalid, "the cursor belongs to a list with other filters or another order; "+
			"use the filters and the order of the first page, or begin without a cursor")
	}
	out.Page, out.Total, out.Place = at.Page, at.Total, new(P)
	if json.Unmarshal(at.Place, out.Place) != nil {
		return out, damagedCursor()
	}
	return out, nil
}

// Skip returns the number of items to skip before the page. It counts from Place. If Place is nil, it counts from the
// beginning of the list.
func (p *Pager[P]) Skip() int {
	if p.Place != nil {
		return 0
	}
	return p.Offset()
}

// Limit returns how many items to read. It is one more than the size of the page, because the additional item shows
// whether there is a next page.
func (p *Pager[P]) Limit() int { return p.Size + 1 }

// PageOf returns the page. The parameter "items" has the items that were read. There are at most as many of these items
// as Limit returns. If the page was requested by its number, the parameter "total" is the number of items on all pages.
// place() returns the place of one of the items.
func PageOf[T, P any](p *Pager[P], items []T, total int, place func(i int) P) (Page[T], error) {
	if p.Place != nil {
		total = p.Total
	}
	out := Page[T]{Items: items, Total: total, Paging: p.Paging}
	if len(items) <= p.Size {
		return out, nil
	}
	out.Items = items[:p.Size]
	var err error
	out.Next, err = p.CursorAt(place(p.Size-1), total)
	return out, err
}

// CursorAt returns a cursor for the next page, which begins after a place. The parameter "total" is the number of items
// on all pages.
func (p *Pager[P]) CursorAt(place P, total int) (string, error) {
	cursor := ""
	text, err := json.Marshal(place)
	if err == nil {
		cursor, err = sealCursor(&position{p.list, p.Page + 1, total, text})
	}
	if err != nil {
		return "", Errorf(Internal, "cannot write a cursor: %w", err)
	}
	return cursor, nil
}

// PageIn returns the page of a list that is in memory. The list has all items in their order. The function isAfter()
// reports whether an item comes after a given place. The function place() returns the place of an item.
func PageIn[T, P any](
	p *Pager[P], list []T, isAfter func(item *T, at *P) bool, place func(item *T) P,
) (Page[T], error) {
	total := len(list)
	if p.Place != nil {
		list = list[sort.Search(len(list), func(i int) bool { return isAfter(&list[i], p.Place) }):]
	}
	list = list[min(p.Skip(), len(list)):]
	list = list[:min(p.Limit(), len(list))]
	return PageOf(p, list, total, func(i int) P { return place(&list[i]) })
}

// Each cursor begins with checkBytes bytes that show whether the cursor was damaged.
const checkBytes = 6

func sealCursor(at *position) (string, error) {
	text, err := json.Marshal(at)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return base64.RawURLEncoding.EncodeToString(append(sum[:checkBytes:checkBytes], text...)), nil
}

func openCursor(cursor string) (at position, err error) {
	if len(cursor) > MaxCursor {
		return at, damagedCursor()
	}
	sealed, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(sealed) < checkBytes {
		return at, damagedCursor()
	}
	text := sealed[checkBytes:]
	if sum := sha256.Sum256(text); !bytes.Equal(sum[:checkBytes], sealed[:checkBytes]) {
		return at, damagedCursor()
	}
	if json.Unmarshal(text, &at) != nil {
		return at, damagedCursor()
	}
	return at, nil
}

func damagedCursor() error {
	return Errorf(Invalid, "the cursor is damaged; copy it again from the previous page, or begin without a cursor")
}
