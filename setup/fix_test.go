package setup_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"guardrails/setup"
)

// initialSettings returns the settings that init writes into an empty project.
func initialSettings(t *testing.T) string {
	t.Helper()
	return disk{}.setUp(t, nil)[settingsFile]
}

// fixed() returns the settings after init has run again, and the reasons for its changes.
func fixed(t *testing.T, text string, change func(*setup.Options)) (string, []string) {
	t.Helper()
	d := disk{settingsFile: text}
	o := d.project()
	if change != nil {
		change(&o)
	}
	next, plan := d.filesAfter(t, o)
	return next[settingsFile], reasons(plan, settingsFile)
}

const enforceEntry = `          {
            "type": "command",
            "command": "/usr/local/bin/guardrails-enforce",
            "args": ["--if-missing", "install guardrails: run make install in a clone of it and put ~/.local/bin on PATH"],
            "timeout": 10,
            "onFailure": "block"
          }`

// Each case damages the entry of PreToolUse in a different way. The next run must fix the entry in place and report the
// fix.
func TestWrongEntryIsFixedAndReported(t *testing.T) {
	for _, c := range []struct{ name, old, damaged, reason string }{
		{
			"matcher narrowed", `"matcher": "*",` + "\n        \"hooks\": [\n" + enforceEntry, `"matcher": "Edit|Write",` + "\n        \"hooks\": [\n" + enforceEntry,
			`PreToolUse: the matcher "Edit|Write" (line 41) covered only some calls; it now covers all`,
		},
		{"timeout shortened", `"timeout": 10,`, `"timeout": 1,`, "PreToolUse: corrects the timeout of 1 s (line 41)"},
		{"failure lets the call run", ",\n            \"onFailure\": \"block\"", "", "PreToolUse: corrects onFailure (line 41)"},
		{
			"an if that leaves calls out", `"onFailure": "block"`, `"onFailure": "block", "if": "Read(docs/*)"`,
			`PreToolUse: corrects "if" (line 41)`,
		},
		{"asynchronous", `"onFailure": "block"`, `"onFailure": "block", "async": true`, `PreToolUse: corrects "async" (line 41)`},
		{
			"program moved", enforceEntry, strings.Replace(enforceEntry, "/usr/local", "/opt/old", 1),
			"PreToolUse: corrects the program's path (line 41)",
		},
		{
			"through a shell", "            \"args\": [\"--if", "            \"words\": [\"--if",
			`PreToolUse: corrects the arguments and "words" (line 41)`,
		},
		{
			"no advice", `"install guardrails: run make install in a clone of it and put ~/.local/bin on PATH"`, `""`,
			"PreToolUse: corrects the arguments (line 41)",
		},
		{"another check of the programs", "echo '{", "echo '{ ", "UserPromptSubmit: corrects the command (line 16)"},
		{"twice", enforceEntry, enforceEntry + ",\n" + enforceEntry, "PreToolUse: removes the second entry (line 48)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := initialSettings(t)
			damaged := strings.Replace(want, c.old, c.damaged, 1)
			if damaged == want {
				t.Fatal("the case does not change the settings")
			}
			got, said := fixed(t, damaged, nil)
			if got != want {
				t.Errorf("got\n%s", got)
			}
			if !reflect.DeepEqual(said, []string{c.reason}) {
				t.Errorf("the reasons are %q", said)
			}
		})
	}
}

func TestEntryLeavesAMatcherSharedWithOtherHooks(t *testing.T) {
	const theirs = `{"type": "command", "command": "prettier"}`
	const ours = `{"type": "command", "command": "/opt/old/guardrails-enforce", "args": [], "timeout": 10}`
	got, said := fixed(t, `{"hooks": {"PreToolUse": [{"matcher": "Edit", "hooks": [`+theirs+`, `+ours+`]}]}}`, nil)
	var out struct {
		Hooks map[string][]json.RawMessage
	}
	if err := json.Unmarshal([]byte(got), &out); err != nil {
		t.Fatal(err)
	}
	groups := out.Hooks["PreToolUse"]
	if len(groups) != 2 || string(groups[0]) != `{"matcher": "Edit", "hooks": [`+theirs+`]}` {
		t.Errorf("got %s", groups)
	}
	if !strings.Contains(string(groups[1]), `"matcher": "*"`) {
		t.Errorf("got %s", groups[1])
	}
	if want := `PreToolUse: the matcher "Edit" (line 1) covered only some calls; it now covers all`; said[0] != want {
		t.Errorf("the reasons are %q", said)
	}
}

func TestEntryOfAnotherEventIsRemoved(t *testing.T) {
	const wrong = `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "C:\\bin\\guardrails-inject.exe", "args": []}]}],` +
		` "Notification": [{"hooks": [{"type": "command", "command": "'/a b/guardrails-enforce' --strict"}]}]}}`
	got, said := fixed(t, wrong, nil)
	if strings.Contains(got, "Notification") || strings.Contains(got, `C:\\bin`) {
		t.Errorf("got %s", got)
	}
	want := []string{
		"Notification: removes guardrails-enforce (line 1), because it belongs to another event",
		"Stop: removes guardrails-inject (line 1), because it belongs to another event",
	}
	if len(said) < 2 || !reflect.DeepEqual(said[:2], want) {
		t.Errorf("the reasons are %q", said)
	}
}

func TestCorrectEntriesAreUnchangedHoweverTheyAreWritten(t *testing.T) {
	var value any
	if err := json.Unmarshal([]byte(initialSettings(t)), &value); err != nil {
		t.Fatal(err)
	}
	for _, indent := range []string{"\t", ""} {
		other, err := json.MarshalIndent(value, "", indent) // Marshal also sorts the keys
		if err != nil {
			t.Fatal(err)
		}
		if got, said := fixed(t, string(other), nil); got != string(other) {
			t.Errorf("the reasons are %q of\n%s", said, got)
		}
	}
}

func TestOnlyTheHookThatDecidesBlocksWhenItFails(t *testing.T) {
	entries, err := setup.Hooks("f", []byte(initialSettings(t)))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if blocks := e.OnFailure == "block"; blocks != (e.Event == "PreToolUse") {
			t.Errorf("%s: onFailure is %q", e.Event, e.OnFailure)
		}
	}
}

func TestProjectEntriesAreStrictWhileTheConfigIsStrict(t *testing.T) {
	strict := func(o *setup.Options) { o.Strict = true }
	d := disk{}.setUp(t, strict)
	if n := strings.Count(d[settingsFile], `"args": ["--strict"`); n != 3 || !strings.Contains(d[configFile], "\nstrict: true\n") {
		t.Errorf("%d entries are strict", n)
	}
	if again := d.setUp(t, nil); again[settingsFile] != d[settingsFile] || again[configFile] != d[configFile] {
		t.Error("a run without --strict made the project less strict")
	}
	d[configFile] = strings.Replace(d[configFile], "strict: true", "strict: false", 1)
	if again := d.setUp(t, nil); strings.Contains(again[settingsFile], "--strict") {
		t.Error("the entries do not follow the config")
	}
}

func TestStrictUserEntriesStayStrict(t *testing.T) {
	d := disk{}
	user := func(strict bool) func(*setup.Options) {
		return func(o *setup.Options) {
			o.Target, o.Strict = setup.ForUser("/home/u/.claude", "/home/u/.config/guardrails"), strict
		}
	}
	d = d.setUp(t, user(true))
	if again := d.setUp(t, user(false)); again["/home/u/.claude/settings.json"] != d["/home/u/.claude/settings.json"] || len(again) != 3 {
		t.Errorf("got %v", again)
	}
}

func TestWindowsPathsAreEscapedInJSON(t *testing.T) {
	windows := func(o *setup.Options) { o.Windows, o.Bin = true, `C:\Program Files\guardrails` }
	got := disk{}.setUp(t, windows)[settingsFile]
	if n := strings.Count(got, `"command": "C:\\Program Files\\guardrails\\guardrails-`); n != 9 || strings.Count(got, `.exe"`) != 9 {
		t.Errorf("got %s", got)
	}
	entries, err := setup.Hooks("f", []byte(got))
	if err != nil || entries[0].Command != `C:\Program Files\guardrails\guardrails-inject.exe` || !entries[0].Ours() {
		t.Errorf("got %+v, %v", entries, err)
	}
}
