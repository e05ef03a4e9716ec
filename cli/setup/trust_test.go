package setup_test

import (
	"encoding/json"
	"strings"
	"testing"

	"guardrails/cli/app"
	"guardrails/cli/clitest"
)

const looseSettings = `packs: [core]
environment: container
test_commands: [./verify]
exceptions:
  - guideline: security-history
    tools: ["Bash(git push:*)"]
    reason: the repository moves
    expires: 2099-01-31
`

// looseProject returns a session in a person's terminal. The person has settings. The project has settings that would
// weaken the checks for this person.
func looseProject(t *testing.T) *clitest.Session {
	t.Helper()
	s := clitest.New(t, map[string]string{
		".claude/guardrails.yaml": looseSettings, "home/.config/guardrails/guardrails.yaml": "packs: [core]\n",
	})
	s.Env["HOME"] = s.Root + "/home"
	s.Interactive = true
	return s
}

// decision() runs "guardrails explain" on a command and returns its decision.
func decision(t *testing.T, s *clitest.Session, command string) string {
	t.Helper()
	stdout, stderr, _ := s.Run("guardrails explain -o json --command '" + command + "'")
	var answer struct{ Decision string }
	if err := json.Unmarshal([]byte(stdout), &answer); err != nil {
		t.Fatalf("%v: %s%s", err, stdout, stderr)
	}
	return answer.Decision
}

func TestATrustedProjectLoosensTheUsersGuardUntilItsFilesChange(t *testing.T) {
	s := looseProject(t)
	want := func(push, remove string) {
		t.Helper()
		got := decision(t, s, "git push --force") + " " + decision(t, s, "rm -rf src")
		if got != push+" "+remove {
			t.Errorf("got %s, want %s %s", got, push, remove)
		}
	}
	want("ask", "ask")
	stdout, stderr, code := s.Run("echo y | guardrails trust")
	if code != app.OK || !strings.HasPrefix(stdout, "Trusted: "+s.Root) {
		t.Fatalf("exit %d: %s%s", code, stdout, stderr)
	}
	for _, shown := range []string{
		"test_commands: ./verify", "these commands count as tests", "environment: container", "deleting data only adds a note",
		"exceptions: security-history for Bash(git push:*) until 2099-01-31", "(the repository moves)",
	} {
		if !strings.Contains(stderr, shown) {
			t.Errorf("the question does not show %q:\n%s", shown, stderr)
		}
	}
	want("warn", "warn")
	if got := s.Must("guardrails trust list"); !strings.Contains(got, s.Root+"  trusted since") {
		t.Error(got)
	}
	if got := s.Must("echo y | guardrails trust"); !strings.HasPrefix(got, "You trust this project already") {
		t.Error(got)
	}

	s.Write(".claude/guardrails.yaml", looseSettings+"strict: true\n")
	want("ask", "ask")
	if got := s.Must("guardrails trust list"); !strings.Contains(got, "guidelines have changed, so it is no longer trusted") {
		t.Error(got)
	}
	_, stderr, _ = s.Run("guardrails evaluate --event commit")
	if !strings.Contains(stderr, "the project's files have changed since a person trusted them") {
		t.Errorf("the notice does not say that the files changed: %s", stderr)
	}
	s.Must("echo y | guardrails trust")
	want("warn", "warn")
	s.Must("guardrails untrust")
	want("ask", "ask")
	if got := s.Must("guardrails trust list -o json"); strings.TrimSpace(got) != "[]" {
		t.Error(got)
	}
}

func TestOnlyAPersonWhoSaysYesTrustsAProject(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(*clitest.Session)
		line    string
		want    string
	}{
		"the answer is no":       {func(*clitest.Session) {}, "echo n | guardrails trust", "nothing was changed"},
		"there is no answer":     {func(*clitest.Session) {}, "guardrails trust", "nothing was changed"},
		"the agent's shell":      {func(s *clitest.Session) { s.Env["CLAUDECODE"] = "1" }, "echo y | guardrails trust", "not an agent's shell"},
		"no terminal":            {func(s *clitest.Session) { s.Interactive = false }, "echo y | guardrails trust", "needs a person's terminal"},
		"the flag --yes":         {func(*clitest.Session) {}, "guardrails trust --yes", "unknown flag: --yes"},
		"a mistake in the files": {func(s *clitest.Session) { s.Write(".claude/guardrails.yaml", "no_key: 1\n") }, "echo y | guardrails trust", "no_key"},
		"untrust by an agent":    {func(s *clitest.Session) { s.Env["CLAUDECODE"] = "1" }, "guardrails untrust", "only the user decides"},
		"a command that is not":  {func(*clitest.Session) {}, "guardrails trust lst", "there is no command"},
	} {
		t.Run(name, func(t *testing.T) {
			s := looseProject(t)
			c.prepare(s)
			if stdout, stderr, code := s.Run(c.line); code == app.OK || !strings.Contains(stdout+stderr, c.want) {
				t.Errorf("exit %d: %s%s", code, stdout, stderr)
			}
			delete(s.Env, "CLAUDECODE")
			if got := s.Must("guardrails trust list"); got != "You trust no project.\n" {
				t.Error(got)
			}
		})
	}
}

func TestDoctorSaysWhatIsIgnoredAndWhatIsTrusted(t *testing.T) {
	s := looseProject(t)
	shows := func(want ...string) {
		t.Helper()
		stdout, stderr, _ := s.Run("guardrails doctor")
		for _, part := range want {
			if !strings.Contains(stdout, part) {
				t.Errorf("doctor does not say %q:\n%s%s", part, stdout, stderr)
			}
		}
	}
	shows("environment: container is ignored", "exceptions: security-history for Bash(git push:*)",
		"run guardrails trust in your own terminal")
	s.Must("echo y | guardrails trust")
	shows("1 project may loosen your rules: " + s.Root)
	s.Write(".claude/guardrails.yaml", looseSettings+"strict: true\n")
	shows("the settings, policies or guidelines of "+s.Root+" have changed", "environment: container is ignored")
}

func TestAProjectThatLoosensNothingNeedsNoTrust(t *testing.T) {
	s := looseProject(t)
	s.Write(".claude/guardrails.yaml", "packs: [core]\nstrict: true\n")
	if got := s.Must("guardrails trust"); !strings.Contains(got, "there is nothing to trust") {
		t.Error(got)
	}
}

func TestALockedGuidelineIsNotLoosenedByATrustedProject(t *testing.T) {
	s := looseProject(t)
	s.Write("home/.config/guardrails/guardrails.yaml", "packs: [core]\nlocked: true\n")
	if got := s.Must("guardrails trust"); !strings.Contains(got, "there is nothing to trust") {
		t.Error(got)
	}
	if got := decision(t, s, "git push --force"); got != "ask" {
		t.Errorf("got %s", got)
	}
}
