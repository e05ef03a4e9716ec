//go:build e2e

package e2e

import (
	"strings"
	"testing"

	"guardrails/setup/claude/fakemodel"
)

// The client shows a question about a command to the user. For a file, it asks its own question instead. If a call is
// refused, the client shows the first two lines of the reason.
func TestAPersonReadsTheQuestionAndHowToAllowARefusedCall(t *testing.T) {
	t.Parallel()
	forEachClient(t, func(s *stage) {
		s.file("src/old/a.go", "package a\n")
		terminal := s.terminal(
			fakemodel.Use(fakemodel.Bash("rm -rf /usr/lib").Named("denied")),
			fakemodel.Use(fakemodel.Bash("rm -rf src/old").Named("asked")),
			fakemodel.Say("All is done."),
		)
		terminal.typePrompt("tidy up", "Delete src/old and everything in it?")
		for _, part := range []string{
			"Denied by security-system-delete. A person can allow it once: guardrails",
			// On the screen, the client breaks the line between the name and the id.
			"Rule: Destructive operations need a person", "(hitl-gate-destructive-workstation-op).",
		} {
			terminal.shows(part)
		}
		terminal.chooses("Yes")
		terminal.shows("All is done.")
	})
}

// In one task with several migrations, the user is asked only once. After the next prompt, the user is asked again.
func TestAYesHoldsUntilTheNextPrompt(t *testing.T) {
	t.Parallel()
	inBothWays(t, func(s *stage) {
		s.file(".claude/guardrails/migrations.yaml", `guidelines:
  - id: ask-migrations
    name: Migrations need a person
    category: hitl_gate
    condition: {paths: ["migrations/*"]}
    action: {type: hitl_gate, gate_type: migrations, gate_threshold: mandatory}
`)
		migration := func(name string) fakemodel.Call {
			return fakemodel.Write(s.path("migrations/"+name+".sql"), "select 1;").Named(name)
		}
		terminal := s.terminal(
			fakemodel.Use(migration("one")), fakemodel.Use(migration("two")), fakemodel.Use(migration("three")),
			fakemodel.Say("Three are written."),
			fakemodel.Use(migration("four")), fakemodel.Say("Four are written."),
		)
		terminal.typePrompt("write the migrations", "one.sql?")
		terminal.chooses("Yes")
		terminal.shows("Three are written.")
		terminal.typePrompt("write another one", "four.sql?")
		terminal.chooses("Yes")
		terminal.shows("Four are written.")
		// For a file, the client asks without showing the reason. Afterwards, the model reads the reason for the question.
		requests := terminal.model.All()
		if !requests[len(requests)-1].Saw("guardrails asked a person about this call: Write migrations/one.sql?") {
			s.t.Error("the model does not read that a person was asked")
		}
		s.wantRecorded("decision", map[string]string{"one": "ask", "two": "allow", "three": "allow", "four": "ask"})
		s.wantRecorded("gate", map[string]string{"one": "approved", "four": "approved"})
		s.wantFiles(map[string]bool{"migrations/three.sql": true, "migrations/four.sql": true})
	})
}

// If a session has no user, the model reads the question and what it can do instead.
func TestTheModelReadsTheQuestionThatNobodyCouldAnswer(t *testing.T) {
	t.Parallel()
	forEachClient(t, func(s *stage) {
		s.file("src/old/a.go", "package a\n")
		model := s.play(fakemodel.Use(fakemodel.Bash("rm -rf src/old").Named("asked")), fakemodel.Say("I leave it."))
		s.wantResults(model, map[string]string{"asked": "Delete src/old and everything in it? Rule: Destructive operations"})
		requests := model.All()
		said := strings.Join(requests[len(requests)-1].Said(), "\n")
		if !strings.Contains(said, "If the answer was no: name the exact files or objects to delete") {
			s.t.Errorf("the model does not read what to do instead:\n%s", said)
		}
	})
}
