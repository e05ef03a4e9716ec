package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/hooks"
	"guardrails/hooks/session"
)

// installed is a project that init has set up with programs that the test built, and its doctor.
type installed struct {
	t              *testing.T
	project, tools string
}

func install(t *testing.T) *installed {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	i := &installed{t: t, project: base + "/project", tools: base + "/bin"}
	if err := os.MkdirAll(i.project+"/.git", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, program := range []string{"guardrails", "guardrails-inject", "guardrails-subagent", "guardrails-enforce", "guardrails-stop"} {
		if out, err := exec.Command("go", "build", "-o", i.tools+"/"+program, "guardrails/cmd/"+program).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	t.Setenv("HOME", base+"/home")
	t.Setenv("XDG_STATE_HOME", base+"/state")
	t.Setenv("GUARDRAILS_CACHE_DIR", base+"/run")
	t.Setenv("CLAUDECODE", "")
	t.Setenv("CLAUDE_PROJECT_DIR", "")
	i.run("init")
	return i
}

func (i *installed) run(args ...string) (string, exitCode) {
	i.t.Helper()
	var out, errs strings.Builder
	code := run(args, &world{
		stdin: strings.NewReader(""), stdout: &out, stderr: &errs, env: os.Getenv, cwd: i.project, personal: true,
		tools: func() (string, error) { return i.tools, nil },
	})
	return out.String() + errs.String(), code
}

func (i *installed) edit(change func(string) string) {
	i.t.Helper()
	name := i.project + "/.claude/settings.json"
	text, err := os.ReadFile(name)
	if err != nil {
		i.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(change(string(text))), 0o644); err != nil {
		i.t.Fatal(err)
	}
}

func TestDoctorSaysWhichLinkIsBroken(t *testing.T) {
	i := install(t)
	if out, code := i.run("doctor", "--live"); code != done || strings.Contains(out, "NOT FIRED") || strings.Count(out, "FIRED") != 5 {
		t.Fatalf("exit %d\n%s", code, out)
	}
	whole, err := os.ReadFile(i.project + "/.claude/settings.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, want string
		breaks     func()
	}{
		{"an entry is gone", "NOT FIRED: no hook of the settings is for it", func() {
			i.edit(func(s string) string { return strings.Replace(s, `"PreToolUse"`, `"PreToolUsed"`, 1) })
		}},
		{"a matcher is narrowed", "leaves tools out", func() {
			i.edit(func(s string) string {
				return strings.Replace(s, `"PreToolUse": [
      {
        "matcher": "*"`, `"PreToolUse": [
      {
        "matcher": "Edit"`, 1)
			})
		}},
		{"the settings are broken", "is not JSON", func() { i.edit(func(s string) string { return s[:40] }) }},
		{"the session folder is open to others", "session folder", func() {
			if err := os.Chmod(os.Getenv("GUARDRAILS_CACHE_DIR"), 0o777); err != nil {
				t.Fatal(err)
			}
		}},
		{"a program is gone", "is missing or cannot be run", func() {
			if err := os.Remove(i.tools + "/guardrails-enforce"); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		c.breaks()
		if out, code := i.run("doctor", "--live"); code != failed || !strings.Contains(out, c.want) {
			t.Errorf("%s: exit %d, no %q in\n%s", c.name, code, c.want, out)
		}
		i.edit(func(string) string { return string(whole) })
		if err := os.Chmod(os.Getenv("GUARDRAILS_CACHE_DIR"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAPersonAllowsARefusedCallByItsCode(t *testing.T) {
	t.Setenv("GUARDRAILS_CACHE_DIR", t.TempDir()+"/run")
	t.Setenv("CLAUDECODE", "")
	dir, err := session.Open(os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	i := &installed{t: t, project: t.TempDir()}
	refuse := func(code string, client int) {
		t.Helper()
		r := hooks.Refusal{Code: code, Session: "s1", Tool: "Write", Guideline: "g", Reason: "Denied by g.", Client: client}
		if err := dir.Write(session.DeniedName("s1", code), r.Grant(time.Now())); err != nil {
			t.Fatal(err)
		}
	}
	refuse("ABCDEFGH", 1)
	if out, code := i.run("allow-once", "abcdefgh", "--yes"); code != done || !strings.Contains(out, "allowed once: Write, against g") {
		t.Fatalf("exit %d: %s", code, out)
	}
	if _, err := dir.Read(session.GrantName("s1", "ABCDEFGH"), 1<<16); err != nil {
		t.Error(err)
	}
	refuse("JKMNPQRS", os.Getppid())
	for _, c := range []struct{ code, want string }{
		{"ABCDEFGH", "there is no refused call with this code"}, {"../x", "there is no refused call"}, {"JKMNPQRS", "started by the very client"},
	} {
		if out, code := i.run("allow-once", c.code, "--yes"); code != failed || !strings.Contains(out, c.want) {
			t.Errorf("%s: exit %d: %s", c.code, code, out)
		}
	}
	refuse("TUVWXYZ2", 1)
	if out, code := i.run("allow-once", "TUVWXYZ2"); code != failed || !strings.Contains(out, "nothing was allowed") {
		t.Errorf("without a yes: exit %d: %s", code, out)
	}
	t.Setenv("CLAUDECODE", "1")
	if out, code := i.run("allow-once", "TUVWXYZ2", "--yes"); code != failed || !strings.Contains(out, "not a shell of the agent") {
		t.Errorf("in the agent's shell: exit %d: %s", code, out)
	}
}
