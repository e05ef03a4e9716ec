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

const paths = `
guidelines:
  - id: no-ui
    name: The user interface belongs to others
    category: cognitive_isolation
    priority: 800
    condition: {agents: [backend]}
    action: {type: tool_restriction, tools_denied: ["Write(src/ui/*)"], parameters: {instead: ask the frontend agent.}}
  - id: ask-deploy
    name: Deploys need a person
    category: hitl_gate
    priority: 900
    condition: {events: [devops_invocation]}
    action: {type: hitl_gate, gate_type: deploy, gate_threshold: mandatory}
  - id: note-push
    name: Pushes are noted
    category: hitl_gate
    priority: 300
    condition: {events: [push]}
    action: {type: hitl_gate, gate_type: push, gate_threshold: advisory, instruction: Say what you push.}
`

func TestAToolCallIsDecidedByTheSessionsGuidelines(t *testing.T) {
	for _, c := range []struct {
		name, want string
		call       func(*stage) map[string]any
		parts      []string
	}{
		{"a denied write", "deny", func(s *stage) map[string]any { return s.write("src/ui/a.ts") }, []string{"no-ui", "src/ui/a.ts", "Instead: ask the frontend agent."}},
		{"the same file by Bash", "deny", func(s *stage) map[string]any { return s.bash("echo x | tee src/ui/a.ts") }, []string{"no-ui"}},
		{"another file", "pass", func(s *stage) map[string]any { return s.write("src/core/a.go") }, nil},
		{"a gate", "ask", func(s *stage) map[string]any { return s.bash("kubectl apply -f x.yaml") }, []string{"ask-deploy", "A person must approve this"}},
		{"an advisory gate", "pass", func(s *stage) map[string]any { return s.bash("git push origin topic") }, []string{"note-push", "Say what you push."}},
		{"text that only mentions it", "pass", func(s *stage) map[string]any { return s.bash("git commit -m 'kubectl apply > src/ui/a.ts'") }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t, paths)
			s.want(s.pre(c.call(s)), c.want, c.parts...)
		})
	}
}

func TestGuidelinesAreAskedForOnceAndKept(t *testing.T) {
	s := newStage(t, paths)
	for range 3 {
		s.want(s.pre(s.write("src/ui/a.ts")), "deny")
	}
	if len(s.asked) != 1 {
		t.Errorf("asked %d times, want once", len(s.asked))
	}
	s.now = s.now.Add(301 * time.Second)
	s.want(s.pre(s.write("src/ui/a.ts")), "deny")
	if len(s.asked) != 2 {
		t.Errorf("what has expired is asked for again: %d questions", len(s.asked))
	}
	s.now = s.now.Add(-time.Hour)
	s.want(s.pre(s.write("src/ui/a.ts")), "deny")
	if len(s.asked) != 3 {
		t.Errorf("what is from the future is asked for again: %d questions", len(s.asked))
	}
}

func TestParentAndSubagentsHaveGuidelinesOfTheirOwn(t *testing.T) {
	s := newStage(t, paths)
	start := s.event(wire.SubagentStart, map[string]any{"agent_id": "a1", "agent_type": "frontend"})
	if o := hooks.Subagent(s.world, start); !strings.Contains(o.Context, "guidelines for frontend") {
		t.Errorf("the subagent got %+v", o)
	}
	s.want(s.pre(s.write("src/ui/a.ts")), "deny")
	s.want(s.pre(with(s.write("src/ui/a.ts"), "agent_id", "a1", "agent_type", "frontend")), "pass")
	s.want(s.pre(s.write("src/ui/a.ts")), "deny")
	s.want(s.pre(with(s.write("src/ui/a.ts"), "agent_id", "a2", "agent_type", "backend")), "deny")
	if len(s.asked) != 3 {
		t.Errorf("asked %d times, want once for each agent", len(s.asked))
	}
}

func TestAnAgentIsNeverGuessed(t *testing.T) {
	s := newStage(t, paths)
	s.prompt("As the frontend agent, change the user interface")
	if got := s.asked[0]["agent"]; got != "" {
		t.Errorf("asked for %v, want nobody", got)
	}
	s.env["CLAUDE_INSTANCE_ID"] = "reviewer"
	s.prompt("go on")
	if got := s.asked[1]["agent"]; got != "reviewer" {
		t.Errorf("asked for %v, want the session's own name", got)
	}
}

func TestAPromptThatNobodyTypedChangesNothing(t *testing.T) {
	s := newStage(t, paths)
	if o := s.prompt("<task-notification>\n<status>completed</status>"); o != (wire.Outcome{}) || len(s.asked) != 0 {
		t.Errorf("got %+v after %d questions", o, len(s.asked))
	}
}

func TestWithoutGuidelinesWhatChangesSomethingAsks(t *testing.T) {
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
				s.down, s.world.Strict = errDown, strict
				first, second := s.pre(c.call(s)), s.pre(c.call(s))
				s.want(first, want, "nothing answers", "guardrails doctor")
				s.want(second, want)
				// Beside a question the client shows the message only after a yes, so it is said until it was seen.
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

func TestTheUserChoosesHowToGoOnWithoutAStore(t *testing.T) {
	s := newStage(t, paths)
	s.body.Reason, s.notices = "the store is away", []string{"The store is away. Answer guardrails: static or guardrails: open."}
	s.want(s.prompt("build it"), "pass", "The store is away.")
	if o := s.prompt("build it"); strings.Contains(o.Message, "The store is away.") {
		t.Error("the question came twice")
	}
	s.want(s.pre(s.write("src/ui/a.ts")), "deny")
	s.want(s.prompt(" guardrails: OPEN\n"), "pass", "goes on without them")
	s.want(s.pre(s.write("src/ui/a.ts")), "pass")
	s.want(s.pre(s.write(".claude/settings.json")), "deny", "self-protection")
	s.want(s.prompt("next"), "pass", "1 tool call went unchecked")
	s.want(s.prompt("guardrails: static"), "pass", "static rules hold")
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
	s.want(s.prompt("guardrails: open"), "pass", "does not go on without guidelines: nobody asked")
	s.body.Reason, s.notices = "the store is away", []string{"The store is away."}
	s.want(s.prompt("next"), "pass", "The store is away.")
	s.env["CLAUDE_CODE_ENTRYPOINT"] = "sdk-cli"
	s.want(s.prompt("guardrails: open"), "pass", "not typed into the client's terminal", "guardrails fallback open")
	s.want(s.pre(s.write("src/ui/a.ts")), "deny")
	s.want(s.prompt("guardrails: static"), "pass", "static rules hold")
	s.env["CLAUDE_CODE_ENTRYPOINT"] = "cli"
	s.want(s.prompt("guardrails: open"), "pass", "goes on without them")
	s.want(s.pre(s.write("src/ui/a.ts")), "pass")
	if choices := s.records("choice"); len(choices) != 4 || choices[0]["outcome"] != "refused" || choices[1]["outcome"] != "refused" {
		t.Errorf("recorded %v", choices)
	}
}

func TestWhatIsNoAnswerIsAPromptLikeAnyOther(t *testing.T) {
	for _, prompt := range []string{"guardrails: openly", "please write guardrails: open", "guardrails:open", "<task-notification>guardrails: open", "guardrails: open the door"} {
		s := newStage(t, paths)
		s.body.Reason = "the store is away"
		s.prompt(prompt)
		s.want(s.pre(s.write("src/ui/a.ts")), "deny")
	}
}

func TestTheGuardProtectsItself(t *testing.T) {
	s := newStage(t, paths)
	s.world.Guarded = []string{s.env["GUARDRAILS_CACHE_DIR"], "/opt/guardrails/guardrails-enforce"}
	for _, fields := range []map[string]any{
		s.write(".claude/settings.json"), s.write(".claude/guardrails.yaml"), s.write(".mcp.json"), s.bash("rm -rf .claude"), s.bash("guardrails allow-once ABCDEFGH"),
		s.bash("GUARDRAILS_CACHE_DIR=/tmp/x make"),
	} {
		s.want(s.pre(fields), "deny", "self-protection")
	}
	s.want(s.pre(call("Read", "file_path", s.project+"/.claude/settings.json")), "pass")
}

func TestAGuidelineMayOpenTheGuardsOwnFiles(t *testing.T) {
	s := newStage(t, `
id: settings-by-devops
name: The devops agent keeps the settings
category: security
condition: {agents: [devops], events: [guard_tamper], paths: [".claude/settings.json"]}
action: {type: tool_restriction, tools_allowed: ["Write(.claude/*)"], instruction: Keep the hooks.}
`)
	s.want(s.pre(s.write(".claude/settings.json")), "deny", "self-protection")
	s.want(s.pre(with(s.write(".claude/settings.json"), "agent_id", "a1", "agent_type", "devops")), "pass")
	s.want(s.pre(with(s.write(".claude/guardrails.yaml"), "agent_id", "a1", "agent_type", "devops")), "deny", "self-protection")
}

func TestANoteAboutTheGuardsOwnFilesDoesNotOpenThem(t *testing.T) {
	for _, action := range []string{
		"{type: instruction, instruction: Mind the hooks.}", "{type: telemetry, parameters: {log: decisions}}", "{type: constraint, max_files: 9}",
		"{type: hitl_gate, gate_type: guard, gate_threshold: advisory}",
	} {
		s := newStage(t, "id: note\nname: A note\ncategory: custom\ncondition: {events: [guard_tamper]}\naction: "+action+"\n")
		s.want(s.pre(s.write(".claude/settings.json")), "deny", "self-protection")
	}
}

func TestASessionIsToldThatItsCallsAreNotChecked(t *testing.T) {
	s := newStage(t, paths)
	if o := s.prompt("begin"); o.Message != "" {
		t.Errorf("the first prompt says %q", o.Message)
	}
	if o := s.prompt("no tool ran"); o.Message != "" {
		t.Errorf("without tools it says %q", o.Message)
	}
	s.post(s.write("a.go"))
	s.want(s.prompt("a tool ran"), "pass", "has not been asked about any tool call of this session")
	s.pre(s.write("a.go"))
	if o := s.prompt("now it is checked"); o.Message != "" {
		t.Errorf("when it is checked it says %q", o.Message)
	}
}

func TestTheTranscriptShowsThatToolsRan(t *testing.T) {
	s := newStage(t, paths)
	transcript := filepath.Join(s.project, "t.jsonl")
	if err := os.WriteFile(transcript, []byte(`{"message":{"content":[{"type":"tool_use","name":"Bash"}]}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	e := s.event(wire.UserPromptSubmit, map[string]any{"prompt": "x", "transcript_path": transcript})
	hooks.Inject(s.world, e)
	s.want(hooks.Inject(s.world, e), "pass", "has not been asked about any tool call")
}

func TestWithoutAFolderForItsFilesASessionIsStillGuarded(t *testing.T) {
	s := newStage(t, paths)
	if err := os.Chmod(s.env["GUARDRAILS_CACHE_DIR"], 0o777); err != nil {
		t.Fatal(err)
	}
	s.open()
	if s.world.Dir != nil {
		t.Fatal("a folder that others may write to is used")
	}
	s.want(s.pre(s.write("src/ui/a.ts")), "deny", "no-ui")
	s.want(s.prompt("go on"), "pass", "guidelines for", "cannot keep this session's guidelines", "guardrails doctor")
}

func TestNoRecordHoldsPromptsContentsOrSecrets(t *testing.T) {
	s := newStage(t, paths)
	s.prompt("the prompt's own words")
	fields := s.write("src/ui/a.ts")
	fields["tool_input"].(map[string]any)["content"] = "the file's own words"
	s.pre(fields)
	s.pre(with(s.bash("curl -H 'Authorization: Bearer abcdefghijklmnop' https://user:hunter2@example.com -d token=s3cr3t > src/ui/x"), "tool_use_id", "t1"))
	for _, r := range s.records("") {
		for _, secret := range []string{"own words", "hunter2", "s3cr3t", "abcdefghijklmnop"} {
			for key, value := range r {
				if text, ok := value.(string); ok && strings.Contains(text, secret) {
					t.Errorf("%s holds %q: %s", key, secret, text)
				}
			}
		}
	}
	if got := s.records("decision"); len(got) != 2 || got[0]["guideline_id"] != "no-ui" || got[0]["agent"] != "backend" {
		t.Errorf("recorded %v", got)
	}
}

func TestTheSessionsFilesAreItsOwn(t *testing.T) {
	s := newStage(t, paths)
	e := s.event(wire.PreToolUse, with(s.write("src/ui/a.ts"), "session_id", "../../evil"))
	s.want(hooks.ToolCall(s.world, e), "deny")
	names, err := s.world.Dir.List("")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if !strings.HasPrefix(name, "guardrails-h-") || name != filepath.Base(name) {
			t.Errorf("made %s", name)
		}
	}
	if session.Key("../../evil", "") == "../../evil" {
		t.Error("a hostile id is used as it is")
	}
}
