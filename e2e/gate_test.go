//go:build e2e

package e2e

import (
	"path/filepath"
	"testing"
	"time"

	"guardrails/setup/claude/fakemodel"
)

// The client does not tell hooks how the user answered a question. The hooks infer the answer from the events that
// follow.
func TestEachAnswerToAGateIsRecordedCorrectly(t *testing.T) {
	t.Parallel()
	inBothWays(t, func(s *stage) {
		for _, name := range []string{"a/x.go", "c/x.go"} {
			s.file(name, "package x\n")
		}
		terminal := s.terminal(
			fakemodel.Use(fakemodel.Bash("rm -rf a").Named("approved")),
			fakemodel.Say("The first is done."),
			fakemodel.Use(fakemodel.Write(s.path("contracts/current/api.yaml"), "x").Named("refused")),
			fakemodel.Use(fakemodel.Bash("rm -rf c").Named("left")),
		)
		terminal.typePrompt("remove a", "rm -rf a")
		terminal.chooses("Yes")
		terminal.shows("The first is done.")
		s.wantRecorded("gate", map[string]string{"approved": "approved"})

		terminal.typePrompt("write the contract", "api.yaml")
		terminal.chooses("No")
		terminal.typePrompt("remove c", "rm -rf c")
		s.wantRecorded("gate", map[string]string{"refused": "rejected"})

		terminal.must(terminal.Leave(terminal.ctx))
		terminal.quitClient()
		s.wantRecorded("gate", map[string]string{"approved": "approved", "refused": "rejected", "left": "rejected"})
		s.wantRecorded("decision", map[string]string{"approved": "ask", "refused": "ask", "left": "ask"})
		s.wantFiles(map[string]bool{"a": false, "contracts/current/api.yaml": false, "c/x.go": true})
	})
}

func TestAQuestionOfABackgroundSubagentStaysOpenAfterItsParentsTurn(t *testing.T) {
	t.Parallel()
	inBothWays(t, func(s *stage) {
		s.file("old/x.go", "package x\n")
		ask := fakemodel.Use(fakemodel.Bash("rm -rf old").Named("asked"))
		terminal := s.terminal(
			fakemodel.Use(fakemodel.Background("backend", "tidy up", ask, fakemodel.Say("I have tidied up."))),
			func(*fakemodel.Request) fakemodel.Reply {
				s.waitUntil("the subagent's question", func() bool { return len(s.recorded("decision", "asked")) == 1 })
				return fakemodel.Reply{Text: "Somebody else tidies up."}
			},
		)
		terminal.typePrompt("tidy up in the background", "Somebody else tidies up.")
		s.waitUntil("the end of the parent's turn", func() bool {
			files, err := filepath.Glob(s.run + "/guardrails-*.beat-Stop")
			return err == nil && len(files) == 1
		})
		terminal.chooses("Yes")
		terminal.shows(fakemodel.Idle)
		s.wantRecorded("gate", map[string]string{"asked": "approved"})
		s.wantFiles(map[string]bool{"old": false})
	})
}

// waitUntil waits until done() returns true. After a while, it gives up and reports an error.
func (s *stage) waitUntil(what string, done func() bool) {
	s.t.Helper()
	for end := time.Now().Add(plenty / 4); !done(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Errorf("timed out waiting for %s", what)
			return
		}
	}
}
