//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"guardrails/setup/claude/fakemodel"
)

// isolation is the text of the guidelines that every stage's project has.
const isolation = `
guidelines:
  - id: backend-stays-in-src
    name: The backend agent works in src
    category: cognitive_isolation
    priority: 800
    condition: {agents: [backend]}
    action: {type: tool_restriction, tools_denied: ["Write(web/*)"], instruction: BACKEND-ONLY works in src., parameters: {instead: ask the frontend agent.}}
  - id: frontend-stays-in-web
    name: The frontend agent works in web
    category: cognitive_isolation
    priority: 800
    condition: {agents: [frontend]}
    action: {type: tool_restriction, tools_denied: ["Write(src/*)"], instruction: FRONTEND-ONLY works in web.}
  - id: nobody-writes-locked
    name: Locked files stay
    category: security
    action: {type: tool_restriction, tools_denied: ["Write(locked/*)"], instruction: LOCKED files stay as they are., parameters: {instead: write to open/.}}
`

func TestTheModelReadsTheGuidelinesAndTheyAreEnforced(t *testing.T) {
	t.Parallel()
	inBothWays(t, func(s *stage) {
		model := s.play(
			fakemodel.Use(fakemodel.Write(s.path("locked/a.txt"), "x").Named("denied")),
			fakemodel.Use(fakemodel.Bash("echo x > locked/a.txt").Named("by_bash")),
			fakemodel.Use(fakemodel.Bash("rm -rf old").Named("asked")),
			fakemodel.Use(fakemodel.Write(s.path("open/a.txt"), "x").Named("allowed")),
			fakemodel.Say("done"),
		)
		if !model.Requests(fakemodel.MainThread)[0].Saw("LOCKED files stay as they are.") {
			s.t.Error("the model did not receive the guidelines")
		}
		s.wantResults(model, map[string]string{
			"denied": "nobody-writes-locked", "by_bash": "nobody-writes-locked", "asked": "hitl-gate-destructive-workstation-op", "allowed": "",
		})
		s.wantRecorded("decision", map[string]string{"denied": "deny", "by_bash": "deny", "asked": "ask", "allowed": "allow"})
		s.wantFiles(map[string]bool{"locked/a.txt": false, "open/a.txt": true})
	})
}

func TestAPathRuleAppliesToEveryWayOfWriting(t *testing.T) {
	t.Parallel()
	inBothWays(t, func(s *stage) {
		s.file("locked/a", "old\n")
		s.file("open/a", "new\n")
		steps := []fakemodel.Step{
			fakemodel.Use(fakemodel.Read(s.path("locked/a")).Named("read")),
			fakemodel.Use(fakemodel.Write(s.path("locked/a"), "new\n").Named("write")),
			fakemodel.Use(fakemodel.Edit(s.path("locked/a"), "old", "new").Named("edit")),
		}
		want := map[string]string{"read": "", "write": "nobody-writes-locked", "edit": "nobody-writes-locked"}
		for i, way := range []string{
			"echo x > locked/a", "echo x >> locked/a", "echo x | tee locked/a", "cp open/a locked/a", "mv open/a locked/a", "touch locked/b",
			"dd if=open/a of=locked/a", "install open/a locked/a", "bash -c 'echo x > locked/a'", "cd locked && echo x > a",
			"sed -i s/old/new/ locked/a", "ln -sf ../open/a locked/a", "python3 -c \"open('locked/a','w').write('x')\"",
		} {
			id := fmt.Sprintf("bash_%d", i)
			steps = append(steps, fakemodel.Use(fakemodel.Bash(way).Named(id)))
			want[id] = "nobody-writes-locked"
		}
		model := s.play(append(steps, fakemodel.Say("done"))...)
		s.wantResults(model, want)
		if got := s.command("cat", "locked/a"); got != "old\n" || s.exists("locked/b") {
			s.t.Errorf("locked/a contains %q, locked/b exists: %v", got, s.exists("locked/b"))
		}
	})
}

func TestTheModelFollowsTheHintOfADenial(t *testing.T) {
	t.Parallel()
	inBothWays(t, func(s *stage) {
		// In the text of the denial, the model finds the folder to use instead. The model gets the name of this folder from
		// nowhere else.
		instead := func(r *fakemodel.Request) fakemodel.Reply {
			refusal, _ := r.ToolResult("denied")
			_, place, _ := strings.Cut(refusal.Text, "Instead: write to ")
			place, _, _ = strings.Cut(place, ".")
			return fakemodel.Reply{Calls: []fakemodel.Call{fakemodel.Write(s.path(place+"a.txt"), "x").Named("instead")}}
		}
		model := s.play(fakemodel.Use(fakemodel.Write(s.path("locked/a.txt"), "x").Named("denied")), instead, fakemodel.Say("done"))
		s.wantResults(model, map[string]string{"denied": "nobody-writes-locked", "instead": ""})
		s.wantFiles(map[string]bool{"locked/a.txt": false, "open/a.txt": true})
	})
}
