package guardrails_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/internal/product"
	"guardrails/rules/packtest"
)

// person has a home folder and programs of their own. The person works in a project in which other people work too.
type person struct {
	t                       *testing.T
	home, project, programs string
	sessions                int
}

// newPerson returns a person who has installed programs.
func newPerson(t *testing.T, project, programs string) *person {
	t.Helper()
	home, err := os.MkdirTemp("", "g") // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	p := &person{t: t, home: home, project: project, programs: filepath.Join(home, "programs")}
	if err := os.Mkdir(p.programs, 0o755); err != nil {
		t.Fatal(err)
	}
	p.install(programs)
	return p
}

// install() replaces the person's programs while they may run.
func (p *person) install(programs string) {
	p.t.Helper()
	for _, program := range glob(p.t, filepath.Join(programs, "*")) {
		to := filepath.Join(p.programs, filepath.Base(program))
		if err := os.Link(program, to+".new"); err != nil {
			p.t.Fatal(err)
		}
		if err := os.Rename(to+".new", to); err != nil {
			p.t.Fatal(err)
		}
	}
}

// command() returns a command that runs a program in the project.
func (p *person) command(name string, args ...string) *exec.Cmd {
	c := exec.Command(filepath.Join(p.programs, name), args...)
	c.Dir = p.project
	c.Env = []string{
		"HOME=" + p.home, "GUARDRAILS_CACHE_DIR=" + p.home + "/run", "TMPDIR=" + p.home + "/tmp",
		"PATH=" + p.programs + ":/usr/bin:/bin",
	}
	return c
}

// run() runs a program in the project and returns what it prints.
func (p *person) run(stdin, name string, args ...string) string {
	p.t.Helper()
	c := p.command(name, args...)
	c.Stdin = strings.NewReader(stdin)
	var out, problems bytes.Buffer
	c.Stdout, c.Stderr = &out, &problems
	const denied = 2 // the exit code of a hook that denies a call
	if err := c.Run(); err != nil && c.ProcessState.ExitCode() != denied {
		p.t.Fatalf("%s %v: %v\n%s%s", name, args, err, out.String(), problems.String())
	}
	return out.String()
}

// guardrails() runs the command line.
func (p *person) guardrails(args ...string) string {
	p.t.Helper()
	return p.run("", "guardrails", args...)
}

// checkDecisions checks the decisions of the hook about two calls, each in a new session. Each parameter is the wanted
// decision: allow, ask or deny. The id of a guideline can follow. The reason must then contain this id.
func (p *person) checkDecisions(write, commit string) {
	p.t.Helper()
	for call, want := range map[string]string{
		`"tool_name": "Write", "tool_input": {"file_path": "` + p.project + `/frozen/a.txt", "content": "x"}`: write,
		`"tool_name": "Bash", "tool_input": {"command": "git commit --no-verify --allow-empty -m x"}`:         commit,
	} {
		p.sessions++
		payload := fmt.Sprintf(`{"session_id": "s%d", "hook_event_name": "PreToolUse", "cwd": %q, %s}`,
			p.sessions, p.project, call)
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

// versions() builds the programs in the present version and in a newer one, and makes a project.
func versions(t *testing.T) (installed, newer, project string) {
	t.Helper()
	notInShort(t)
	const programs = "./cmd/..."
	module, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	installed, newer = buildPrograms(t, programs), t.TempDir()
	if err := packtest.Build(module, t.TempDir(), newer, programs); err != nil {
		t.Fatal(err)
	}
	if project, err = filepath.EvalSymlinks(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("git", "-C", project, "init", "-q").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return installed, newer, project
}

func TestAnUpgradeReachesTheGuidelinesOfAPackThatNobodyChanged(t *testing.T) {
	installed, newer, project := versions(t)
	const denied, asked = "deny " + packtest.Added, "ask " + packtest.Stricter

	// An earlier version of init copied the pack into Ann's store. Bob changed a guideline.
	ann, bob := newPerson(t, project, installed), newPerson(t, project, installed)
	ann.guardrails("init")
	ann.guardrails("import", "pack:core", "--all-projects")
	bob.guardrails("init")
	bob.guardrails("toggle", packtest.Stricter, "off")
	bob.guardrails("toggle", packtest.Withdrawn, "off")
	ann.checkDecisions("allow", "allow")
	bob.checkDecisions("allow", "allow")

	ann.install(newer)
	ann.checkDecisions(denied, asked)
	bob.checkDecisions("allow", "allow") // Bob still has the earlier version
	bob.install(newer)
	bob.checkDecisions(denied, "allow")

	diff := bob.guardrails("packs", "diff")
	for _, want := range []string{
		"off in the store for this project; it was taken from version", "the pack has a newer text", "enabled", "gate_threshold",
		packtest.Withdrawn + " of core: off in the store for this project; the installed pack no longer has it",
	} {
		if !strings.Contains(diff, want) {
			t.Errorf("packs diff does not say %q:\n%s", want, diff)
		}
	}
	bob.guardrails("packs", "update")
	bob.checkDecisions(denied, "allow")
	taken := bob.guardrails("packs", "update", "--take", packtest.Stricter, "--take", packtest.Withdrawn)
	if taken != "taken    "+packtest.Stricter+"\nremoved  "+packtest.Withdrawn+"\n" {
		t.Errorf("packs update --take says\n%s", taken)
	}
	bob.checkDecisions(denied, asked)

	renewed := ann.guardrails("packs", "update")
	if !strings.Contains(renewed, "renewed  "+packtest.Stricter+"\n") ||
		!strings.Contains(renewed, "removed  "+packtest.Withdrawn+"\n") {
		t.Errorf("packs update says\n%s", renewed)
	}
	ann.checkDecisions(denied, asked)
}

// Each open session has a server of the version that it started with. One of them answers the hooks of all sessions.
func TestAServerThatRunsDuringAnUpgradeDoesNotAnswerWithItsOldPacks(t *testing.T) {
	installed, newer, project := versions(t)
	ann := newPerson(t, project, installed)
	ann.guardrails("init")
	server := ann.command("guardrails-server", "mcp")
	input, err := server.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = input.Close()
		if err := server.Wait(); err != nil {
			t.Error(err)
		}
	}()
	socket := filepath.Join(ann.home, "run", product.SocketFile)
	answers := func(want bool) {
		t.Helper()
		for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
			_, err := os.Lstat(socket)
			if (err == nil) == want {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("the server answers hooks: %v, want %v", !want, want)
			}
		}
	}
	answers(true)
	ann.checkDecisions("allow", "allow")
	ann.install(newer)
	answers(false)
	ann.checkDecisions("deny "+packtest.Added, "ask "+packtest.Stricter)
}
