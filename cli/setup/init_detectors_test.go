package setup_test

import (
	"os"
	"strings"
	"testing"

	"guardrails/cli/app"
	"guardrails/cli/clitest"
)

func TestInitAsksAPersonWhichDetectorsToSwitchOn(t *testing.T) {
	const fresh = "# Your settings of guardrails. docs/settings.md explains them.\n"
	for _, c := range []struct{ name, before, answers, want string }{
		{
			"no settings yet", "", "y\nn\nyes\ny\ny",
			fresh + "detectors: {rumination: note, hyperfocus: off, sycophancy: note, tool_loop: note}\ndisplay: {mask: on}\n",
		},
		{
			"no answer is a no", "strict: true\n", "",
			"strict: true\ndetectors: {rumination: off, hyperfocus: off, sycophancy: off, tool_loop: off}\ndisplay: {mask: off}\n",
		},
		{
			"a stricter mode and the numbers stay", "detectors: {tool_loop: ask, end_of_day: \"18:30\", pause_minutes: 30} # mine\nstrict: true\n",
			"y\ny\nn\ny\nn",
			"detectors: {tool_loop: ask, end_of_day: \"18:30\", pause_minutes: 30, rumination: note, hyperfocus: note, sycophancy: off} # mine\n" +
				"strict: true\ndisplay: {mask: off}\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := personsSession(t, c.before)
			stdout, stderr, code := s.Run("echo '" + c.answers + "' | guardrails init --detectors")
			if code != app.OK || !strings.HasPrefix(stdout, "Your answers are in ") ||
				strings.Contains(stdout, "Next: to add the hook that masks the screen") != strings.Contains(c.want, "mask: on") {
				t.Fatalf("exit %d: %s%s", code, stdout, stderr)
			}
			if got := read(t, s); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestInitDoesNotAskAboutDetectorsWithoutAPersonsTerminal(t *testing.T) {
	for name, prepare := range map[string]func(s *clitest.Session){
		"no terminal": func(s *clitest.Session) { s.Interactive = false },
		"an agent":    func(s *clitest.Session) { s.Env["CLAUDECODE"] = "1" },
	} {
		s := personsSession(t, "strict: true\n")
		prepare(s)
		if _, stderr, code := s.Run("echo y | guardrails init --detectors"); code == app.OK || read(t, s) != "strict: true\n" {
			t.Errorf("%s: exit %d: %s", name, code, stderr)
		}
	}
}

func TestInitNeverReplacesSettingsThatItCannotEdit(t *testing.T) {
	for _, before := range []string{"detectors:\n  rumination: note\n", "detectors: {rumination: [\n"} {
		s := personsSession(t, before)
		if _, stderr, code := s.Run("echo y | guardrails init --detectors"); code == app.OK || read(t, s) != before {
			t.Errorf("exit %d: %s", code, stderr)
		}
	}
}

const personsSettings = "home/.config/guardrails/guardrails.yaml"

// personsSession returns a session in the terminal of a person. The person has the given settings.
func personsSession(t *testing.T, settings string) *clitest.Session {
	t.Helper()
	files := map[string]string{}
	if settings != "" {
		files[personsSettings] = settings
	}
	s := clitest.New(t, files)
	s.Env["HOME"], s.Interactive = s.Root+"/home", true
	return s
}

func read(t *testing.T, s *clitest.Session) string {
	t.Helper()
	text, err := os.ReadFile(s.Root + "/" + personsSettings)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
