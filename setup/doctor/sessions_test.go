package doctor

import (
	"os"
	"strings"
	"testing"
	"time"

	"guardrails/hooks/session"
	"guardrails/hooks/wire"
	"guardrails/internal/private"
)

func transcript(cwd string, began time.Time, usedTool bool) string {
	text := `{"type":"user","cwd":"` + cwd + `","timestamp":"` + began.UTC().Format(time.RFC3339Nano) + `"}` + "\n"
	if usedTool {
		text += `{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Bash"}]},"cwd":"` + cwd + `"}` + "\n"
	}
	return text
}

func TestSessionsAreReportedFromTheirHooksHeartbeats(t *testing.T) {
	soon := time.Now().Add(time.Minute)
	for _, c := range []struct {
		name string
		// transcript returns the client's transcript. If it is nil, there is no transcript.
		transcript func(p *computer) string
		signs      []string
		// want is the beginning of the check's detail; empty means that there is no check.
		state State
		want  string
	}{
		{"every hook", func(p *computer) string { return transcript(p.project, soon, true) }, []string{wire.UserPromptSubmit, wire.PreToolUse}, OK, "PreToolUse 0 s ago, UserPromptSubmit 0 s ago"},
		{"a session without tools", func(p *computer) string { return transcript(p.project, soon, false) }, []string{wire.UserPromptSubmit}, OK, "UserPromptSubmit 0 s ago"},
		{"tools without enforce", func(p *computer) string { return transcript(p.project, soon, true) }, []string{wire.UserPromptSubmit}, Warning, "guardrails-enforce has not been seen in this session, although tools ran"},
		{"tools with only PostToolUse", nil, []string{wire.UserPromptSubmit, wire.PostToolUse}, Warning, "guardrails-enforce has not been seen in this session, although tools ran"},
		{"a prompt without inject", nil, []string{wire.PreToolUse}, Warning, "guardrails-inject has not been seen in this session"},
		{"no hook at all", func(p *computer) string { return transcript(p.project, soon, true) }, nil, Warning, "no hook has been seen in this session"},
		{"no hook at all, in a subfolder", func(p *computer) string { return transcript(p.project+"/src", soon, false) }, nil, Warning, "no hook has been seen in this session"},
		{"started before the hooks were installed", func(p *computer) string { return transcript(p.project, soon.AddDate(-1, 0, 0), true) }, nil, "", ""},
		{"in another project", func(p *computer) string { return transcript(p.project+"2", soon, true) }, []string{wire.UserPromptSubmit}, "", ""},
		{"in an unknown project", nil, []string{wire.UserPromptSubmit}, OK, "UserPromptSubmit 0 s ago"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newComputer(t)
			begin := time.Now()
			p.now = func() time.Time { return begin }
			dir, err := private.Runtime(os.Getenv)
			if err != nil {
				t.Fatal(err)
			}
			for _, event := range c.signs {
				if err := dir.Touch(session.BeatName("session-1", event)); err != nil {
					t.Fatal(err)
				}
			}
			if c.transcript != nil {
				p.write("home/.claude/projects/p/session-1.jsonl", c.transcript(p))
			}
			got := sessionCheck(p.examine().Checks)
			if got.State != c.state || !strings.HasPrefix(got.Detail, c.want) || c.want == "" && got.Name != "" {
				t.Errorf("%s: %s", got.State, got.Detail)
			}
		})
	}
}

func sessionCheck(list []Check) Check {
	for _, c := range list {
		if c.Name == "session session-" {
			return c
		}
	}
	return Check{}
}

func TestTimesAreShownInTheLargestFittingUnit(t *testing.T) {
	for d, want := range map[time.Duration]string{-time.Second: "0 s ago", 59 * time.Second: "59 s ago", 61 * time.Second: "1 min ago", 3 * time.Hour: "3 h ago"} {
		if got := ago(d); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
}
