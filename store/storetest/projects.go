package storetest

import (
	"strings"

	"guardrails/guideline"
	"guardrails/store"
)

// The names "shop" and "tools" stand for two projects.
const (
	shop  = "example.com/acme/shop"
	tools = "/home/dev/my tools"
)

func projects() []test {
	return []test{
		{"guidelines of different projects, and of all projects, MAY have the same id", sharesIDs},
		{"a change of one project's guideline MUST NOT change another project's", changesOneProject},
		{"List() MUST filter guidelines by project", filtersProjects},
		{"All() MUST return the guidelines of every project, ordered by key", returnsEveryProject},
		{"an import MUST keep the projects of its items apart", importsIntoProjects},
		{"the audit MUST name the project of a changed guideline, and pass verification", auditsProjects},
		{"a dump MUST contain the guidelines of every project", movesProjects},
	}
}

// guidelineIn returns a guideline of a project.
func guidelineIn(projectID, id string) guideline.Guideline {
	g := simple(id)
	g.ProjectID = projectID
	return g
}

// fillProjects creates the guideline "one" in two projects and for all projects.
func (b *bench) fillProjects() {
	b.Helper()
	for _, p := range []string{"", shop, tools} {
		b.create("a", guidelineIn(p, "one"))
	}
}

func sharesIDs(b *bench) {
	b.fillProjects()
	for _, p := range []string{"", shop, tools} {
		if g := b.get("a", store.Key(p, "one")); g.ID != "one" || g.ProjectID != p || g.Version != 1 {
			b.Errorf("%q: got %+v", p, g)
		}
		_, err := b.Create(b.ctx(), w("a"), guidelineIn(p, "one"))
		b.conflicts(err, 1)
	}
	_, err := b.Get(b.ctx(), "a", store.Key("example.com/acme", "one"))
	b.refused(err, store.NotFound)
}

func changesOneProject(b *bench) {
	b.fillProjects()
	key := store.Key(shop, "one")
	_, err := b.Toggle(b.ctx(), w("a"), store.Ref{Key: key, Version: 1})
	b.must(err)
	changed := guidelineIn(shop, "one")
	changed.Name, changed.Version = "Changed", 2
	write := w("a")
	g, err := b.Update(b.ctx(), write, changed)
	b.must(err)
	again, err := b.Update(b.ctx(), write, changed)
	b.must(err)
	b.checkSame(again, g)
	b.must(b.Delete(b.ctx(), w("a"), store.Ref{Key: key, Version: 3}))
	g, err = b.Restore(b.ctx(), w("a"), store.Ref{Key: key, Version: 4}, 3)
	b.must(err)
	if g.ProjectID != shop || g.Name != "Changed" || g.Version != 5 {
		b.Errorf("got %+v", g)
	}
	for _, other := range []string{"one", store.Key(tools, "one")} {
		if g := b.get("a", other); g.Version != 1 || !g.Enabled {
			b.Errorf("%s changed: %+v", other, g)
		}
		history, err := b.History(b.ctx(), "a", other, store.Paging{})
		b.must(err)
		if history.Total != 1 {
			b.Errorf("%s has %d versions", other, history.Total)
		}
	}
	history, err := b.History(b.ctx(), "a", key, store.Paging{})
	b.must(err)
	if history.Total != 5 || history.Items[0].Guideline.ProjectID != shop {
		b.Errorf("got %+v", history)
	}
}

func filtersProjects(b *bench) {
	b.fillProjects()
	b.create("a", guidelineIn(shop, "two"))
	b.create("a", guidelineIn("", "three"))
	for _, c := range []struct {
		name      string
		projectID *string
		want      string
	}{
		{"every guideline", nil, "one one one three two"},
		{"all projects", new(string), "one three"},
		{"one project", pointer(shop), "one two"},
		{"the other project", pointer(tools), "one"},
		{"a project without guidelines", pointer("example.com"), ""},
	} {
		page, err := b.List(b.ctx(), "a", store.ListQuery{Filter: store.Filter{ProjectID: c.projectID}, Sort: store.ByName})
		b.must(err)
		var ids []string
		for i := range page.Items {
			ids = append(ids, page.Items[i].ID)
		}
		if got := strings.Join(ids, " "); got != c.want || page.Total != len(ids) {
			b.Errorf("%s: got %q and the total %d, want %q", c.name, got, page.Total, c.want)
		}
	}
}

func pointer(text string) *string { return &text }

func returnsEveryProject(b *bench) {
	b.create("a", guidelineIn("", "one-more"))
	b.fillProjects()
	set, err := b.All(b.ctx(), "a")
	b.must(err)
	var keys []string
	for i := range set.Guidelines {
		keys = append(keys, store.KeyOf(&set.Guidelines[i]))
	}
	want := []string{"one", "one of " + tools, "one of " + shop, "one-more"}
	if strings.Join(keys, "; ") != strings.Join(want, "; ") {
		b.Errorf("got %q, want %q", keys, want)
	}
}

func importsIntoProjects(b *bench) {
	b.create("a", guidelineIn(shop, "one"))
	items := []guideline.Guideline{guidelineIn("", "one"), guidelineIn(shop, "one"), guidelineIn(tools, "one")}
	result, err := b.Import(b.ctx(), w("a"), items, store.ImportOptions{OnConflict: store.SkipOnConflict})
	b.must(err)
	b.outcomes(result, true, []store.ImportItem{
		{ID: "one", Outcome: store.ItemCreated, Version: 1},
		{ID: "one", ProjectID: shop, Outcome: store.ItemSkipped, Version: 1},
		{ID: "one", ProjectID: tools, Outcome: store.ItemCreated, Version: 1},
	})
	_, err = b.Import(b.ctx(), w("a"), []guideline.Guideline{guidelineIn(shop, "two"), guidelineIn(shop, "two")}, store.ImportOptions{})
	b.refused(err, store.Invalid)
}

func auditsProjects(b *bench) {
	b.fillProjects()
	b.must(b.Delete(b.ctx(), w("a"), store.Ref{Key: store.Key(tools, "one"), Version: 1}))
	found := map[string]int{}
	for _, e := range b.entries("a", store.AuditFilter{Guideline: "one"}, 4) {
		found[e.ProjectID]++
	}
	if found[""] != 1 || found[shop] != 1 || found[tools] != 2 {
		b.Errorf("got the entries %v", found)
	}
	b.checkVerifies("a")
}

func movesProjects(b *bench) {
	b.fillProjects()
	b.entries("a", store.AuditFilter{}, 3)
	other := b.newStore()
	_, err := other.Load(b.ctx(), "a", sequence(b.dump()))
	b.must(err)
	for _, p := range []string{"", shop, tools} {
		b.checkSame(other.get("a", store.Key(p, "one")), b.get("a", store.Key(p, "one")))
	}
	other.checkVerifies("a")
}
