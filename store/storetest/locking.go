package storetest

import (
	"guardrails/guideline"
	"guardrails/store"
)

func locking() []test {
	return []test{
		{"a change with a wrong version MUST be a Conflict that names the current version", locksVersions},
		{"a change without a version MUST be Invalid", requiresVersions},
		{"creating an existing id MUST be a Conflict", createsOnce},
		{"versions MUST continue after a deletion", continuesAfterDeletion},
		{"a refused change MUST NOT change anything", refusalChangesNothing},
	}
}

func locksVersions(b *bench) {
	b.create("a", simple("one"))
	_, err := b.Update(b.ctx(), w("a"), guidelineAt("one", 1))
	b.must(err)
	for _, version := range []int{1, 3} {
		for _, err := range b.attempts("one", version) {
			b.conflicts(err, 2)
		}
	}
}

func requiresVersions(b *bench) {
	b.create("a", simple("one"))
	for _, version := range []int{0, -1} {
		for what, err := range b.attempts("one", version) {
			if store.CodeOf(err) != store.Invalid {
				b.Errorf("%s at version %d: got %v", what, version, err)
			}
		}
	}
}

func createsOnce(b *bench) {
	b.create("a", simple("one"))
	_, err := b.Create(b.ctx(), w("a"), simple("one"))
	b.conflicts(err, 1)
}

func continuesAfterDeletion(b *bench) {
	b.create("a", simple("one"))
	b.must(b.Delete(b.ctx(), w("a"), store.Ref{Key: "one", Version: 1}))
	if g := b.create("a", simple("one")); g.Version != 3 {
		b.Errorf("the guideline created again has version %d, want 3", g.Version)
	}
	_, err := b.Toggle(b.ctx(), w("a"), store.Ref{Key: "one", Version: 1})
	b.refused(err, store.Conflict)
}

func refusalChangesNothing(b *bench) {
	g := b.create("a", simple("one"))
	before := b.generation("a")
	b.attempts("one", 9)
	_, err := b.Create(b.ctx(), w("a"), simple("one"))
	b.refused(err, store.Conflict)
	b.checkSame(b.get("a", "one"), g)
	b.entries("a", store.AuditFilter{}, 1)
	history, err := b.History(b.ctx(), "a", "one", store.Paging{})
	b.must(err)
	if history.Total != 1 || b.generation("a") != before {
		b.Errorf("there are %d revisions, and the generation is %d (before: %d)", history.Total, b.generation("a"), before)
	}
}

// attempts() calls every method that changes an existing guideline. It passes the given version to all of them, and
// returns their errors.
func (b *bench) attempts(id string, version int) map[string]error {
	ref := store.Ref{Key: id, Version: version}
	out := map[string]error{}
	_, out["update"] = b.Update(b.ctx(), w("a"), guidelineAt(id, version))
	_, out["toggle"] = b.Toggle(b.ctx(), w("a"), ref)
	_, out["restore"] = b.Restore(b.ctx(), w("a"), ref, 1)
	out["delete"] = b.Delete(b.ctx(), w("a"), ref)
	return out
}

func writeIDs() []test {
	return []test{
		{"the same write id MUST return the first result, whatever happened since", repeatsResults},
		{"a write id that was used for another change MUST be Invalid", refusesReusedIDs},
		{"a write id MUST be known only in its tenant", separatesIDsByTenant},
		{"the write id of a failed change MUST stay unused", reusesFailedIDs},
		{"an import with the same write id MUST return the first result", repeatsImports},
	}
}

func repeatsResults(b *bench) {
	creating, updating, toggling, deleting, restoring := w("a"), w("a"), w("a"), w("a"), w("a")
	next := guidelineAt("one", 1)
	next.Name = "Other"
	all := func() (out [5]guideline.Guideline, errs [5]error) {
		out[0], errs[0] = b.Create(b.ctx(), creating, simple("one"))
		out[1], errs[1] = b.Update(b.ctx(), updating, next)
		out[2], errs[2] = b.Toggle(b.ctx(), toggling, store.Ref{Key: "one", Version: 2})
		errs[3] = b.Delete(b.ctx(), deleting, store.Ref{Key: "one", Version: 3})
		out[4], errs[4] = b.Restore(b.ctx(), restoring, store.Ref{Key: "one", Version: 4}, 1)
		return out, errs
	}
	first, errs := all()
	again, errsAgain := all()
	for i := range first {
		b.must(errs[i])
		b.must(errsAgain[i])
		b.checkSame(again[i], first[i])
	}
	b.entries("a", store.AuditFilter{}, 5)
	if g := b.get("a", "one"); g.Version != 5 {
		b.Errorf("the guideline has version %d, want 5", g.Version)
	}
}

func refusesReusedIDs(b *bench) {
	write := w("a")
	_, err := b.Create(b.ctx(), write, simple("one"))
	b.must(err)
	_, err = b.Create(b.ctx(), write, simple("two"))
	b.refused(err, store.Invalid)
	b.refused(b.Delete(b.ctx(), write, store.Ref{Key: "one", Version: 1}), store.Invalid)
	_, err = b.Import(b.ctx(), write, []guideline.Guideline{simple("one")}, store.ImportOptions{})
	b.refused(err, store.Invalid)
}

func separatesIDsByTenant(b *bench) {
	write := w("a")
	_, err := b.Create(b.ctx(), write, simple("one"))
	b.must(err)
	write.Tenant = "b"
	_, err = b.Create(b.ctx(), write, simple("two"))
	b.must(err)
}

func reusesFailedIDs(b *bench) {
	write := w("a")
	b.refused(b.Delete(b.ctx(), write, store.Ref{Key: "one", Version: 1}), store.NotFound)
	_, err := b.Create(b.ctx(), write, simple("one"))
	b.must(err)
}

func repeatsImports(b *bench) {
	write, items := w("a"), []guideline.Guideline{simple("one"), simple("two")}
	first, err := b.Import(b.ctx(), write, items, store.ImportOptions{})
	b.must(err)
	again, err := b.Import(b.ctx(), write, items, store.ImportOptions{})
	b.must(err)
	if !again.Applied || len(again.Items) != 2 || again.Items[1] != first.Items[1] {
		b.Errorf("got %+v, first %+v", again, first)
	}
	b.entries("a", store.AuditFilter{}, 2)
}
