package doctor

import (
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"guardrails/hooks/wire"
	"guardrails/setup"
	driver "guardrails/setup/claude/session"
)

const everyDetector = "detectors: {rumination: note, hyperfocus: note, sycophancy: counter, tool_loop: ask}\n"

func TestOnlyDetectorsThatAreOnHaveACanary(t *testing.T) {
	p := newComputer(t)
	for settings, want := range map[string]string{
		everyDetector: "a note about a loop, a line about a repeated question, a line about reassurance, a line about a long session",
		"detectors: {hyperfocus: note, tool_loop: off}\n":             "a line about a long session",
		"detectors: {rumination: off}\n":                              "a note about a loop",
		"safety: {mode: observe}\n":                                   "a note about a loop",
		"safety: {mode: enforce}\n":                                   "a note about a loop, a blocked prompt, a replaced answer",
		"safety: {categories: {financial_advice_request: enforce}}\n": "a note about a loop, a blocked prompt",
		"safety: {mode: enforce, categories: {financial_advice_request: off}, gates: {ValuesBoundary: off}}\n": "a note about a loop",
		"": "a note about a loop",
	} {
		p.write("home/.config/guardrails/guardrails.yaml", settings)
		var names []string
		for _, c := range p.examine().canaries()[len(canaries()):] {
			names = append(names, c.name)
		}
		if got := strings.Join(names, ", "); got != want {
			t.Errorf("%q: %s, want %s", settings, got, want)
		}
	}
}

func TestADetectorsCanaryThatDoesNotFireSaysWhy(t *testing.T) {
	p := newComputer(t)
	p.write("home/.config/guardrails/guardrails.yaml", everyDetector)
	p.edit(`"PostToolUseFailure"`, `"PostToolUseFailed"`)
	p.remove("bin/guardrails-inject")
	p.program("bin/guardrails-inject")
	list := p.examine().Prove(t.Context())
	for name, want := range map[string]string{
		"live: a note about a loop":              "NOT FIRED: the model received no note (hook PostToolUseFailure: is in no settings file)",
		"live: a line about a repeated question": "NOT FIRED: the line was not shown",
		"live: a line about a long session":      "NOT FIRED: the line was not shown",
	} {
		if got := findCheck(t, list, name).Detail; !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", name, got)
		}
	}
	p.wantNothingLeft()
}

func TestASafetyCanaryThatDoesNotFireSaysWhy(t *testing.T) {
	p := newComputer(t)
	p.write("home/.config/guardrails/guardrails.yaml", "safety: {mode: enforce}\n")
	p.edit(`"Stop"`, `"Stopped"`)
	list := p.examine().Prove(t.Context())
	for name, want := range map[string]string{
		"live: a blocked prompt":  "FIRED",
		"live: a replaced answer": "NOT FIRED: the model was not asked for another answer (hook Stop: is in no settings file)",
	} {
		if got := findCheck(t, list, name).Detail; got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
	p.wantNothingLeft()
}

func TestDoctorSaysWhatTheSafetyGateDoes(t *testing.T) {
	const file = "project/.claude/guardrails-policies.yaml"
	for name, c := range map[string]struct {
		settings, policies string
		gate, policy       string
		state              State
	}{
		"off": {gate: "mode off"},
		"a mode for one category": {
			settings: "safety: {mode: observe, categories: {violence: enforce}, gates: {OverclaimGate: off}}\n",
			gate:     "mode observe, violence enforce, OverclaimGate off",
		},
		"policies": {
			policies: "version: 1\nrules:\n  - {name: a, actions: [{type: stop}]}\n", gate: "mode off",
			policy: "1 rule in force, from .claude/guardrails-policies.yaml", state: OK,
		},
		"a policy that is ignored": {
			policies: "version: 1\nrules:\n  - {name: a, actions: [{type: override_safety, action: PROCEED}]}\n", gate: "mode off",
			policy: "1 rule in force, from .claude/guardrails-policies.yaml; the rule a in ", state: Warning,
		},
		"a broken policy file": {
			policies: "version: 1\nrules: [{}]\n", gate: "mode off", policy: "guardrails-policies.yaml:2: rules[0].name: is missing", state: Broken,
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newComputer(t)
			p.write("home/.config/guardrails/guardrails.yaml", c.settings)
			if c.policies != "" {
				p.write(file, c.policies)
			}
			list := p.examine().Checks
			if got := findCheck(t, list, "safety gate"); got.Detail != c.gate || got.State != OK {
				t.Errorf("the gate: %+v", got)
			}
			if c.policy == "" {
				return
			}
			if got := findCheck(t, list, "policies"); !strings.Contains(got.Detail, c.policy) || got.State != c.state {
				t.Errorf("the policies: %+v", got)
			}
		})
	}
}

func TestEveryCanaryFiresWithoutAClient(t *testing.T) {
	p := newComputer(t)
	p.write("home/.config/guardrails/guardrails.yaml", everyDetector+"safety: {mode: enforce}\n")
	x := p.examine()
	list := x.Prove(t.Context())
	if len(list) != len(x.canaries())+1 || Failed(list) {
		t.Error(shown(list))
	}
	if way := findCheck(t, list, "live"); !strings.HasPrefix(way.Detail, "no client is installed") {
		t.Errorf("live: %s", way.Detail)
	}
	p.wantNothingLeft()
}

func TestCanaryThatDoesNotFireNamesTheFailedCheck(t *testing.T) {
	p := newComputer(t)
	p.edit(`"PreToolUse"`, `"PreToolUsed"`)
	got := findCheck(t, p.examine().Prove(t.Context()), "live: a denied write")
	if want := "NOT FIRED: the call ran (hook PreToolUse: is in no settings file)"; got.Detail != want || got.Remedy != "run guardrails init" {
		t.Errorf("%s; remedy: %s", got.Detail, got.Remedy)
	}
}

func TestCanaryThatDoesNotFireShowsTheHooksOutput(t *testing.T) {
	p := newComputer(t)
	p.remove("bin/guardrails-inject")
	p.write("bin/guardrails-inject", "#!/bin/sh\necho it is broken >&2\nexit 7\n")
	p.chmodFile("bin/guardrails-inject", 0o755)
	got := findCheck(t, p.examine().Prove(t.Context()), "live: an injected line")
	if want := "NOT FIRED: the model did not receive the guidelines (hook SessionStart: exit code 7: it is broken)"; got.Detail != want {
		t.Errorf("got %s", got.Detail)
	}
}

func TestProveNeedsATemporaryFolder(t *testing.T) {
	p := newComputer(t)
	x := p.examine()
	t.Setenv("TMPDIR", p.path("none"))
	list := x.Prove(t.Context())
	if len(list) != len(x.canaries()) || !strings.Contains(list[0].Detail, "NOT FIRED: no temporary folder can be made") {
		t.Error(shown(list))
	}
}

func TestHookAnswerIsReadAsTheClientReadsIt(t *testing.T) {
	for name, c := range map[string]struct {
		stdout, stderr string
		want           reply
	}{
		"nothing":          {"", "", reply{}},
		"a blocked text":   {`{"decision":"block","reason":"no"}`, "", reply{counter: "no"}},
		"a refusal":        {`{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no"}}`, "else", reply{stopped: true, reason: "no"}},
		"a question":       {`{"hookSpecificOutput":{"permissionDecision":"ask","permissionDecisionReason":"sure?"}}`, "", reply{stopped: true, reason: "sure?"}},
		"context":          {`{"hookSpecificOutput":{"additionalContext":"a line"}}`, "", reply{context: "a line"}},
		"text on stderr":   {"no JSON", "why", reply{reason: "why"}},
		"a top-level line": {`{"additionalContext":"a line","reason":"x"}`, "", reply{}},
	} {
		if got := understood([]byte(c.stdout), c.stderr); got != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestMatchersWorkAsInTheClient(t *testing.T) {
	for _, c := range []struct {
		matcher, event, subject string
		want                    bool
	}{
		{"", wire.PreToolUse, "Write", true},
		{"*", wire.PreToolUse, "Write", true},
		{"Edit|Write", wire.PreToolUse, "Write", true},
		{"Edit|Write", wire.PreToolUse, "NotebookWrite", false},
		{"mcp__.*", wire.PreToolUse, "mcp__a__b", true},
		{"(", wire.PreToolUse, "Write", false},
		{"nothing", wire.UserPromptSubmit, "", true},
		{"nothing", wire.Stop, "", true},
		{"backend", wire.SubagentStart, role, false},
	} {
		if got := matches(&setup.Entry{Matcher: c.matcher}, act{event: c.event, subject: c.subject}); got != c.want {
			t.Errorf("%q for %s of %s: %v", c.matcher, c.event, c.subject, got)
		}
	}
}

func TestFileWithHighestPrecedenceDecidesASwitch(t *testing.T) {
	file := func(scope setup.Scope, text string) settingsFile {
		return settingsFile{File: setup.File{Scope: scope, Path: string(scope)}, text: []byte(text)}
	}
	on, off, silent := `{"disableAllHooks": true}`, `{"disableAllHooks": false}`, `{"model": "x"}`
	for _, c := range []struct {
		name  string
		files []settingsFile
		want  string
	}{
		{"no file", nil, ""},
		{"no setting", []settingsFile{file(setup.User, silent)}, ""},
		{"the user", []settingsFile{file(setup.User, on), file(setup.Project, silent)}, "user"},
		{"the project overrides the user", []settingsFile{file(setup.User, on), file(setup.Project, off)}, ""},
		{"a broken file is ignored", []settingsFile{file(setup.User, on), file(setup.Local, "{")}, "user"},
	} {
		got := ""
		if f := (&Examination{files: c.files}).switching("disableAllHooks"); f != nil {
			got = f.Path
		}
		if got != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

func TestUserHooksAreReportedWhenOnlyManagedHooksRun(t *testing.T) {
	only := settingsFile{File: setup.File{Scope: setup.Managed, Path: "managed.json"}, text: []byte(`{"allowManagedHooksOnly": true}`)}
	x := &Examination{files: []settingsFile{only}}
	x.checkSettings()
	if c, found := x.broken(linkSettings); !found || !strings.Contains(c.Detail, "allowManagedHooksOnly") {
		t.Errorf("got %v", x.Checks)
	}
	only.entries = []setup.Entry{{Type: "command", Command: "/o/guardrails-stop", Args: []string{}}}
	x = &Examination{files: []settingsFile{only}}
	if x.checkSettings(); len(x.Checks) > 0 {
		t.Errorf("got %v", x.Checks)
	}
}

func TestBuildsAreDistinguished(t *testing.T) {
	commit := debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef"}
	changed := debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	unchanged := debug.BuildSetting{Key: "vcs.modified", Value: "false"}
	for _, c := range []struct {
		name     string
		settings []debug.BuildSetting
		want     string
	}{
		{"no commit", nil, "v1.0.0"},
		{"a commit", []debug.BuildSetting{commit, unchanged}, "0123456789ab"},
		{"a commit and changes", []debug.BuildSetting{commit, changed}, "0123456789ab with changes"},
	} {
		info := &debug.BuildInfo{Settings: c.settings}
		info.Main.Version = "v1.0.0"
		if got := build(info); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// The hooks are built from a copy of the module. This copy has no version.
func TestAHookIsOfTheBuildOfTheOtherPrograms(t *testing.T) {
	commit := []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef"}}
	own, hook := &debug.BuildInfo{Settings: commit}, &debug.BuildInfo{Settings: commit}
	own.Main.Version, hook.Main.Version = "v0.0.0-20260101-0123456789ab", "(devel)"
	if build(own) != build(hook) {
		t.Errorf("%s and %s", build(own), build(hook))
	}
}

func TestAProgramOfAnotherNameIsNotOurs(t *testing.T) {
	one := &debug.BuildInfo{Path: "guardrails/cmd/guardrails-stop"}
	if !isOurs(one, "/o/guardrails-stop") || isOurs(one, "/o/guardrails-enforce") {
		t.Error("a program is mistaken for another")
	}
}

func TestProgramsAreComparedWithThisBuild(t *testing.T) {
	made := func(name, version string) program {
		info := &debug.BuildInfo{Path: "guardrails/cmd/" + name}
		info.Main.Version = version
		return program{"/o/" + name, info}
	}
	for _, c := range []struct {
		name  string
		list  []program
		state State
		want  string
	}{
		{"one build", []program{made("guardrails", "v1"), made("guardrails-stop", "v1")}, OK, "all are of the build v1"},
		{
			"two builds",
			[]program{made("guardrails", "v1"), made("guardrails-stop", "v2")},
			Warning,
			"these programs are of a different build than this guardrails (v1): /o/guardrails-stop (v2)",
		},
		{"no program", []program{{"/o/guardrails-stop", nil}}, Broken, "/o/guardrails-stop has the name of a guardrails program but is another program"},
		{"another program", []program{{"/o/guardrails-stop", made("guardrails-enforce", "v1").build}}, Broken, "/o/guardrails-stop has the name of a guardrails program"},
	} {
		x := &Examination{}
		x.compare("v1", c.list)
		if got := findCheck(t, x.Checks, linkPrograms); len(x.Checks) != 1 || got.State != c.state || !strings.HasPrefix(got.Detail, c.want) {
			t.Errorf("%s: %v", c.name, x.Checks)
		}
	}
	x := &Examination{}
	if x.compare("v1", nil); len(x.Checks) > 0 {
		t.Errorf("without programs: %v", x.Checks)
	}
}

func TestProgramOfAnEntryIsFound(t *testing.T) {
	for _, c := range []struct {
		entry setup.Entry
		want  string
	}{
		{setup.Entry{Command: "/a b/guardrails-stop", Args: []string{}}, "/a b/guardrails-stop"},
		{setup.Entry{Command: `"/a b/guardrails-stop" --strict`}, "/a b/guardrails-stop"},
		{setup.Entry{Command: ` '/a b/guardrails-stop'`}, "/a b/guardrails-stop"},
		{setup.Entry{Command: "/a/guardrails-stop --strict"}, "/a/guardrails-stop"},
	} {
		if got := programOf(&c.entry); got != c.want {
			t.Errorf("%s: %s", c.entry.Command, got)
		}
	}
	if got := cannotRun(filepath.Join(t.TempDir(), "none"), "linux"); !strings.Contains(got, "is missing") {
		t.Errorf("got %s", got)
	}
}

func TestHooksThatFailAreReported(t *testing.T) {
	code := func(n int) *int { return &n }
	w := newObservation()
	for _, h := range []driver.Hook{
		{Event: "Stop", ExitCode: code(0)},
		{Event: "PreToolUse", ExitCode: code(2), Stderr: "denied"},
		{Event: "PreToolUse", ExitCode: code(127), Stderr: "not  found\n"},
		{Event: "PostToolUse", Outcome: "cancelled"},
	} {
		w.complain(&h)
	}
	for events, want := range map[string]string{
		"Stop": "", "PreToolUse": "hook PreToolUse: exit code 127: not found", "PostToolUse": "hook PostToolUse: ended without an exit code: cancelled",
	} {
		if got := w.complaints([]string{events}); got != want {
			t.Errorf("%s: %q", events, got)
		}
	}
}
