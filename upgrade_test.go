package guardrails_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/rules/packtest"
)

// person has a home folder and programs of their own, and works in a project that others have too.
type person struct {
	t                       *testing.T
	home, project, programs string
	sessions                int
}

// newPerson returns a person who has installed programs.
func newPerson(t *testing.T, project, programs string) *person {
	t.Helper()
	p := &person{t: t, home: t.TempDir(), project: project}
	p.install(programs)
	return p
}

func (p *person) install(programs string) { p.programs = programs }

// run runs a program in the project and returns what it prints.
func (p *person) run(stdin, name string, args ...string) string {
	p.t.Helper()
	c := exec.Command(filepath.Join(p.programs, name), args...)
	c.Dir, c.Stdin = p.project, strings.NewReader(stdin)
	c.Env = []string{
		"HOME=" + p.home, "GUARDRAILS_CACHE_DIR=" + p.home + "/run", "PATH=" + p.programs + ":/usr/bin:/bin", "TMPDIR=" + p.home,
	}
	var out, problems bytes.Buffer
	c.Stdout, c.Stderr = &out, &problems
	const denied = 2 // the exit code of a hook that denies a call
	if err := c.Run(); err != nil && c.ProcessState.ExitCode() != denied {
		p.t.Fatalf("%s %v: %v\n%s%s", name, args, err, out.String(), problems.String())
	}
	return out.String()
}

// guardrails runs the command line.
func (p *person) guardrails(args ...string) string {
	p.t.Helper()
	return p.run("", "guardrails", args...)
}

// wants checks the decisions of the hook about calls of a new session. A decision is allow, ask or deny, with the guideline
// that it names.
func (p *person) wants(write, commit string) {
	p.t.Helper()
	for call, want := range map[string]string{
		`"tool_name": "Write", "tool_input": {"file_path": "` + p.project + `/frozen/a.txt", "content": "x"}`: write,
		`"tool_name": "Bash", "tool_input": {"command": "git commit --no-verify --allow-empty -m x"}`:         commit,
	} {
		p.sessions++
		payload := `{"session_id": "s` + strings.Repeat("1", p.sessions) + `", "hook_event_name": "PreToolUse", "cwd": "` + p.project + `", ` + call + "}"
		var answer struct {
			HookSpecificOutput struct{ PermissionDecision, PermissionDecisionReason string }
		}
		if said := p.run(payload, "guardrails-enforce"); said != "" {
			if err := json.Unmarshal([]byte(said), &answer); err != nil {
				p.t.Fatalf("%v: %s", err, said)
			}
		}
		got, reason := answer.HookSpecificOutput.PermissionDecision, answer.HookSpecificOutput.PermissionDecisionReason
		decision, guideline, _ := strings.Cut(want, " ")
		if got == "" {
			got = "allow"
		}
		if got != decision || !strings.Contains(reason, guideline) {
			p.t.Errorf("%s\ngot %s (%s), want %s", call, got, reason, want)
		}
	}
}

func TestAnUpgradeReachesTheGuidelinesOfAPackThatNobodyChanged(t *testing.T) {
	module, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	const programs = "./cmd/..."
	installed, newer := buildPrograms(t, programs), t.TempDir()
	if err := packtest.Build(module, t.TempDir(), newer, programs); err != nil {
		t.Fatal(err)
	}
	project, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("git", "-C", project, "init", "-q").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const denied, asked = "deny " + packtest.Added, "ask " + packtest.Stricter

	// An earlier version of init copied the pack into Ann's store. Bob changed a guideline.
	ann, bob := newPerson(t, project, installed), newPerson(t, project, installed)
	ann.guardrails("init")
	ann.guardrails("import", "pack:core")
	bob.guardrails("init")
	bob.guardrails("toggle", packtest.Stricter, "off")
	ann.wants("allow", "allow")
	bob.wants("allow", "allow")

	ann.install(newer)
	ann.wants(denied, asked)
	bob.wants("allow", "allow") // Bob still has the earlier version
	bob.install(newer)
	bob.wants(denied, "allow")

	diff := bob.guardrails("packs", "diff")
	for _, want := range []string{"off in the store; it was taken from version", "the pack has a newer text", "enabled", "gate_threshold"} {
		if !strings.Contains(diff, want) {
			t.Errorf("packs diff does not say %q:\n%s", want, diff)
		}
	}
	bob.guardrails("packs", "update")
	bob.wants(denied, "allow")
	bob.guardrails("packs", "update", "--take", packtest.Stricter)
	bob.wants(denied, asked)

	renewed := ann.guardrails("packs", "update")
	if !strings.Contains(renewed, "renewed  "+packtest.Stricter+"\n") || !strings.Contains(renewed, "removed  "+packtest.Withdrawn+"\n") {
		t.Errorf("packs update says\n%s", renewed)
	}
	ann.wants(denied, asked)
}
