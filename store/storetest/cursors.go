package storetest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"guardrails/guideline"
	"guardrails/store"
)

func cursors() []test {
	return []test{
		{"pages that are read with cursors MUST have every item once and in order, and each page MUST have the " +
			"total", walksLists},
		{"if guidelines change between the reading of two pages, the list MUST NOT repeat or omit guidelines that did not " +
			"change", walksWhileGuidelinesChange},
		{"a page that is read again with its cursor MUST have the changes that were acknowledged meanwhile", showsLaterChanges},
		{"entries that are appended meanwhile MUST NOT repeat or hide other entries", walksWhileEntriesArrive},
		{"revisions that are added meanwhile MUST NOT repeat or hide other revisions", walksWhileRevisionsArrive},
		{"a cursor MUST be Invalid for any other list", refusesOtherLists},
		{"a damaged cursor MUST be Invalid", refusesDamagedCursors},
		{"a page number beyond the limit MUST be Invalid, and the error MUST name the cursor", limitsNumbers},
	}
}

// walk() reads all pages of a list with cursors and returns the ids of the items. After each page, it calls between().
func walk[T any](
	b *bench, size, total int, read func(p store.Paging) (store.Page[T], error), id func(item *T) string, between func(page int),
) (ids []string) {
	b.Helper()
	at := store.Paging{Size: size}
	for page := 1; ; page++ {
		got, err := read(at)
		b.must(err)
		if got.Total != total || got.Page != page || got.Size != size || len(got.Items) > size {
			b.Fatalf("page %d of size %d: got page %d of size %d with %d of %d items, want the total %d",
				page, size, got.Page, got.Size, len(got.Items), got.Total, total)
		}
		for i := range got.Items {
			ids = append(ids, id(&got.Items[i]))
		}
		if got.Next == "" {
			return ids
		}
		if len(got.Items) != size {
			b.Fatalf("page %d has a next page, but only %d of %d items", page, len(got.Items), size)
		}
		at.Cursor = got.Next
		between(page)
	}
}

func nothing(int) {}

func (b *bench) lists(tenant string, q store.ListQuery) func(p store.Paging) (store.Page[guideline.Guideline], error) {
	return func(p store.Paging) (store.Page[guideline.Guideline], error) {
		q.Paging = p
		return b.List(b.ctx(), tenant, q)
	}
}

func (b *bench) queries(tenant string, f store.AuditFilter) func(p store.Paging) (store.Page[store.Entry], error) {
	return func(p store.Paging) (store.Page[store.Entry], error) {
		return b.Query(b.ctx(), tenant, store.AuditQuery{AuditFilter: f, Paging: p})
	}
}

func (b *bench) histories(key string) func(p store.Paging) (store.Page[store.Revision], error) {
	return func(p store.Paging) (store.Page[store.Revision], error) { return b.History(b.ctx(), "a", key, p) }
}

func idOf(g *guideline.Guideline) string { return g.ID }
func entryID(e *store.Entry) string      { return e.ID }
func versionOf(r *store.Revision) string { return fmt.Sprint(r.Guideline.Version) }

func walksLists(b *bench) {
	fillShelf(b)
	on := true
	for _, q := range []store.ListQuery{
		{},
		{Order: store.Ascending},
		{Sort: store.ByName},
		{Sort: store.ByName, Order: store.Descending},
		{Sort: store.ByCategory},
		{Sort: store.ByUpdated},
		{Filter: store.Filter{Enabled: &on}},
		{Filter: store.Filter{Agent: "nobody"}},
	} {
		whole, err := b.List(b.ctx(), "shelf", q)
		b.must(err)
		want := []string{}
		for i := range whole.Items {
			want = append(want, whole.Items[i].ID)
		}
		for size := 1; size <= 3; size++ {
			if got := walk(b, size, len(want), b.lists("shelf", q), idOf, nothing); !slices.Equal(got, want) {
				b.Errorf("%+v with size %d: got %v, want %v", q, size, got, want)
			}
		}
	}
	all := fillAudit(b)
	for _, f := range filters() {
		want := expected(all, &f)
		if got := walk(b, 50, len(want), b.queries("a", f), entryID, nothing); !slices.Equal(got, want) {
			b.Errorf("%+v: got %v, want %v", f, got, want)
		}
	}
}

func walksWhileGuidelinesChange(b *bench) {
	for i := range 10 {
		g := simple(fmt.Sprint("stays", i))
		g.Priority = 100 * (i / 2)
		b.create("a", g)
	}
	for i := range 3 {
		b.create("a", simple(fmt.Sprint("goes", i)))
	}
	got := walk(b, 2, 13, b.lists("a", store.ListQuery{}), idOf, func(page int) {
		added := simple(fmt.Sprint("added", page))
		added.Priority = page * 150 % 1000
		b.create("a", added)
		if id := fmt.Sprint("goes", page-1); page <= 2 {
			b.must(b.Delete(b.ctx(), w("a"), store.Ref{Key: id, Version: 1}))
		} else if page == 3 {
			moved := guidelineAt("goes2", 1)
			moved.Priority = 1
			_, err := b.Update(b.ctx(), w("a"), moved)
			b.must(err)
		}
	})
	stays := slices.DeleteFunc(got, func(id string) bool { return !strings.HasPrefix(id, "stays") })
	if want := "stays8 stays9 stays6 stays7 stays4 stays5 stays2 stays3 stays0 stays1"; strings.Join(stays, " ") != want {
		b.Errorf("got %v, want %s", stays, want)
	}
}

func showsLaterChanges(b *bench) {
	for i := range 4 {
		b.create("a", simple(fmt.Sprint("g", i)))
	}
	read := b.lists("a", store.ListQuery{})
	first, err := read(store.Paging{Size: 2})
	b.must(err)
	again := func(want string) {
		b.Helper()
		page, err := read(store.Paging{Size: 2, Cursor: first.Next})
		b.must(err)
		var got []string
		for i := range page.Items {
			got = append(got, fmt.Sprintf("%s v%d", page.Items[i].ID, page.Items[i].Version))
		}
		if strings.Join(got, ", ") != want {
			b.Errorf("got %v, want %s", got, want)
		}
	}
	again("g2 v1, g3 v1")
	_, err = b.Toggle(b.ctx(), w("a"), store.Ref{Key: "g3", Version: 1})
	b.must(err)
	again("g2 v1, g3 v2")
	b.must(b.Delete(b.ctx(), w("a"), store.Ref{Key: "g2", Version: 1}))
	b.create("a", simple("g4"))
	again("g3 v2, g4 v1")
}

func walksWhileEntriesArrive(b *bench) {
	base := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	at := func(id string, minutes int) store.Entry {
		e := decision(id)
		e.Time = base.Add(time.Duration(minutes/3) * time.Minute) // three entries have the same time
		return e
	}
	var old []store.Entry
	for i := range 30 {
		old = append(old, at(fmt.Sprint("old", i), i))
	}
	_, err := b.Append(b.ctx(), "a", old...)
	b.must(err)
	got := walk(b, 4, 30, b.queries("a", store.AuditFilter{}), entryID, func(page int) {
		late := make([]store.Entry, 5)
		for i := range late {
			late[i] = at(fmt.Sprint("late", page, "-", i), page*(i+1)*3)
		}
		_, err := b.Append(b.ctx(), "a", late...)
		b.must(err)
	})
	want := idsOf(old)
	slices.Reverse(want)
	seen := slices.DeleteFunc(got, func(id string) bool { return !strings.HasPrefix(id, "old") })
	if !slices.Equal(seen, want) {
		b.Errorf("got %v, want %v", seen, want)
	}
}

func walksWhileRevisionsArrive(b *bench) {
	b.create("a", simple("one"))
	toggle := func(version int) {
		_, err := b.Toggle(b.ctx(), w("a"), store.Ref{Key: "one", Version: version})
		b.must(err)
	}
	for version := 1; version < 7; version++ {
		toggle(version)
	}
	got := walk(b, 2, 7, b.histories("one"), versionOf, func(page int) { toggle(6 + page) })
	if want := "7 6 5 4 3 2 1"; strings.Join(got, " ") != want {
		b.Errorf("got %v, want %s", got, want)
	}
}

func refusesOtherLists(b *bench) {
	for _, tenant := range []string{"a", "b"} {
		b.create(tenant, simple("one"))
		b.create(tenant, simple("two"))
		_, err := b.Toggle(b.ctx(), w(tenant), store.Ref{Key: "one", Version: 1})
		b.must(err)
	}
	next := func(cursor string, err error) string {
		b.Helper()
		b.must(err)
		if cursor == "" {
			b.Fatal("there is no next page")
		}
		return cursor
	}
	first := store.Paging{Size: 1}
	page, err := b.lists("a", store.ListQuery{})(first)
	guidelines := next(page.Next, err)
	entryPage, err := b.queries("a", store.AuditFilter{})(first)
	entries := next(entryPage.Next, err)
	revisionPage, err := b.histories("one")(first)
	revisions := next(revisionPage.Next, err)
	refused := func(err error) {
		b.Helper()
		if b.refused(err, store.Invalid); !strings.Contains(err.Error(), "other filters or another order") {
			b.Errorf("the error does not name the reason: %v", err)
		}
	}
	at := func(cursor string) store.Paging { return store.Paging{Size: 1, Cursor: cursor} }
	for _, cursor := range []string{entries, revisions} {
		_, err = b.lists("a", store.ListQuery{})(at(cursor))
		refused(err)
	}
	_, err = b.lists("b", store.ListQuery{})(at(guidelines))
	refused(err)
	_, err = b.lists("a", store.ListQuery{Sort: store.ByName})(at(guidelines))
	refused(err)
	_, err = b.lists("a", store.ListQuery{Filter: store.Filter{Tag: "team"}})(at(guidelines))
	refused(err)
	_, err = b.queries("b", store.AuditFilter{})(at(entries))
	refused(err)
	_, err = b.queries("a", store.AuditFilter{Actor: "ann"})(at(entries))
	refused(err)
	_, err = b.histories("two")(at(revisions))
	refused(err)
}

func refusesDamagedCursors(b *bench) {
	b.create("a", simple("one"))
	b.create("a", simple("two"))
	page, err := b.lists("a", store.ListQuery{})(store.Paging{Size: 1})
	b.must(err)
	good := page.Next
	for _, bad := range []string{
		"x", "-", "%", good[1:], good[:len(good)-1], good + "AA", strings.ToUpper(good),
		strings.Repeat("A", 5000), "AAAAAAAAAAAAAAAA",
	} {
		_, err := b.lists("a", store.ListQuery{})(store.Paging{Size: 1, Cursor: bad})
		b.refused(err, store.Invalid)
	}
	_, err = b.lists("a", store.ListQuery{})(store.Paging{Page: 2, Size: 1, Cursor: good})
	b.refused(err, store.Invalid)
}

func limitsNumbers(b *bench) {
	beyond := store.Paging{Page: store.MaxNumbered/50 + 1, Size: 50}
	_, list := b.lists("a", store.ListQuery{})(beyond)
	_, query := b.queries("a", store.AuditFilter{})(beyond)
	_, history := b.histories("one")(beyond)
	for _, err := range []error{list, query, history} {
		if b.refused(err, store.Invalid); !strings.Contains(err.Error(), "next_cursor") {
			b.Errorf("the error does not name the cursor: %v", err)
		}
	}
	p, err := b.queries("a", store.AuditFilter{})(store.Paging{Page: store.MaxNumbered / 50, Size: 50})
	if err != nil || len(p.Items) != 0 {
		b.Errorf("got %+v, %v", p, err)
	}
}
