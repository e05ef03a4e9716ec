package setup_test

import (
	"strings"
	"testing"

	"guardrails/cli/app"
)

func TestInitAsksAPersonWhetherTheSafetyGateObserves(t *testing.T) {
	const fresh = "# Your settings of guardrails. docs/settings.md explains them.\n"
	for _, c := range []struct{ name, before, answer, want string }{
		{"yes", "", "y", fresh + "safety: {mode: observe}\n"},
		{"no answer is a no", "strict: true\n", "", "strict: true\nsafety: {mode: off}\n"},
		{
			"the other fields stay", "safety: {mode: off, preview: masked} # mine\n", "y",
			"safety: {mode: observe, preview: masked} # mine\n",
		},
		{"a gate that enforces is not loosened by a yes", "safety: {mode: enforce}\n", "y", "safety: {mode: enforce}\n"},
		{"a no switches it off", "safety: {mode: enforce}\n", "n", "safety: {mode: off}\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := personsSession(t, c.before)
			stdout, stderr, code := s.Run("echo '" + c.answer + "' | guardrails init --safety")
			if code != app.OK || !strings.HasPrefix(stdout, "Your answer is in ") {
				t.Fatalf("exit %d: %s%s", code, stdout, stderr)
			}
			if got := read(t, s); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestInitDoesNotAskAnAgentAboutTheSafetyGate(t *testing.T) {
	s := personsSession(t, "strict: true\n")
	s.Env["CLAUDECODE"] = "1"
	if _, stderr, code := s.Run("echo y | guardrails init --safety"); code == app.OK || read(t, s) != "strict: true\n" {
		t.Errorf("exit %d: %s", code, stderr)
	}
}
