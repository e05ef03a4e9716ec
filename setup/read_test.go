package setup_test

import (
	"reflect"
	"strings"
	"testing"

	"guardrails/setup"
)

func TestEveryHookIsReadWithItsPosition(t *testing.T) {
	entries, err := setup.Hooks("s.json", []byte(`{
  "hooks": {
    "PreToolUse": [
      {"matcher": "Edit", "hooks": [
        {"type": "command", "command": "lint", "timeout": 2.5, "if": "x", "async": true},
        {"type": "command", "command": "/b/guardrails-enforce", "args": ["--strict"], "onFailure": "block"}
      ]}
    ],
    "Stop": [{"hooks": [{"type": "http", "url": "http://127.0.0.1/"}, {"type": "prompt", "prompt": "guardrails-stop"}]}, {"hooks": []}],
    "Later": [{"matcher": "*", "hooks": [{"type": "command", "command": "\"C:\\a b\\guardrails-stop.exe\" x"}]}]
  }
}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []setup.Entry
	var ours []string
	for _, e := range entries {
		ours = append(ours, e.Program())
		got = append(got, setup.Entry{
			Event: e.Event, Matcher: e.Matcher, Shared: e.Shared, Type: e.Type, Command: e.Command, Args: e.Args,
			Timeout: e.Timeout, OnFailure: e.OnFailure, Others: e.Others, File: e.File, Line: e.Line,
		})
	}
	want := []setup.Entry{
		{Event: "PreToolUse", Matcher: "Edit", Shared: true, Type: "command", Command: "lint", Timeout: 2.5, Others: []string{"if", "async"}, File: "s.json", Line: 5},
		{Event: "PreToolUse", Matcher: "Edit", Shared: true, Type: "command", Command: "/b/guardrails-enforce", Args: []string{"--strict"}, OnFailure: "block", File: "s.json", Line: 6},
		{Event: "Stop", Shared: true, Type: "http", Others: []string{"url"}, File: "s.json", Line: 9},
		{Event: "Stop", Shared: true, Type: "prompt", Others: []string{"prompt"}, File: "s.json", Line: 9},
		{Event: "Later", Matcher: "*", Type: "command", Command: `"C:\a b\guardrails-stop.exe" x`, File: "s.json", Line: 10},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if want := []string{"", "guardrails-enforce", "", "", "guardrails-stop"}; !reflect.DeepEqual(ours, want) {
		t.Errorf("our hooks are %q", ours)
	}
}

func TestOurHooksAreRecognizedByTheirProgram(t *testing.T) {
	args := []string{}
	for _, c := range []struct {
		command string
		args    []string
		want    string
	}{
		{"/usr/local/bin/guardrails-enforce", args, "guardrails-enforce"},
		{`C:\a\guardrails-inject.exe`, args, "guardrails-inject"},
		{"guardrails-stop", nil, "guardrails-stop"},
		{"  '/a b/guardrails-subagent' --x", nil, "guardrails-subagent"},
		{"/a b/guardrails-enforce", args, "guardrails-enforce"},
		{"/a/guardrails-enforce.sh", args, ""},
		{"/a/guardrails-enforce/other", args, ""},
		{"echo guardrails-enforce", nil, ""},
		{"my-guardrails-enforce", args, ""},
	} {
		e := setup.Entry{Type: "command", Command: c.command, Args: c.args}
		if got := e.Program(); got != c.want {
			t.Errorf("%s: got %q", c.command, got)
		}
	}
}

func TestSettingsThatTheClientIgnoresAreRefusedWithTheirPosition(t *testing.T) {
	const json = ". Claude Code ignores the whole file until this is fixed. It allows no comments and no trailing commas"
	const form = "; edit it yourself. Some versions of Claude Code ignore the whole file until this is fixed"
	for _, c := range []struct{ name, text, want string }{
		{"comment", "{\n  // mine\n}", "s.json:2:3: is not JSON: expected a key in quotes, found '/'; fix the syntax here" + json},
		{"key twice", `{"hooks": {}, "hooks": {}}`, `s.json:1:15: duplicate key "hooks"; keep one of the two`},
		{"not an object", `[]`, "s.json:1:1: is a list where an object is expected" + form},
		{"hooks null", `{"hooks": null}`, "s.json:1:11: hooks: is null where an object is expected" + form},
		{"event", `{"hooks": {"Stop": {}}}`, "s.json:1:20: hooks.Stop: is an object where a list is expected" + form},
		{"group", `{"hooks": {"Stop": ["x"]}}`, "s.json:1:21: hooks.Stop[0]: is a string where an object is expected" + form},
		{"matcher", `{"hooks": {"Stop": [{"matcher": 1, "hooks": []}]}}`, "s.json:1:33: hooks.Stop[0].matcher: is a number where a string is expected" + form},
		{"group without hooks", `{"hooks": {"Stop": [{}]}}`, "s.json:1:21: hooks.Stop[0].hooks: is missing; add it, or remove the group. Some versions of Claude Code ignore the whole file until this is fixed"},
		{"hooks of a group", `{"hooks": {"Stop": [{"hooks": {}}]}}`, "s.json:1:31: hooks.Stop[0].hooks: is an object where a list is expected" + form},
		{"hook", `{"hooks": {"Stop": [{"hooks": [1]}]}}`, "s.json:1:32: hooks.Stop[0].hooks[0]: is a number where an object is expected" + form},
		{"type", `{"hooks": {"Stop": [{"hooks": [{}]}]}}`, "s.json:1:32: hooks.Stop[0].hooks[0]: has no type, or no command; add it, or remove the entry. Some versions of Claude Code ignore the whole file until this is fixed"},
		{"command", `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": 1}]}]}}`, "s.json:1:63: hooks.Stop[0].hooks[0].command: is a number where a string is expected" + form},
		{"args", `{"hooks": {"Stop": [{"hooks": [{"type": "command", "args": "x"}]}]}}`, "s.json:1:60: hooks.Stop[0].hooks[0].args: is a string where a list is expected" + form},
		{"argument", `{"hooks": {"Stop": [{"hooks": [{"type": "command", "args": ["x", 2]}]}]}}`, "s.json:1:66: hooks.Stop[0].hooks[0].args[1]: is a number where a string is expected" + form},
		{"timeout", `{"hooks": {"Stop": [{"hooks": [{"type": "command", "timeout": "1"}]}]}}`, "s.json:1:63: hooks.Stop[0].hooks[0].timeout: is a string where a number is expected" + form},
		{"huge timeout", `{"hooks": {"Stop": [{"hooks": [{"type": "command", "timeout": 1e999}]}]}}`, "s.json:1:63: hooks.Stop[0].hooks[0].timeout: is too large a number; write a smaller one. Some versions of Claude Code ignore the whole file until this is fixed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := setup.Hooks("s.json", []byte(c.text)); err == nil || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
			d := disk{settingsFile: c.text}
			for _, uninstall := range []bool{false, true} {
				o := d.project()
				o.Uninstall = uninstall
				if plan, err := setup.Prepare(o); plan != nil || err == nil || !strings.HasPrefix(err.Error(), settingsFile+":") {
					t.Errorf("uninstall %v: planned %v, %v", uninstall, plan, err)
				}
			}
		})
	}
}

func TestDisabledHooksAreDetected(t *testing.T) {
	for text, want := range map[string]int{
		"{\n\"disableAllHooks\": true}": 2, `{"disableAllHooks": false}`: 0, `{"disableAllHooks": "true"}`: 0, `{}`: 0, ``: 0,
	} {
		if line, err := setup.Off("f", []byte(text)); line != want || err != nil {
			t.Errorf("%s: line %d, %v", text, line, err)
		}
	}
	if _, err := setup.Off("f", []byte("{")); err == nil {
		t.Error("text that is not JSON gives no error")
	}
	d := disk{settingsFile: `{"disableAllHooks": true}`}
	_, err := setup.Prepare(d.project())
	if want := settingsFile + ":1:21: disableAllHooks: disables every hook, so nothing would be guarded; remove it"; err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}
