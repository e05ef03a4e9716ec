package live_test

import (
	"errors"
	"testing"

	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/live"
)

// named is an edit that gives another name.
func named(name string) func(guideline.Guideline) (guideline.Guideline, error) {
	return func(g guideline.Guideline) (guideline.Guideline, error) {
		g.Name = name
		return g, nil
	}
}

func TestAnEditIsMadeOntoTheVersionThatItsAuthorSaw(t *testing.T) {
	book := open(t, newFile(t)).For(as("a"))
	_, err := book.Create(t.Context(), small("one"))
	check(t, err)
	g, err := book.Edit(t.Context(), store.Ref{ID: "one", Version: 1}, named("Two"))
	if err != nil || g.Name != "Two" || g.Version != 2 || g.Priority != 500 {
		t.Errorf("%+v %v", g, err)
	}
	if _, err := book.Edit(t.Context(), store.Ref{ID: "one", Version: 1}, named("Late")); store.CodeOf(err) != store.Conflict {
		t.Errorf("a version that is gone: %v", err)
	}
	if g, err := book.Edit(t.Context(), store.Ref{ID: "one"}, named("Three")); err != nil || g.Version != 3 {
		t.Errorf("whatever version there is: %+v %v", g, err)
	}
	if _, err := book.Edit(t.Context(), store.Ref{ID: "none", Version: 1}, named("x")); store.CodeOf(err) != store.NotFound {
		t.Errorf("what is not there: %v", err)
	}
}

func TestAnEditThatCannotBeChangesNothing(t *testing.T) {
	book := open(t, newFile(t)).For(as("a"))
	_, err := book.Create(t.Context(), small("one"))
	check(t, err)
	why := errors.New("why")
	if _, err := book.Edit(t.Context(), store.Ref{ID: "one", Version: 1}, func(g guideline.Guideline) (guideline.Guideline, error) { return g, why }); !errors.Is(err, why) {
		t.Errorf("got %v", err)
	}
	if g, err := book.Get(t.Context(), "one"); err != nil || g.Version != 1 {
		t.Errorf("%+v %v", g, err)
	}
}

func TestARepeatedEditIsTheSameOneWhateverHappenedSince(t *testing.T) {
	c := open(t, newFile(t))
	book := c.For(as("a"))
	first := c.For(live.Who{Tenant: "a", Actor: "ann", WriteID: "write-0001"})
	_, err := book.Create(t.Context(), small("one"))
	check(t, err)
	seen := store.Ref{ID: "one", Version: 1}
	_, err = first.Edit(t.Context(), seen, named("Two"))
	check(t, err)
	again := func(since string) {
		t.Helper()
		if g, err := first.Edit(t.Context(), seen, named("Two")); err != nil || g.Name != "Two" || g.Version != 2 {
			t.Errorf("after %s: %+v %v", since, g, err)
		}
	}
	again("nothing")
	_, err = book.Edit(t.Context(), store.Ref{ID: "one", Version: 2}, named("Three"))
	check(t, err)
	again("another edit")
	check(t, book.Delete(t.Context(), store.Ref{ID: "one", Version: 3}))
	again("a deletion")
	if _, err := first.Edit(t.Context(), seen, named("Other")); store.CodeOf(err) != store.Invalid {
		t.Errorf("another edit with the same write id: %v", err)
	}
}
