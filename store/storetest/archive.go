package storetest

import (
	"slices"

	"guardrails/store"
)

func archive() []test {
	return []test{
		{"History() MUST return every version, newest first", keepsEveryVersion},
		{"History() MUST return pages", pagesHistory},
		{"the history of an id that never existed MUST be NotFound", refusesUnknownHistory},
		{"Restore() MUST make the content of an old version the newest version", restoresOld},
		{"Restore() MUST restore a deleted guideline", restoresDeleted},
		{"restoring a version that never existed or was a deletion MUST be NotFound", refusesUnknownVersions},
	}
}

func keepsEveryVersion(b *bench) {
	first := b.create("a", simple("one"))
	next := first
	next.Name = "Second"
	second, err := b.Update(b.ctx(), w("a"), next)
	b.must(err)
	third, err := b.Toggle(b.ctx(), w("a"), store.Ref{Key: "one", Version: 2})
	b.must(err)
	deleting := w("a")
	b.must(b.Delete(b.ctx(), deleting, store.Ref{Key: "one", Version: 3}))
	page, err := b.History(b.ctx(), "a", "one", store.Paging{})
	b.must(err)
	if page.Total != 4 || len(page.Items) != 4 {
		b.Fatalf("got %d of %d revisions", len(page.Items), page.Total)
	}
	b.checkSame(page.Items[1].Guideline, third)
	b.checkSame(page.Items[2].Guideline, second)
	b.checkSame(page.Items[3].Guideline, first)
	if r := page.Items[0]; !r.Deleted || r.Guideline.Version != 4 || r.Actor != "ann" || r.WriteID != deleting.ID ||
		r.At.IsZero() {
		b.Errorf("the deletion is %+v", r)
	}
	var events []string
	for _, r := range page.Items {
		events = append(events, r.Event)
	}
	if want := []string{store.Deleted, store.Disabled, store.Updated, store.Created}; !slices.Equal(events, want) {
		b.Errorf("got %v, want %v", events, want)
	}
}

func pagesHistory(b *bench) {
	b.create("a", simple("one"))
	for version := 1; version < 7; version++ {
		_, err := b.Toggle(b.ctx(), w("a"), store.Ref{Key: "one", Version: version})
		b.must(err)
	}
	page, err := b.History(b.ctx(), "a", "one", store.Paging{Page: 2, Size: 3})
	b.must(err)
	if page.Total != 7 || len(page.Items) != 3 || page.Items[0].Guideline.Version != 4 ||
		page.Items[2].Guideline.Version != 2 {
		b.Errorf("got %+v", page)
	}
}

func refusesUnknownHistory(b *bench) {
	_, err := b.History(b.ctx(), "a", "none", store.Paging{})
	b.refused(err, store.NotFound)
}

func restoresOld(b *bench) {
	first := b.create("a", simple("one"))
	next := first
	next.Name = "Second"
	_, err := b.Update(b.ctx(), w("a"), next)
	b.must(err)
	g, err := b.Restore(b.ctx(), w("a"), store.Ref{Key: "one", Version: 2}, 1)
	b.must(err)
	want := first
	want.Version, want.UpdatedAt = 3, g.UpdatedAt
	b.checkSame(g, want)
	b.checkSame(b.get("a", "one"), want)
}

func restoresDeleted(b *bench) {
	b.create("a", simple("one"))
	b.must(b.Delete(b.ctx(), w("a"), store.Ref{Key: "one", Version: 1}))
	_, err := b.Restore(b.ctx(), w("a"), store.Ref{Key: "one", Version: 1}, 1)
	b.conflicts(err, 2)
	g, err := b.Restore(b.ctx(), w("a"), store.Ref{Key: "one", Version: 2}, 1)
	b.must(err)
	if g.Version != 3 || !g.Enabled {
		b.Errorf("got %+v", g)
	}
	b.checkSame(b.get("a", "one"), g)
}

func refusesUnknownVersions(b *bench) {
	b.create("a", simple("one"))
	b.must(b.Delete(b.ctx(), w("a"), store.Ref{Key: "one", Version: 1}))
	for _, version := range []int{0, 2, 7} {
		_, err := b.Restore(b.ctx(), w("a"), store.Ref{Key: "one", Version: 2}, version)
		b.refused(err, store.NotFound)
	}
	_, err := b.Restore(b.ctx(), w("a"), store.Ref{Key: "none", Version: 1}, 1)
	b.refused(err, store.NotFound)
}
