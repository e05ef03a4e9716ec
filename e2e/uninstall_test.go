//go:build e2e

package e2e

import (
	"io/fs"
	"os"
	"testing"

	"guardrails/setup/claude/fakemodel"
)

func TestInitUseAndUninstallLeaveTheProjectAsItWas(t *testing.T) {
	t.Parallel()
	for _, client := range clients(t) {
		t.Run(version(client), func(t *testing.T) {
			t.Parallel()
			s := newStage(t, client)
			s.file(".claude/settings.json", "{\n    \"model\": \"opus\" ,\n\t\"hooks\": {}\n}")
			before := s.tree()
			s.command(s.bin+"/guardrails", "init")
			s.play(fakemodel.Use(fakemodel.Bash("rm -rf old").Named("asked")), fakemodel.Say("done"))
			s.wantRecorded("decision", map[string]string{"asked": "ask"})
			s.command(s.bin+"/guardrails", "init", "--uninstall")
			if after := s.tree(); after != before {
				t.Errorf("the project was\n%s\nand is now\n%s", before, after)
			}
		})
	}
}

// tree() returns the mode and the content of every file and folder of the project. It omits git's own files.
func (s *stage) tree() string {
	s.t.Helper()
	root, out := os.DirFS(s.project), ""
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name == ".git" {
			return fs.SkipDir
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		out += name + " " + info.Mode().String() + "\n"
		if d.IsDir() {
			return nil
		}
		text, err := fs.ReadFile(root, name)
		out += string(text) + "\n"
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return out
}
