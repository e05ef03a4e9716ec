package storetest

import (
	"iter"
	"slices"
	"strings"
	"time"

	"guardrails/guideline"
	"guardrails/store"
)

func moving() []test {
	return []test{
		{"Load() MUST copy guidelines, history and audit", movesEverything},
		{"changes MUST continue after a move", continuesAfterMoving},
		{"a change that is repeated after a move MUST be refused", refusesRepeatedChanges},
		{"loading again MUST change nothing", loadsTwice},
		{"loading a newer dump MUST add what is new", loadsWhatIsNew},
		{"Load() MUST NOT restore pruned entries", keepsPruned},
		{"a damaged dump MUST be Invalid and change nothing", refusesDamagedDumps},
		{"a dump that differs from the store MUST be a Conflict and change nothing", refusesClashingDumps},
		{"a dump that ends with an error MUST change nothing", refusesBrokenDumps},
		{"a reader MAY stop a dump early", stopsDumps},
	}
}

// The numbers of records in the tenant "a" after fillTenant.
const (
	filledEntries   = 13
	filledRevisions = 10
)

// fillTenant fills the tenant "a" with every kind of record.
func (b *bench) fillTenant() {
	b.Helper()
	for _, id := range []string{"one", "two", "three"} {
		b.create("a", simple(id))
	}
	_, err := b.Toggle(b.ctx(), w("a"), store.Ref{Key: "one", Version: 1})
	b.must(err)
	_, err = b.Update(b.ctx(), w("a"), guidelineAt("one", 2))
	b.must(err)
	b.must(b.Delete(b.ctx(), w("a"), store.Ref{Key: "two", Version: 1}))
	_, err = b.Restore(b.ctx(), w("a"), store.Ref{Key: "one", Version: 3}, 1)
	b.must(err)
	_, err = b.Import(b.ctx(), w("a"), []guideline.Guideline{simple("four"), simple("two")}, store.ImportOptions{})
	b.must(err)
	b.must(b.Delete(b.ctx(), w("a"), store.Ref{Key: "three", Version: 1}))
	b.logAt("a", 1, 2, 3, 4)
	b.prune(store.Retention{Before: noon().Add(3 * time.Hour)}, 2)
	b.create("b", simple("stays"))
	b.entries("a", store.AuditFilter{}, filledEntries)
}

// dump() returns the records of the tenant "a". It encodes the records and decodes them again, as if they had been in a
// file.
func (b *bench) dump() (records []store.Record) {
	b.Helper()
	for r, err := range b.Dump(b.ctx(), "a") {
		b.must(err)
		line, err := store.EncodeRecord(r)
		b.must(err)
		r, err = store.DecodeRecord(line)
		b.must(err)
		records = append(records, r)
	}
	return records
}

func sequence(records []store.Record) iter.Seq2[store.Record, error] {
	return func(yield func(store.Record, error) bool) {
		for _, r := range records {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// newStore returns another, empty store, which is closed when the test ends.
func (b *bench) newStore() *bench {
	b.Helper()
	s := b.open(b.T)
	b.Cleanup(func() { closeStore(b.T, s) })
	return &bench{s, b.T, b.open}
}

// load() loads a dump and checks how many entries and revisions were new.
func (b *bench) load(records []store.Record, entries, revisions int64) {
	b.Helper()
	loaded, err := b.Load(b.ctx(), "a", sequence(records))
	b.must(err)
	if loaded.Entries != entries || loaded.Revisions != revisions {
		b.Errorf("got %+v, want %d entries and %d revisions", loaded, entries, revisions)
	}
}

// content() returns all records of the tenant "a" as one text.
func (b *bench) content() string {
	b.Helper()
	var out []string
	for _, r := range b.dump() {
		line, err := store.EncodeRecord(r)
		b.must(err)
		out = append(out, string(line))
	}
	set, err := b.All(b.ctx(), "a")
	b.must(err)
	for i := range set.Guidelines {
		out = append(out, encoded(b.T, &set.Guidelines[i]))
	}
	ids, err := b.export("a", store.AuditFilter{})
	b.must(err)
	slices.Sort(out[:len(out)-len(set.Guidelines)])
	return strings.Join(append(out, ids...), "\n")
}

func movesEverything(b *bench) {
	b.fillTenant()
	other, heads := b.newStore(), b.heads()
	before := other.generation("a")
	other.load(b.dump(), filledEntries, filledRevisions)
	if got, want := other.content(), b.content(); got != want {
		b.Errorf("got  %s\nwant %s", got, want)
	}
	other.checkVerifies("a", heads...)
	history, err := other.History(b.ctx(), "a", "one", store.Paging{})
	b.must(err)
	if history.Total != 4 || history.Items[0].Event != store.Restored || other.generation("a") == before {
		b.Errorf("got %+v", history)
	}
	other.entries("a", store.AuditFilter{Session: "s1"}, 2)
	if other.list("b") != 0 {
		b.Error("another tenant was copied too")
	}
}

func (b *bench) heads() []store.Head {
	b.Helper()
	heads, err := b.Heads(b.ctx(), "a")
	b.must(err)
	return heads
}

func (b *bench) list(tenant string) int {
	b.Helper()
	page, err := b.List(b.ctx(), tenant, store.ListQuery{})
	b.must(err)
	return page.Total
}

func continuesAfterMoving(b *bench) {
	b.fillTenant()
	other := b.newStore()
	other.load(b.dump(), filledEntries, filledRevisions)
	_, err := other.Update(b.ctx(), w("a"), guidelineAt("one", 3))
	b.conflicts(err, 4)
	g, err := other.Update(b.ctx(), w("a"), guidelineAt("one", 4))
	b.must(err)
	other.checkSame(other.get("a", "one"), g)
	if g := other.create("a", simple("three")); g.Version != 3 {
		b.Errorf("a guideline deleted before the move has version %d, want 3", g.Version)
	}
	again, err := other.Append(b.ctx(), "a", decision("d4"), decision("new"))
	b.must(err)
	if again[0].Seq != 4 || again[1].Hash == "" {
		b.Errorf("got %+v", again)
	}
	other.entries("a", store.AuditFilter{}, filledEntries+3)
	other.checkVerifies("a", b.heads()...)
}

func refusesRepeatedChanges(b *bench) {
	creating, importing := w("a"), w("a")
	items, options := []guideline.Guideline{simple("two")}, store.ImportOptions{OnConflict: store.UpdateOnConflict}
	_, err := b.Create(b.ctx(), creating, simple("one"))
	b.must(err)
	b.must(b.Delete(b.ctx(), w("a"), store.Ref{Key: "one", Version: 1}))
	_, err = b.Import(b.ctx(), importing, items, options)
	b.must(err)
	_, err = b.Toggle(b.ctx(), w("a"), store.Ref{Key: "two", Version: 1})
	b.must(err)
	other := b.newStore()
	other.load(b.dump(), 4, 4)
	before := other.content()
	_, err = other.Create(b.ctx(), creating, simple("one"))
	b.refused(err, store.Invalid)
	_, err = other.Import(b.ctx(), importing, items, options)
	b.refused(err, store.Invalid)
	if got := other.content(); got != before {
		b.Errorf("got  %s\nwant %s", got, before)
	}
	other.checkVerifies("a")
}

func loadsTwice(b *bench) {
	b.fillTenant()
	dump, other := b.dump(), b.newStore()
	other.load(dump, filledEntries, filledRevisions)
	before := other.generation("a")
	other.load(dump, 0, 0)
	b.load(dump, 0, 0)
	if other.generation("a") != before {
		b.Error("the generation changed")
	}
	other.entries("a", store.AuditFilter{}, filledEntries)
	other.checkVerifies("a")
}

func loadsWhatIsNew(b *bench) {
	b.fillTenant()
	old, other := b.dump(), b.newStore()
	other.load(old, filledEntries, filledRevisions)
	_, err := b.Toggle(b.ctx(), w("a"), store.Ref{Key: "four", Version: 1})
	b.must(err)
	b.must(b.Delete(b.ctx(), w("a"), store.Ref{Key: "one", Version: 4}))
	b.entries("a", store.AuditFilter{}, filledEntries+2)
	other.load(b.dump(), 2, 2)
	if got, want := other.content(), b.content(); got != want {
		b.Errorf("got  %s\nwant %s", got, want)
	}
	other.load(old, 0, 0)
	other.checkVerifies("a", b.heads()...)
	if other.get("a", "four").Version != 2 {
		b.Error("an old dump changed a guideline")
	}
}

func keepsPruned(b *bench) {
	b.fillTenant()
	dump, other := b.dump(), b.newStore()
	other.load(dump, filledEntries, filledRevisions)
	other.prune(store.Retention{Before: noon().Add(24 * time.Hour)}, 2)
	other.load(dump, 0, 0)
	other.entries("a", store.AuditFilter{Event: "tool_call"}, 0)
	other.checkVerifies("a")
}

func stopsDumps(b *bench) {
	b.fillTenant()
	for _, err := range b.Dump(b.ctx(), "a") {
		b.must(err)
		break
	}
	b.create("a", simple("afterwards"))
}
