//go:build e2e

package e2e

import (
	"os"
	"strings"
	"testing"

	"guardrails/setup/claude/fakemodel"
	"guardrails/setup/doctor"
)

// colleague() returns the stage of another person, who has another home folder and has cloned the committed project. If
// the parameter "installed" is set, the programs are installed in another folder. Otherwise they are not installed.
func (s *stage) colleague(name string, installed bool) *stage {
	s.t.Helper()
	c := *s
	c.base = s.base + "/" + name
	c.home, c.project, c.run, c.bin = c.base+"/home", c.base+"/project", c.base+"/run", c.base+"/programs"
	for _, dir := range []string{c.home, c.base + "/tmp"} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			s.t.Fatal(err)
		}
	}
	s.command("git", "clone", "-q", s.project, c.project)
	if installed {
		s.command("cp", "-R", s.bin, c.bin)
	}
	return &c
}

func (s *stage) commit() {
	s.t.Helper()
	s.command("git", "add", "-A")
	s.command("git", "-c", "user.name=Ann", "-c", "user.email=ann@example.com", "commit", "-q", "-m", "set guardrails up")
}

func TestWhatOnePersonSetsUpGuardsAColleague(t *testing.T) {
	t.Parallel()
	inBothWays(t, func(ann *stage) {
		ann.commit()
		bob := ann.colleague("bob", true)
		model := bob.play(
			fakemodel.Use(fakemodel.Write(bob.path("locked/a.txt"), "x").Named("denied")),
			fakemodel.Use(fakemodel.Bash("rm -rf old").Named("asked")),
			fakemodel.Use(fakemodel.Write(bob.path("open/a.txt"), "x").Named("allowed")),
			fakemodel.Say("done"),
		)
		bob.wantResults(model, map[string]string{
			"denied": "nobody-writes-locked", "asked": "hitl-gate-destructive-workstation-op", "allowed": "",
		})
		bob.wantFiles(map[string]bool{"locked/a.txt": false, "open/a.txt": true})
		bob.command("rm", "-r", "open")

		bob.command(bob.bin+"/guardrails", "init")
		if changed := bob.command("git", "status", "--porcelain", "--ignored"); changed != "" {
			t.Errorf("the colleague's init changed\n%s", changed)
		}
		list, exit := bob.doctor()
		for _, c := range list {
			old := c.Name == "client" && strings.Contains(c.Detail, "does not know onFailure")
			if c.State != doctor.OK && !old {
				t.Errorf("%s: %s: %s", c.Name, c.State, c.Detail)
			}
		}
		if exit != 0 {
			t.Errorf("doctor exits with %d", exit)
		}
	})
}

// If the programs are missing, the client sends nothing to the model, and the person reads how to install them.
func TestAColleagueWithoutTheProgramsReadsHowToInstallThem(t *testing.T) {
	t.Parallel()
	inBothWays(t, func(ann *stage) {
		ann.commit()
		eve := ann.colleague("eve", false)
		model, transcript := eve.headless(fakemodel.Use(fakemodel.Write(eve.path("open/a.txt"), "x").Named("write")), fakemodel.Say("done"))
		if said := transcript.Result.Text; !strings.Contains(said, "The programs of guardrails are missing on this computer") ||
			!strings.Contains(said, "run make install in a clone of guardrails") {
			t.Errorf("the person reads %q", said)
		}
		if n := len(model.All()); n != 0 {
			t.Errorf("the model got %d requests", n)
		}
		eve.wantFiles(map[string]bool{"open/a.txt": false})
	})
}

// The programs disappear in the middle of a session. A client that knows onFailure then shows the command that failed.
func TestACallWithoutItsProgramIsRefusedAndSaysHowToInstallIt(t *testing.T) {
	t.Parallel()
	s := setUp(t, newest(t)[0])
	s.bin = s.copied(s.bin)
	removed := func(r *fakemodel.Request) fakemodel.Reply {
		s.command("/bin/rm", "-r", s.bin)
		return fakemodel.Reply{Calls: []fakemodel.Call{fakemodel.Write(s.path("open/b.txt"), "x").Named("write")}}
	}
	model := s.play(removed, fakemodel.Use(fakemodel.Bash("echo x > c.txt").Named("bash")), fakemodel.Say("done"))
	s.wantResults(model, map[string]string{
		"write": "install guardrails: run make install in a clone of it", "bash": "install guardrails: run make install in a clone of it",
	})
	s.wantFiles(map[string]bool{"open/b.txt": false, "c.txt": false})
}

// A project can set PATH. Such a PATH must not make a person's own settings start other programs.
func TestThePathOfAProjectDoesNotMoveAPersonsOwnHooks(t *testing.T) {
	t.Parallel()
	for flag, client := range map[string]string{"--user": newest(t)[0], "--local": newest(t)[0]} {
		t.Run(flag, func(t *testing.T) {
			s := newStage(t, client)
			s.file(".claude/guardrails/isolation.yaml", isolation)
			s.command(s.bin+"/guardrails", "init", flag)
			s.file("fake/guardrails-enforce", "#!/bin/sh\n")
			s.command("chmod", "+x", "fake/guardrails-enforce")
			s.json(".claude/settings.json", map[string]any{"env": map[string]any{"PATH": s.path("fake") + ":/usr/bin:/bin"}})
			model := s.play(fakemodel.Use(fakemodel.Write(s.path("locked/a.txt"), "x").Named("denied")), fakemodel.Say("done"))
			s.wantResults(model, map[string]string{"denied": "nobody-writes-locked"})
		})
	}
}
