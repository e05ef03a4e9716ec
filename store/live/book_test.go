package live_test

import (
	"testing"

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

func TestEveryChangeHasItsAuthorInTheAudit(t *testing.T) {
	c := open(t, newFile(t))
	book := c.For(live.Who{Tenant: "a", Actor: "ann", Session: "s1", WriteID: "write-0001"})
	first, err := book.Create(t.Context(), small("one"))
	check(t, err)
	again, err := book.Create(t.Context(), small("one"))
	if err != nil || again.Version != first.Version {
		t.Errorf("repeated with its write id it is another change: %+v %v", again, err)
	}
	page, err := book.Audit(t.Context(), store.AuditQuery{})
	check(t, err)
	if len(page.Items) != 1 || page.Items[0].Actor != "ann" || page.Items[0].Session != "s1" || page.Items[0].Event != store.Created {
		t.Errorf("%+v", page.Items)
	}
}

func TestListenersHearOfTheirTenant(t *testing.T) {
	c := open(t, newFile(t))
	events, stop := c.Listen("a")
	_, err := c.For(as("b")).Create(t.Context(), small("other"))
	check(t, err)
	_, err = c.For(as("a")).Create(t.Context(), small("one"))
	check(t, err)
	_, err = c.For(as("a")).Append(t.Context(), decision("d1", "because"))
	check(t, err)
	if e := <-events; e.Kind != live.GuidelineChanged || e.Guideline != "one" || e.Version != 1 || e.Actor != "ann" {
		t.Errorf("%+v", e)
	}
	if e := <-events; e.Kind != live.DecisionMade || e.Entry == nil || e.Entry.ID != "d1" {
		t.Errorf("%+v", e)
	}
	stop()
	_, err = c.For(as("a")).Create(t.Context(), small("two"))
	check(t, err)
	if len(events) > 0 {
		t.Errorf("%+v after the end", <-events)
	}
}

func decision(id, reason string) store.Entry {
	return store.Entry{
		ID: id, Kind: store.KindDecision, Event: "decision", Actor: "backend", Decision: &store.Decision{Result: "deny", Reason: reason, UserResponse: reason},
		Context: &guideline.Context{Paths: []string{"a/" + reason}, Metadata: map[string]any{"input": []any{reason}}},
	}
}

func TestSecretsAreMaskedOnTheWayIntoTheAudit(t *testing.T) {
	c := open(t, newFile(t))
	given := decision("d1", "token geheim")
	sealed, err := c.For(as("a")).Append(t.Context(), given)
	check(t, err)
	if d, of := sealed[0].Decision, sealed[0].Context; d.Reason != "token ***" || d.UserResponse != "token ***" || of.Paths[0] != "a/token ***" || of.Metadata["input"].([]any)[0] != "token ***" {
		t.Errorf("%+v %+v", d, of)
	}
	if given.Decision.Reason != "token geheim" || given.Context.Paths[0] != "a/token geheim" {
		t.Error("what the caller has was changed")
	}
}
