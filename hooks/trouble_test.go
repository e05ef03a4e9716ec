package hooks_test

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"guardrails/hooks"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
)

var errTrouble = errors.New("no luck at all")

func (s *stage) wantTold(o wire.Outcome, part string) {
	s.t.Helper()
	if part == "" && o.Message != "" || !strings.Contains(o.Message, part) {
		s.t.Errorf("told %q, want %q", o.Message, part)
	}
}

func TestTheReasonForSkippingTheServerIsRecordedAndShownOnce(t *testing.T) {
	s := newStage(t, paths)
	s.passed = errTrouble
	s.wantTold(s.pre(s.write("a.go")), "reads its guidelines without its server, which takes longer: no luck at all. Run: guardrails doctor")
	s.wantTold(s.prompt("go on"), "")
	if got := s.records("fallback"); len(got) != 2 || got[0]["outcome"] != "cli" || got[0]["reason"] != "the server was skipped: no luck at all" {
		t.Errorf("recorded %v", got)
	}
}

func TestNoticesOfAnAnswerAreShownAtToolCallsToo(t *testing.T) {
	s := newStage(t, paths)
	s.notices = []string{"The store is away.", "The config is broken."}
	s.wantTold(s.pre(s.write("a.go")), "The store is away.\nThe config is broken.")
	s.wantTold(s.prompt("go on"), "")
}

func TestANoticeThatTheClientDoesNotShowIsRepeated(t *testing.T) {
	s := newStage(t, paths)
	s.notices = []string{"The store is away."}
	hooks.Subagent(s.host, s.event(wire.SubagentStart, map[string]any{"agent_id": "a1", "agent_type": "frontend"}))
	s.pre(with(s.write("a.go"), "agent_id", "a2", "agent_type", "devops"))
	s.want(s.pre(s.bash("kubectl apply -f x.yaml")), "ask")
	s.wantTold(s.prompt("go on"), "The store is away.")
	s.wantTold(s.prompt("go on"), "")
}

func TestANoticeShownWithARefusalIsNotRepeated(t *testing.T) {
	s := newStage(t, paths)
	s.notices = []string{"The store is away."}
	s.wantTold(s.pre(s.write("src/ui/a.ts")), "The store is away.")
	s.wantTold(s.prompt("go on"), "")
}

func TestCallsAreDecidedAndTheUserIsNotifiedOnceIfRecordingFails(t *testing.T) {
	s := newStage(t, paths)
	if err := os.WriteFile(s.host.State+"/spool", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	first := s.pre(s.write("a.go"))
	s.want(first, "pass")
	s.wantTold(first, "cannot record what it decides")
	s.wantTold(s.pre(s.write("a.go")), "")
	s.want(s.pre(s.write("src/ui/a.ts")), "deny")
}

func TestAnUnusualStateFolderIsMentionedAtThePrompt(t *testing.T) {
	s := newStage(t, paths)
	s.host.StateError = errTrouble
	s.wantTold(s.prompt("begin"), "writes its records to "+s.host.State+", a folder whose content may get lost: no luck at all")
	s.wantTold(s.prompt("go on"), "")
	s = newStage(t, paths)
	s.host.StateError, s.host.State = errTrouble, ""
	s.wantTold(s.prompt("begin"), "cannot record what it decides: no luck at all")
	s.want(s.pre(s.write("src/ui/a.ts")), "deny")
}

func TestACallWithoutAToolOrInputIsNotJudged(t *testing.T) {
	for missing, why := range map[string]string{"tool_name": "it has no tool name", "tool_input": "it has no tool input"} {
		s := newStage(t, paths)
		fields := s.write("a.go")
		delete(fields, missing)
		s.want(s.pre(fields), "ask", why, "A person must decide.")
		s.host.Strict = true
		s.want(s.pre(fields), "deny", why, "This project is strict")
		if got := s.records("unreadable"); len(got) != 2 || got[0]["outcome"] != "ask" || got[1]["outcome"] != "deny" || len(s.asked) > 0 {
			t.Errorf("recorded %v after %d questions", got, len(s.asked))
		}
	}
}

func TestAStrictConfigRefusesWhatCannotBeChecked(t *testing.T) {
	for strict, want := range map[bool]string{false: "ask", true: "deny"} {
		s := newStage(t, paths)
		s.body.Strict = strict
		s.want(s.pre(s.write("a.go")), "pass")
		name := s.host.Dir.Path(session.CacheName(session.Key("s1", "")))
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		// One guideline in the cache was changed, and no source can send the guidelines again.
		text = bytes.Replace(text, []byte("src/ui/*"), []byte("src/uj/*"), 1)
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		s.down = errDown
		s.want(s.pre(s.write("src/ui/a.ts")), want)
	}
}

func TestAnUnreadableEventStopsOnlyToolCalls(t *testing.T) {
	for _, event := range []string{wire.UserPromptSubmit, wire.SubagentStart, wire.PostToolUse, wire.PostToolUseFailure, wire.Stop, wire.SubagentStop, wire.SessionEnd} {
		s := newStage(t, paths)
		o := hooks.Unreadable(s.host, s.event(event, nil), errTrouble)
		s.want(o, "pass", "could not answer the client's "+event+": no luck at all")
	}
	for _, event := range []string{wire.PreToolUse, "BeforeToolUse", ""} {
		s := newStage(t, paths)
		e := s.event(event, nil)
		s.want(hooks.Unreadable(s.host, e, errTrouble), "ask", "no luck at all")
		if e.Name != wire.PreToolUse {
			t.Errorf("%q is answered as %q", event, e.Name)
		}
	}
}

// spoilGuidelines damages the guidelines in the cache file. The part of the file before the guidelines stays valid.
func (s *stage) spoilGuidelines() {
	s.t.Helper()
	name := s.host.Dir.Path(session.CacheName("s1"))
	text, err := os.ReadFile(name)
	if err != nil {
		s.t.Fatal(err)
	}
	spoilt := bytes.Replace(text, []byte(`"id":"no-ui"`), []byte(`"id":"mo-ui"`), 1)
	if bytes.Equal(text, spoilt) {
		s.t.Fatalf("nothing to spoil in %s", text)
	}
	if err := os.WriteFile(name, spoilt, 0o600); err != nil {
		s.t.Fatal(err)
	}
}

func TestUnreadableGuidelinesAreRequestedAgain(t *testing.T) {
	s := newStage(t, paths)
	s.prompt("begin")
	s.spoilGuidelines()
	s.want(s.pre(s.write("src/ui/a.ts")), "deny", "no-ui")
	s.want(s.pre(s.write("src/ui/a.ts")), "deny", "no-ui")
	if len(s.asked) != 2 {
		t.Errorf("asked %d times, want twice", len(s.asked))
	}
	s.spoilGuidelines()
	s.down = errDown
	s.want(s.pre(s.write("src/ui/a.ts")), "ask", "nothing answers")
}

func TestWithoutAnyFolderEveryEventIsAnswered(t *testing.T) {
	for _, event := range []string{
		wire.UserPromptSubmit, wire.SubagentStart, wire.PreToolUse, wire.PostToolUse, wire.PostToolUseFailure, wire.Stop, wire.SubagentStop, wire.SessionEnd,
	} {
		s := newStage(t, limits+"\n")
		s.host.Dir, s.host.DirError, s.host.State, s.host.StateError = nil, errTrouble, "", errTrouble
		e := s.event(event, with(s.write("a.go"), "prompt", "guardrails: open"))
		switch event {
		case wire.UserPromptSubmit:
			s.want(hooks.Inject(s.host, e), "pass", "cannot save your choice: no luck at all", "guidelines for")
		case wire.SubagentStart:
			s.want(hooks.Subagent(s.host, e), "pass", "guidelines for")
		case wire.PreToolUse:
			s.want(hooks.ToolCall(s.host, e), "ask", "This session's record of changed files cannot be read (no luck at all)")
			s.want(s.pre(s.bash("git commit -m x")), "ask", "This session's record of tests cannot be read (no luck at all)")
			s.want(s.pre(s.bash("go test ./...")), "pass")
		case wire.PostToolUse, wire.PostToolUseFailure:
			s.want(hooks.ToolCall(s.host, e), "pass")
		default:
			s.want(hooks.Stop(s.host, e), "pass")
		}
	}
}

func TestWithoutASessionIDTheOneInTheEnvironmentIsUsed(t *testing.T) {
	s := newStage(t, paths)
	s.env["CLAUDE_CODE_SESSION_ID"] = "s7"
	s.want(s.pre(with(s.write("src/ui/a.ts"), "session_id", "")), "deny")
	s.post(with(s.write("src/a.ts"), "session_id", ""))
	for _, name := range []string{session.CacheName("s7"), session.LedgerName("s7")} {
		if _, ok := s.host.Dir.Seen(name); !ok {
			t.Errorf("there is no %s", name)
		}
	}
}

func TestAnUnreadableAnswerIsNotUsed(t *testing.T) {
	for _, raw := range []string{"", "x", "[]", "{}", `{"success":false,"session_cache":"x"}`, `{"success":true}`, `{"success":true,"session_cache":7}`} {
		s := newStage(t, paths)
		s.host.Ask = func([]byte) ([]byte, error, error) { return []byte(raw), nil, nil }
		s.want(s.pre(s.write("a.go")), "ask", "the answer does not come from guardrails_get_context")
		s.want(s.prompt("go on"), "pass", "guidelines cannot be read at the moment")
	}
	s := newStage(t, paths)
	s.host.Ask = func([]byte) ([]byte, error, error) {
		return []byte(`{"success":true,"session_cache":"none of ours"}`), nil, nil
	}
	s.want(s.pre(s.write("a.go")), "ask", "the session's cache is broken")
}
