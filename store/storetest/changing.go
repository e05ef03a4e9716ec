package storetest

import (
	"fmt"
	"slices"
	"strings"

	"guardrails/guideline"
	"guardrails/store"
)

func changing() []test {
	return []test{
		{"Changes() since the zero Moment MUST return every guideline", changesSinceTheBeginning},
		{"Changes() MUST return what changed since a Moment, ordered by key", changesSinceAMoment},
		{"Changes() MUST return every guideline if the store does not have all changes up to the Moment", changesOfAnotherStore},
		{"Changes() MUST include what Load() added", changesByLoad},
		{"Changes() and All() MUST return the heads at the time of the call", momentsHaveHeads},
		{"Generations() MUST return the generation of each tenant, in order", generationsOfTenants},
	}
}

// changes() returns what changed in the tenant "a" since a moment, as a text: the ids and versions of changed
// guidelines, and the keys of removed guidelines with a minus sign.
func (b *bench) changes(since store.Moment) (text string, whole bool, now store.Moment) {
	b.Helper()
	c, err := b.Changes(b.ctx(), "a", since)
	b.must(err)
	var out []string
	for i := range c.Changed {
		out = append(out, fmt.Sprint(store.KeyOf(&c.Changed[i]), " ", c.Changed[i].Version))
	}
	for _, key := range c.Removed {
		out = append(out, "-"+key)
	}
	return strings.Join(out, ", "), c.Whole, c.Moment
}

func (b *bench) changedTo(since store.Moment, want string) (now store.Moment) {
	b.Helper()
	got, whole, now := b.changes(since)
	if got != want || whole || now.Generation != b.generation("a") {
		b.Errorf("got %q (complete: %v) at generation %d, want %q", got, whole, now.Generation, want)
	}
	return now
}

func changesSinceTheBeginning(b *bench) {
	if got, whole, now := b.changes(store.Moment{}); got != "" || !whole || now.Generation != 0 {
		b.Errorf("the changes of a new tenant are %q (complete: %v) at the position %+v", got, whole, now)
	}
	b.create("a", simple("two"))
	b.create("a", simple("one"))
	b.create("b", simple("other"))
	if got, whole, _ := b.changes(store.Moment{}); got != "one 1, two 1" || !whole {
		b.Errorf("got %q (complete: %v)", got, whole)
	}
}

func changesSinceAMoment(b *bench) {
	ref := func(id string, version int) store.Ref { return store.Ref{Key: id, Version: version} }
	for _, id := range []string{"kept", "toggled", "removed", "again"} {
		b.create("a", simple(id))
	}
	_, _, begin := b.changes(store.Moment{})
	b.changedTo(begin, "")
	_, err := b.Append(b.ctx(), "a", decision("one"))
	b.must(err)
	b.create("b", simple("other"))
	now := b.changedTo(begin, "") // decisions and changes of other tenants do not count
	for version := range 3 {
		_, err := b.Toggle(b.ctx(), w("a"), ref("toggled", version+1))
		b.must(err)
	}
	b.create("a", simple("new"))
	now = b.changedTo(now, "new 1, toggled 4")
	b.must(b.Delete(b.ctx(), w("a"), ref("removed", 1)))
	b.create("a", simple("brief"))
	b.must(b.Delete(b.ctx(), w("a"), ref("brief", 1)))
	b.must(b.Delete(b.ctx(), w("a"), ref("again", 1)))
	b.create("a", simple("again"))
	now = b.changedTo(now, "again 3, -brief, -removed")
	_, err = b.Import(b.ctx(), w("a"), []guideline.Guideline{simple("x"), simple("kept")}, store.ImportOptions{
		OnConflict: store.SkipOnConflict,
	})
	b.must(err)
	b.changedTo(b.changedTo(now, "x 1"), "")
	b.changedTo(begin, "again 3, new 1, toggled 4, x 1, -brief, -removed")
}

func changesOfAnotherStore(b *bench) {
	other := b.newStore()
	for i := range 3 {
		b.create("a", simple(fmt.Sprint("here", i)))
		other.create("a", simple(fmt.Sprint("there", i)))
	}
	_, _, here := b.changes(store.Moment{})
	other.create("a", simple("there3"))
	_, _, there := other.changes(store.Moment{})
	later := here
	later.Generation += 5
	none := here
	none.Heads = nil
	for name, since := range map[string]store.Moment{
		"a moment of another store": there, "a moment of a later state of the store": later, "a moment without heads": none,
	} {
		if got, whole, _ := b.changes(since); got != "here0 1, here1 1, here2 1" || !whole {
			b.Errorf("changes since %s: got %q (complete: %v)", name, got, whole)
		}
	}
	if got, whole, _ := other.changes(here); !whole || got != "there0 1, there1 1, there2 1, there3 1" {
		b.Errorf("since an earlier moment of another store: got %q (complete: %v)", got, whole)
	}
}

func changesByLoad(b *bench) {
	b.create("a", simple("loaded"))
	b.create("a", simple("gone"))
	b.must(b.Delete(b.ctx(), w("a"), store.Ref{Key: "gone", Version: 1}))
	dump, other := b.dump(), b.newStore()
	other.create("a", simple("own"))
	_, _, before := other.changes(store.Moment{})
	_, err := other.Load(b.ctx(), "a", sequence(dump))
	b.must(err)
	other.changedTo(before, "loaded 1, -gone")
}

func momentsHaveHeads(b *bench) {
	b.create("a", simple("one"))
	_, err := b.Append(b.ctx(), "a", decision("one"))
	b.must(err)
	want, err := b.Heads(b.ctx(), "a")
	b.must(err)
	set, err := b.All(b.ctx(), "a")
	b.must(err)
	_, _, now := b.changes(store.Moment{})
	_, _, unchanged := b.changes(now)
	for _, got := range []store.Moment{set.Moment, now, unchanged} {
		if !slices.Equal(got.Heads, want) || got.Generation != 1 {
			b.Errorf("got %+v, want the heads %+v", got, want)
		}
	}
}

func generationsOfTenants(b *bench) {
	b.create("a", simple("one"))
	b.create("a", simple("two"))
	b.create("", simple("one"))
	got, err := b.Generations(b.ctx(), "unknown", "a", "", "a")
	b.must(err)
	if !slices.Equal(got, []int64{0, 2, 1, 2}) {
		b.Errorf("got %v", got)
	}
	if got, err := b.Generations(b.ctx()); err != nil || len(got) != 0 {
		b.Errorf("got %v of no tenant, %v", got, err)
	}
	_, err = b.Generations(b.ctx(), "a", strings.Repeat("x", 1000))
	b.refused(err, store.Invalid)
}

// The type "replica" has the guidelines of a tenant. Its keys are the keys of the guidelines. A replica knows only what
// Changes returned.
type replica struct {
	store.Moment
	guidelines map[string]guideline.Guideline
}

// follow() updates a replica with what has changed since the last call, and compares the result with the guidelines
// that All returns.
func (b *bench) follow(r *replica, tenant string) {
	b.Helper()
	c, err := b.Changes(b.ctx(), tenant, r.Moment)
	b.must(err)
	if c.Whole || r.guidelines == nil {
		r.guidelines = map[string]guideline.Guideline{}
	}
	for i := range c.Changed {
		r.guidelines[store.KeyOf(&c.Changed[i])] = c.Changed[i]
	}
	for _, key := range c.Removed {
		delete(r.guidelines, key)
	}
	r.Moment = c.Moment
	set, err := b.All(b.ctx(), tenant)
	b.must(err)
	if len(set.Guidelines) != len(r.guidelines) || set.Generation != r.Generation {
		b.Fatalf("the replica has %d guidelines at %d, the store %d at %d",
			len(r.guidelines), r.Generation, len(set.Guidelines), set.Generation)
	}
	for i := range set.Guidelines {
		b.checkSame(r.guidelines[store.KeyOf(&set.Guidelines[i])], set.Guidelines[i])
	}
}
