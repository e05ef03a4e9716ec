package rest_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	domain "guardrails/guideline"
	"guardrails/server/access"
	"guardrails/store"
	"guardrails/store/live"
)

// recordedContext adds a decision about a call of an agent, with the paths and events that a hook records.
func (api *testAPI) recordedContext(tenant, agent string, at time.Time, paths []string, events ...any) {
	api.t.Helper()
	api.entries++
	_, err := api.store.For(live.Caller{Tenant: tenant, Actor: "hooks"}).Append(api.t.Context(), store.Entry{
		ID: fmt.Sprint("e", api.entries), Kind: store.KindDecision, Event: "decision", Time: at, Session: "s1",
		Decision: &store.Decision{Result: "allow", Tool: "Bash"},
		Context: &domain.Context{
			Agent: agent, Domain: "billing", Paths: paths, Metadata: map[string]any{"project": "/home/me/shop", "events": events},
		},
	})
	check(api.t, err)
}

func TestAConditionIsTriedOnRecordedContexts(t *testing.T) {
	api := newAPI(t)
	api.recordedContext("shop", "backend", at(7, 0), []string{"/home/me/shop/src/a.go"}, "commit", "push")
	api.recordedContext("shop", "backend", at(7, 1), []string{"docs/a.md", "/home/me/shopping/src/a.go"})
	api.recordedContext("shop", "tester", at(7, 2), []string{"src/a_test.go"}, "push")
	api.recordedContext("other", "backend", at(7, 3), []string{"src/a.go"}, "push")
	api.actAs(access.Caller{Name: "reader", Tenant: "shop", Role: access.Read})
	for _, c := range []struct{ condition, matched, open string }{
		{`{}`, "3", "0"},
		{`{"agents":["backend"]}`, "2", "0"},
		{`{"agents":["backend","tester"],"events":["push"]}`, "2", "0"},
		{`{"events":["commit"]}`, "1", "0"},
		{`{"paths":["src/*"]}`, "2", "0"},
		{`{"paths":["src/*"],"agents":["backend"]}`, "1", "0"},
		{`{"domains":["shipping"]}`, "0", "0"},
		{`{"agents":["backend"],"custom":{"branch":["main"]}}`, "0", "2"},
	} {
		api.send(http.MethodPost, base+"/test-condition", `{"condition":`+c.condition+`}`).is(200).
			has("tried", "3").has("matched", c.matched).has("open", c.open)
	}
	api.send(http.MethodPost, base+"/test-condition", `{"condition":{"events":["commit"]}}`).is(200).
		has("examples.0.agent", "backend").has("examples.0.events", `["commit","push"]`).has("examples.0.paths", `["src/a.go"]`).
		has("examples.0.tool", "Bash").has("examples.1", "")
	for _, body := range []string{`{}`, `{"condition":{"agent":["x"]}}`, `{"condition":{"paths":[""]}}`, `{"condition":[]}`} {
		api.send(http.MethodPost, base+"/test-condition", body).is(400)
	}
}

func TestAConditionIsTriedOnTheNewest500Contexts(t *testing.T) {
	api := newAPI(t)
	api.recordedContext("shop", "oldest", at(1, 0), nil)
	for i := range 500 {
		api.recordedContext("shop", "backend", at(2, 0).Add(time.Duration(i)*time.Second), nil)
	}
	api.send(http.MethodPost, base+"/test-condition", `{"condition":{"agents":["oldest"]}}`).is(200).has("tried", "500").has("matched", "0")
	api.send(http.MethodPost, base+"/test-condition", `{"condition":{}}`).is(200).has("matched", "500").has("examples.5", "")
}
