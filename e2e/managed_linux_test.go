//go:build e2e

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/setup/claude/fakemodel"
)

// On Linux, the managed folder is /etc/guardrails. The tests run the client in a mount namespace of its own. In this
// namespace, the user is root, and /etc is a copy that contains the managed folder. So the tests change nothing on the
// computer.

// companyRules holds the guidelines of the machine. These guidelines forbid writing certain files.
const companyRules = `guidelines:
  - id: company-vault
    name: The vault of the company stays shut
    category: security
    action: {type: tool_restriction, tools_denied: ["Write(vault/*)"]}
`

// looseRules holds settings that try to allow writing to the vault again.
const looseRules = `exceptions:
  - {guideline: company-vault, reason: we need it, expires: 2099-01-31}
`

// manage() makes a copy of /etc with a managed folder, and a client that uses this copy.
func (s *stage) manage() (folder string) {
	s.t.Helper()
	if out, err := exec.Command("unshare", "-rm", "true").CombinedOutput(); err != nil {
		s.t.Fatalf("a mount namespace cannot be made: %v %s\nPermit user namespaces, for example with\n"+
			"sysctl kernel.apparmor_restrict_unprivileged_userns=0", err, out)
	}
	etc := filepath.Join(s.base, "etc")
	// The copy lacks the files that the user may not read, so errors are ignored.
	_ = exec.Command("cp", "-a", "/etc/.", etc).Run()
	folder = filepath.Join(etc, "guardrails")
	for name, text := range map[string]string{
		"guardrails/guardrails.yaml": "packs: []\nlocked: true\n", "guardrails/guidelines/company.yaml": companyRules,
	} {
		s.file(filepath.Join("../etc", name), text)
	}
	s.file("../inside", "#!/bin/sh\nexec unshare -rm sh -c 'mount --bind "+etc+" /etc && exec \"$0\" \"$@\"' \"$@\"\n")
	s.file("../managed/claude", "#!/bin/sh\nexec "+s.base+"/inside "+s.client+" \"$@\"\n")
	s.command("chmod", "+x", "../inside", "../managed/claude")
	s.client = s.base + "/managed/claude"
	return folder
}

// inside() runs a command in a terminal, in the namespace with the managed folder.
func (s *stage) inside(command string) string {
	s.t.Helper()
	c := exec.Command("script", "-qec", s.base+"/inside "+command, "/dev/null")
	c.Dir, c.Env = s.project, s.env()
	out, _ := c.CombinedOutput() // some commands must fail
	return string(out)
}

func managedStage(t *testing.T, client string) (*stage, string) {
	t.Helper()
	s := hostileStage(t, client)
	s.command(s.bin+"/guardrails", "init", "--user")
	s.file(".claude/guardrails.yaml", looseRules)
	settings := s.home + "/.config/guardrails/guardrails.yaml"
	text, err := os.ReadFile(settings)
	if err != nil {
		t.Fatal(err)
	}
	s.file("../home/.config/guardrails/guardrails.yaml", string(text)+looseRules)
	return s, s.manage()
}

func TestNobodyCanLoosenTheGuidelinesOfTheMachine(t *testing.T) {
	t.Parallel()
	for _, client := range newest(t) {
		s, _ := managedStage(t, client)
		s.trust()
		steps := []fakemodel.Step{
			fakemodel.Use(fakemodel.Write(s.path("vault/a"), "x").Named("written")),
			fakemodel.Use(fakemodel.Bash("mkdir -p vault && cp README.md vault/b").Named("copied")),
			fakemodel.Use(fakemodel.Bash("rm -rf src").Named("removed")),
			fakemodel.Say("done"),
		}
		s.file("src/a.go", "package a\n")
		model := s.play(steps...)
		s.wantResults(model, map[string]string{
			"written": "company-vault", "copied": "company-vault", "removed": "hitl-gate-destructive-workstation-op",
		})
		if got := s.result(model, "written").Text; strings.Contains(got, "allow-once") {
			t.Errorf("a locked guideline can be allowed once: %s", got)
		}
		for _, c := range [][2]string{
			{"allow 'Write(vault/*)' --reason r --user -y", "company-vault is locked in the managed layer"},
			{"toggle company-vault off", "company-vault"},
			{"doctor", "exceptions: company-vault for every call"},
			{"explain --tool Write --path vault/a", "deny"},
		} {
			if got := s.inside(s.bin + "/guardrails " + c[0]); !strings.Contains(got, c[1]) {
				t.Errorf("guardrails %s printed %s, want %q", c[0], got, c[1])
			}
		}
		s.wantFiles(map[string]bool{"vault/a": false, "vault/b": false, "src/a.go": true})
	}
}

func TestAManagedFolderThatOthersCanWriteIsIgnoredLoudly(t *testing.T) {
	t.Parallel()
	for _, client := range newest(t) {
		s, folder := managedStage(t, client)
		if err := os.Chmod(filepath.Join(folder, "guidelines"), 0o777); err != nil {
			t.Fatal(err)
		}
		terminal := s.terminal(fakemodel.Use(fakemodel.Write(s.path("vault/a"), "x").Named("written")), fakemodel.Say("I am done."))
		terminal.typePrompt("write it", "guardrails ignores the managed folder")
		terminal.shows("can be written by others")
		terminal.shows("I am done.")
		s.wantFiles(map[string]bool{"vault/a": true})
		if got := s.inside(s.bin + "/guardrails doctor"); !strings.Contains(got, "can be written by others") {
			t.Errorf("doctor says nothing: %s", got)
		}
	}
}
