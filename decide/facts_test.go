package decide_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"guardrails/decide"
	"guardrails/detect/toolcall"
	"guardrails/guideline"
)

func maxFiles(n int) option { return func(g *guideline.Guideline) { g.Action.MaxFiles = &n } }

func requireTests(g *guideline.Guideline) {
	yes := true
	g.Action.RequireTests = &yes
}

// changed() returns a function for Facts.Session. The function returns a session that has changed n files and whose
// tests have the given state.
func changed(n int, tests decide.Tests) func() (decide.Session, error) {
	return func() (decide.Session, error) {
		s := decide.Session{Tests: tests}
		for i := range n {
			s.Changed = append(s.Changed, fmt.Sprint("changed-", i))
		}
		return s, nil
	}
}

func unreadable() (decide.Session, error) { return decide.Session{}, errors.New("no permission") }

func TestLimitsDependOnTheSession(t *testing.T) {
	set := compile(t, newGuideline("few", 1, maxFiles(2)), newGuideline("tested", 1, requireTests))
	for _, c := range []struct {
		command string
		session func() (decide.Session, error)
		want    decide.Outcome
		reason  string
	}{
		{"echo > a", nil, decide.Allow, ""},
		{"echo > a; echo > b; echo > a", nil, decide.Allow, ""},
		{"echo > a; echo > b; echo > c", nil, decide.Ask, "Change c, the 3rd file since the last commit? The limit is 2. Rule: Name of few (few)."},
		{"echo > changed-1", changed(2, 0), decide.Allow, ""},
		{"echo > a", changed(2, 0), decide.Ask, "the 3rd file"},
		{"echo > a", changed(1, 0), decide.Allow, ""},
		{"echo > a", unreadable, decide.Ask, "record of changed files cannot be read (no permission), so the limit of 2 files cannot be checked"},
		{"cat a", unreadable, decide.Allow, ""},
		{"git commit -m x", nil, decide.Allow, ""},
		{"git commit -m x", changed(1, decide.TestsUpToDate), decide.Allow, ""},
		{"git commit -m x", changed(1, decide.TestsFailed), decide.Ask, "The tests failed when they last ran"},
		{"git commit -m x", changed(1, decide.TestsMissing), decide.Ask, "No test command has succeeded since the source code of this commit was last changed"},
		{"go test ./... && git commit -m x", changed(1, decide.TestsMissing), decide.Allow, ""},
		{"git commit -m x", unreadable, decide.Ask, "which files the commit contains (no permission)"},
	} {
		call := toolcall.AnalyzeCommand(&environment, c.command)
		d := decide.Judge(decide.Alone(set, guideline.Context{}), call, decide.Facts{Session: c.session})
		if d.Outcome != c.want || !strings.Contains(d.Reason, c.reason) {
			t.Errorf("%s: %s, %s; want %s, %s", c.command, d.Outcome, d.Reason, c.want, c.reason)
		}
	}
}

func TestOrdinalsAreWrittenAsPeopleWriteThem(t *testing.T) {
	set := compile(t, newGuideline("none", 1, maxFiles(0)))
	call := toolcall.AnalyzeCommand(&environment, "echo > a")
	for n, want := range map[int]string{1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 13: "13th", 21: "21st", 101: "101st", 111: "111th"} {
		d := decide.Judge(decide.Alone(set, guideline.Context{}), call, decide.Facts{Session: changed(n-1, 0)})
		if !strings.Contains(d.Reason, "the "+want+" file") {
			t.Errorf("%d: %s", n, d.Reason)
		}
	}
}

func TestAnExceptionRemovesFindingsUntilItExpires(t *testing.T) {
	g := newGuideline("no-push", 1, on("push"), asks("gate"))
	g.Metadata = map[string]any{"aliases": []any{"quiet-week"}}
	set := compile(t, g)
	expires := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name, guideline string
		tools           []string
		now             time.Time
		want            decide.Outcome
	}{
		{"it covers every call", "no-push", nil, expires.Add(-1), decide.Allow},
		{"it covers the command", "no-push", []string{"Bash(git push *)"}, expires.Add(-1), decide.Allow},
		{"it names an alias", "quiet-week", nil, expires.Add(-1), decide.Allow},
		{"it covers another tool", "no-push", []string{"Write"}, expires.Add(-1), decide.Ask},
		{"it has expired", "no-push", nil, expires, decide.Ask},
		{"it is for another guideline", "other", nil, expires.Add(-1), decide.Ask},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := decide.Exception{Guideline: c.guideline, Tools: c.tools, Reason: "release week", Expires: expires}
			call := toolcall.AnalyzeCommand(&environment, "git push origin topic")
			d := decide.Judge([]decide.Layer{{Set: set, Exceptions: []decide.Exception{x}}}, call, decide.Facts{Now: c.now})
			if d.Outcome != c.want || (len(d.Excused) > 0) != (c.want == decide.Allow) {
				t.Errorf("%s, excused %v", d.Outcome, d.Excused)
			}
		})
	}
}

func TestAnExceptionTakesThePatternsOfGatesAndDenials(t *testing.T) {
	set := compile(t,
		newGuideline("destructive", 1, on("destructive_op"), asks("destructive")),
		newGuideline("closed", 1, denies("Write(locked/*)")))
	expires := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		guideline, pattern, command string
		covered                     bool
	}{
		{"destructive", "Bash(rm -rf src/old:*)", "rm -rf src/old", true},
		{"destructive", "Bash(rm -rf src/old:*)", "cd . && rm -rf src/old --verbose", true},
		{"destructive", "Bash(rm -rf src/old:*)", "rm -rf src/older", false},
		{"destructive", "Bash(rm -rf src/old:*)", "rm -rf src/new", false},
		{"destructive", "Bash(rm -rf src/old:*)", "rm -rf src/old; rm -rf src/new", false},
		{"destructive", "Bash(rm -rf src/old:*)", "rm -rf src/old \"$(rm -rf src/new)\"", false},
		{"destructive", "Bash(rm -rf src/old:*)", "echo rm -rf src/old; rm -rf src/new", false},
		{"destructive", "Bash(rm *)", "rm -rf src/old", true},
		{"destructive", "Bash(rm *)", "sudo rm -rf src/old", true},
		{"destructive", "Bash(rm *)", "find src/old -exec rm -rf {} +", true},
		{"destructive", "Bash(find:*)", "find src/old -delete", true},
		{"destructive", "Bash", "rm -rf src/old", true},
		{"destructive", "Write(src/old/*)", "rm -rf src/old", true},
		{"destructive", "Write(src/old/a)", "rm -rf src/old", false},
		{"closed", "Bash(make gen:*)", "make gen > locked/a", false}, // a redirection is not part of the command
		{"closed", "Bash(cp:*)", "cp a locked/a", true},
		{"closed", "Bash(make gen:*)", "cp a locked/a", false},
		{"closed", "Edit(locked/a)", "cp a locked/a", true},
	} {
		x := decide.Exception{Guideline: c.guideline, Tools: []string{c.pattern}, Reason: "a clean-up", Expires: expires}
		facts := decide.Facts{Now: expires.Add(-1)}
		layers := []decide.Layer{{Set: set, Exceptions: []decide.Exception{x}}}
		d := decide.Judge(layers, toolcall.AnalyzeCommand(&environment, c.command), facts)
		if (d.Outcome == decide.Allow) != c.covered {
			t.Errorf("%s for %s: %s (%s)", c.pattern, c.command, d.Outcome, d.Reason)
		}
	}
}

func TestNoExceptionRemovesSelfProtection(t *testing.T) {
	expires := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	x := decide.Exception{Guideline: "self-protection", Reason: "a clean-up", Expires: expires}
	call := toolcall.AnalyzeCommand(&environment, "rm .claude/settings.json")
	layers := []decide.Layer{{Set: compile(t), Exceptions: []decide.Exception{x}}}
	if d := decide.Judge(layers, call, decide.Facts{Now: expires.Add(-1)}); d.Outcome != decide.Deny {
		t.Errorf("%s", d.Outcome)
	}
}

func TestADeletedHomeIsNotCalledTheGuardsOwnFiles(t *testing.T) {
	home := environment
	home.Guarded = []string{"/home/dev/.local/share/guardrails", "/home/dev/.claude"}
	layers := []decide.Layer{{Set: core(t)}}
	for command, want := range map[string]string{
		"rm -rf ~": "security-system-delete", "rm -rf /": "security-system-delete", "rm -rf ~/.local": "security-system-delete",
		"rm -rf .": "security-project-delete", "rm -rf ~/.claude": "security-guard-tamper", "rm -r .claude": "security-guard-tamper",
	} {
		d := decide.Judge(layers, toolcall.AnalyzeCommand(&home, command), decide.Facts{})
		if d.Outcome != decide.Deny || d.Guideline() != want {
			t.Errorf("%s: %s by %s, want %s", command, d.Outcome, d.Guideline(), want)
		}
	}
}

func TestTheGuardIsProtectedWithoutAnyGuideline(t *testing.T) {
	const command = "rm .claude/settings.json"
	if d := judge(compile(t), command); d.Outcome != decide.Deny || d.Guideline() != "self-protection" {
		t.Errorf("without guidelines: %s by %s", d.Outcome, d.Guideline())
	}
	if d := judge(compile(t, newGuideline("note", 1, on("guard_tamper"), notes("gate"))), command); d.Outcome != decide.Deny {
		t.Errorf("with advice: %s by %s", d.Outcome, d.Guideline())
	}
	gate := newGuideline("gate", 1, on("guard_tamper"), asks("gate"), func(g *guideline.Guideline) { g.Action.Type = guideline.HITLGate })
	if d := judge(compile(t, gate), command); d.Outcome != decide.Ask || d.Guideline() != "gate" {
		t.Errorf("with a gate: %s by %s", d.Outcome, d.Guideline())
	}
}
