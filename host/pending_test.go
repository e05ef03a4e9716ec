package host

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// repository creates a git repository with a staged file, a changed file and a new file. Its settings name programs
// that would create the file mark.
func repository(t *testing.T) (root, mark string) {
	t.Helper()
	root, mark = t.TempDir(), filepath.Join(t.TempDir(), "mark")
	git := func(args ...string) {
		t.Helper()
		c := exec.Command("git", append([]string{"-C", root, "-c", "user.name=a", "-c", "user.email=a@b.c"}, args...)...)
		c.Env = []string{"HOME=" + root, "PATH=" + os.Getenv("PATH")}
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "-q")
	write("changed.go", "one")
	git("add", ".")
	git("commit", "-qm", "first")
	write("changed.go", "two")
	write("staged file.go", "x")
	git("add", "staged file.go")
	write("new.go", "x")
	write("evil", "#!/bin/sh\ntouch "+mark+"\n")
	git("config", "core.fsmonitor", filepath.Join(root, "evil"))
	git("config", "core.hooksPath", root)
	return root, mark
}

func TestGitListsTheFilesOfACommitAndRunsNoProgramOfTheProject(t *testing.T) {
	root, mark := repository(t)
	for _, c := range []struct {
		all, untracked bool
		want           string
	}{
		{false, false, "staged file.go"},
		{true, false, "changed.go,staged file.go"},
		{true, true, "changed.go,evil,new.go,staged file.go"},
	} {
		got := pending(root, c.all, c.untracked)
		slices.Sort(got)
		if strings.Join(got, ",") != c.want {
			t.Errorf("all %v, untracked %v: %q, want %s", c.all, c.untracked, got, c.want)
		}
	}
	if exists(mark) {
		t.Error("git ran a program of the project")
	}
	if got := pending(t.TempDir(), true, true); got != nil {
		t.Errorf("outside of a repository: %q", got)
	}
	if program("guardrails-no-such-program") != "" {
		t.Error("found a program that does not exist")
	}
}

func TestTheStatusOfGitIsRead(t *testing.T) {
	status := "M  staged.go\x00 M changed.go\x00?? new.go\x00A  contracts/a b.yaml\x00"
	for all, want := range map[bool]string{false: "staged.go,contracts/a b.yaml", true: "staged.go,changed.go,new.go,contracts/a b.yaml"} {
		if got := strings.Join(statusFiles(status, all), ","); got != want {
			t.Errorf("all %v: got %s, want %s", all, got, want)
		}
	}
}
