package storetest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"guardrails/guideline"
	"guardrails/store"
)

// The kinds of random operations.
const (
	create = iota
	update
	toggle
	remove
	restore
	importTwo
	kinds
)

// The type "operation" is one random change.
type operation struct {
	what       int
	write      store.Write
	id, second string
	version    int
	to         int
	content    content
	how        store.OnConflict
}

// randomOperations makes random changes in a store and in the model, and compares the results. It uses two tenants and
// a few ids. Most changes have the correct version, and some repeat an earlier change.
func randomOperations(b *bench) {
	rounds := 300
	if testing.Short() {
		rounds = 100
	}
	for seed := uint64(1); seed <= 3; seed++ {
		random := rand.New(rand.NewPCG(seed, 0))
		tenants := []string{fmt.Sprint("first", seed), fmt.Sprint("second", seed)}
		models := map[string]*model{tenants[0]: newModel(), tenants[1]: newModel()}
		replicas := map[string]*replica{tenants[0]: {}, tenants[1]: {}}
		var done []operation
		for round := range rounds {
			if len(done) > 0 && random.IntN(10) == 0 {
				b.repeat(&done[random.IntN(len(done))], models)
				continue
			}
			tenant := tenants[random.IntN(2)]
			o := randomOperation(random, models[tenant], tenant)
			if b.step(&o, models[tenant], fmt.Sprintf("seed %d, round %d", seed, round)) {
				done = append(done, o)
			}
			b.compare(models[tenant], tenant, o.id)
			if round%20 == 0 {
				b.compareLists(random, models[tenant], tenant)
				b.follow(replicas[tenant], tenant)
			}
		}
		b.compareAudit(models)
	}
}

func randomOperation(random *rand.Rand, m *model, tenant string) operation {
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	o := operation{
		what: random.IntN(kinds), write: w(tenant), id: pick("a", "b", "c", "d"), second: pick("a", "b", "c", "d", "e"),
		content: content{
			pick("Apple", "apple", "Pear", "Plum 7%", "Quince"), random.IntN(2) == 0, pick("", "backend", "backend frontend"),
		},
		how: store.OnConflict(pick("fail", "skip", "update")),
	}
	o.version = m.last[o.id]
	if random.IntN(5) == 0 {
		o.version += random.IntN(4) - 2
	}
	o.to = random.IntN(m.last[o.id] + 2)
	return o
}

// step() makes a change in the store and in the model. The generation of the store must change if a guideline changes
// in the model, and only then.
func (b *bench) step(o *operation, m *model, where string) bool {
	b.Helper()
	tenant, commits := o.write.Tenant, m.commits
	before, code := b.generation(tenant), m.do(o)
	acknowledged := b.try(o, code, where)
	if after := b.generation(tenant); (after != before) != (m.commits != commits) {
		b.Fatalf("%s: %+v: the generation went from %d to %d, with %d changes", where, *o, before, after, m.commits-commits)
	}
	return acknowledged
}

// try() makes a change and checks its code. It returns whether the change was acknowledged.
func (b *bench) try(o *operation, want store.Code, where string) bool {
	b.Helper()
	err := b.execute(o)
	if store.CodeOf(err) != want {
		b.Fatalf("%s: %+v: got %v, want the code %q", where, *o, err, want)
	}
	return err == nil
}

func (b *bench) execute(o *operation) (err error) {
	ref, g := store.Ref{Key: o.id, Version: o.version}, o.content.guideline(o.id, o.version)
	switch o.what {
	case create:
		_, err = b.Create(b.ctx(), o.write, g)
	case update:
		_, err = b.Update(b.ctx(), o.write, g)
	case toggle:
		_, err = b.Toggle(b.ctx(), o.write, ref)
	case remove:
		err = b.Delete(b.ctx(), o.write, ref)
	case restore:
		_, err = b.Restore(b.ctx(), o.write, ref, o.to)
	case importTwo:
		items := []guideline.Guideline{g, o.content.guideline(o.second, 0)}
		_, err = b.Import(b.ctx(), o.write, items, store.ImportOptions{OnConflict: o.how})
	}
	return err
}

// repeat() makes an acknowledged change again. The store must acknowledge it again, but change nothing.
func (b *bench) repeat(o *operation, models map[string]*model) {
	b.Helper()
	if err := b.execute(o); err != nil {
		b.Fatalf("repeating %+v: %v", *o, err)
	}
	b.compare(models[o.write.Tenant], o.write.Tenant, o.id)
}

// compare() checks one guideline against the model.
func (b *bench) compare(m *model, tenant, id string) {
	b.Helper()
	want, live := m.now[id]
	g, err := b.Get(b.ctx(), tenant, id)
	if live != (err == nil) || !live && store.CodeOf(err) != store.NotFound {
		b.Fatalf("%s: got %v, want it to exist: %v", id, err, live)
	}
	if live && (contentOf(&g) != want || g.Version != m.last[id]) {
		b.Fatalf("%s: got %+v, want %+v at version %d", id, g, want, m.last[id])
	}
}

func (b *bench) compareLists(random *rand.Rand, m *model, tenant string) {
	b.Helper()
	enabled := random.IntN(2) == 0
	for _, f := range []store.Filter{
		{}, {Enabled: &enabled}, {Agent: "frontend"}, {Search: "APP"}, {Search: "7%", Enabled: &enabled},
	} {
		page, err := b.List(b.ctx(), tenant, store.ListQuery{Filter: f, Sort: store.ByName})
		b.must(err)
		var got []string
		for i := range page.Items {
			got = append(got, page.Items[i].ID)
		}
		if want := m.list(&f); strings.Join(got, " ") != strings.Join(want, " ") || page.Total != len(want) {
			b.Fatalf("%+v: got %v, want %v", f, got, want)
		}
	}
}

// compareAudit checks that the history and the audit have every change of the models and nothing else.
func (b *bench) compareAudit(models map[string]*model) {
	b.Helper()
	for tenant, m := range models {
		for id, want := range m.changes {
			b.entries(tenant, store.AuditFilter{Guideline: id}, want)
			history, err := b.History(b.ctx(), tenant, id, store.Paging{})
			b.must(err)
			if history.Total != want {
				b.Fatalf("%s has %d revisions, want %d", id, history.Total, want)
			}
		}
		b.checkVerifies(tenant)
	}
}
