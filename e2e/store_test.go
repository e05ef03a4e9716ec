//go:build e2e

package e2e

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"guardrails/internal/changemark"
	"guardrails/setup/claude/fakemodel"
)

// vault is a guideline that a person adds to the store while sessions run.
const vault = `
guidelines:
  - id: vault-stays-shut
    name: The vault stays shut
    category: security
    action: {type: tool_restriction, tools_denied: ["Write(vault/*)"], instruction: The VAULT stays shut., parameters: {instead: write to open/.}}
`

// person() runs the guardrails command in a terminal, while sessions run. A step of a script may call person(), so
// person() must not stop the test.
func (s *stage) person(args ...string) string {
	s.t.Helper()
	c := exec.Command(s.bin+"/guardrails", args...)
	c.Dir, c.Env = s.project, s.env()
	out, err := c.CombinedOutput()
	if err != nil {
		s.t.Errorf("guardrails %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// changes() returns a step of a script. The step first runs a guardrails command, and waits until a server has signaled
// the change. Then it runs the following step, which is the parameter "next".
func (s *stage) changes(next fakemodel.Step, args ...string) fakemodel.Step {
	return func(r *fakemodel.Request) fakemodel.Reply {
		s.person(args...)
		s.noticed()
		return next(r)
	}
}

// noticed() waits until a server has signaled a change to the sessions, but at most ten seconds. If the server signaled
// the change before noticed() was called, noticed() waits for the whole ten seconds.
func (s *stage) noticed() {
	const within = 10 * time.Second
	for before, end := s.signaled(), time.Now().Add(within); s.signaled().Equal(before) && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
}

// signaled() returns the time of the last signal about changed guidelines.
func (s *stage) signaled() time.Time {
	info, err := os.Stat(s.run + "/" + changemark.Name)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// intoVault returns a step in which the model writes a file in the folder "vault".
func (s *stage) intoVault(name string) fakemodel.Step {
	return fakemodel.Use(fakemodel.Write(s.path("vault/"+name), "x").Named(name))
}

const byVault = "vault-stays-shut"

func TestAChangeInTheStoreAppliesToARunningSession(t *testing.T) {
	t.Parallel()
	for _, client := range clients(t) {
		t.Run(version(client), func(t *testing.T) {
			t.Parallel()
			s := newStage(t, client)
			cold := s.watchTheCommandLine()
			s.file("vault.yaml", vault)
			model := s.play(
				s.intoVault("before"),
				s.changes(s.intoVault("applied"), "apply", "-f", "vault.yaml"),
				s.changes(s.intoVault("off"), "toggle", byVault),
				s.changes(s.intoVault("restored"), "restore", byVault+"@1"),
				fakemodel.Say("done"),
			)
			s.wantResults(model, map[string]string{"before": "", "applied": byVault, "off": "", "restored": byVault})
			s.wantFiles(map[string]bool{"vault/before": true, "vault/applied": false, "vault/off": true, "vault/restored": false})
			s.wantRecorded("decision", map[string]string{"before": "allow", "applied": "deny", "off": "allow", "restored": "deny"})
			if got := cold(); strings.Count(got, "call ") > coldStart {
				t.Errorf("hooks started the command line instead of asking the server:\n%s", got)
			}
			s.wantAudited(map[string]string{"before": "allow", "applied": "deny 1", "off": "allow", "restored": "deny 3"})
			s.wantChanges("guideline_created", "guideline_disabled", "guideline_restored")
		})
	}
}

func TestAChangeOfAFileAppliesToARunningSession(t *testing.T) {
	t.Parallel()
	for _, client := range newest(t) {
		t.Run(version(client), func(t *testing.T) {
			s := newStage(t, client)
			s.command(s.bin+"/guardrails", "init")
			const file = ".claude/guardrails/vault.yaml"
			edits := func(next fakemodel.Step, edit func()) fakemodel.Step {
				return func(r *fakemodel.Request) fakemodel.Reply {
					edit()
					s.noticed()
					return next(r)
				}
			}
			model := s.play(
				s.intoVault("before"),
				edits(s.intoVault("written"), func() { s.file(file, vault) }),
				edits(s.intoVault("removed"), func() { _ = os.Remove(s.path(file)) }),
				fakemodel.Say("done"),
			)
			s.wantResults(model, map[string]string{"before": "", "written": byVault, "removed": ""})
			s.wantFiles(map[string]bool{"vault/before": true, "vault/written": false, "vault/removed": true})
		})
	}
}

func TestTheStoreAppliesWithoutAServer(t *testing.T) {
	t.Parallel()
	for _, client := range clients(t) {
		t.Run(version(client), func(t *testing.T) {
			t.Parallel()
			s := newStage(t, client)
			cold := s.watchTheCommandLine()
			s.file("vault.yaml", vault)
			s.file(".mcp.json", "{}")
			now := func(next fakemodel.Step, args ...string) fakemodel.Step {
				return func(r *fakemodel.Request) fakemodel.Reply {
					s.person(args...)
					return next(r)
				}
			}
			model := s.play(
				s.intoVault("before"),
				now(s.intoVault("applied"), "apply", "-f", "vault.yaml"),
				now(s.intoVault("off"), "toggle", byVault),
				fakemodel.Say("done"),
			)
			s.wantResults(model, map[string]string{"before": "", "applied": byVault, "off": ""})
			if cold() == "" {
				t.Error("no hook started the command line")
			}
		})
	}
}
