package live_test

import (
	"errors"
	"regexp"
	"testing"
	"time"

	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/live"
)

func items(ids ...string) []guideline.Guideline {
	var out []guideline.Guideline
	for _, id := range ids {
		out = append(out, small(id))
	}
	return out
}

func TestTheAuditNamesTheAuthorOfEveryChange(t *testing.T) {
	s := open(t, newFile(t))
	tenant := s.For(live.Caller{Tenant: "a", Actor: "ann", Session: "s1", WriteID: "write-0001"})
	first, err := tenant.Create(t.Context(), small("one"))
	check(t, err)
	again, err := tenant.Create(t.Context(), small("one"))
	if err != nil || again.Version != first.Version {
		t.Errorf("the same write id made another change: %+v, %v", again, err)
	}
	page, err := tenant.Audit(t.Context(), store.AuditQuery{})
	check(t, err)
	if len(page.Items) != 1 {
		t.Fatalf("got %+v", page.Items)
	}
	if e := page.Items[0]; e.Actor != "ann" || e.Session != "s1" || e.Event != store.Created {
		t.Errorf("got %+v", e)
	}
}

func TestListenersReceiveTheEventsOfTheirTenant(t *testing.T) {
	s := open(t, newFile(t))
	listener := s.Listen("a", "")
	defer listener.Close()
	_, err := s.For(as("b")).Create(t.Context(), small("other"))
	check(t, err)
	_, err = s.For(as("a")).Create(t.Context(), small("one"))
	check(t, err)
	_, err = s.For(as("a")).Append(t.Context(), decision("d1", "because"))
	check(t, err)
	events, missed, _ := listener.Next()
	if len(events) != 2 || missed != 0 {
		t.Fatalf("got %+v, %d missed", events, missed)
	}
	if e := events[0]; e.Kind != live.GuidelineChanged || e.Guideline != "one" || e.Version != 1 || e.Actor != "ann" {
		t.Errorf("got %+v", e)
	}
	if e := events[1]; e.Kind != live.DecisionMade || e.Entry == nil || e.Entry.ID != "d1" {
		t.Errorf("got %+v", e)
	}
}

func decision(id, reason string) store.Entry {
	return store.Entry{
		ID: id, Kind: store.KindDecision, Event: "decision", Actor: "backend",
		Decision: &store.Decision{Result: "deny", Reason: reason, UserResponse: reason},
		Context:  &guideline.Context{Paths: []string{"a/" + reason}, Metadata: map[string]any{"input": []any{reason}}},
	}
}

func TestSecretsAreMaskedInTheAudit(t *testing.T) {
	s := open(t, newFile(t))
	given := decision("d1", "token geheim")
	sealed, err := s.For(as("a")).Append(t.Context(), given)
	check(t, err)
	d, task := sealed[0].Decision, sealed[0].Context
	if d.Reason != "token ***" || d.UserResponse != "token ***" {
		t.Errorf("got the decision %+v", d)
	}
	if task.Paths[0] != "a/token ***" || task.Metadata["input"].([]any)[0] != "token ***" {
		t.Errorf("got the context %+v", task)
	}
	if given.Decision.Reason != "token geheim" || given.Context.Paths[0] != "a/token geheim" {
		t.Error("the caller's entry was modified")
	}
}

func TestSecretsAreMaskedInTheStringsOfARecordedCall(t *testing.T) {
	for given, want := range map[string]string{
		`{"effects":[{"c":["cat geheim.go"],"s":["0","1"]}],"v":["1"]}`: `{"effects":[{"c":["cat ***"],"s":["0","1"]}],"v":["1"]}`,
		`{"effects":[{"c":["a && b > <c> \u00e9"]}]}`:                   `{"effects":[{"c":["a && b > <c> é"]}]}`,
		"too large": "too large",
		"geheim":    "***",
	} {
		s := live.New(live.Options{Open: live.Opened(database(t, newFile(t))), Now: time.Now, Mask: func(text string) string {
			// Like the mask that the hooks use, this mask hides everything up to the next space.
			return regexp.MustCompile(`geheim\S*`).ReplaceAllString(text, "***")
		}})
		t.Cleanup(func() { check(t, s.Close()) })
		e := decision("d1", "because")
		e.Context.Metadata[store.CallKey] = given
		sealed, err := s.For(as("a")).Append(t.Context(), e)
		check(t, err)
		if got := sealed[0].Context.Metadata[store.CallKey]; got != want {
			t.Errorf("%s became %v, want %s", given, got, want)
		}
	}
}

// rename() returns a function for Edit that changes the name.
func rename(name string) func(guideline.Guideline) (guideline.Guideline, error) {
	return func(g guideline.Guideline) (guideline.Guideline, error) {
		g.Name = name
		return g, nil
	}
}

func TestAnEditAppliesToTheVersionThatItsAuthorSaw(t *testing.T) {
	tenant := open(t, newFile(t)).For(as("a"))
	_, err := tenant.Create(t.Context(), small("one"))
	check(t, err)
	seen := live.Ref{ID: "one", Version: 1}
	g, err := tenant.Edit(t.Context(), seen, rename("Two"))
	if err != nil || g.Name != "Two" || g.Version != 2 || g.Priority != 500 {
		t.Errorf("got %+v, %v", g, err)
	}
	if _, err := tenant.Edit(t.Context(), seen, rename("Late")); store.CodeOf(err) != store.Conflict {
		t.Errorf("an edit of an old version: %v", err)
	}
	if g, err := tenant.Edit(t.Context(), live.Ref{ID: "one"}, rename("Three")); err != nil || g.Version != 3 {
		t.Errorf("an edit of the current version: %+v, %v", g, err)
	}
	if _, err := tenant.Edit(
		t.Context(), live.Ref{ID: "none", Version: 1}, rename("x"),
	); store.CodeOf(err) != store.NotFound {
		t.Errorf("an edit of a guideline that does not exist: %v", err)
	}
}

func TestAnEditThatFailsChangesNothing(t *testing.T) {
	tenant := open(t, newFile(t)).For(as("a"))
	_, err := tenant.Create(t.Context(), small("one"))
	check(t, err)
	cause := errors.New("cause")
	edit := func(g guideline.Guideline) (guideline.Guideline, error) { return g, cause }
	if _, err := tenant.Edit(t.Context(), live.Ref{ID: "one", Version: 1}, edit); !errors.Is(err, cause) {
		t.Errorf("got %v", err)
	}
	if g, err := tenant.Get(t.Context(), "one"); err != nil || g.Version != 1 {
		t.Errorf("got %+v, %v", g, err)
	}
}

func TestARepeatedEditGivesTheSameResultWhateverHappenedSince(t *testing.T) {
	s := open(t, newFile(t))
	tenant := s.For(as("a"))
	repeating := s.For(live.Caller{Tenant: "a", Actor: "ann", WriteID: "write-0001"})
	_, err := tenant.Create(t.Context(), small("one"))
	check(t, err)
	seen := live.Ref{ID: "one", Version: 1}
	_, err = repeating.Edit(t.Context(), seen, rename("Two"))
	check(t, err)
	repeat := func(after string) {
		t.Helper()
		g, err := repeating.Edit(t.Context(), seen, rename("Two"))
		if err != nil || g.Name != "Two" || g.Version != 2 {
			t.Errorf("after %s: %+v, %v", after, g, err)
		}
	}
	repeat("nothing")
	_, err = tenant.Edit(t.Context(), live.Ref{ID: "one", Version: 2}, rename("Three"))
	check(t, err)
	repeat("another edit")
	check(t, tenant.Delete(t.Context(), live.Ref{ID: "one", Version: 3}))
	repeat("a deletion")
	if _, err := repeating.Edit(t.Context(), seen, rename("Other")); store.CodeOf(err) != store.Invalid {
		t.Errorf("another edit with the same write id: %v", err)
	}
}
