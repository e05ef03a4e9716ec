package storetest

import (
	"math"
	"strings"

	"guardrails/guideline"
	"guardrails/store"
)

func validation() []test {
	return []test{
		{"a guideline that guideline.Parse refuses MUST be Invalid", refusesInvalid},
		{"a guideline of another tenant MUST be Invalid", refusesOtherTenants},
		{"a write without a valid id or actor MUST be Invalid", refusesInvalidWrites},
		{"an invalid query MUST be Invalid", refusesInvalidQueries},
		{"texts of every kind MUST be read as they were written", keepsTexts},
	}
}

func refusesInvalid(b *bench) {
	good := b.create("a", simple("good"))
	for what, spoil := range map[string]func(g *guideline.Guideline){
		"id":       func(g *guideline.Guideline) { g.ID = "Not A Slug" },
		"name":     func(g *guideline.Guideline) { g.Name = "" },
		"category": func(g *guideline.Guideline) { g.Category = "none" },
		"priority": func(g *guideline.Guideline) { g.Priority = 1001 },
		"path":     func(g *guideline.Guideline) { g.Condition.Paths = []string{"../x"} },
		"metadata": func(g *guideline.Guideline) { g.Metadata = map[string]any{"x": math.NaN()} },
	} {
		g := simple("bad")
		spoil(&g)
		_, err := b.Create(b.ctx(), w("a"), g)
		b.refused(err, store.Invalid)
		g.ID, g.Version = good.ID, 1
		if _, err := b.Update(b.ctx(), w("a"), g); what != "id" && store.CodeOf(err) != store.Invalid {
			b.Errorf("updating to a bad %s: got %v", what, err)
		}
	}
}

func refusesOtherTenants(b *bench) {
	g := simple("one")
	g.TenantID = "b"
	_, err := b.Create(b.ctx(), w("a"), g)
	b.refused(err, store.Invalid)
}

func refusesInvalidWrites(b *bench) {
	for _, spoil := range []func(w *store.Write){
		func(w *store.Write) { w.ID = "" },
		func(w *store.Write) { w.ID = "short" },
		func(w *store.Write) { w.ID = "has spaces in it" },
		func(w *store.Write) { w.ID = strings.Repeat("x", 65) },
		func(w *store.Write) { w.Actor = "" },
		func(w *store.Write) { w.Actor = "a\nb" },
		func(w *store.Write) { w.Tenant = strings.Repeat("t", 129) },
	} {
		write := w("a")
		spoil(&write)
		_, err := b.Create(b.ctx(), write, simple("one"))
		b.refused(err, store.Invalid)
		_, err = b.Import(b.ctx(), write, nil, store.ImportOptions{})
		b.refused(err, store.Invalid)
	}
}

func refusesInvalidQueries(b *bench) {
	for _, q := range []store.ListQuery{
		{Sort: "colour"},
		{Order: "sideways"},
		{Paging: store.Paging{Page: -1}},
		{Paging: store.Paging{Size: 1001}},
		{Paging: store.Paging{Size: -1}},
		{Paging: store.Paging{Page: math.MaxInt}},
		{Filter: store.Filter{Search: strings.Repeat("x", 201)}},
	} {
		_, err := b.List(b.ctx(), "a", q)
		b.refused(err, store.Invalid)
	}
	_, err := b.Query(b.ctx(), "a", store.AuditQuery{Paging: store.Paging{Size: 1001}})
	b.refused(err, store.Invalid)
	_, err = b.Import(b.ctx(), w("a"), nil, store.ImportOptions{OnConflict: "shrug"})
	b.refused(err, store.Invalid)
}

func keepsTexts(b *bench) {
	g := simple("texts")
	g.Name, g.Description = "Ünïcödé 日本語 🙂 'quotes' \"double\" %_\\", "lines\nand\ttabs; DROP TABLE guideline; --\u2028"
	g.Metadata = map[string]any{"deep": map[string]any{"list": []any{"<&>", true, nil}}, "tags": []any{}}
	created := b.create("tenant/with 'odd' \"name\" 日本", g)
	b.checkSame(b.get("tenant/with 'odd' \"name\" 日本", "texts"), created)
	if created.Name != g.Name || created.Description != g.Description {
		b.Errorf("got %+v", created)
	}
}
