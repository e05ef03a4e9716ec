package cli_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"guardrails/cli/app"
	"guardrails/cli/clitest"
	"guardrails/detect/contract"
	"guardrails/internal/fortests/detectorcases"
)

// lines() returns the command lines that run a tool with the input in the file in.json.
func lines(tool string) []string {
	kind := strings.ReplaceAll(strings.TrimPrefix(tool, "check_"), "_", "-")
	return []string{
		"guardrails call " + tool + " - < in.json",
		"guardrails check " + kind + " -o json - < in.json",
	}
}

func TestDetectorsAnswerOnTheCommandLineAsTheContractSays(t *testing.T) {
	file := detectorcases.Load(t, "../detect/testdata/detectors.json")
	s := clitest.New(t, map[string]string{})
	for _, c := range file.Detectors {
		s.Write("in.json", string(c.Arguments(t)))
		for _, line := range lines(c.Tool) {
			if len(c.ExpectError) == 0 {
				detectorcases.Check(t, c.ID, c.Expect, []byte(s.Must(line)))
				continue
			}
			checkProblems(t, s, line, &c)
		}
	}
	for _, c := range file.ToolLoops {
		s.Write("in.json", string(detectorcases.LoopArguments(c.Calls)))
		for _, line := range lines(contract.ToolLoop) {
			detectorcases.Check(t, c.ID, c.Expect, []byte(s.Must(line)))
		}
	}
}

// checkProblems checks that a command line fails, and that the error message lists each problem with its code and path.
func checkProblems(t *testing.T, s *clitest.Session, line string, c *detectorcases.Case) {
	t.Helper()
	stdout, stderr, code := s.Run(line)
	if code == app.OK || stdout != "" {
		t.Errorf("%s: %s: exit %d: %s", c.ID, line, code, stdout)
	}
	for _, want := range c.ExpectError {
		start := want.Code + ": "
		if want.Path != "" {
			start += want.Path + ": "
		}
		if !strings.Contains(stderr, start) {
			t.Errorf("%s: %s: no problem begins with %q: %s", c.ID, line, start, stderr)
		}
	}
}

func TestPersonalDataIsFoundAndMaskedOnTheCommandLine(t *testing.T) {
	file := detectorcases.Load(t, "../detect/testdata/detectors.json")
	s := clitest.New(t, map[string]string{})
	for _, c := range file.PII {
		s.Write("in.txt", c.Text)
		with := ""
		if len(c.Options) > 0 {
			with = " --with " + strings.Join(c.Options, ",")
		}
		var got struct {
			Findings []struct{ Category, Text string }
		}
		if err := json.Unmarshal([]byte(s.Must("guardrails check pii -o json"+with+" - < in.txt")), &got); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Findings, c.Expect) {
			t.Errorf("%s: %v, want %v", c.ID, got.Findings, c.Expect)
		}
		if masked := s.Must("guardrails check pii --mask" + with + " - < in.txt"); masked != c.Masked {
			t.Errorf("%s: %q, want %q", c.ID, masked, c.Masked)
		}
	}
}

func TestALongHistoryWithinTheBoundsIsAnswered(t *testing.T) {
	prompt := `{"text":"` + strings.Repeat("a", 8000) + `","at":"2026-05-16T13:00:00Z"}`
	s := clitest.New(t, map[string]string{})
	s.Write("in.json", `{"current_prompt":"a","history":[`+strings.Repeat(prompt+",", 499)+prompt+`]}`)
	for _, line := range lines(contract.Rumination) {
		if got := s.Must(line); !strings.Contains(got, `"detected": false`) {
			t.Errorf("%s: %s", line, got)
		}
	}
}
