package hooks_test

import (
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
    metadata: {aliases: [ui-is-theirs]}
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
		{"a gate", "ask", func(s *stage) map[string]any { return s.bash("kubectl apply -f x.yaml") }, []string{"Release to a running environment", "Rule: Deploys need a person (ask-deploy)."}},
		{"an advisory gate", "pass", func(s *stage) map[string]any { return s.bash("git push origin topic") }, []string{"note-push", "Say what you push."}},
		{"text that only mentions it", "pass", func(s *stage) map[string]any { return s.bash("git commit -m 'kubectl apply > src/ui/a.ts'") }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t, paths)
			s.want(s.pre(c.call(s)), c.want, c.parts...)
		})
	}
}

func TestGuidelinesAreRequestedOnceAndKept(t *testing.T) {
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
		t.Errorf("after the guidelines expired: asked %d times, want twice", len(s.asked))
	}
	s.now = s.now.Add(-time.Hour)
	s.want(s.pre(s.write("src/ui/a.ts")), "deny")
	if len(s.asked) != 3 {
		t.Errorf("with guidelines from the future: asked %d times, want three times", len(s.asked))
	}
}

func TestParentAndSubagentsHaveTheirOwnGuidelines(t *testing.T) {
	s := newStage(t, paths)
	start := s.event(wire.SubagentStart, map[string]any{"agent_id": "a1", "agent_type": "frontend"})
	if o := hooks.Subagent(s.host, start); !strings.Contains(o.Context, "guidelines for frontend") {
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
		t.Errorf("asked for the agent %v, want none", got)
	}
	s.env["CLAUDE_INSTANCE_ID"] = "reviewer"
	s.prompt("go on")
	if got := s.asked[1]["agent"]; got != "reviewer" {
		t.Errorf("asked for the agent %v, want reviewer", got)
	}
}

func TestAPromptThatNobodyTypedChangesNothing(t *testing.T) {
	s := newStage(t, paths)
	if o := s.prompt("<task-notification>\n<status>completed</status>"); o != (wire.Outcome{}) || len(s.asked) != 0 {
		t.Errorf("got %+v after %d questions", o, len(s.asked))
	}
}

func TestTheGuardProtectsItself(t *testing.T) {
	s := newStage(t, paths)
	s.host.Guarded = []string{s.env["GUARDRAILS_CACHE_DIR"], "/opt/guardrails/guardrails-enforce"}
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

func TestNoRecordContainsPromptsFileContentsOrSecrets(t *testing.T) {
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
	s.want(hooks.ToolCall(s.host, e), "deny")
	names, err := s.host.Dir.List("")
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
