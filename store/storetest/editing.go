package storetest

import (
	"time"

	"guardrails/guideline"
	"guardrails/store"
)

func editing() []test {
	return []test{
		{"Get() MUST return a created guideline as Create() returned it", readsWhatItCreated},
		{"the store MUST set version, times, creator and tenant", setsItsOwnFields},
		{"times MUST be UTC in whole milliseconds", roundsTimes},
		{"Update() MUST replace the content and keep creator and creation time", updatesReplace},
		{"an update without a difference MUST create a version too", updatesWithoutDifference},
		{"Toggle() MUST disable an enabled guideline and enable a disabled one", togglesBothWays},
		{"a deleted guideline MUST be NotFound", hidesDeleted},
		{"a guideline that never existed MUST be NotFound", refusesUnknown},
		{"the generation MUST grow with every change and at no other time", generationChanges},
		{"All() MUST return the generation and every guideline, ordered by id", returnsAll},
		{"a tenant MUST NOT see or change another tenant", separatesTenants},
	}
}

func readsWhatItCreated(b *bench) {
	g := b.create("a", simple("one"))
	b.checkSame(b.get("a", "one"), g)
	want := simple("one")
	want.Version, want.TenantID, want.CreatedBy = 1, "a", "ann"
	want.CreatedAt, want.UpdatedAt = g.CreatedAt, g.UpdatedAt
	b.checkSame(g, want)
}

func setsItsOwnFields(b *bench) {
	g := simple("one")
	g.Version, g.CreatedBy, g.CreatedAt, g.UpdatedAt = 77, "mallory", time.Unix(1, 0), time.Unix(2, 0)
	g = b.create("a", g)
	if g.Version != 1 || g.CreatedBy != "ann" || g.TenantID != "a" || time.Since(g.CreatedAt) > time.Hour ||
		!g.UpdatedAt.Equal(g.CreatedAt) {
		b.Errorf("got %+v", g)
	}
}

func roundsTimes(b *bench) {
	g := b.create("", simple("one"))
	if g.CreatedAt.Location() != time.UTC || !g.CreatedAt.Equal(g.CreatedAt.Truncate(time.Millisecond)) {
		b.Errorf("got %v", g.CreatedAt)
	}
}

func updatesReplace(b *bench) {
	first := b.create("a", simple("one"))
	changed := first
	changed.Name, changed.Metadata, changed.CreatedBy, changed.CreatedAt = "Other", nil, "mallory", time.Unix(1, 0)
	by := w("a")
	by.Actor = "bob"
	g, err := b.Update(b.ctx(), by, changed)
	b.must(err)
	if g.Version != 2 || g.Name != "Other" || g.Metadata != nil || g.CreatedBy != "ann" ||
		!g.CreatedAt.Equal(first.CreatedAt) {
		b.Errorf("got %+v", g)
	}
	b.checkSame(b.get("a", "one"), g)
}

func updatesWithoutDifference(b *bench) {
	g, err := b.Update(b.ctx(), w("a"), b.create("a", simple("one")))
	b.must(err)
	if g.Version != 2 {
		b.Errorf("got version %d", g.Version)
	}
}

func togglesBothWays(b *bench) {
	g := b.create("a", simple("one"))
	for _, want := range []bool{false, true} {
		var err error
		g, err = b.Toggle(b.ctx(), w("a"), store.Ref{Key: "one", Version: g.Version})
		b.must(err)
		if g.Enabled != want {
			b.Errorf("enabled is %v, want %v", g.Enabled, want)
		}
		b.checkSame(b.get("a", "one"), g)
	}
}

func hidesDeleted(b *bench) {
	g := b.create("a", simple("one"))
	b.must(b.Delete(b.ctx(), w("a"), store.Ref{Key: "one", Version: 1}))
	_, err := b.Get(b.ctx(), "a", "one")
	b.refused(err, store.NotFound)
	_, err = b.Update(b.ctx(), w("a"), g)
	b.refused(err, store.NotFound)
	_, err = b.Toggle(b.ctx(), w("a"), store.Ref{Key: "one", Version: 2})
	b.refused(err, store.NotFound)
	b.refused(b.Delete(b.ctx(), w("a"), store.Ref{Key: "one", Version: 2}), store.NotFound)
}

func refusesUnknown(b *bench) {
	_, err := b.Get(b.ctx(), "a", "none")
	b.refused(err, store.NotFound)
	_, err = b.Update(b.ctx(), w("a"), guidelineAt("none", 1))
	b.refused(err, store.NotFound)
	b.refused(b.Delete(b.ctx(), w("a"), store.Ref{Key: "none", Version: 1}), store.NotFound)
}

func returnsAll(b *bench) {
	for _, id := range []string{"c", "a", "b"} {
		b.create("t", simple(id))
	}
	_, err := b.Toggle(b.ctx(), w("t"), store.Ref{Key: "b", Version: 1})
	b.must(err)
	set, err := b.All(b.ctx(), "t")
	b.must(err)
	if len(set.Guidelines) != 3 || set.Guidelines[0].ID != "a" || set.Guidelines[2].ID != "c" ||
		set.Generation != b.generation("t") {
		b.Errorf("got %+v", set)
	}
	b.checkSame(set.Guidelines[1], b.get("t", "b"))
}

func guidelineAt(id string, version int) guideline.Guideline {
	g := simple(id)
	g.Version = version
	return g
}

func generationChanges(b *bench) {
	last := b.generation("a")
	step := func(what string, err error) {
		b.Helper()
		b.must(err)
		n := b.generation("a")
		if n <= last {
			b.Errorf("the generation after %s is %d, but it was already %d before", what, n, last)
		}
		last = n
	}
	_, err := b.Create(b.ctx(), w("a"), simple("one"))
	step("create", err)
	_, err = b.Update(b.ctx(), w("a"), guidelineAt("one", 1))
	step("update", err)
	_, err = b.Toggle(b.ctx(), w("a"), store.Ref{Key: "one", Version: 2})
	step("toggle", err)
	step("delete", b.Delete(b.ctx(), w("a"), store.Ref{Key: "one", Version: 3}))
	_, err = b.Restore(b.ctx(), w("a"), store.Ref{Key: "one", Version: 4}, 1)
	step("restore", err)
	_, err = b.Import(b.ctx(), w("a"), []guideline.Guideline{simple("two")}, store.ImportOptions{})
	step("import", err)
	b.generationStays()
}

func (b *bench) generationStays() {
	b.Helper()
	before := b.generation("a")
	_, err := b.Update(b.ctx(), w("a"), guidelineAt("one", 1))
	b.refused(err, store.Conflict)
	_, err = b.Import(
		b.ctx(), w("a"), []guideline.Guideline{simple("two")}, store.ImportOptions{OnConflict: store.UpdateOnConflict},
	)
	b.must(err)
	_, err = b.Append(b.ctx(), "a", decision("one"))
	b.must(err)
	b.create("b", simple("one"))
	if after := b.generation("a"); after != before {
		b.Errorf("the generation went from %d to %d without a change", before, after)
	}
}

func separatesTenants(b *bench) {
	for _, tenant := range []string{"", "a", "b"} {
		g := simple("one")
		g.Name = "of " + tenant
		b.create(tenant, g)
		_, err := b.Append(b.ctx(), tenant, decision("same-id"))
		b.must(err)
	}
	b.must(b.Delete(b.ctx(), w("a"), store.Ref{Key: "one", Version: 1}))
	for _, tenant := range []string{"", "b"} {
		list, err := b.List(b.ctx(), tenant, store.ListQuery{})
		b.must(err)
		if g := b.get(tenant, "one"); g.Name != "of "+tenant || g.TenantID != tenant || list.Total != 1 {
			b.Errorf("%q sees %+v and %d guidelines", tenant, g, list.Total)
		}
		for _, e := range b.entries(tenant, store.AuditFilter{}, 2) {
			if e.Tenant != tenant {
				b.Errorf("%q sees the entry %+v", tenant, e)
			}
		}
	}
	b.entries("a", store.AuditFilter{}, 3)
	b.entries("c", store.AuditFilter{}, 0)
	history, err := b.History(b.ctx(), "b", "one", store.Paging{})
	b.must(err)
	if history.Total != 1 {
		b.Errorf("the history of b has %d revisions", history.Total)
	}
}
