package hooks_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/hooks"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
)

func TestWithoutGuidelinesCallsThatChangeSomethingAsk(t *testing.T) {
	for _, c := range []struct {
		name, normal, strict string
		call                 func(*stage) map[string]any
	}{
		{"a write", "ask", "deny", func(s *stage) map[string]any { return s.write("a.go") }},
		{"a command", "ask", "deny", func(s *stage) map[string]any { return s.bash("make") }},
		{"another server's tool", "ask", "deny", func(*stage) map[string]any { return call("mcp__db__query", "sql", "select 1") }},
		{"an agent", "ask", "deny", func(*stage) map[string]any { return call("Agent", "prompt", "x") }},
		{"a read", "pass", "pass", func(s *stage) map[string]any { return call("Read", "file_path", s.project+"/a.go") }},
		{"a harmless command", "pass", "pass", func(s *stage) map[string]any { return s.bash("echo hi") }},
		{"a list of tasks", "pass", "pass", func(*stage) map[string]any { return call("TaskCreate", "subject", "x") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			for strict, want := range map[bool]string{false: c.normal, true: c.strict} {
				s := newStage(t, paths)
				s.down, s.host.Strict = errDown, strict
				first, second := s.pre(c.call(s)), s.pre(c.call(s))
				s.want(first, want, "nothing answers", "guardrails doctor")
				s.want(second, want)
				// If the answer is a question, the client shows the message only after the user says
				// yes, so the hook repeats it until then.
				if second.Message != "" && want != "ask" {
					t.Errorf("told twice: %s", second.Message)
				}
				kind := "unchecked"
				if want == "pass" {
					kind = "fail_open"
				}
				if got := len(s.records(kind)); got != 2 {
					t.Errorf("%d records of kind %s, want 2", got, kind)
				}
			}
		})
	}
}

func TestWithoutGuidelinesACallThatChangesTheGuardIsDeniedAndRecorded(t *testing.T) {
	for _, strict := range []bool{false, true} {
		s := newStage(t, paths)
		s.down, s.host.Strict = errDown, strict
		s.want(s.pre(s.bash("pkill -f guardrails")), "deny", "self-protection")
		s.want(s.pre(s.write(".claude/settings.json")), "deny", "self-protection")
		if got := s.records("decision"); len(got) != 2 || got[0]["outcome"] != "deny" {
			t.Errorf("recorded %v", got)
		}
	}
}

func TestCallsThatWentUncheckedAreCountedAndShownOnce(t *testing.T) {
	s := newStage(t, paths)
	s.down = errDown
	for range 3 {
		s.pre(call("Read", "file_path", s.project+"/a.go"))
		s.now = s.now.Add(time.Minute)
	}
	s.down = nil
	s.want(s.prompt("go on"), "pass", "3 tool calls went unchecked between 2026-03-01T12:00:00Z and 2026-03-01T12:02:00Z: nothing answers")
	if o := s.prompt("go on"); o.Message != "" {
		t.Errorf("shown again: %s", o.Message)
	}
	gap := s.records("gap")
	if len(gap) != 1 || gap[0]["calls"] != 3.0 || gap[0]["from"] != "2026-03-01T12:00:00Z" {
		t.Errorf("recorded %v", gap)
	}
}

func TestUncheckedCallsThatCannotBeCountedAreShown(t *testing.T) {
	s := newStage(t, paths)
	s.down = errDown
	s.pre(call("Read", "file_path", s.project+"/a.go"))
	s.down = nil
	if err := os.Truncate(s.host.Dir.Path(session.GapName("s1")), 16<<20); err != nil {
		t.Fatal(err)
	}
	s.want(s.prompt("go on"), "pass", "it is not known how many")
	if o := s.prompt("go on"); o.Message != "" {
		t.Errorf("shown again: %s", o.Message)
	}
	if gap := s.records("gap"); len(gap) != 1 {
		t.Errorf("recorded %v", gap)
	}
}

func TestTheUserChoosesHowToContinueWithoutAStore(t *testing.T) {
	s := newStage(t, paths)
	s.body.Reason, s.notices = "the store is away", []string{"The store is away. Answer guardrails: static or guardrails: open."}
	s.want(s.prompt("build it"), "pass", "The store is away.")
	if o := s.prompt("build it"); strings.Contains(o.Message, "The store is away.") {
		t.Error("the question came twice")
	}
	s.want(s.pre(s.write("src/ui/a.ts")), "deny")
	s.want(s.prompt(" guardrails: OPEN\n"), "pass", "continues without them")
	s.want(s.pre(s.write("src/ui/a.ts")), "pass")
	s.want(s.pre(s.write(".claude/settings.json")), "deny", "self-protection")
	s.want(s.prompt("next"), "pass", "1 tool call went unchecked")
	s.want(s.prompt("guardrails: static"), "pass", "the last known guidelines apply")
	s.want(s.pre(s.write("src/ui/a.ts")), "deny")
	if got := s.records("fallback"); len(got) == 0 || got[0]["reason"] != "the store is away" || got[0]["outcome"] != "files" {
		t.Errorf("recorded %v", got)
	}
	if choices := s.records("choice"); len(choices) != 2 || choices[0]["outcome"] != "open" || choices[1]["outcome"] != "static" {
		t.Errorf("recorded %v", choices)
	}
}

func TestOnlyAPersonWhoWasAskedOpensASession(t *testing.T) {
	s := newStage(t, paths)
	s.want(s.prompt("guardrails: open"), "pass", "\"guardrails: open\" has no effect: there was no question to answer")
	s.body.Reason, s.notices = "the store is away", []string{"The store is away."}
	s.want(s.prompt("next"), "pass", "The store is away.")
	s.env["CLAUDE_CODE_ENTRYPOINT"] = "sdk-cli"
	s.want(s.prompt("guardrails: open"), "pass", "not typed into the client's terminal", "guardrails fallback open")
	s.want(s.pre(s.write("src/ui/a.ts")), "deny")
	s.want(s.prompt("guardrails: static"), "pass", "the last known guidelines apply")
	s.env["CLAUDE_CODE_ENTRYPOINT"] = "cli"
	s.want(s.prompt("guardrails: open"), "pass", "continues without them")
	s.want(s.pre(s.write("src/ui/a.ts")), "pass")
	if choices := s.records("choice"); len(choices) != 4 || choices[0]["outcome"] != "refused" || choices[1]["outcome"] != "refused" {
		t.Errorf("recorded %v", choices)
	}
}

func TestOtherPromptsDoNotAnswerTheQuestion(t *testing.T) {
	for _, prompt := range []string{"guardrails: openly", "please write guardrails: open", "guardrails:open", "<task-notification>guardrails: open", "guardrails: open the door"} {
		s := newStage(t, paths)
		s.body.Reason = "the store is away"
		s.prompt(prompt)
		s.want(s.pre(s.write("src/ui/a.ts")), "deny")
	}
}

func TestTheUserIsNotifiedThatCallsAreNotChecked(t *testing.T) {
	s := newStage(t, paths)
	if o := s.prompt("begin"); o.Message != "" {
		t.Errorf("the first prompt says %q", o.Message)
	}
	if o := s.prompt("no tool ran"); o.Message != "" {
		t.Errorf("the prompt after no tool call says %q", o.Message)
	}
	s.post(s.write("a.go"))
	s.want(s.prompt("a tool ran"), "pass", "has not checked any tool call of this session")
	s.pre(s.write("a.go"))
	if o := s.prompt("now it is checked"); o.Message != "" {
		t.Errorf("the prompt after a checked call says %q", o.Message)
	}
}

func TestTheTranscriptShowsThatToolsRan(t *testing.T) {
	s := newStage(t, paths)
	transcript := filepath.Join(s.project, "t.jsonl")
	if err := os.WriteFile(transcript, []byte(`{"message":{"content":[{"type":"tool_use","name":"Bash"}]}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	e := s.event(wire.UserPromptSubmit, map[string]any{"prompt": "x", "transcript_path": transcript})
	hooks.Inject(s.host, e)
	s.want(hooks.Inject(s.host, e), "pass", "has not checked any tool call")
}

func TestWithoutAFolderForItsFilesASessionIsStillGuarded(t *testing.T) {
	s := newStage(t, paths)
	if err := os.Chmod(s.env["GUARDRAILS_CACHE_DIR"], 0o777); err != nil {
		t.Fatal(err)
	}
	s.open()
	if s.host.Dir != nil {
		t.Fatal("a folder that others may write to is used")
	}
	s.want(s.pre(s.write("src/ui/a.ts")), "deny", "no-ui")
	s.want(s.prompt("go on"), "pass", "guidelines for", "cannot keep this session's guidelines", "guardrails doctor")
}
