package rest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"guardrails/decide"
	domain "guardrails/guideline"
	"guardrails/server/access"
	"guardrails/store"
	"guardrails/store/live"
	"guardrails/webhook"
)

// decided() adds a decision of an agent in a session to the audit.
func (api *testAPI) decided(tenant, session, agent, id, result string, at time.Time) {
	api.t.Helper()
	api.entries++
	event := "decision"
	if result == "approved" || result == "rejected" {
		event = "gate"
	}
	_, err := api.store.For(live.Caller{Tenant: tenant, Actor: "hooks"}).Append(context.Background(), store.Entry{
		ID: fmt.Sprint("e", api.entries), Kind: store.KindDecision, Event: event, Time: at, Session: session, Guideline: id, ProjectID: "p",
		GuidelineName: "The " + id + " one", Decision: &store.Decision{Result: result, Tool: "Bash"},
		Context: &domain.Context{Agent: agent, Domain: "billing"},
	})
	check(api.t, err)
}

func at(hour, minute int) time.Time { return time.Date(2026, 2, 5, hour, minute, 0, 0, time.UTC) }

func TestASummaryCountsDecisionsOverTime(t *testing.T) {
	api := newAPI(t)
	for _, d := range []struct {
		agent, id, result string
		at                time.Time
	}{
		{"backend", "a", "deny", at(7, 10)},
		{"backend", "a", "ask", at(8, 0)},
		{"frontend", "b", "deny", at(8, 59)},
		{"backend", "", "allow", at(9, 0)},
		{"backend", "a", "deny", at(6, 59)},
		{"backend", "a", "deny", at(9, 30)},
	} {
		api.decided("shop", "s1", d.agent, d.id, d.result, d.at)
	}
	api.decided("other", "s1", "backend", "a", "deny", at(8, 1))
	r := api.get(base + "/summary?date_from=2026-02-05T07:00:00Z&date_to=2026-02-05T09:30:00Z")
	r.has("counted", "4").has("complete", "true").has("results", `{"allow":1,"ask":1,"deny":2}`).has("events", `{"decision":4}`)
	if got := r.values("buckets", "start"); got != "2026-02-05T07:00:00Z 2026-02-05T08:00:00Z 2026-02-05T09:00:00Z" {
		t.Errorf("%s", got)
	}
	if got := r.values("buckets", "results"); got != `{"deny":1} {"ask":1,"deny":1} {"allow":1}` {
		t.Errorf("%s", got)
	}
	r.has("guidelines.0.id", "a").has("guidelines.0.total", "2").has("guidelines.0.name", "The a one").has("guidelines.1.id", "b").has("guidelines.2", "")
	r.has("agents.0.id", "backend").has("agents.0.total", "3").has("tools.0.id", "Bash").has("tools.0.total", "4")
	day := api.get(base + "/summary?date_from=2026-02-04&date_to=2026-02-05&bucket=day")
	if got := day.values("buckets", "results"); got != `{} {"allow":1,"ask":1,"deny":4}` {
		t.Errorf("%s in %s", got, day.text)
	}
	usual := api.get(base+"/summary").has("counted", "6")
	if got := strings.Count(usual.text, `"start"`); got != 25 && got != 24 {
		t.Errorf("a day has %d hours", got)
	}
	api.get(base+"/summary?session=none").has("counted", "0").has("results", "{}")
	api.get(base+"/summary?date_from=7403-08-08").has("counted", "0").has("buckets", "[]")
	for _, query := range []string{"?bucket=week", "?date_from=2025-01-01&date_to=2026-01-01", "?date_from=2026-02-05&date_to=2026-02-04", "?result=deny"} {
		api.send(http.MethodGet, base+"/summary"+query, "").is(400)
	}
}

func TestSessionsAreListedWithWhatTheyWereAsked(t *testing.T) {
	api := newAPI(t)
	for _, d := range []struct {
		session, agent, id, result string
		at                         time.Time
	}{
		{"old", "backend", "a", "deny", at(5, 0)},
		{"new", "backend", "a", "ask", at(8, 0)},
		{"new", "backend", "a", "approved", at(8, 1)},
		{"new", "tester", "b", "ask", at(8, 2)},
		{"", "backend", "a", "deny", at(8, 3)},
	} {
		api.decided("shop", d.session, d.agent, d.id, d.result, d.at)
	}
	api.decided("other", "theirs", "backend", "a", "deny", at(9, 1))
	r := api.get(base+"/sessions").has("total", "2")
	if got := r.values("sessions", "session"); got != "new old" {
		t.Fatalf("%s", r.text)
	}
	r.has("sessions.0.first", "2026-02-05T08:00:00Z").has("sessions.0.last", "2026-02-05T08:02:00Z").has("sessions.0.entries", "3").
		has("sessions.0.project_id", "p").has("sessions.0.agents", `["tester","backend"]`).
		has("sessions.0.asked.0.id", "a").has("sessions.0.asked.0.total", "1").has("sessions.0.asked.0.results", `{"approved":1,"ask":1}`).has("sessions.1.asked", "[]")
	api.get(base+"/sessions?agent=tester").has("total", "1").has("sessions.0.entries", "1")
	api.get(base+"/sessions?date_to=2026-02-05T06:00:00Z").has("sessions.0.session", "old")
	api.get(base+"/sessions?session=new").has("total", "1")
}

// decidedOften() adds decisions that all have the same time.
func (api *testAPI) decidedOften(number int, session string, at time.Time) {
	api.t.Helper()
	list := make([]store.Entry, number)
	for i := range list {
		api.entries++
		list[i] = store.Entry{
			ID: fmt.Sprint("e", api.entries), Kind: store.KindDecision, Event: "decision", Session: session, Time: at,
			Decision: &store.Decision{Result: "allow", Tool: "Bash"},
		}
	}
	_, err := api.store.For(live.Caller{Tenant: "shop", Actor: "hooks"}).Append(context.Background(), list...)
	check(api.t, err)
}

func TestASummaryOfTooManyDecisionsContinuesExactlyWhereItStopped(t *testing.T) {
	api := newAPIThatCounts(t, 1000)
	for i := range 3 {
		api.decidedOften(1100, fmt.Sprint("s", i), at(3+i, 0)) // the limit is in the middle of a moment
	}
	r := api.get(base+"/summary").has("complete", "false").has("counted", "1000").has("from", "2026-02-05T05:00:00Z")
	began, total := r.value("to"), 1000
	for r.value("next_cursor") != "null" {
		api.decidedOften(3, "late", at(5, 0))
		api.decidedOften(3, "new", at(9, 59))
		cursor := "cursor=" + r.value("next_cursor")
		api.send(http.MethodGet, base+"/summary?session=s1&"+cursor, "").is(400)
		r = api.get(base+"/summary?"+cursor).has("to", began)
		counted, err := strconv.Atoi(r.value("counted"))
		check(t, err)
		r.has("results", fmt.Sprintf(`{"allow":%d}`, counted))
		total += counted
	}
	// Among decisions of the same time, the newest comes first, so the late decisions are before the first cursor.
	if r.has("complete", "true"); total != 3300 {
		t.Errorf("%d decisions were counted", total)
	}
}

func TestSessionsOfTooManyDecisionsContinueExactlyWhereTheyStopped(t *testing.T) {
	api := newAPIThatCounts(t, 1000)
	for i := range 6 {
		api.decidedOften(600, fmt.Sprint("s", i), at(3, 0))
	}
	api.decided("shop", "earliest", "backend", "a", "deny", at(1, 0))
	entries, pages := map[string]int{}, 0
	for cursor := ""; ; pages++ {
		r := api.get(base+"/sessions?page_size=1"+cursor).has("page", strconv.Itoa(pages+1))
		var said struct {
			Sessions []struct {
				Session string
				Entries int
			}
			Next string `json:"next_cursor"`
		}
		check(t, json.Unmarshal([]byte(r.text), &said))
		for _, s := range said.Sessions {
			entries[s.Session] += s.Entries
		}
		if said.Next == "" {
			r.has("complete", "true")
			break
		}
		cursor = "&cursor=" + said.Next
		api.decidedOften(7, "s0", at(3, 0))
		api.decidedOften(7, fmt.Sprint("late", pages), at(2, 0))
	}
	if want := "map[earliest:1 s0:600 s1:600 s2:600 s3:600 s4:600 s5:600]"; fmt.Sprint(entries) != want {
		t.Errorf("%v", entries)
	}
}

// Decisions that were added after the first page are read, although they do not count. A caller can also make a cursor
// with which no decision counts. One request must not read a whole audit for such a cursor.
func TestAPageOfSessionsReadsALimitedNumberOfDecisionsThatDoNotCount(t *testing.T) {
	api := newAPIThatCounts(t, 100)
	for i := range 3 {
		api.decidedOften(1, fmt.Sprint("s", i), at(3, i))
	}
	r := api.get(base+"/sessions?page_size=1").has("complete", "true").has("total", "3")
	api.decidedOften(450, "late", at(4, 0))
	next := func() {
		t.Helper()
		r = api.get(base + "/sessions?page_size=1&cursor=" + r.value("next_cursor"))
	}
	for range 2 {
		next()
		r.has("complete", "false").has("counted", "0").has("sessions", "[]").has("from", "2026-02-05T04:00:00Z")
	}
	next()
	r.has("complete", "true").has("counted", "3").has("total", "3").has("sessions.0.session", "s2")
}

func TestASessionStaysInTheListWhenALateDecisionOfItArrives(t *testing.T) {
	api := newAPI(t)
	for i := range 6 {
		api.decided("shop", fmt.Sprint("s", i), "backend", "a", "deny", at(5, i))
	}
	r := api.get(base+"/sessions?page_size=2").has("total", "6")
	got := r.values("sessions", "session")
	api.decided("shop", "s1", "backend", "a", "deny", at(8, 0))
	for r.value("next_cursor") != "null" {
		r = api.get(base+"/sessions?page_size=2&cursor="+r.value("next_cursor")).has("total", "6")
		got += " " + r.values("sessions", "session")
	}
	if got != "s5 s4 s3 s2 s1 s0" {
		t.Errorf("got %s", got)
	}
	api.get(base+"/sessions").has("sessions.0.session", "s1")
}

func TestPagesOfSessionsDoNotChangeWhileDecisionsAreMade(t *testing.T) {
	api := newAPI(t)
	const sessions = 7
	for i := range sessions {
		api.decided("shop", "s"+strconv.Itoa(i), "backend", "a", "deny", at(5, i/2)) // two decisions have the same time
	}
	var got []string
	list := base + "/sessions?page_size=2"
	r := api.get(list).has("total", strconv.Itoa(sessions))
	began := r.value("to")
	for pages := 1; ; pages++ {
		got = append(got, strings.Fields(r.values("sessions", "session"))...)
		r.has("page", strconv.Itoa(pages)).has("page_size", "2").has("to", began)
		next := r.value("next_cursor")
		if next == "null" {
			break
		}
		api.decided("shop", "later"+strconv.Itoa(pages), "backend", "a", "deny", at(23, pages))
		r = api.get(list+"&cursor="+next).has("total", strconv.Itoa(sessions))
	}
	if want := "s6 s4 s5 s2 s3 s0 s1"; strings.Join(got, " ") != want {
		t.Errorf("got %s, want %s", got, want)
	}
	second := api.get(list + "&page=2")
	if got := second.values("sessions", "session"); got != "s5 s2" {
		t.Errorf("the second page has %s", got)
	}
	cursor := second.value("next_cursor")
	api.send(http.MethodGet, list+"&agent=tester&cursor="+cursor, "").is(400)
	api.send(http.MethodGet, list+"&page=2&cursor="+cursor, "").is(400)
}

func TestVocabulariesHaveTheNamesThatOccurAndNoOthersOfOtherTenants(t *testing.T) {
	api := newAPI(t)
	api.writeProject(".claude/guardrails.yaml", "packs: []\ndefault_agent: main\ndomains: {billing: [invoice], gardening: [tree]}\n")
	api.create("a", `"condition":{"agents":["backend"],"actions":["sing"],"gate_types":["legal"]},"metadata":{"tags":["team",1]}`)
	api.decided("shop", "s1", "tester", "a", "ask", at(8, 0))
	api.decided("other", "s1", "stranger", "a", "ask", at(8, 0))
	r := api.get(base + "/vocabularies")
	r.has("agents", `[{"in":["guidelines"],"name":"backend"},{"in":["settings"],"name":"main"},{"in":["audit"],"name":"tester"}]`).
		has("tags", `[{"in":["guidelines"],"name":"team"}]`).has("gate_types", `[{"in":["guidelines"],"name":"legal"}]`).
		has("tools", `[{"in":["audit"],"name":"Bash"}]`).has("projects", `[{"in":["audit"],"name":"p"}]`).has("limits.priority_max", "1000").has("limits.instruction_max", "9000")
	for _, want := range []string{
		`{"name":"billing","in":["settings","audit"]}`, `{"name":"gardening","in":["settings"]}`, `{"name":"sing","in":["guidelines"]}`,
		`{"name":"implement","in":["built-in"]}`, `"name":"force_push"`,
	} {
		if !strings.Contains(r.text, want) {
			t.Errorf("%s is missing in %s", want, r.text)
		}
	}
	if strings.Contains(r.text, "stranger") {
		t.Error("a name of another tenant is listed")
	}
	var said struct {
		Categories  []struct{ Name string }
		ActionTypes []struct{ Name string } `json:"action_types"`
		Thresholds  []struct{ Name string }
		Parameters  []struct {
			Name   string
			Values []struct{ Name string }
		}
		WebhookFormats []struct{ Name string } `json:"webhook_formats"`
		WebhookFilters []struct{ Name string } `json:"webhook_filters"`
		ReplayResults  []struct{ Name string } `json:"replay_results"`
	}
	check(t, json.Unmarshal([]byte(r.text), &said))
	names := func(list []struct{ Name string }) (out []string) {
		for _, one := range list {
			out = append(out, one.Name)
		}
		return out
	}
	if !slices.Equal(names(said.Thresholds), textsOf(domain.Thresholds())) || !slices.Equal(names(said.WebhookFormats), webhook.Formats()) {
		t.Errorf("%v %v", said.Thresholds, said.WebhookFormats)
	}
	for _, p := range said.Parameters {
		if p.Name == "remember" && !slices.Equal(names(p.Values), decide.Remembers()) {
			t.Errorf("%v", p.Values)
		}
		for _, value := range p.Values {
			action := `"action":{"type":"telemetry","parameters":{"` + p.Name + `":"` + value.Name + `"}}`
			api.create("p-"+p.Name+"-"+value.Name, action)
		}
	}
	if problems := webhook.Check(&store.Endpoint{URL: "https://x.example", Format: "json", Events: names(said.WebhookFilters)}); len(problems) > 0 {
		t.Error(problems)
	}
	for _, result := range names(said.ReplayResults) {
		if !slices.Contains(store.AuditResults(), result) {
			t.Errorf("no decision has the result %s", result)
		}
	}
	var categories, types []string
	for _, c := range said.Categories {
		categories = append(categories, c.Name)
	}
	for _, a := range said.ActionTypes {
		types = append(types, a.Name)
	}
	if !slices.Equal(categories, textsOf(domain.Categories())) || !slices.Equal(types, textsOf(domain.ActionTypes())) {
		t.Errorf("%v %v", categories, types)
	}
	api.actAs(access.Caller{Name: "r", Tenant: "other", Role: access.Read})
	api.get(base+"/vocabularies").has("agents", `[{"in":["audit"],"name":"stranger"}]`).has("tags", "[]")
}

func textsOf[T ~string](list []T) (out []string) {
	for _, one := range list {
		out = append(out, string(one))
	}
	return out
}

func TestPacksShowWhatAnUpdateOfAnOlderCopyWouldChange(t *testing.T) {
	api := newAPI(t)
	// This is the guideline "tdd-protocol" in the first version of the pack "core".
	const first = `{"id":"tdd-protocol","name":"Tests come with the code","category":"tdd_protocol","priority":800,` +
		`"description":"Implementing and fixing need a test run before the commit.","condition":{"actions":["implement","code","fix","refactor"]},` +
		`"action":{"type":"constraint","require_tests":true,"instruction":"Write a failing test first, then the code that makes it pass, ` +
		`then tidy up. A commit after a change to source files expects a test command to have run since that change."}}`
	api.send(http.MethodPost, base, first).is(201)
	var said struct {
		Packs []struct {
			Guidelines []struct {
				Guideline struct{ ID string }
				State     string
				Copies    []struct {
					Fields []struct{ Field, Yours, New any }
				}
			}
		}
	}
	check(t, json.Unmarshal([]byte(api.get(base+"/packs").text), &said))
	for _, g := range said.Packs[0].Guidelines {
		if g.Guideline.ID != "tdd-protocol" {
			continue
		}
		if g.State != "outdated" || len(g.Copies) != 1 || len(g.Copies[0].Fields) == 0 {
			t.Fatalf("%+v", g)
		}
		for _, f := range g.Copies[0].Fields {
			if f.Yours == f.New {
				t.Errorf("%v is no change", f)
			}
		}
		return
	}
	t.Error("the pack has no such guideline")
}

func TestPacksShowWhatTheStoreChanged(t *testing.T) {
	api := newAPI(t)
	state := func(id string) string {
		t.Helper()
		r := api.get(base + "/packs")
		var said struct {
			Packs []struct {
				Guidelines []struct {
					Guideline struct{ ID string }
					State     string
					Copies    []struct{ Fields []struct{ Field string } }
				}
			}
		}
		check(t, json.Unmarshal([]byte(r.text), &said))
		for _, p := range said.Packs {
			for _, g := range p.Guidelines {
				if g.Guideline.ID == id {
					return fmt.Sprint(g.State, g.Copies)
				}
			}
		}
		return "missing"
	}
	const id = "security-history"
	if got := state(id); got != "installed[]" {
		t.Errorf("at first: %s", got)
	}
	r := api.get(base + "/packs")
	var said struct {
		Packs []struct {
			Name       string
			Guidelines []struct{ Guideline json.RawMessage }
		}
	}
	check(t, json.Unmarshal([]byte(r.text), &said))
	var pack string
	for _, g := range said.Packs[0].Guidelines {
		if strings.Contains(string(g.Guideline), `"`+id+`"`) {
			pack = string(g.Guideline)
		}
	}
	api.send(http.MethodPost, base+"/import", "["+pack+"]").is(200).has("created", "1")
	if got := state(id); got != "same[]" {
		t.Errorf("taken in: %s", got)
	}
	api.send(http.MethodPut, base+"/"+id, `{"version":1,"priority":10}`).is(200)
	if got := state(id); got != "changed[{[{priority}]}]" {
		t.Errorf("changed: %s", got)
	}
	api.send(http.MethodPost, base+"/"+id+"/toggle", "").is(200)
	if got := state(id); got != "off[{[{enabled} {priority}]}]" {
		t.Errorf("switched off: %s", got)
	}
	api.send(http.MethodPost, base+"/packs", `{"dry_run":true,"take":["`+id+`"]}`).is(200).has("taken", `["`+id+`"]`)
	if got := state(id); !strings.HasPrefix(got, "off") {
		t.Errorf("after a dry run: %s", got)
	}
	api.send(http.MethodPost, base+"/packs", `{}`).is(200).has("taken", "[]").has("kept.0.id", id)
	api.send(http.MethodPost, base+"/packs", `{"take":["`+id+`"]}`).is(200).has("taken", `["`+id+`"]`)
	if got := state(id); got != "same[]" {
		t.Errorf("taken back: %s", got)
	}
	api.send(http.MethodPost, base+"/packs", `{"take":["nothing"]}`).is(400)
	api.send(http.MethodPost, base+"/packs", `{"take":[1]}`).is(400)
	api.actAs(access.Caller{Name: "r", Tenant: "shop", Role: access.Decide})
	api.send(http.MethodPost, base+"/packs", `{"dry_run":true}`).is(403)
	api.get(base + "/packs")
}

// olderText is the guideline "tdd-protocol" in the first version of the pack "core".
const olderText = `{"id":"tdd-protocol","name":"Tests come with the code","category":"tdd_protocol","priority":800,
	"description":"Implementing and fixing need a test run before the commit.",
	"condition":{"actions":["implement","code","fix","refactor"]},"action":{"type":"constraint","require_tests":true,
	"instruction":"Write a failing test first, then the code that makes it pass, then tidy up. A commit after a change to ` +
	`source files expects a test command to have run since that change."}}`

func TestAnOutdatedCopyAndTheCopyOfAProjectTakeTheTextOfThePack(t *testing.T) {
	api := newAPI(t)
	changed := `{"id":"security-history","name":"Ours","category":"security","project_id":"p","action":{"type":"instruction","instruction":"x"}}`
	api.send(http.MethodPost, base+"/import", "["+olderText+","+changed+"]").is(200).has("created", "2")
	copies := func(query string) string {
		t.Helper()
		var said struct {
			Packs []struct {
				Guidelines []struct {
					State  string
					Copies []struct {
						ID      string
						Project string `json:"project_id"`
					}
				}
			}
		}
		check(t, json.Unmarshal([]byte(api.get(base+"/packs"+query).text), &said))
		out := ""
		for _, p := range said.Packs {
			for _, g := range p.Guidelines {
				for _, one := range g.Copies {
					out += fmt.Sprintln(g.State, one.Project, one.ID)
				}
			}
		}
		return out
	}
	if got := copies(""); !strings.Contains(got, "changed p security-history\n") || !strings.Contains(got, "outdated  tdd-protocol\n") {
		t.Errorf("without a project:\n%s", got)
	}
	if got := copies("?project_id=q"); strings.Contains(got, "security-history") {
		t.Errorf("for another project:\n%s", got)
	}
	api.send(http.MethodPost, base+"/packs", `{"take":["security-history"]}`).is(400)
	api.send(http.MethodPost, base+"/packs", `{"take":["tdd-protocol"],"dry_run":true}`).is(200).
		has("renewed", `["tdd-protocol"]`).has("taken", "[]")
	api.send(http.MethodPost, base+"/packs?project_id=p", `{"take":["security-history"]}`).is(200).
		has("renewed", `["tdd-protocol"]`).has("taken", `["security-history"]`)
	if got := copies(""); got != "" {
		t.Errorf("at the end:\n%s", got)
	}
}
