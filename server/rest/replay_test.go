package rest_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"guardrails/decide/rejudge"
	"guardrails/detect/effect"
	domain "guardrails/guideline"
	"guardrails/server/access"
	"guardrails/service/replay"
	"guardrails/store"
	"guardrails/store/live"
)

// recordedCall adds the decision about a command, as a hook records it. If the parameter "command" is empty, the entry
// has no recorded call, like the entries of earlier versions of guardrails.
func (api *testAPI) recordedCall(id, command, result string, at time.Time) {
	api.t.Helper()
	metadata := map[string]any{}
	if command != "" {
		n := &rejudge.Noted{Layers: []*domain.Context{{Agent: "backend"}}}
		call := &effect.Analysis{Tool: "Bash", Effects: []effect.Effect{{Kind: effect.Run, Command: command, Forms: []string{command}}}}
		metadata[store.CallKey] = n.Append(call, strings.TrimSpace)
	}
	_, err := api.store.For(live.Caller{Tenant: "shop", Actor: "hooks"}).Append(api.t.Context(), store.Entry{
		ID: id, Kind: store.KindDecision, Event: "decision", Actor: "backend", Time: at,
		Decision: &store.Decision{Result: result, Tool: "Bash"}, Context: &domain.Context{Agent: "backend", Metadata: metadata},
	})
	check(api.t, err)
}

type replayed struct {
	Type  string
	Total int
	replay.Report
}

// replay() returns the last line of a replay.
func (api *testAPI) replay(query, body string) replayed {
	api.t.Helper()
	r := api.send(http.MethodPost, base+"/replay"+query, body).is(200)
	lines := strings.Split(strings.TrimSpace(r.text), "\n")
	for _, line := range lines {
		one := r
		one.text = line
		api.contract.matches(api.t, "ReplayLine", &one)
	}
	var out replayed
	check(api.t, json.Unmarshal([]byte(lines[len(lines)-1]), &out))
	return out
}

func TestAReplayFindsTheCallsThatADraftDecidesDifferently(t *testing.T) {
	api := newAPI(t)
	now := api.clock()
	api.recordedCall("old", "", "allow", now.Add(-3*time.Hour))
	api.recordedCall("push", "git push origin main", "allow", now.Add(-2*time.Hour))
	api.recordedCall("status", "git status", "allow", now.Add(-time.Hour))
	api.recordedCall("yesterday", "git push", "allow", now.Add(-30*time.Hour))
	api.actAs(access.Caller{Name: "reader", Tenant: "shop", Role: access.Read})
	r := api.replay("", `{"draft":{"guidelines":[`+guideline("no-push", noPush)+`]}}`)
	if r.Type != "result" || r.Total != 3 || r.Calls != 3 || r.Replayed != 2 || r.Changed != 1 || r.NotReplayed != 1 || r.Reasons[0].Reason != replay.NotRecorded {
		t.Fatalf("got %+v", r)
	}
	g := r.Groups[0]
	if g.Was.Result != "allow" || g.Would.Result != "deny" || g.Would.Guideline != "no-push" || !g.ByDraft ||
		g.Calls[0].Entry != "push" || g.Calls[0].Text != "git push origin main" || g.Calls[0].Reason == "" {
		t.Errorf("got %+v", g)
	}
	if r = api.replay("?date_from=2020-01-01&result=allow", `{"draft":{"guidelines":[`+guideline("no-push", noPush)+`]}}`); r.Changed != 2 {
		t.Errorf("got %+v", r)
	}
	if r = api.replay("", `{}`); r.Changed != 0 || r.Unchanged != 2 {
		t.Errorf("without a draft: %+v", r)
	}
	if r = api.replay("?calls=1", `{}`); !r.Truncated || r.Calls != 1 {
		t.Errorf("limited: %+v", r)
	}
}

func TestAReplayRefusesWhatItCannotRead(t *testing.T) {
	api := newAPI(t)
	for body, status := range map[string]int{
		`[]`: 400, `{"drafts":1}`: 400, `{"draft":{"guidelines":[{"id":"a"}]}}`: 400,
	} {
		if r := api.send(http.MethodPost, base+"/replay", body); r.status != status {
			t.Errorf("%s: %d %s", body, r.status, r.text)
		}
	}
	api.send(http.MethodPost, base+"/replay?calls=0", `{}`).is(400)
	api.send(http.MethodPost, base+"/replay?result=maybe", `{}`).is(400)
	api.send(http.MethodPost, base+"/replay?kind=change", `{}`).is(400)
}
