package mcp_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/server/mcp"
	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/sqlite"
)

type storeServer struct {
	*mcp.Server
	store *live.Store
}

// newStoreServer returns a server with its own store and the tools that change guidelines.
func newStoreServer(t *testing.T, options ...func(*mcp.Options)) *storeServer {
	t.Helper()
	root, env := project(t)
	now := time.Date(2026, 2, 5, 10, 0, 0, 0, time.UTC)
	s, err := sqlite.Open(t.Context(), sqlite.Options{
		Path: filepath.Join(filepath.Dir(root), "data", "guardrails.db"),
		Now:  func() time.Time { return now },
	})
	check(t, err)
	c := live.New(live.Options{Open: live.Opened(s), Now: func() time.Time { return now }})
	t.Cleanup(func() { check(t, c.Close()) })
	o := mcp.Options{
		Service: serviceAt(root, env), Version: "1.2.3", Admin: true,
		Store: func(context.Context) (*live.Store, live.Caller, error) {
			return c, live.Caller{Tenant: "red", ProjectID: "shop"}, nil
		},
	}
	for _, change := range options {
		change(&o)
	}
	return &storeServer{mcp.New(o), c}
}

func withoutAdmin(o *mcp.Options)  { o.Admin = false }
func boundToTenant(o *mcp.Options) { o.Bound = true }

const gate = `{"id": "gate", "name": "Deploys ask", "category": "hitl_gate", "priority": 900, "condition": {"events": ["deploy"]}, "action": {"type": "hitl_gate", "gate_type": "deploy"}}`

// newGateServer returns a server whose store contains a guideline with the id "gate".
func newGateServer(t *testing.T) *storeServer {
	t.Helper()
	d := newStoreServer(t)
	if got := call(t, d.Server, "guardrails_create", `{"guideline": `+gate+`}`); got.IsError {
		t.Fatal(got.Content[0].Text)
	}
	return d
}

// field() returns one field of a structured answer, such as "guideline.version".
func field(answer called, path string) any {
	var at any = answer.StructuredContent
	for name := range strings.SplitSeq(path, ".") {
		fields, _ := at.(map[string]any)
		at = fields[name]
	}
	return at
}

func TestToolsForAdminsMatchTheGoldenFiles(t *testing.T) {
	checkGolden(t, "tools_admin", ask(t, newStoreServer(t).Server, "tools/list", `{}`))
	checkGolden(t, "tools_store", ask(t, newStoreServer(t, withoutAdmin).Server, "tools/list", `{}`))
}

func TestToolsForChangesNeedTheAdminOption(t *testing.T) {
	s := newStoreServer(t, withoutAdmin).Server
	for _, name := range []string{
		"guardrails_create", "guardrails_update", "guardrails_toggle", "guardrails_delete",
		"guardrails_import",
	} {
		w := post(s, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"`+name+`","arguments":{}}}`)
		if !strings.Contains(w.Body.String(), "not found") {
			t.Errorf("%s: %s", name, w.Body)
		}
	}
}

func TestAGuidelineIsCreatedUpdatedToggledAndDeleted(t *testing.T) {
	s := newGateServer(t).Server
	got := call(t, s, "guardrails_update", `{"id": "gate", "version": 1, "priority": 100, "condition": {"events": ["merge"]}}`)
	if field(got, "guideline.priority") != 100.0 || field(got, "guideline.version") != 2.0 ||
		field(got, "guideline.name") != "Deploys ask" ||
		fmt.Sprint(field(got, "guideline.condition")) != "map[events:[merge]]" {
		t.Errorf("%+v", got)
	}
	got = call(t, s, "guardrails_toggle", `{"id": "gate", "version": 2}`)
	if field(got, "guideline.enabled") != false || field(got, "guideline.version") != 3.0 {
		t.Errorf("%+v", got)
	}
	got = call(t, s, "guardrails_delete", `{"id": "gate", "version": 3}`)
	if field(got, "success") != true || field(got, "version") != 4.0 {
		t.Errorf("%+v", got)
	}
	got = call(t, s, "guardrails_audit", `{"guideline_id": "gate"}`)
	entries, _ := field(got, "entries").([]any)
	if field(got, "total") != 4.0 || len(entries) != 4 {
		t.Fatalf("%+v", got)
	}
	for i, event := range []string{"guideline_deleted", "guideline_disabled", "guideline_updated", "guideline_created"} {
		if e, _ := entries[i].(map[string]any); e["event_type"] != event || e["actor"] != "tester" {
			t.Errorf("entry %d is %v, want %s by tester", i, e, event)
		}
	}
}

func TestARepeatedChangeHappensOnceAndReturnsItsFirstAnswer(t *testing.T) {
	s := newStoreServer(t).Server
	steps := []struct{ tool, arguments string }{
		{"guardrails_create", `"guideline": ` + gate},
		{"guardrails_update", `"id": "gate", "version": 1, "name": "One"`},
		{"guardrails_update", `"id": "gate", "version": 2, "description": "two"`},
		{"guardrails_toggle", `"id": "gate", "version": 3`},
		{"guardrails_import", `"guidelines": [` + gate + `], "on_conflict": "update"`},
		{"guardrails_delete", `"id": "gate", "version": 5`},
	}
	first := map[int]string{}
	repeat := func(i int, arguments string) called {
		return call(t, s, steps[i].tool, fmt.Sprintf(`{%s, "write_id": "change-%d"}`, arguments, i))
	}
	for last := range steps {
		// Each earlier step is repeated with the same write id. The answer must be the same as the first time, even if the
		// guideline has changed since.
		for i := range last + 1 {
			got := repeat(i, steps[i].arguments)
			if i == last {
				first[i] = got.Content[0].Text
			}
			if got.IsError || got.Content[0].Text != first[i] {
				t.Errorf("%s\nfirst %s\nthen  %s", steps[i].arguments, first[i], got.Content[0].Text)
			}
		}
	}
	if got := call(t, s, "guardrails_audit", `{"guideline_id": "gate"}`); field(got, "total") != float64(len(steps)) {
		t.Errorf("%v entries for %d changes", field(got, "total"), len(steps))
	}
	if got := repeat(1, `"id": "gate", "version": 1, "name": "Other"`); !got.IsError ||
		!strings.Contains(got.Content[0].Text, "was already used for another change; use a new one") {
		t.Errorf("another change with the same write id: %+v", got)
	}
}

func TestAnImportReportsTheResultOfEachGuideline(t *testing.T) {
	s := newGateServer(t).Server
	for _, c := range []struct{ arguments, want string }{
		{
			`"guidelines": [` + gate + `], "dry_run": true, "on_conflict": "skip"`,
			`{"success":true,"applied":false,"items":[{"id":"gate","project_id":"shop","outcome":"skipped","version":1}]}`,
		},
		{
			`"guidelines": [` + gate + `], "on_conflict": "update"`,
			`{"success":true,"applied":true,"items":[{"id":"gate","project_id":"shop","outcome":"unchanged","version":1}]}`,
		},
		{
			`"guidelines": [` + strings.Replace(gate, `"gate"`, `"new"`, 1) + `]`,
			`{"success":true,"applied":true,"items":[{"id":"new","project_id":"shop","outcome":"created","version":1}]}`,
		},
	} {
		if got := call(t, s, "guardrails_import", `{`+c.arguments+`}`); got.Content[0].Text != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.arguments, got.Content[0].Text, c.want)
		}
	}
	got := call(t, s, "guardrails_import", `{"guidelines": [`+gate+`, `+strings.Replace(gate, `"gate"`, `"newer"`, 1)+`]}`)
	if field(got, "success") != false || field(got, "applied") != false ||
		!strings.Contains(fmt.Sprint(field(got, "problem")), "1 of 2 items failed") {
		t.Errorf("%+v", got)
	}
}

func TestWrongArgumentsOfToolsForAdminsAreReported(t *testing.T) {
	s := newGateServer(t).Server
	for _, c := range [][3]string{
		{"guardrails_create", `{}`, `guideline: is missing; add it`},
		{"guardrails_create", `{"guideline": {"id": "a b", "name": "n", "category": "none", "action": {"type": "instruction"}}}`, `guideline.id: "a b" is not an id;`},
		{"guardrails_create", `{"guideline": ` + gate + `}`, "the guideline gate of shop already exists"},
		{"guardrails_update", `{"id": "gate"}`, "version: is missing; add it"},
		{
			"guardrails_update", `{"id": "gate", "version": 1}`,
			"no field is given; give at least one field besides id and version",
		},
		{
			"guardrails_update", `{"id": "gate", "version": 1, "prioritty": 3}`,
			`prioritty: unknown field; did you mean "priority"?`,
		},
		{
			"guardrails_update", `{"id": "gate", "version": 1, "priority": 3000}`,
			"priority: 3000 is not a whole number between 0 and 1000",
		},
		{
			"guardrails_update", `{"id": "gate", "version": 9, "priority": 3}`,
			"the guideline gate of shop has version 1 now; read it again",
		},
		{
			"guardrails_toggle", `{"id": "Gate", "version": 1}`,
			`id: "Gate" is not the id of a guideline; write it as guardrails_list shows it`,
		},
		{"guardrails_toggle", `{"id": "none", "version": 1}`, `there is no guideline "none" of the project shop`},
		{"guardrails_delete", `{"id": "gate", "version": 0}`, "version: 0 is not a whole number between 1 and 2147483647"},
		{
			"guardrails_toggle", `{"id": "gate", "version": 1, "write_id": "short"}`,
			`write_id: the write id "short" is invalid; use 8 to 64 letters, digits, hyphens and underscores`,
		},
		{
			"guardrails_create", `{"guideline": ` + gate + `, "write_id": 12345678}`,
			"write_id: is a number where a string is expected",
		},
		{"guardrails_audit", `{"write_id": "change-0001"}`, "write_id: unknown field"},
		{
			"guardrails_import", `{"guidelines": []}`,
			"guidelines: has no guideline; write at least one",
		},
		{"guardrails_import", `{"guidelines": [{}], "on_conflict": "merge"}`, "guidelines[0].id: is missing"},
		{
			"guardrails_audit", `{"date_from": "yesterday"}`,
			`date_from: "yesterday" is not a time; write 2026-01-31 or 2026-01-31T12:00:00Z`,
		},
		{
			"guardrails_audit", `{"date_from": "2026-02-02", "date_to": "2026-02-01"}`,
			"date_from: is not before date_to; swap the two, or change one",
		},
		{"guardrails_audit", `{"page_size": 1000}`, "page_size: 1000 is not a whole number between 1 and 200"},
	} {
		got := call(t, s, c[0], c[1])
		if !got.IsError || !strings.Contains(got.Content[0].Text, c[2]) {
			t.Errorf("%s %s\ngot  %s\nwant %s", c[0], c[1], got.Content[0].Text, c[2])
		}
	}
}

func TestEveryAnswerToAnAdminMatchesItsSchema(t *testing.T) {
	s := newStoreServer(t).Strict()
	for _, c := range [][2]string{
		{"guardrails_create", `{"guideline": ` + gate + `}`},
		{"guardrails_update", `{"id": "gate", "version": 1, "name": "n", "metadata": {"a": 1}}`},
		{"guardrails_toggle", `{"id": "gate", "version": 2}`},
		{"guardrails_import", `{"guidelines": [` + gate + `]}`},
		{"guardrails_audit", `{"guideline_id": "gate", "page_size": 2}`},
		{"guardrails_delete", `{"id": "gate", "version": 3}`},
	} {
		if got := call(t, s, c[0], c[1]); got.IsError {
			t.Errorf("%s %s: %s", c[0], c[1], got.Content[0].Text)
		}
	}
}

func TestTheAuditIsFilteredByTimeAndActor(t *testing.T) {
	s := newGateServer(t).Server
	for arguments, want := range map[string]float64{
		`{"date_from": "2026-02-05", "date_to": "2026-02-05"}`:                     1,
		`{"date_to": "2026-02-04"}`:                                                0,
		`{"date_from": "2026-02-06"}`:                                              0,
		`{"date_from": "2026-02-05T10:00:00Z", "date_to": "2026-02-05T10:00:01Z"}`: 1,
		`{"date_from": "2026-02-05T10:00:01Z"}`:                                    0,
		`{"actor": "tester", "event_type": "guideline_created"}`:                   1,
		`{"actor": "somebody"}`:                                                    0,
		`{"kind": "change"}`:                                                       1,
		`{"kind": "decision"}`:                                                     0,
		`{"result": "deny"}`:                                                       0,
		`{"session": "s"}`:                                                         0,
		`{"session_id": "s"}`:                                                      0,
		`{"project": "p"}`:                                                         0,
		`{"agent": "tester"}`:                                                      0,
		`{"mode": "enforce"}`:                                                      0,
	} {
		if got := call(t, s, "guardrails_audit", arguments); field(got, "total") != want {
			t.Errorf("%s: %+v", arguments, got)
		}
	}
}

func TestTheAuditIsReadWithCursors(t *testing.T) {
	s := newGateServer(t).Server
	call(t, s, "guardrails_create", cursorGuideline)
	first := call(t, s, "guardrails_audit", `{"page_size": 1}`)
	cursor, _ := field(first, "next_cursor").(string)
	second := call(t, s, "guardrails_audit", `{"page_size": 1, "cursor": "`+cursor+`"}`)
	if field(second, "page") != 2.0 || field(second, "next_cursor") != nil || field(second, "total") != 2.0 {
		t.Errorf("%+v", second)
	}
	for arguments, want := range map[string]string{
		`{"actor": "tester", "cursor": "` + cursor + `"}`: "other filters",
		`{"page": 2, "cursor": "` + cursor + `"}`:         "use one of them",
		`{"page": 1000}`: "next_cursor",
	} {
		if got := fmt.Sprint(call(t, s, "guardrails_audit", arguments)); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %q", arguments, got, want)
		}
	}
}

const cursorGuideline = `{"guideline": {"id": "second", "name": "S", "category": "custom", "action": {"type": "instruction"}}}`

func TestUnknownFiltersAndValuesOfTheAuditAreRefused(t *testing.T) {
	s := newGateServer(t).Server
	var names []string
	for _, field := range store.AuditFields() {
		names = append(names, field.Names()...)
	}
	refused := func(name, allowed string) {
		t.Helper()
		got := call(t, s, "guardrails_audit", `{"`+name+`": "wizard"}`)
		if text := got.Content[0].Text; !got.IsError || !strings.HasPrefix(text, name+": ") || !strings.Contains(text, allowed) {
			t.Errorf("%s: got %s, want %s", name, text, allowed)
		}
	}
	refused("wizard", strings.Join(names, ", "))
	for _, field := range store.AuditFields() {
		for _, name := range field.Names() {
			switch {
			case field.IsTime:
				refused(name, "2026-01-31T12:00:00Z")
			case len(field.Values) > 0:
				refused(name, strings.Join(field.Values, ", "))
			}
		}
	}
}
