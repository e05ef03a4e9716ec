//go:build e2e

package e2e

import (
	"os"
	"testing"

	"guardrails/setup/claude/fakemodel"
)

// The project's guidelines become unreadable during a session. The user is asked once how to continue. Both answers
// must work.
func TestTheUserChoosesHowToContinueWithoutGuidelines(t *testing.T) {
	t.Parallel()
	inBothWays(t, func(s *stage) {
		write := func(name string) fakemodel.Step {
			return fakemodel.Use(fakemodel.Write(s.path("locked/"+name), "x").Named(name))
		}
		terminal := s.terminal(
			fakemodel.Say("All is well."),
			write("unanswered"), fakemodel.Say("The first was tried."),
			fakemodel.Say("Open it is."),
			write("open"), fakemodel.Say("The second was tried."),
			fakemodel.Say("Static it is."),
			write("static"), fakemodel.Say("The third was tried."),
		)
		terminal.typePrompt("how are you", "All is well.")
		s.file(".claude/guardrails/isolation.yaml", "guidelines: [")
		terminal.typePrompt("try the first", "The first was tried.")
		terminal.shows("How should this session continue?")

		terminal.typePrompt("guardrails: open", "Open it is.")
		terminal.shows("this session continues without them")
		// The client asks the person, because the project's guidelines have changed.
		terminal.typePrompt("try the second", "Do you want to")
		terminal.chooses("Yes")
		terminal.shows("The second was tried.")
		terminal.typePrompt("guardrails: static", "Static it is.")
		terminal.shows("the last known guidelines apply")
		terminal.typePrompt("try the third", "The third was tried.")
		terminal.quitClient()

		s.wantResults(terminal.model, map[string]string{"unanswered": "nobody-writes-locked", "open": "", "static": "nobody-writes-locked"})
		s.wantFiles(map[string]bool{"locked/unanswered": false, "locked/open": true, "locked/static": false})
		if got := s.recorded("choice", ""); len(got) != 2 || got[0].Outcome != "open" || got[1].Outcome != "static" {
			s.t.Errorf("the recorded answers are %+v", got)
		}
		if got := s.recorded("gap", ""); len(got) != 1 || got[0].Calls != 1 {
			s.t.Errorf("the unchecked call is counted as %+v", got)
		}
	})
}

// If a project has no last known good guidelines, the guidelines in the project's readable files and in the core pack
// apply.
func TestASessionThatNeverReadItsGuidelinesUsesTheCorePack(t *testing.T) {
	t.Parallel()
	inBothWays(t, func(s *stage) {
		s.file(".claude/guardrails/isolation.yaml", "guidelines: [")
		model := s.play(
			fakemodel.Use(fakemodel.Bash("rm -rf old").Named("asked")),
			fakemodel.Use(fakemodel.Write(s.path("locked/a"), "x").Named("unknown")),
			fakemodel.Say("done"),
		)
		s.wantResults(model, map[string]string{"asked": "hitl-gate-destructive-workstation-op", "unknown": ""})
		if got := s.recorded("fallback", ""); len(got) == 0 || got[0].Outcome != "static" {
			s.t.Errorf("the recorded fallback is %+v", got)
		}
	})
}

// Without the server and the program guardrails, no call can be checked. So the user is asked about every call that
// changes something.
func TestWhenNothingAnswersOnlyReadsRunUnasked(t *testing.T) {
	t.Parallel()
	inBothWays(t, func(s *stage) {
		s.file("a.txt", "text\n")
		s.bin = s.copied(s.bin)
		s.command(s.bin+"/guardrails", "init", "--direct=false")
		if err := os.Remove(s.bin + "/guardrails"); err != nil {
			s.t.Fatal(err)
		}
		model := s.play(
			fakemodel.Use(fakemodel.Read(s.path("a.txt")).Named("read")),
			fakemodel.Use(fakemodel.Write(s.path("open/a.txt"), "x").Named("write")),
			fakemodel.Use(fakemodel.Bash("echo {} > .claude/settings.json").Named("tamper")),
			fakemodel.Say("done"),
		)
		s.wantResults(model, map[string]string{"read": "", "write": "could not check this call", "tamper": "self-protection"})
		s.wantFiles(map[string]bool{"open/a.txt": false})
		s.wantRecorded("unchecked", map[string]string{"write": "ask"})
		s.wantRecorded("fail_open", map[string]string{"read": "allow"})
	})
}

// copied() returns a copy of a folder with programs, which a test can break.
func (s *stage) copied(bin string) string {
	s.t.Helper()
	dir := s.base + "/bin"
	s.command("cp", "-R", bin, dir)
	return dir
}
