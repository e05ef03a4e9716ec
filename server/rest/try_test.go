package rest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"guardrails/rules"
	"guardrails/rules/lint"
	"guardrails/server/access"
)

const noPush = `"category":"security","priority":900,"condition":{"agents":["backend"]},"action":{"type":"tool_restriction","tools_denied":["Bash(git push:*)"]}`

// answersOf returns the answers of the saved guidelines about a task and about a call, without versions and times.
func (api *testAPI) answersOf(task, call string) []string {
	api.t.Helper()
	var out []string
	for _, c := range [][2]string{{"/evaluate", task}, {"/explain", task}, {"/explain-call", call}} {
		out = append(out, plain(api.t, api.send(http.MethodPost, base+c[0], c[1]).is(200).text))
	}
	return out
}

func plain(t testing.TB, text string) string {
	t.Helper()
	text = regexp.MustCompile(`,?"(version|created_at|updated_at|created_by)":("[^"]*"|\d+)`).ReplaceAllString(text, "")
	var value any
	check(t, json.Unmarshal([]byte(text), &value))
	clean, err := json.Marshal(value)
	check(t, err)
	return string(clean)
}

func TestAPreviewAnswersWhatTheGuidelinesAnswerOnceTheyAreSaved(t *testing.T) {
	const task, toolCall = `{"agent":"backend","event":"push"}`, `{"agent":"backend","command":"git push"}`
	for _, c := range []struct {
		name, draft, remove string
		save                func(api *testAPI)
	}{
		{"a new guideline", guideline("no-push", noPush), "", func(api *testAPI) { api.create("no-push", noPush) }},
		{"a changed guideline", guideline("kept", noPush), "", func(api *testAPI) {
			api.send(http.MethodPut, base+"/kept", `{"version":1,`+noPush+`}`).is(200)
		}},
		{"a disabled guideline", guideline("kept", `"enabled":false`), "", func(api *testAPI) {
			api.send(http.MethodPost, base+"/kept/toggle", "").is(200)
		}},
		{"a removed guideline", "", `"kept"`, func(api *testAPI) { api.send(http.MethodDelete, base+"/kept?version=1", "").is(200) }},
		{"a pack's guideline", guideline("security-history", `"action":{"type":"instruction","instruction":"Be careful."}`), "", func(api *testAPI) {
			api.create("security-history", `"action":{"type":"instruction","instruction":"Be careful."}`)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			api := newAPI(t)
			api.create("kept", "")
			api.create("other", "")
			before := api.answersOf(task, toolCall)
			api.actAs(access.Caller{Name: "reader", Tenant: "shop", Role: access.Read})
			r := api.send(http.MethodPost, base+"/preview",
				`{"draft":{"guidelines":[`+c.draft+`]},"remove":[`+c.remove+`],"context":`+task+`,"call":`+toolCall+`}`).is(200)
			api.actAs(access.Caller{Name: "alice", Tenant: "shop", Role: access.Admin})
			for i, want := range before {
				if got := sideOf(t, r, "saved")[i]; got != want {
					t.Errorf("saved:\n got %s\nwant %s", got, want)
				}
			}
			c.save(api)
			for i, want := range api.answersOf(task, toolCall) {
				if got := sideOf(t, r, "draft")[i]; got != want {
					t.Errorf("draft:\n got %s\nwant %s", got, want)
				}
			}
		})
	}
}

// sideOf returns one side of a preview, in the order of answersOf.
func sideOf(t *testing.T, r reply, name string) []string {
	t.Helper()
	var sides map[string]struct{ Evaluated, Explained, Call json.RawMessage }
	check(t, json.Unmarshal([]byte(r.text), &sides))
	side := sides[name]
	return []string{plain(t, string(side.Evaluated)), plain(t, string(side.Explained)), plain(t, string(side.Call))}
}

func TestAPreviewSavesNothingAndStaysInItsTenant(t *testing.T) {
	api := newAPI(t)
	api.send(http.MethodPost, base+"/preview", `{"draft":{"guidelines":[`+guideline("a", noPush)+`]},"call":{"command":"git push","agent":"backend"}}`).
		is(200).has("saved.call.decision", "allow").has("draft.call.decision", "deny").has("draft.call.guideline", "a")
	api.send(http.MethodGet, base+"/a", "").is(404)
	api.send(http.MethodGet, base+"/audit", "").is(200).has("total", "0")
	api.send(http.MethodPost, base+"/preview", `{"context":{"agent":"a"}}`).is(200).has("draft", "null")
	for body, status := range map[string]int{
		`{}`: 400, `{"draft":{"guidelines":[]}}`: 400, `{"context":{"agents":["a"]}}`: 400, `{"call":{}}`: 400,
		`{"context":{"tenant_id":"other"}}`:                                                                     403,
		`{"context":{"agent":"a"},"draft":{"guidelines":[{"id":"a"}]}}`:                                         400,
		`{"context":{"agent":"a"},"draft":{"guidelines":[` + guideline("a", `"tenant_id":"other"`) + `]}}`:      403,
		`{"context":{"agent":"a"},"draft":{"guidelines":{}}}`:                                                   400,
		`{"call":{"command":"ls","hook":true}}`:                                                                 400,
		`{"context":{"agent":"a","hook":true}}`:                                                                 400,
		`{"context":{"agent":"a"},"draft":{"guidelines":[` + guideline("a", `"project_id":"elsewhere"`) + `]}}`: 200,
	} {
		if r := api.send(http.MethodPost, base+"/preview", body); r.status != status {
			t.Errorf("%s: %d %s", body, r.status, r.text)
		}
	}
	r := api.send(http.MethodPost, base+"/preview", `{"context":{"agent":"a"},"draft":{"guidelines":[`+guideline("a", `"priority":2000`)+`]}}`).is(400)
	r.has("errors.0.path", "draft.guidelines[0].priority")
}

func TestADraftForAnotherProjectIsTriedInThatProject(t *testing.T) {
	api := newAPI(t)
	draft := `{"draft":{"guidelines":[` + guideline("a", noPush+`,"project_id":"elsewhere"`) + `]},"call":{"command":"git push","agent":"backend"`
	for project, want := range map[string]string{"": "allow", `,"project_id":"elsewhere"`: "deny", `,"project_id":"third"`: "allow"} {
		api.send(http.MethodPost, base+"/preview", draft+project+`}}`).is(200).has("saved.call.decision", "allow").has("draft.call.decision", want)
	}
}

func TestOnlyTheGuidelineOfOneProjectIsTriedAsIfItWereDeleted(t *testing.T) {
	api := newAPI(t)
	asks := `"action":{"type":"hitl_gate","gate_type":"push","tools_asked":["Bash(git push:*)"]}`
	list := "[" + guideline("a", asks) + "," + guideline("a", noPush+`,"project_id":"p"`) + "]"
	api.send(http.MethodPost, base+"/import", list).is(200).has("created", "2")
	for remove, want := range map[string]string{"a": "allow", "p/a": "ask", "/a": "deny", "q/a": "deny"} {
		api.send(http.MethodPost, base+"/preview", `{"remove":["`+remove+`"],"call":{"command":"git push","agent":"backend","project_id":"p"}}`).
			is(200).has("saved.call.decision", "deny").has("draft.call.decision", want)
	}
	for ids, want := range map[string]int{"a": 2, "p/a": 1, "/a": 1, "/a,p/a": 2} {
		if got := strings.Count(api.get(base+"/export?id="+ids).text, `"id":`); got != want {
			t.Errorf("an export of %s has %d guidelines, want %d", ids, got, want)
		}
	}
	api.send(http.MethodGet, base+"/export?id=q/a", "").is(400)
}

func TestADraftDoesNotReplaceAGuidelineThatHasPrecedenceOverIt(t *testing.T) {
	asks := `"action":{"type":"hitl_gate","gate_type":"push","tools_asked":["Bash(git push:*)"]}`
	of, locked := `,"project_id":"p"`, `,"locked":true`
	for name, row := range map[string]struct{ forAll, own, draft, want string }{
		"for all projects, while the project has its own": {asks, noPush + of, asks, "deny"},
		"of the project": {noPush, "", asks + of, "ask"},
		"of the project, while that for all is locked":         {noPush + locked, "", asks + of, "deny"},
		"for all and locked":                                   {noPush, noPush + of, asks + locked, "ask"},
		"for all and no longer locked, so the project's is it": {asks + locked, noPush + of, asks, "deny"},
	} {
		t.Run(name, func(t *testing.T) {
			api := newAPI(t)
			api.create("a", row.forAll)
			if row.own != "" {
				api.create("a", row.own)
			}
			api.send(http.MethodPost, base+"/preview", `{"draft":{"guidelines":[`+guideline("a", row.draft)+
				`]},"call":{"command":"git push","agent":"backend","project_id":"p"}}`).is(200).has("draft.call.decision", row.want)
		})
	}
}

// The time that lint takes grows with the square of the number of guidelines.
func TestLintRefusesATextWithTooManyGuidelines(t *testing.T) {
	var text strings.Builder
	for i := range 1001 {
		fmt.Fprintf(&text, "- {id: g%d, name: G, tell: Do it.}\n", i)
	}
	body, err := json.Marshal(map[string]any{"text": text.String(), "alone": true})
	check(t, err)
	if got := newAPI(t).send(http.MethodPost, base+"/lint", string(body)).is(400).text; !strings.Contains(got, `"path":"text"`) {
		t.Errorf("got %s", got)
	}
}

func TestLintSaysWhatADraftOverridesAndWhatOverridesIt(t *testing.T) {
	const gate = `,"action":{"type":"hitl_gate","gate_type":"devops"}`
	api := newAPI(t)
	api.create("weaker", `"priority":300`+gate)
	api.create("stronger", `"priority":900,"condition":{"agents":["backend"]}`+gate)
	for _, c := range []struct{ draft, overridden, by string }{
		{`"priority":100` + gate, "draft draft", "stronger weaker"},
		{`"priority":500,"condition":{"agents":["tester"]}` + gate, "weaker", "draft"},
		{`"priority":950` + gate, "stronger weaker", "draft draft"},
		{`"priority":500`, "", ""},
	} {
		r := api.send(http.MethodPost, base+"/lint", `{"guidelines":[`+guideline("draft", c.draft)+`]}`).is(200)
		if r.values("overrides", "id") != c.overridden || r.values("overrides", "by") != c.by {
			t.Errorf("%s: %s", c.draft, r.value("overrides"))
		}
	}
	api.send(http.MethodPost, base+"/lint", `{"alone":true,"guidelines":[`+guideline("draft", `"priority":100`+gate)+`]}`).is(200).has("overrides", "[]")
}

func TestLintFindsWhatTheCommandFinds(t *testing.T) {
	api := newAPI(t)
	for name, text := range map[string]string{
		"a path that never matches": "id: a\nname: A\npaths: ['src\\*']\ntell: Do it.\n",
		"an unknown event":          "id: a\nname: A\nevents: [comit]\ntell: Do it.\n",
		"a contradiction":           "- {id: a, name: A, allow: [Read], because: x}\n- {id: b, name: B, deny: [Read], because: x}\n",
		"nothing":                   "id: a\nname: A\ndescription: x\nagents: [backend]\ntell: Do it.\n",
		"an invalid value":          "id: a\nname: A\npriority: high\ntell: Do it.\n",
		"a text that is not YAML":   "id: [a\n",
	} {
		t.Run(name, func(t *testing.T) {
			body, err := json.Marshal(map[string]any{"text": text, "alone": true})
			check(t, err)
			r := api.send(http.MethodPost, base+"/lint", string(body)).is(200)
			file, problems := rules.Parse("draft.yaml", []byte(text))
			var want []string
			for _, p := range problems {
				want = append(want, p.Message)
			}
			for _, f := range lint.Check(&rules.Loaded{Guidelines: file.Guidelines}, lint.Options{}) {
				want = append(want, f.Message)
			}
			var said struct{ Problems, Findings []struct{ Message string } }
			check(t, json.Unmarshal([]byte(r.text), &said))
			var got []string
			for _, one := range append(said.Problems, said.Findings...) {
				got = append(got, one.Message)
			}
			if isClean := name == "nothing"; isClean != (len(got) == 0) || !slices.Equal(got, want) {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}

func TestLintComparesADraftWithTheSavedGuidelines(t *testing.T) {
	api := newAPI(t)
	api.writeProject(".claude/guardrails.yaml", "packs: []\n")
	api.create("kept", `"description":"x","condition":{"agents":["backend"]},"action":{"type":"tool_restriction","tools_allowed":["Read"]}`)
	draft := guideline("new", `"description":"x","condition":{"agents":["backend"]},"action":{"type":"tool_restriction","tools_denied":["Read"]}`)
	r := api.send(http.MethodPost, base+"/lint", `{"guidelines":[`+draft+`]}`).is(200).has("compared_with", "1")
	if !strings.Contains(r.values("findings", "rule"), "deny-contradicts-allow") && !strings.Contains(r.values("findings", "rule"), "locked-out") {
		t.Errorf("%s", r.text)
	}
	api.send(http.MethodPost, base+"/lint", `{"guidelines":[`+draft+`],"alone":true}`).is(200).has("warnings", "0").has("errors", "0").has("compared_with", "0")
	same := guideline("kept", `"description":"x","condition":{"agents":["backend"]},"action":{"type":"tool_restriction","tools_allowed":["Read"]}`)
	api.send(http.MethodPost, base+"/lint", `{"guidelines":[`+same+`]}`).is(200).has("compared_with", "0").has("findings", "[]").has("guidelines.0.id", "kept")
	both := api.send(http.MethodPost, base+"/lint", `{"guidelines":[`+same+`,`+same+`,{"id":"A"}]}`).is(200)
	if got := both.values("problems", "path"); got != "guidelines[2].id guidelines[2].name guidelines[2].category guidelines[2].action id" {
		t.Errorf("%s in %s", got, both.text)
	}
	for _, body := range []string{`{}`, `{"guidelines":[],"text":"id: a"}`, `{"text":""}`, `{"text":1}`, `{"text":"a","format":"toml"}`, `{"guidelines":[],"format":"yaml"}`, `{"alone":true}`, `{"guidelines":{}}`} {
		api.send(http.MethodPost, base+"/lint", body).is(400)
	}
	never := api.send(http.MethodPost, base+"/lint", `{"guidelines":[`+guideline("x", `"description":"x","condition":{"paths":["a","src\\*"]}`)+`]}`).is(200)
	if got := never.values("findings", "field"); !strings.Contains(got, "condition.paths[1]") {
		t.Errorf("%s", never.text)
	}
}

func TestPathsAndToolsAreMatchedAsGuidelinesMatchThem(t *testing.T) {
	api := newAPI(t)
	r := api.send(http.MethodPost, base+"/test-paths",
		`{"patterns":["src/*","*.go","","/etc/*","ä/?"],"paths":["src/b/c.go","docs/a.md","/etc/x","ä/ö","SRC/a"]}`).is(200)
	r.has("patterns.2.error.remedy", "write a pattern").has("patterns.0.error", "null")
	r.has("paths.0.by", `["src/*","*.go"]`).has("paths.0.part.end", "4").has("paths.1.matched", "false").has("paths.1.part", "null").
		has("paths.2.by", `["/etc/*"]`).has("paths.3.part.end", "2").has("paths.4.matched", "false")
	tools := api.send(http.MethodPost, base+"/test-tools", `{"patterns":["Bash(git push:*)","Write(src/*)","Bash(","mcp__db","Read"],`+
		`"calls":[{"command":"cd x && git push"},{"command":"echo git push"},{"path":"src/a.go"},{"command":"echo x > src/a.go"},{"tool":"mcp__db__query","input":{}},{"command":"git status"}]}`).is(200)
	if got := tools.value("patterns.2.error.remedy"); got != "write Tool(pattern)" {
		t.Errorf("%s", tools.text)
	}
	for i, want := range []string{`["Bash(git push:*)"]`, `[]`, `["Write(src/*)"]`, `["Write(src/*)"]`, `["mcp__db"]`, `[]`} {
		tools.has("calls."+string(rune('0'+i))+".by", want)
	}
	for path, bodies := range map[string][]string{
		"/test-paths": {`{}`, `{"patterns":"a","paths":[]}`, `{"patterns":[1],"paths":[]}`, `{"patterns":[],"paths":[` + strings.Repeat(`"a",`, 1000) + `"a"]}`},
		"/test-tools": {`{}`, `{"patterns":[],"calls":{}}`, `{"patterns":[],"calls":[{}]}`, `{"patterns":[` + strings.Repeat(`"a",`, 50) + `"a"],"calls":[]}`},
	} {
		for _, body := range bodies {
			api.send(http.MethodPost, base+path, body).is(400)
		}
	}
}
