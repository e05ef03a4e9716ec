package session_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/cli/app"
	"guardrails/cli/clitest"
)

const allowRules = `
guidelines:
  - id: no-push
    name: Pushing is for people
    category: security
    action: {type: tool_restriction, tools_denied: ["Bash(git push:*)"]}
  - id: ask-migrations
    name: Migrations need a person
    category: hitl_gate
    condition: {paths: ["migrations/*"]}
    action: {type: hitl_gate, gate_type: migrations}
`

// person() returns a project with the core pack, in which commands run in a person's terminal.
func person(t *testing.T) *clitest.Session {
	s := clitest.New(t, map[string]string{
		".claude/guardrails.yaml": "packs: [core]\n", ".claude/guardrails/rules.yaml": allowRules, "src/old/a.go": "package a\n",
	})
	s.Interactive = true
	return s
}

func TestAPersonAllowsACallForAWhile(t *testing.T) {
	for _, c := range []struct{ call, written, allowed, stopped string }{
		{"rm -rf src/old", "{guideline: hitl-gate-destructive-workstation-op, tools: [\"Bash(rm -rf src/old)\"], ", "rm -rf src/old", "rm -rf src/new"},
		{"cd src && rm -rf old", "tools: [\"Bash(rm -rf old)\"]", "cd src && rm -rf old", "rm -rf src"},
		{"Bash(rm -rf src/old:*)", "tools: [\"Bash(rm -rf src/old:*)\"]", "rm -rf src/old --verbose", "rm -rf src/older"},
		{"git push origin topic", "{guideline: no-push, tools: [\"Bash(git push origin topic)\"]", "git push origin topic", "git push origin main"},
		{"Write(migrations/*)", "{guideline: ask-migrations, tools: [\"Write(migrations/*)\"]", "touch migrations/1.sql", "rm -rf migrations"},
		{"echo x > migrations/1.sql", "tools: [\"Write(migrations/1.sql)\"]", "echo x > migrations/1.sql", "echo x > migrations/2.sql"},
	} {
		t.Run(c.call, func(t *testing.T) {
			s := person(t)
			out := s.Must("guardrails allow '" + c.call + "' --for 2h --reason 'it moves out' -y")
			text, err := os.ReadFile(filepath.Join(s.Root, ".claude/guardrails.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range []string{"packs: [core]\n", c.written, `reason: "it moves out", expires: "2026-02-05T12:00:00Z"}`} {
				if !strings.Contains(string(text), part) {
					t.Errorf("%q is not in\n%s", part, text)
				}
			}
			if !strings.Contains(out, "until 2026-02-05T12:00:00Z") || !strings.Contains(out, ".claude/guardrails.yaml") {
				t.Errorf("printed %s", out)
			}
			s.Must("guardrails explain --command '" + c.allowed + "'")
			if out, _, _ := s.Run("guardrails explain --command '" + c.allowed + "'"); !strings.Contains(out, "decision       allow") {
				t.Errorf("%s: %s", c.allowed, out)
			}
			if out, _, _ := s.Run("guardrails explain --command '" + c.stopped + "'"); strings.Contains(out, "decision       allow") {
				t.Errorf("%s: %s", c.stopped, out)
			}
		})
	}
}

func TestAllowRefusesWhatItCannotLimit(t *testing.T) {
	const because = " --reason r -y"
	for line, want := range map[string]string{
		"allow 'rm -rf src/old' -y":                            "--reason is missing",
		"allow 'rm -rf src/old' --for 31d" + because:           "longer than 30 days",
		"allow 'rm -rf src/old' --for 721h" + because:          "longer than 30 days",
		"allow 'rm -rf src/old' --for soon" + because:          "is not a time",
		"allow 'rm -rf src/old' --for -2h" + because:           "is not a time",
		"allow 'rm -rf src/*'" + because:                       "would also match other commands",
		"allow 'git status'" + because:                         "no guideline stops this call",
		"allow 'rm -rf src/old' --guideline no-push" + because: "no-push does not stop this call",
		"allow 'rm .claude/settings.json'" + because:           "would change the guard itself",
		"allow 'Write(src/x)'" + because:                       "no guideline stops this call",
		"allow 'Agent(devops)'" + because:                      "is not a pattern for commands",
		"allow 'rm -rf src/old' --reason 'not now'":            "nothing was allowed",
	} {
		s := person(t)
		before, _ := os.ReadFile(filepath.Join(s.Root, ".claude/guardrails.yaml"))
		_, stderr, code := s.Run("guardrails " + line)
		after, _ := os.ReadFile(filepath.Join(s.Root, ".claude/guardrails.yaml"))
		if code == app.OK || !strings.Contains(stderr, want) || string(after) != string(before) {
			t.Errorf("%s: exit %d: %s", line, code, stderr)
		}
	}
}

func TestOnlyAPersonAtATerminalAllowsCalls(t *testing.T) {
	const line = "guardrails allow 'rm -rf src/old' --reason r -y"
	s := person(t)
	if _, stderr, code := s.Run("CLAUDECODE=1 " + line); code == app.OK || !strings.Contains(stderr, "not an agent's shell") {
		t.Errorf("in a shell of an agent: exit %d: %s", code, stderr)
	}
	s.Interactive = false
	if _, stderr, code := s.Run(line); code == app.OK || !strings.Contains(stderr, "needs a person's terminal") {
		t.Errorf("without a terminal: exit %d: %s", code, stderr)
	}
}

func TestAnExceptionForOnesOwnGuidelineIsInOnesOwnSettings(t *testing.T) {
	s := clitest.New(t, map[string]string{"home/.config/guardrails/guidelines/rules.yaml": allowRules})
	s.Env["HOME"] = filepath.Join(s.Root, "home")
	s.Interactive = true
	const call = "git push origin topic"
	if out := s.Must("guardrails allow '" + call + "' --reason 'release week' -y"); !strings.Contains(out, "still stopped (deny)") {
		t.Errorf("the project's exception applies: %s", out)
	}
	if out := s.Must("guardrails allow '" + call + "' --reason 'release week' --user -y"); strings.Contains(out, "still stopped") {
		t.Errorf("one's own exception does not apply: %s", out)
	}
	if _, err := os.Stat(filepath.Join(s.Root, "home/.config/guardrails/guardrails.yaml")); err != nil {
		t.Error(err)
	}
	s.Must("guardrails explain --command '" + call + "'")
}

func TestAllowWritesNothingForALockedGuideline(t *testing.T) {
	locked := strings.Replace(allowRules, "id: no-push\n", "id: no-push\n    locked: true\n", 1)
	s := clitest.New(t, map[string]string{"home/.config/guardrails/guidelines/rules.yaml": locked})
	s.Env["HOME"] = filepath.Join(s.Root, "home")
	s.Interactive = true
	const call = "guardrails allow 'git push origin topic' --reason 'release week' -y"
	_, stderr, code := s.Run(call)
	if code == app.OK || !strings.Contains(stderr, "no-push is locked in the user layer, so an exception of the project does not apply") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if _, err := os.Stat(filepath.Join(s.Root, ".claude/guardrails.yaml")); !os.IsNotExist(err) {
		t.Errorf("the command wrote the settings (%v)", err)
	}
	if out := s.Must(call + " --user"); strings.Contains(out, "still stopped") {
		t.Errorf("one's own exception from one's own locked guideline does not apply: %s", out)
	}
}
