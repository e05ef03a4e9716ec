package storetest

import (
	"fmt"
	"slices"
	"strings"

	"guardrails/guideline"
	"guardrails/store"
)

// fillShelf creates guidelines that differ in every field by which lists can be filtered or sorted.
func fillShelf(b *bench) {
	for i, row := range []struct {
		id, name string
		category guideline.Category
		priority int
		enabled  bool
		fill     func(g *guideline.Guideline)
	}{
		{
			"alpha", "zebra", guideline.Security, 10, true,
			func(g *guideline.Guideline) { g.Condition.Agents = []string{"backend", "frontend"} },
		},
		{
			"bravo", "Apple", guideline.Custom, 500, true,
			func(g *guideline.Guideline) { g.Condition.Domains = []string{"P01"} },
		},
		{
			"charlie", "apple", guideline.Security, 500, false,
			func(g *guideline.Guideline) { g.Condition.Actions = []string{"review"} },
		},
		{
			"delta", "Äpfel", guideline.HITLGateCategory, 1000, true,
			func(g *guideline.Guideline) { g.Condition.Events = []string{"commit", "push"} },
		},
		{
			"echo", "mango", guideline.Custom, 0, false,
			func(g *guideline.Guideline) { g.Metadata = map[string]any{"tags": []any{"red", "Blue"}} },
		},
	} {
		g := guideline.Guideline{
			ID: row.id, Name: row.name, Category: row.category, Priority: row.priority, Enabled: row.enabled,
			Description: fmt.Sprintf(
				"The %d. about Reviewing CODE, 100%% of it", i,
			), Action: guideline.Action{Type: guideline.Instruction},
		}
		row.fill(&g)
		b.create("shelf", g)
	}
}

func (b *bench) ids(q store.ListQuery) string {
	b.Helper()
	page, err := b.List(b.ctx(), "shelf", q)
	b.must(err)
	var ids []string
	for i := range page.Items {
		ids = append(ids, page.Items[i].ID)
	}
	if page.Total != len(ids) {
		b.Errorf("%+v: the total is %d, want %d", q, page.Total, len(ids))
	}
	return strings.Join(ids, " ")
}

func listing() []test {
	return []test{
		{"List() MUST return what the filter matches and nothing else", filtersLists},
		{"List() MUST sort, and order equal values by id", sortsLists},
		{"sorting by updated MUST put the newest change first", sortsByUpdated},
		{"List() MUST show changes at once", listsChanges},
	}
}

func filtersLists(b *bench) {
	off, middle := false, 500
	fillShelf(b)
	for want, filters := range map[string][]store.Filter{
		"delta bravo charlie alpha echo": {
			{}, {Search: "  "}, {Search: "reviewing"}, {Search: "CODE about"}, {Search: "100%"},
		},
		"delta bravo charlie": {{PriorityFrom: &middle}},
		"alpha echo":          {{PriorityBelow: &middle}},
		"charlie alpha":       {{Category: guideline.Security}},
		"charlie echo":        {{Enabled: &off}},
		"alpha": {
			{Agent: "frontend"}, {Search: "ZEB"}, {Search: "zebra 0."}, {Agent: "backend", Category: guideline.Security},
		},
		"bravo":         {{Domain: "P01"}},
		"charlie":       {{Action: "review"}, {Category: guideline.Security, Enabled: &off}},
		"delta":         {{Event: "push"}, {Search: "ÄPF"}},
		"echo":          {{Tag: "Blue"}},
		"bravo charlie": {{Search: "APPLE"}},
		"": {
			{Agent: "back"},
			{Agent: "BACKEND"},
			{Tag: "blue"},
			{Domain: "backend"},
			{Search: "zebra apple"},
			{Search: "_"},
			{Category: "none"},
			{Agent: "frontend", Domain: "P01"},
			{Search: "' OR 1=1 --"},
		},
	} {
		for _, f := range filters {
			if got := b.ids(store.ListQuery{Filter: f}); got != want {
				b.Errorf("%+v: got %q, want %q", f, got, want)
			}
		}
	}
}

func sortsLists(b *bench) {
	fillShelf(b)
	for want, q := range map[string]store.ListQuery{
		"delta bravo charlie alpha echo":  {},
		"echo alpha bravo charlie delta":  {Sort: store.ByPriority, Order: store.Ascending},
		"bravo charlie echo alpha delta":  {Sort: store.ByName},
		"delta alpha echo bravo charlie":  {Sort: store.ByName, Order: store.Descending},
		"bravo echo delta alpha charlie":  {Sort: store.ByCategory},
		"alpha charlie delta bravo  echo": {Sort: store.ByCategory, Order: store.Descending},
	} {
		if got := b.ids(q); got != strings.ReplaceAll(want, "  ", " ") {
			b.Errorf("%+v: got %q, want %q", q, got, want)
		}
	}
}

func sortsByUpdated(b *bench) {
	fillShelf(b)
	_, err := b.Toggle(b.ctx(), w("shelf"), store.Ref{Key: "alpha", Version: 1})
	b.must(err)
	for order, sign := range map[store.Order]int{store.Ascending: 1, store.Descending: -1, "": -1} {
		page, err := b.List(b.ctx(), "shelf", store.ListQuery{Sort: store.ByUpdated, Order: order})
		b.must(err)
		if !slices.IsSortedFunc(page.Items, func(x, y guideline.Guideline) int {
			if c := x.UpdatedAt.Compare(y.UpdatedAt); c != 0 {
				return sign * c
			}
			return strings.Compare(x.ID, y.ID)
		}) {
			b.Errorf("%q: not in order", order)
		}
	}
}

func listsChanges(b *bench) {
	fillShelf(b)
	g := b.get("shelf", "alpha")
	g.Condition.Agents, g.Priority, g.Name = []string{"devops"}, 999, "renamed"
	_, err := b.Update(b.ctx(), w("shelf"), g)
	b.must(err)
	b.must(b.Delete(b.ctx(), w("shelf"), store.Ref{Key: "echo", Version: 1}))
	for f, want := range map[store.Filter]string{
		{}: "delta alpha bravo charlie", {Agent: "devops"}: "alpha", {Agent: "frontend"}: "",
		{Search: "zebra"}: "", {Tag: "red"}: "",
	} {
		if got := b.ids(store.ListQuery{Filter: f}); got != want {
			b.Errorf("%+v: got %q, want %q", f, got, want)
		}
	}
}

func paging() []test {
	return []test{
		{"pages MUST contain every guideline once, and each page MUST have the total", pagesLists},
		{"the default page MUST be the first one with the default size", pagesByDefault},
	}
}

func pagesLists(b *bench) {
	fillShelf(b)
	var got []string
	for page := 1; page <= 4; page++ {
		p, err := b.List(b.ctx(), "shelf", store.ListQuery{Paging: store.Paging{Page: page, Size: 2}})
		b.must(err)
		if p.Total != 5 || p.Page != page || p.Size != 2 || len(p.Items) != max(0, min(2, 5-2*(page-1))) {
			b.Errorf("page %d: %d of %d items", page, len(p.Items), p.Total)
		}
		for i := range p.Items {
			got = append(got, p.Items[i].ID)
		}
	}
	if want := "delta bravo charlie alpha echo"; strings.Join(got, " ") != want {
		b.Errorf("got %v, want %s", got, want)
	}
}

func pagesByDefault(b *bench) {
	p, err := b.List(b.ctx(), "empty", store.ListQuery{})
	b.must(err)
	if p.Page != 1 || p.Size != store.DefaultPageSize || p.Total != 0 || p.Items == nil {
		b.Errorf("got %+v", p)
	}
}
