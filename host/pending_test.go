package host

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"guardrails/detect/toolcall"
)

// repository creates a Git repository with a staged file, a changed file and a new file. The repository's settings
// contain the names of programs. If one of these programs runs, it creates a file at the path mark.
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
	for untracked, want := range map[bool]string{
		false: "changed.go changed,staged file.go staged",
		true:  "changed.go changed,evil new,new.go new,staged file.go staged",
	} {
		p := pending(root, root, untracked)
		if p == nil || len(p.Head) < 40 || p.Elsewhere || p.Merging || said(p) != want {
			t.Errorf("untracked %v: %+v, want %s", untracked, p, want)
		}
	}
	if exists(mark) {
		t.Error("git ran a program of the project")
	}
	if got := pending(t.TempDir(), t.TempDir(), true); got != nil {
		t.Errorf("outside of a repository: %+v", got)
	}
	if program("guardrails-no-such-program") != "" {
		t.Error("found a program that does not exist")
	}
}

// said() formats git's answer about a commit as one line.
func said(p *toolcall.Pending) string {
	var out []string
	for _, f := range p.Files {
		line := f.Name
		for _, state := range []struct {
			is   bool
			word string
		}{{f.Staged, " staged"}, {f.Changed, " changed"}, {f.Untracked, " new"}, {f.From != "", " from " + f.From}} {
			if state.is {
				line += state.word
			}
		}
		out = append(out, line)
	}
	slices.Sort(out)
	return strings.Join(out, ",")
}

func TestARepositoryInsideTheProjectIsAnotherOne(t *testing.T) {
	root, _ := repository(t)
	inner := filepath.Join(root, "vendor", "lib")
	if err := os.MkdirAll(filepath.Join(inner, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	if p := pending(root, inner, false); p == nil || !p.Elsewhere {
		t.Errorf("got %+v", p)
	}
}

func TestFilesOfACommitAreRelativeToTheProject(t *testing.T) {
	tree, _ := repository(t)
	root := filepath.Join(tree, "app")
	if err := os.MkdirAll(root, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "a.go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	want := tree + "/changed.go changed," + tree + "/evil new," + tree + "/new.go new," + tree + "/staged file.go staged,a.go new"
	if p := pending(root, root, true); p == nil || said(p) != want {
		t.Errorf("got %+v", p)
	}
}

func TestTheStatusOfGitIsRead(t *testing.T) {
	const status = "# branch.oid 0123abc\x00# branch.head main\x00" +
		"1 M. N... 100644 100644 100644 aa bb staged.go\x00" +
		"1 .M N... 100644 100644 100644 aa aa a b.go\x00" +
		"2 RM N... 100644 100644 100644 aa aa R100 new/name.go\x00old name.go\x00" +
		"u UU N... 100644 100644 100644 100644 aa bb cc both.go\x00" +
		"? new.go\x00! ignored.go\x001 broken\x00"
	p := parseStatus(status)
	const want = "a b.go changed,both.go staged changed,new.go new,new/name.go staged changed from old name.go,staged.go staged"
	if p.Head != "0123abc" || said(p) != want {
		t.Errorf("got %s, %s", p.Head, said(p))
	}
}
