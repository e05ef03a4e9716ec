package storetest

import (
	"errors"
	"slices"

	"guardrails/store"
)

func refusesDamagedDumps(b *bench) {
	b.fillTenant()
	whole := b.dump()
	last := len(whole) - 1
	entry := slices.IndexFunc(
		whole, func(r store.Record) bool { return r.Entry != nil && r.Entry.Kind == store.KindChange },
	)
	for name, damage := range map[string]func(d []store.Record) []store.Record{
		"an altered entry":             func(d []store.Record) []store.Record { d[entry].Entry.Actor = "mallory"; return d },
		"a missing entry":              func(d []store.Record) []store.Record { return slices.Delete(d, entry, entry+1) },
		"an entry twice":               func(d []store.Record) []store.Record { return slices.Insert(d, entry, d[entry]) },
		"entries in the wrong order":   func(d []store.Record) []store.Record { d[entry], d[entry+1] = d[entry+1], d[entry]; return d },
		"an altered guideline":         func(d []store.Record) []store.Record { d[last].Revision.Guideline.Name = "Other"; return d },
		"a missing revision":           func(d []store.Record) []store.Record { return d[:last] },
		"revisions before entries":     func(d []store.Record) []store.Record { return slices.Insert(d[:last], entry, d[last]) },
		"a missing head":               func(d []store.Record) []store.Record { return d[1:] },
		"a head that is not the last":  func(d []store.Record) []store.Record { d[0].Head.Seq--; return d },
		"a missing beginning":          func(d []store.Record) []store.Record { d[0].Head.Base++; return d },
		"an empty record":              func(d []store.Record) []store.Record { return append(d, store.Record{}) },
		"a revision that nobody wrote": func(d []store.Record) []store.Record { d[last].Revision.Guideline.ID = "nobody"; return d },
		"an entry of another tenant":   func(d []store.Record) []store.Record { d[entry].Entry.Tenant = "b"; return d },
	} {
		other := b.newStore()
		_, err := other.Load(b.ctx(), "a", sequence(damage(b.dump())))
		if store.CodeOf(err) != store.Invalid {
			b.Errorf("%s: got %v", name, err)
		}
		if other.list("a") != 0 || other.generation("a") != 0 {
			b.Errorf("%s: something was loaded", name)
		}
	}
	_, err := b.newStore().Load(b.ctx(), "b", sequence(whole))
	b.refused(err, store.Invalid)
}

func refusesClashingDumps(b *bench) {
	b.fillTenant()
	other := b.newStore()
	mine := other.create("a", simple("one"))
	_, err := other.Load(b.ctx(), "a", sequence(b.dump()))
	b.refused(err, store.Conflict)
	other.checkSame(other.get("a", "one"), mine)
	if other.list("a") != 1 {
		b.Error("something was loaded")
	}
	other.entries("a", store.AuditFilter{}, 1)
	other.checkVerifies("a")
}

func refusesBrokenDumps(b *bench) {
	b.fillTenant()
	other, broken := b.newStore(), errors.New("the disk with the dump broke")
	_, err := other.Load(b.ctx(), "a", func(yield func(store.Record, error) bool) {
		for _, r := range b.dump() {
			if !yield(r, nil) {
				return
			}
		}
		yield(store.Record{}, broken)
	})
	if !errors.Is(err, broken) || other.list("a") != 0 {
		b.Errorf("got %v and %d guidelines", err, other.list("a"))
	}
}
