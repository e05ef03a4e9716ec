package tools_test

import (
	"reflect"
	"testing"

	"guardrails/guideline"
	"guardrails/service"
	"guardrails/service/fallback"
	"guardrails/service/tools"
)

func TestDecodeRequest(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       service.Request
	}{
		{"no arguments", `{}`, service.Request{}},
		{"null values", `{"agent": null, "prompt": null, "project": null, "choice": null, "hook": null, "definitions": null, "unknown": null}`, service.Request{}},
		{
			"all arguments", `{"agent": "a", "domain": "d", "action": "i", "paths": ["p"], "event": "e", "gate_type": "g", "tenant_id": "t",
				"session_id": "s", "metadata": {"k": ["v"]}, "unknown": ["paths", "event"], "prompt": "p", "project": "/p", "choice": "open", "hook": true, "definitions": true}`,
			service.Request{
				Context: guideline.Context{
					Agent: "a", Domain: "d", Action: "i", Paths: []string{"p"}, Event: "e", GateType: "g", TenantID: "t",
					SessionID: "s",
					Metadata:  map[string]any{"k": []any{"v"}},
				},
				Unknown: guideline.FieldPaths | guideline.FieldEvent, Prompt: "p", Project: "/p", Choice: fallback.ChoiceOpen,
				Hook: true, Definitions: true,
			},
		},
		{
			"control characters in the prompt and the project", `{"prompt": "a\u0000\u001b[2J\n", "project": "/a\tb"}`,
			service.Request{Prompt: "a\x00\x1b[2J\n", Project: "/a\tb"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := tools.DecodeRequest([]byte(c.text))
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %+v, %v\nwant %+v", got, err, c.want)
			}
		})
	}
}

func TestDecodeRequestReportsAllMistakesWithTheirRemedies(t *testing.T) {
	for text, want := range map[string]string{
		``:   "is not JSON: ends in the middle of the document; write the rest of it",
		`[]`: "is a list where an object is expected; write an object",
		`{"agnt": "a", "hook": 1, "choice": "maybe", "prompt": [], "unknown": ["all"]}`: "agnt: unknown field; did you mean \"agent\"?\n" +
			"hook: is a number where a boolean is expected; write a boolean\n" +
			"choice: \"maybe\" is not accepted; use one of static, open\n" +
			"prompt: is a list where a string is expected; write a string\n" +
			"unknown[0]: \"all\" is not a field of a context; use one of agent, domain, action, paths, event, gate_type, metadata",
		`{"zzz": 1}`: "zzz: unknown field; remove it; the known fields are agent, domain, action, paths, event, gate_type, metadata, tenant_id, session_id, unknown, " +
			"prompt, project, project_id, choice, hook, main_thread, tasks, environment, definitions, typed, agent_id, calls, answer, again, display",
		"{\n\"agent\": 3}":            "line 2: agent: is a number where a string is expected; write a string",
		`{"agent": "a\n"}`:            "agent: contains a control character at byte 1; remove it",
		`{"agent": "a", "agent": ""}`: `duplicate key "agent"; keep one of the two`,
	} {
		_, err := tools.DecodeRequest([]byte(text))
		if err == nil || err.Error() != want {
			t.Errorf("%s\ngot  %v\nwant %s", text, err, want)
		}
	}
}

func TestOnlyVariablesOfSettingsAreAccepted(t *testing.T) {
	_, err := tools.DecodeRequest([]byte(`{"environment": {"PATH": "/x", "GUARDRAILS_CACHE_DIR": "/y", "GUARDRAILS_STRICT": true}}`))
	want := "environment.PATH: is not the variable of a setting; remove it; the variables of settings begin with GUARDRAILS_\n" +
		"environment.GUARDRAILS_CACHE_DIR: is not the variable of a setting; remove it; the variables of settings " +
		"begin with GUARDRAILS_\n" +
		"environment.GUARDRAILS_STRICT: is a boolean where a string is expected; write a string"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func FuzzRequest(f *testing.F) {
	f.Add([]byte(`{"agent": "a", "unknown": ["paths"], "prompt": "p", "hook": true}`))
	f.Add([]byte(`{"metadata": {"a": [1, null, {}]}, "choice": "static"}`))
	f.Add([]byte("{\"project\": \"\\ud800\"}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := tools.DecodeRequest(text)
		if err == nil && r.Choice != "" && r.Choice != fallback.ChoiceStatic && r.Choice != fallback.ChoiceOpen {
			t.Fatalf("accepted the choice %q", r.Choice)
		}
	})
}
