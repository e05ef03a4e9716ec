package storetest

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"guardrails/guideline"
	"guardrails/store"
)

func lifecycle() []test {
	return []test{
		{"a call whose context has ended MUST be Unavailable", endsWithItsContext},
		{"every call after Close MUST be Unavailable", refusesWhenClosed},
	}
}

func endsWithItsContext(b *bench) {
	b.create("a", simple("one"))
	ctx, cancel := context.WithCancel(b.ctx())
	cancel()
	for call, err := range calls(ctx, b.Store) {
		if store.CodeOf(err) != store.Unavailable {
			b.Errorf("%s: got %v", call, err)
		}
	}
}

func refusesWhenClosed(b *bench) {
	b.must(b.Close())
	for call, err := range calls(b.ctx(), b.Store) {
		if store.CodeOf(err) != store.Unavailable {
			b.Errorf("%s: got %v", call, err)
		}
	}
	b.must(b.Close())
}

// calls() runs most methods of the store s. The result maps the name of each method to the error of the method.
func calls(ctx context.Context, s store.Store) map[string]error {
	ref, out := store.Ref{Key: "one", Version: 1}, map[string]error{}
	_, out["Get"] = s.Get(ctx, "a", "one")
	_, out["List"] = s.List(ctx, "a", store.ListQuery{})
	_, out["All"] = s.All(ctx, "a")
	_, out["Changes"] = s.Changes(ctx, "a", store.Moment{})
	_, out["Generations"] = s.Generations(ctx, "a", "b")
	_, out["Create"] = s.Create(ctx, w("a"), simple("two"))
	_, out["Update"] = s.Update(ctx, w("a"), guidelineAt("one", 1))
	_, out["Toggle"] = s.Toggle(ctx, w("a"), ref)
	out["Delete"] = s.Delete(ctx, w("a"), ref)
	_, out["History"] = s.History(ctx, "a", "one", store.Paging{})
	_, out["Restore"] = s.Restore(ctx, w("a"), ref, 1)
	_, out["Import"] = s.Import(ctx, w("a"), nil, store.ImportOptions{})
	_, out["Import, dry"] = s.Import(ctx, w("a"), nil, store.ImportOptions{DryRun: true})
	_, out["Append"] = s.Append(ctx, "a", decision("x"))
	_, out["Query"] = s.Query(ctx, "a", store.AuditQuery{})
	_, out["Prune"] = s.Prune(ctx, w("a"), store.Retention{Keep: 1})
	_, out["Heads"] = s.Heads(ctx, "a")
	_, out["Verify"] = s.Verify(ctx, "a", nil)
	_, out["Load"] = s.Load(ctx, "a", func(func(store.Record, error) bool) {})
	for _, err := range s.Export(ctx, "a", store.AuditFilter{}) {
		out["Export"] = err
	}
	for _, err := range s.Dump(ctx, "a") {
		out["Dump"] = err
	}
	return out
}

func concurrency() []test {
	return []test{
		{"exactly one of several concurrent changes of one version MUST succeed", oneChangeWins},
		{"entries that are appended concurrently MUST all be stored, in chains that pass verification", appendsConcurrently},
		{"concurrent repetitions of a write MUST happen once", repeatsConcurrently},
		{"changes that are made at once MUST each have their own result", together},
	}
}

func oneChangeWins(b *bench) {
	b.create("a", simple("one"))
	race(b, b.Store, b.Store)
}

func appendsConcurrently(b *bench) {
	appendTogether(b, b.Store, b.Store)
}

func repeatsConcurrently(b *bench) {
	write := w("a")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if g, err := b.Create(b.ctx(), write, simple("one")); err != nil || g.Version != 1 {
				b.Errorf("got %+v, %v", g, err)
			}
		})
	}
	all.Wait()
	b.entries("a", store.AuditFilter{}, 1)
}

// race() lets several goroutines update one guideline at the same time. Each update is based on the version that the
// goroutine has just read.
func race(b *bench, handles ...store.Store) {
	const rounds = 15
	var wins atomic.Int64
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			s := handles[i%len(handles)]
			for round := range rounds {
				g, err := s.Get(b.ctx(), "a", "one")
				if err != nil {
					b.Error(err)
					return
				}
				g.Name = fmt.Sprintf("by %d in round %d", i, round)
				switch after, err := s.Update(b.ctx(), w("a"), g); {
				case err == nil && after.Version == g.Version+1:
					wins.Add(1)
				case store.CodeOf(err) != store.Conflict:
					b.Errorf("got %+v, %v", after, err)
				}
			}
		})
	}
	all.Wait()
	want := int(wins.Load()) + 1
	history, err := b.History(b.ctx(), "a", "one", store.Paging{Size: 200})
	b.must(err)
	if g := b.get("a", "one"); g.Version != want || history.Total != want {
		b.Errorf(
			"%d changes were acknowledged, but the version is %d and there are %d revisions", want-1, g.Version, history.Total,
		)
	}
	b.entries("a", store.AuditFilter{Event: store.Updated}, want-1)
}

// appendTogether appends entries from several goroutines at the same time.
func appendTogether(b *bench, handles ...store.Store) {
	const callers, each = 8, 25
	var all sync.WaitGroup
	for caller := range callers {
		all.Go(func() {
			for i := range each {
				sealed, err := handles[caller%len(handles)].Append(b.ctx(), "a", decision(fmt.Sprintf("c%d-%d", caller, i)))
				if err != nil || sealed[0].Hash == "" {
					b.Errorf("got %+v, %v", sealed, err)
				}
			}
		})
	}
	all.Wait()
	b.entries("a", store.AuditFilter{}, callers*each)
	b.checkVerifies("a")
}

// agree() checks that two handles on one store return the same results.
func agree(b *bench, other store.Store) {
	made := b.create("a", simple("one"))
	before, err := store.GenerationOf(b.ctx(), other, "a")
	b.must(err)
	g, err := other.Get(b.ctx(), "a", "one")
	b.must(err)
	b.checkSame(g, made)
	write := w("a")
	first, err := b.Toggle(b.ctx(), write, store.Ref{Key: "one", Version: 1})
	b.must(err)
	again, err := other.Toggle(b.ctx(), write, store.Ref{Key: "one", Version: 1})
	b.must(err)
	b.checkSame(again, first)
	_, err = other.Update(b.ctx(), w("a"), guidelineAt("one", 1))
	b.refused(err, store.Conflict)
	after, err := store.GenerationOf(b.ctx(), other, "a")
	b.must(err)
	if after == before {
		b.Error("the other handle does not see the new generation")
	}
	_, err = other.Import(b.ctx(), w("a"), []guideline.Guideline{simple("two")}, store.ImportOptions{})
	b.must(err)
	if list, err := b.List(b.ctx(), "a", store.ListQuery{}); err != nil || list.Total != 2 {
		b.Errorf("got %+v, %v", list, err)
	}
	b.entries("a", store.AuditFilter{}, 3)
	for i := range 3 {
		_, err = other.Append(b.ctx(), "a", decision(fmt.Sprint("d", i)))
		b.must(err)
		b.entries("a", store.AuditFilter{}, 4+i)
	}
}
