package doctor

import (
	"os"
	"strings"
	"testing"
)

func TestHealthySetupPassesEveryCheck(t *testing.T) {
	p := newComputer(t)
	p.client = "2.1.300"
	list := p.examine().Checks
	for _, c := range list {
		if c.State != OK {
			t.Errorf("%s: %s: %s", c.Name, c.State, c.Detail)
		}
		if c.State == OK && c.Remedy != "" {
			t.Errorf("%s is ok and has a remedy: %s", c.Name, c.Remedy)
		}
	}
	for _, name := range []string{
		"client", "hook UserPromptSubmit", "hook for missing programs", "hook PreToolUse", "hook SubagentStart", "hook PostToolUse", "hook PostToolUseFailure", "hook Stop", "hook SubagentStop",
		"hook SessionEnd", "hook SessionStart", "programs", "guidelines", "session folder", "state folder", "server", "answer", "fallback",
	} {
		findCheck(t, list, name)
	}
	if answer := findCheck(t, list, "answer"); !strings.Contains(answer.Detail, "guidelines from files in ") {
		t.Errorf("answer: %s", answer.Detail)
	}
}

const preToolUse = `"PreToolUse": [
      {
        "matcher": "*",`

// The variable "faults" lists setups in which one thing is broken. Each row has the check that must fail, and the
// canaries that must not fire.
var faults = []struct {
	name     string
	breaks   func(p *computer)
	link     string
	state    State
	want     string
	notFired string
}{
	{
		"the program of enforce is missing", func(p *computer) { p.remove("bin/guardrails-enforce") },
		"hook PreToolUse", Broken, "guardrails-enforce is missing",
		"a denied write, a gated command, a denied write in a subagent, a run of every hook, a note about a loop",
	},
	{
		"a program is not executable", func(p *computer) { p.remove("bin/guardrails-inject"); p.write("bin/guardrails-inject", "") },
		"hook UserPromptSubmit", Broken, "guardrails-inject cannot be run", "an injected line, a run of every hook",
	},
	{
		"a program is not what its name says", func(p *computer) {
			p.remove("bin/guardrails-enforce")
			p.write("bin/guardrails-enforce", "#!/bin/sh\nexit 0\n")
			p.chmodFile("bin/guardrails-enforce", 0o755)
		},
		"programs", Broken, "guardrails-enforce has the name of a guardrails program but is another program",
		"a denied write, a gated command, a denied write in a subagent, a run of every hook, a note about a loop",
	},
	{
		"the command line is missing", func(p *computer) { p.remove("bin/guardrails") },
		"answer", Broken, "the hooks do not find the guardrails program", "an injected line, a denied write, a gated command, an allowed command, a line in a subagent, a denied write in a subagent, a run of every hook, a note about a loop",
	},
	{
		"an entry is missing", func(p *computer) { p.edit(`"PreToolUse"`, `"PreToolUsed"`) },
		"hook PreToolUse", Broken, "is in no settings file", "a denied write, a gated command, a denied write in a subagent, a run of every hook",
	},
	{
		"a matcher is too narrow", func(p *computer) { p.edit(preToolUse, strings.Replace(preToolUse, "*", "Edit|Write", 1)) },
		"hook PreToolUse", Broken, `its matcher "Edit|Write" leaves out tools or agents`, "a gated command",
	},
	{
		"an entry applies only to some calls", func(p *computer) {
			p.edit(preToolUse, preToolUse+`"hooks": [{"type": "command", "command": "`+p.bin+`/guardrails-enforce", "args": [], "if": "Read(*)"}]}, {"matcher": "*",`)
		},
		"hook PreToolUse", Broken, `its "if" leaves calls out`, "",
	},
	{
		"an entry is asynchronous", func(p *computer) {
			p.edit(preToolUse+`
        "hooks": [
          {`, preToolUse+`
        "hooks": [
          {"async": true,`)
		},
		"hook PreToolUse", Broken, `it is "async"`, "",
	},
	{
		"a file of the guard was put back", func(p *computer) { p.write("state/guardrails/changed/guardrails.yaml-1", "x") },
		"own files", Warning, "were changed during a tool call, and guardrails restored them; the changed versions (1 file) are in ", "-",
	},
	{
		"a timeout is too short", func(p *computer) { p.edit(`"timeout": 10`, `"timeout": 1`) },
		"hook UserPromptSubmit", Warning, "its timeout of 1 s is too short", "",
	},
	{
		"an entry runs through a shell", func(p *computer) { p.edit("          \"args\": [],\n", "") },
		"hook UserPromptSubmit", Warning, "is started through a shell", "",
	},
	{
		"the same commands are in two files", func(p *computer) { p.setUp(settingsForUser(p)) },
		"hook PreToolUse", OK, "guardrails-enforce", "",
	},
	{
		"two files have different commands", func(p *computer) {
			p.setUp(settingsForUser(p))
			p.edit(`guardrails-enforce",
            "args": [`, `guardrails-enforce",
            "args": ["--strict", `)
		},
		"hook PreToolUse", Warning, "runs 2 times for each event", "",
	},
	{
		"the settings are not JSON", func(p *computer) { p.edit(`"hooks"`, `hooks`) },
		"settings", Broken, "is not JSON", "an injected line, a denied write, a gated command, a line in a subagent, a denied write in a subagent, a run of every hook, a note about a loop",
	},
	{
		"hooks are disabled", func(p *computer) {
			p.write("project/.claude/settings.local.json", "{\n  \"disableAllHooks\": true\n}\n")
		},
		"settings", Broken, "settings.local.json:2: disableAllHooks disables every hook",
		"an injected line, a denied write, a gated command, a line in a subagent, a denied write in a subagent, a run of every hook, a note about a loop",
	},
	{
		"the session folder is writable by others", func(p *computer) { p.chmod("run", 0o777) },
		"session folder", Broken, "can be written by others", "a run of every hook, a note about a loop",
	},
	{
		"the state folder is a file", func(p *computer) { p.removeAll("state/guardrails"); p.write("state/guardrails", "x") },
		"state folder", Broken, "is not a folder", "",
	},
	{
		"the client is too old", func(p *computer) { p.client = "2.0.5" },
		"client", Broken, "version 2.0.5, is older than 2.1.197, the oldest version that guardrails is tested with",
		"an injected line, a denied write, a gated command, an allowed command, a line in a subagent, a denied write in a subagent, a run of every hook, a note about a loop",
	},
	{
		"the client does not know onFailure", func(p *computer) { p.client = "2.1.200" },
		"client", Warning, "does not know onFailure", "-",
	},
	{
		"the config is broken", func(p *computer) { p.write("project/.claude/guardrails.yaml", "pakcs: []\n") },
		"config", Broken, "guardrails.yaml:1", "",
	},
	{
		"a guideline is broken", func(p *computer) { p.write("project/.claude/guardrails/a.yaml", "id: a\n") },
		"guidelines", Broken, "a.yaml:1", "",
	},
	{
		"no guideline applies", func(p *computer) { p.write("project/.claude/guardrails.yaml", "packs: []\n") },
		"guidelines", Warning, "0 guidelines", "",
	},
	{
		"an exception has expired", func(p *computer) {
			p.write("project/.claude/guardrails.yaml", "packs: [core]\nexceptions: [{guideline: security-history, reason: a clean-up, expires: 2020-01-31}]\n")
		},
		"exception", Warning, "the exception for security-history never applies: it has expired", "",
	},
	{
		"a guideline in a file is off", func(p *computer) {
			p.write("project/.claude/guardrails/a.yaml", "id: house-style\nname: a\nenabled: false\ncategory: custom\naction: {type: instruction, instruction: a}\n")
		},
		"turned off", Warning, "house-style (", "",
	},
	{
		"the last known guidelines apply", func(p *computer) { p.write("project/.claude/guardrails/a.yaml", "id: a\n") },
		"answer", Warning, "guidelines from snapshot", "",
	},
	{
		"fail_open without guidelines", func(p *computer) {
			p.write("project/.claude/guardrails.yaml", "packs: [core]\nfallback_mode: fail_open\n")
			p.write("project/.claude/guardrails/a.yaml", "id: a\n")
		},
		"answer", Broken, "0 guidelines from open", "",
	},
	{
		"the working folder is below the project", func(p *computer) { p.cwd = p.path("project/src"); p.chmod("project/src", 0o700) },
		"folder", Warning, "does not read the settings of", "",
	},
	{
		"there are other hooks", func(p *computer) {
			p.write("home/.claude/settings.json", `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"touch `+p.path("touched")+`"}]}]}}`)
		},
		"other hooks", OK, "settings.json:1", "",
	},
	{
		"a server does not answer", func(p *computer) { p.chmod("run", 0o700); p.write("run/server.sock", "x") },
		"server", Broken, "server.sock is not a socket; remove it", "",
	},
}

func TestEachFaultIsReportedAndStopsItsCanaries(t *testing.T) {
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			p := newComputer(t)
			p.examine() // creates the folders
			f.breaks(p)
			x := p.examine()
			if got := findCheck(t, x.Checks, f.link); got.State != f.state || !strings.Contains(got.Detail, f.want) || got.State != OK && got.Remedy == "" {
				t.Errorf("%s is %s: %s; remedy: %s", f.link, got.State, got.Detail, got.Remedy)
			}
			if f.notFired == "-" {
				return
			}
			if got := missing(x.Prove(t.Context())); got != f.notFired {
				t.Errorf("canaries that did not fire: %q, want %q", got, f.notFired)
			}
			if _, err := os.Stat(p.path("touched")); err == nil {
				t.Error("another hook was run")
			}
			p.wantNothingLeft()
		})
	}
}

func missing(list []Check) string {
	var names []string
	for _, c := range list {
		if strings.HasPrefix(c.Detail, notFired) && c.State == Broken && c.Remedy != "" {
			names = append(names, strings.TrimPrefix(c.Name, "live: "))
		}
	}
	return strings.Join(names, ", ")
}
