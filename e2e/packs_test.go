//go:build e2e

package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"guardrails/rules/packtest"
	"guardrails/setup/claude/fakemodel"
	"guardrails/setup/doctor"
)

// newerPrograms builds the programs with a newer version of the pack "core". It returns the folder of the programs.
func newerPrograms(t *testing.T) string {
	t.Helper()
	module, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	programs := t.TempDir()
	if err := packtest.Build(module, t.TempDir(), programs, "./cmd/..."); err != nil {
		t.Fatal(err)
	}
	return programs
}

// wantsFrozen plays a session with a write and a commit. Only the newer version of the pack "core" denies the write and
// asks about the commit. The parameters are the guidelines that must stop the write and the commit. "" means that no
// guideline may stop the call.
func (s *stage) wantsFrozen(write, commit string) {
	s.t.Helper()
	const commits = "git -c user.name=Ann -c user.email=ann@example.com commit --no-verify --allow-empty -m x"
	model := s.play(
		fakemodel.Use(fakemodel.Write(s.path("frozen/a.txt"), "x").Named("write")),
		fakemodel.Use(fakemodel.Bash(commits).Named("commit")),
		fakemodel.Say("done"),
	)
	s.wantResults(model, map[string]string{"write": write, "commit": commit})
	s.wantFiles(map[string]bool{"frozen/a.txt": write == ""})
	s.command("rm", "-rf", "frozen")
}

// Ann's store has a copy of the pack, in the form in which an earlier version of the command "init" wrote it. Bob has
// changed one of the pack's guidelines in his store. Both then install a newer version of the programs.
func TestAnUpgradeReachesTheGuidelinesOfAPackThatNobodyChanged(t *testing.T) {
	t.Parallel()
	newer := newerPrograms(t)
	inBothWays(t, func(ann *stage) {
		ann.command(ann.bin+"/guardrails", "import", "pack:core", "--all-projects")
		ann.commit()
		bob := ann.colleague("bob", true)
		bob.command(bob.bin+"/guardrails", "init")
		bob.command(bob.bin+"/guardrails", "toggle", packtest.Stricter, "off")
		ann.wantsFrozen("", "")
		bob.wantsFrozen("", "")

		ann.bin = ann.copied(newer)
		ann.wantsFrozen(packtest.Added, packtest.Stricter)
		bob.wantsFrozen("", "") // Bob still has the earlier version
		bob.command("sh", "-c", "cp -f "+newer+"/* "+bob.bin)
		bob.wantsFrozen(packtest.Added, "")

		list, _ := bob.doctor()
		said := ""
		for _, c := range list {
			if c.Name == "packs" && c.State == doctor.Warning {
				said += c.Detail
			}
		}
		if !strings.Contains(said, packtest.Stricter+" of core: off in the store for this project; it was taken from version") {
			t.Errorf("doctor says of packs: %q", said)
		}
		bob.command(bob.bin+"/guardrails", "packs", "update", "--take", packtest.Stricter)
		bob.wantsFrozen(packtest.Added, packtest.Stricter)
	})
}
