package storetest

import (
	"guardrails/guideline"
	"guardrails/store"
)

func importing() []test {
	return []test{
		{"Import() MUST import all items and return their outcomes in the same order", importsAll},
		{"an import of existing ids MUST obey OnConflict", importOver},
		{"an import with an invalid item MUST be Invalid and import nothing", importsAllOrNothing},
		{"a dry run MUST return the same result and error and change nothing", dryRuns},
		{"an empty import MUST NOT be an error", importsNothing},
		{"an import of a deleted guideline MUST continue the guideline's version numbers", importsDeleted},
	}
}

func importsAll(b *bench) {
	result, err := b.Import(b.ctx(), w("a"), []guideline.Guideline{simple("two"), simple("one")}, store.ImportOptions{})
	b.must(err)
	want := []store.ImportItem{
		{ID: "two", Outcome: store.ItemCreated, Version: 1}, {ID: "one", Outcome: store.ItemCreated, Version: 1},
	}
	b.outcomes(result, true, want)
	if g := b.get("a", "two"); g.CreatedBy != "ann" || g.Version != 1 {
		b.Errorf("got %+v", g)
	}
	b.entries("a", store.AuditFilter{Event: store.Imported}, 2)
}

func importsAllOrNothing(b *bench) {
	b.create("a", simple("old"))
	bad := simple("bad")
	bad.Priority = -1
	items := []guideline.Guideline{simple("one"), simple("old"), bad, simple("one")}
	result, err := b.Import(b.ctx(), w("a"), items, store.ImportOptions{})
	b.refused(err, store.Invalid)
	b.outcomes(result, false, []store.ImportItem{
		{ID: "one", Outcome: store.ItemCreated, Version: 1},
		{ID: "old", Outcome: store.ItemFailed, Code: store.Conflict},
		{ID: "bad", Outcome: store.ItemFailed, Code: store.Invalid},
		{ID: "one", Outcome: store.ItemFailed, Code: store.Invalid},
	})
	b.checkOnlyOld()
}

func dryRuns(b *bench) {
	b.create("a", simple("old"))
	write, before := w("a"), b.generation("a")
	changed := simple("old")
	changed.Name = "Other"
	items := []guideline.Guideline{changed, simple("one")}
	for _, how := range []store.OnConflict{"", store.FailOnConflict, store.SkipOnConflict, store.UpdateOnConflict} {
		tried, dryErr := b.Import(b.ctx(), write, items, store.ImportOptions{OnConflict: how, DryRun: true})
		if tried.Applied || len(tried.Items) != 2 || b.generation("a") != before {
			b.Errorf("%s: got %+v", how, tried)
		}
		b.checkOnlyOld()
		if how != store.UpdateOnConflict {
			continue
		}
		b.must(dryErr)
		done, err := b.Import(b.ctx(), write, items, store.ImportOptions{OnConflict: how})
		b.must(err)
		b.outcomes(done, true, tried.Items)
	}
}

func importsNothing(b *bench) {
	result, err := b.Import(b.ctx(), w("a"), nil, store.ImportOptions{})
	b.must(err)
	b.outcomes(result, true, nil)
}

func importsDeleted(b *bench) {
	b.create("a", simple("one"))
	b.must(b.Delete(b.ctx(), w("a"), store.Ref{Key: "one", Version: 1}))
	result, err := b.Import(b.ctx(), w("a"), []guideline.Guideline{simple("one")}, store.ImportOptions{})
	b.must(err)
	b.outcomes(result, true, []store.ImportItem{{ID: "one", Outcome: store.ItemCreated, Version: 3}})
}

// outcomes() compares the items of a result with the wanted items. It ignores the texts of messages, but every failed
// item must have a message.
func (b *bench) outcomes(got store.ImportResult, applied bool, want []store.ImportItem) {
	b.Helper()
	if got.Applied != applied || len(got.Items) != len(want) {
		b.Fatalf("got %+v, want %+v", got, want)
	}
	for i, item := range got.Items {
		if (item.Message != "") != (item.Outcome == store.ItemFailed) {
			b.Errorf("item %d has the message %q", i, item.Message)
		}
		item.Message, want[i].Message = "", ""
		if item != want[i] {
			b.Errorf("item %d is %+v, want %+v", i, item, want[i])
		}
	}
}

func (b *bench) checkOnlyOld() {
	b.Helper()
	list, err := b.List(b.ctx(), "a", store.ListQuery{})
	b.must(err)
	if list.Total != 1 || list.Items[0].ID != "old" || list.Items[0].Version != 1 {
		b.Errorf("got %+v", list)
	}
	b.entries("a", store.AuditFilter{}, 1)
}

func importOver(b *bench) {
	same, other := b.create("a", simple("same")), b.create("a", simple("other"))
	other.Name, other.Version = "Changed", 99
	items := []guideline.Guideline{same, other, simple("new")}
	result, err := b.Import(b.ctx(), w("a"), items, store.ImportOptions{OnConflict: store.FailOnConflict})
	b.refused(err, store.Conflict)
	b.outcomes(result, false, []store.ImportItem{
		{ID: "same", Outcome: store.ItemFailed, Code: store.Conflict},
		{ID: "other", Outcome: store.ItemFailed, Code: store.Conflict},
		{ID: "new", Outcome: store.ItemCreated, Version: 1},
	})
	result, err = b.Import(b.ctx(), w("a"), items, store.ImportOptions{OnConflict: store.SkipOnConflict})
	b.must(err)
	b.outcomes(result, true, []store.ImportItem{
		{ID: "same", Outcome: store.ItemSkipped, Version: 1},
		{ID: "other", Outcome: store.ItemSkipped, Version: 1},
		{ID: "new", Outcome: store.ItemCreated, Version: 1},
	})
	result, err = b.Import(b.ctx(), w("a"), items, store.ImportOptions{OnConflict: store.UpdateOnConflict})
	b.must(err)
	b.outcomes(result, true, []store.ImportItem{
		{ID: "same", Outcome: store.ItemUnchanged, Version: 1},
		{ID: "other", Outcome: store.ItemUpdated, Version: 2},
		{ID: "new", Outcome: store.ItemUnchanged, Version: 1},
	})
	if g := b.get("a", "other"); g.Name != "Changed" || !g.CreatedAt.Equal(other.CreatedAt) {
		b.Errorf("got %+v", g)
	}
}
