package hooks_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"guardrails/decide/rejudge"
	"guardrails/hooks"
	"guardrails/hooks/session"
)

// block() creates a folder at the path of one of the session's files, so that the file cannot be written.
func (s *stage) block(name string) {
	s.t.Helper()
	if err := os.MkdirAll(s.host.Dir.Path(name)+"/x", 0o700); err != nil {
		s.t.Fatal(err)
	}
}

func TestAPersonIsAskedEvenIfTheAnswerCannotBeRecorded(t *testing.T) {
	s := newStage(t, gate)
	s.block(session.AskName("s1", "t1"))
	s.want(s.pre(with(s.bash("kubectl apply -f x"), "tool_use_id", "t1")), "ask")
	if got := s.records("gap"); len(got) != 1 || got[0]["outcome"] != "gate" || got[0]["guideline_id"] != "ask-deploy" {
		t.Errorf("recorded %v", got)
	}
}

func TestAPersonIsAskedIfTheSessionsRecordCannotBeRead(t *testing.T) {
	s := newStage(t, limits)
	s.block(session.LedgerName("s1"))
	s.want(s.pre(s.write("a.go")), "ask", "record of changed files cannot be read")
	s.want(s.pre(s.bash("git commit -m x")), "ask", "record of tests cannot be read")
	s.want(s.pre(s.bash("go test ./...")), "pass")
	s.want(s.post(s.write("a.go")), "pass", "cannot keep this session's record")
	s.want(s.failed(s.bash("go test ./...")), "pass", "cannot keep this session's record")
	s.want(s.prompt("guardrails: open"), "pass", "the session's record cannot be read")
	s.want(s.prompt("guardrails: static"), "pass", "cannot save your choice")
}

func TestIfTheCacheCannotBeWrittenEveryCallRequestsTheGuidelines(t *testing.T) {
	s := newStage(t, paths)
	s.block(session.CacheName("s1"))
	for range 2 {
		s.want(s.pre(s.write("src/ui/a.ts")), "deny", "no-ui")
	}
	if got := s.records("gap"); len(got) != 2 || got[0]["outcome"] != "cache" || len(s.asked) != 2 {
		t.Errorf("recorded %v after %d questions", got, len(s.asked))
	}
	s.want(s.prompt("go on"), "pass", "cannot keep this session's guidelines")
}

func TestTelemetryGuidelinesSayWhichAllowedCallsAreRecorded(t *testing.T) {
	for parameters, want := range map[string]int{
		"{log: decisions}": 20, "{log: none}": 0, "{sample: 0}": 0, "{sample: 1}": 20, "{sample: 0.0}": 0, "{sample: 1.0}": 20, "{log: full}": 20, "{other: 1}": 20,
	} {
		s := newStage(t, `
guidelines:
  - {id: watch, name: What is recorded, category: audit_telemetry, action: {type: telemetry, parameters: `+parameters+`}}
  - {id: no-ui, name: No, category: security, action: {type: tool_restriction, tools_denied: ["Write(src/ui/*)"]}}
`)
		for range 20 {
			s.want(s.pre(s.write("a.go")), "pass")
		}
		s.want(s.pre(s.write("src/ui/a.ts")), "deny")
		if got := len(s.records("decision")); got != want+1 {
			t.Errorf("%s: %d of 20 allowed calls are recorded, want %d", parameters, got-1, want)
		}
	}
}

func TestFullTelemetryRecordsTheToolsInputWithoutItsSecrets(t *testing.T) {
	s := newStage(t, `
guidelines:
  - {id: watch, name: All of it, category: audit_telemetry, action: {type: telemetry, parameters: {log: full}}}
  - {id: no-ui, name: No, category: security, action: {type: tool_restriction, tools_denied: ["Write(src/ui/*)"]}}
`)
	s.want(s.pre(s.bash("curl -H 'Authorization: Bearer abc123def' --password=hunter2 https://example.com "+strings.Repeat("x", 5000))), "pass")
	s.want(s.pre(s.write("src/ui/a.ts")), "deny")
	got := s.records("decision")
	input, _ := got[0]["input"].(string)
	if !strings.Contains(input, "curl -H") || len(input) > 4<<10 || strings.Contains(input, "abc123def") || strings.Contains(input, "hunter2") {
		t.Errorf("recorded %q", input)
	}
	if denied, _ := got[1]["input"].(string); !strings.Contains(denied, "src/ui/a.ts") {
		t.Errorf("recorded %q", denied)
	}
}

func TestACodeAllowsOnlyTheCallThatWasRefused(t *testing.T) {
	s := newStage(t, paths)
	stranger, own := func(int) bool { return false }, func(int) bool { return true }
	code := codeOf.FindStringSubmatch(s.pre(s.write("src/ui/a.ts")).Reason)[1]
	for name, try := range map[string]struct {
		code     string
		late     time.Duration
		descends func(int) bool
		want     error
	}{
		"another code":         {"ABCDEFGH", 0, stranger, hooks.ErrNoRefusal},
		"too late":             {code, 11 * time.Minute, stranger, hooks.ErrOld},
		"in the agent's shell": {code, 0, own, hooks.ErrDescends},
	} {
		if _, err := hooks.Refused(s.host.Dir, try.code, s.now.Add(try.late), try.descends); !errors.Is(err, try.want) {
			t.Errorf("%s: got %v, want %v", name, err, try.want)
		}
	}
	r, err := hooks.Refused(s.host.Dir, code, s.now, stranger)
	if err != nil {
		t.Fatal(err)
	}
	if err := hooks.AllowOnce(s.host.Dir, &r, s.now); err != nil {
		t.Fatal(err)
	}
	if err := hooks.AllowOnce(s.host.Dir, &r, s.now); !errors.Is(err, hooks.ErrNoRefusal) {
		t.Errorf("the code was used twice: %v", err)
	}
	s.want(s.pre(s.write("src/ui/a.ts")), "ask", "Allow this call once?")
}

func TestADamagedRefusalIsNotUsed(t *testing.T) {
	for name, text := range map[string]string{"no JSON": "x", "no time": `{"code":"ABCDEFGH"}`, "a folder": ""} {
		s := newStage(t, paths)
		file := session.DeniedName("s1", "ABCDEFGH")
		if text == "" {
			s.block(file)
		} else if err := s.host.Dir.Write(file, s.host.Dir.KeyOf(file).Sign([]byte(text))); err != nil {
			t.Fatal(err)
		}
		if _, err := hooks.Refused(s.host.Dir, "ABCDEFGH", s.now, func(int) bool { return false }); err == nil {
			t.Errorf("%s: the damaged refusal can be allowed", name)
		}
		s.block(session.GrantName("s1", "ABCDEFGH"))
		s.want(s.pre(s.write("src/ui/a.ts")), "deny")
	}
}

func TestARecordContainsTheTaskAndTheDuration(t *testing.T) {
	s := newStage(t, paths)
	task := &s.body.Layers[0].Context
	task.TenantID, task.Domain, task.Action = "acme", "api", "implement"
	s.host.Began = s.now.Add(-1500 * time.Microsecond)
	s.want(s.pre(s.write("src/ui/a.ts")), "deny", "no-ui")
	s.want(s.pre(s.write("src/a.go")), "pass")
	for _, r := range s.records("decision") {
		if r["tenant_id"] != "acme" || r["domain"] != "api" || r["action"] != "implement" || r["micros"] != 1500.0 {
			t.Errorf("recorded %v", r)
		}
	}
	if got := s.records("decision"); len(got) != 2 {
		t.Errorf("%d records", len(got))
	}
}

func TestARecordHasWhatIsNeededToJudgeTheCallAgain(t *testing.T) {
	for _, off := range []bool{false, true} {
		s := newStage(t, paths)
		s.body.NoCalls = off
		s.want(s.pre(s.write("src/ui/a.ts")), "deny")
		s.want(s.pre(s.bash("curl https://example.com")), "pass")
		got := s.records("decision")
		if len(got) != 2 {
			t.Fatalf("recorded %v", got)
		}
		for _, r := range got {
			text, _ := r["call"].(string)
			c, err := rejudge.Parse(r["tool"].(string), text)
			if off && text != rejudge.Off || !off && (err != nil || len(c.Effects) == 0) {
				t.Errorf("off %v: recorded %q: %v", off, text, err)
			}
		}
	}
}

// The timeline of a session shows when a person wrote something. The timeline must not show what the person wrote.
func TestAPromptIsRecordedWithoutItsText(t *testing.T) {
	s := newStage(t, paths)
	s.want(s.prompt("the secret plan"), "pass")
	s.down = errors.New("no server")
	s.prompt("the second secret plan")
	got := s.records("prompt")
	if len(got) != 2 || got[0]["outcome"] != "sent" || got[0]["session_id"] != "s1" || got[1]["outcome"] != "sent" {
		t.Errorf("recorded %v", got)
	}
	if text := fmt.Sprint(got); strings.Contains(text, "secret") {
		t.Errorf("recorded %s", text)
	}
}
