//go:build unix

package host

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestOnlyRegularFilesOfASmallSizeAreReadAsScripts(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.WriteFile(at("x.sh"), []byte("ls\n"), 0o600))
	must(os.WriteFile(at("exact.sh"), []byte(strings.Repeat("#", 16)), 0o600))
	must(os.WriteFile(at("large.sh"), []byte(strings.Repeat("#", 17)), 0o600))
	must(os.WriteFile(at("closed.sh"), []byte("ls\n"), 0))
	must(os.WriteFile(at("empty.sh"), nil, 0o600))
	must(os.Symlink(at("x.sh"), at("link.sh")))
	must(os.Mkdir(at("folder"), 0o700))
	must(syscall.Mkfifo(at("fifo"), 0o600))
	for name, want := range map[string]bool{
		"x.sh": true, "exact.sh": true, "empty.sh": true, "large.sh": false, "link.sh": false, "folder": false, "fifo": false, "nowhere": false,
		"closed.sh": os.Geteuid() == 0,
	} {
		if text, ok := readScript(at(name), 16); ok != want {
			t.Errorf("%s: %q, %v", name, text, ok)
		}
	}
	if text, ok := readScript("/proc/self/status", 1<<16); ok {
		t.Errorf("a file without a size is read: %q", text)
	}
}

func gitIn(t *testing.T, dir string, args ...string) {
	t.Helper()
	c := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b.c"}, args...)...)
	c.Env = []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1"}
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
}

// checkouts() creates a project with a script and two worktrees. Next to the project, it creates another repository.
func checkouts(t *testing.T) (base string) {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"main/sub", "other"} {
		if err := os.MkdirAll(filepath.Join(base, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"main/x.sh", "main/sub/y.sh", "other/x.sh"} {
		if err := os.WriteFile(filepath.Join(base, name), []byte("ls\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, repository := range []string{"main", "other"} {
		dir := filepath.Join(base, repository)
		gitIn(t, dir, "init", "-q")
		gitIn(t, dir, "add", ".")
		gitIn(t, dir, "commit", "-qm", "first")
	}
	gitIn(t, base+"/main", "worktree", "add", "-q", "../wt", "-b", "wt")
	gitIn(t, base+"/main", "worktree", "add", "-q", ".claude/worktrees/w1", "-b", "w1")
	gitIn(t, base+"/other", "worktree", "add", "-q", "../foreign", "-b", "f")
	return base
}

func TestAPathInAnotherWorktreeOfTheProjectIsFound(t *testing.T) {
	base := checkouts(t)
	for _, c := range []struct{ root, path, want string }{
		{"main", "wt/sub/new.sh", "wt"},
		{"main", "wt", "wt"},
		{"main", "wt/not/yet/there/a", "wt"},
		{"main", "main/.claude/worktrees/w1/x.sh", "main/.claude/worktrees/w1"},
		{"main", "main/x.sh", ""},
		{"main", "main/.claude/worktrees/none/x", ""},
		{"main", "other/x.sh", ""},
		{"main", "foreign/x.sh", ""},
		{"main", "nowhere/x.sh", ""},
		{"main/sub", "main/x.sh", ""},
		{"wt", "main/x.sh", "main"},
		{"wt", "main/.claude/worktrees/w1/x.sh", "main/.claude/worktrees/w1"},
		{"wt", "wt/x.sh", ""},
		{"nowhere", "wt/x.sh", ""},
	} {
		want := c.want
		if want != "" {
			want = filepath.Join(base, want)
		}
		if got := worktrees(filepath.Join(base, c.root))(filepath.Join(base, c.path)); got != want {
			t.Errorf("%s seen from %s: %q, want %q", c.path, c.root, got, want)
		}
	}
}

func TestAMovedWorktreeIsStillOne(t *testing.T) {
	base := checkouts(t)
	if err := os.Rename(base+"/wt", base+"/moved"); err != nil {
		t.Fatal(err)
	}
	if got := worktrees(base + "/main")(base + "/moved/x.sh"); got != base+"/moved" {
		t.Errorf("got %q", got)
	}
	for _, text := range []string{"", "gitdir:", "gitdir: /", "gitdir: relative", strings.Repeat("x", maxGitFile+1)} {
		if err := os.WriteFile(base+"/moved/.git", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := worktrees(base + "/main")(base + "/moved/x.sh"); got != "" {
			t.Errorf("%.20q: got %q", text, got)
		}
	}
}

func TestAScriptIsCommittedWhenTheLastCommitHasItsText(t *testing.T) {
	base := checkouts(t)
	root := base + "/main"
	if err := os.WriteFile(root+"/new.sh", []byte("ls\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	gitIn(t, root, "add", "new.sh")
	gitIn(t, root, "update-index", "--assume-unchanged", "x.sh")
	for _, c := range []struct {
		root, path, text string
		want             bool
	}{
		{root, root + "/x.sh", "ls\n", true},
		{root, root + "/x.sh", "rm -rf /\n", false},
		{root, root + "/sub/y.sh", "ls\n", true},
		{root + "/sub", root + "/sub/y.sh", "ls\n", true},
		{root + "/sub", root + "/x.sh", "ls\n", false},
		{root, root + "/new.sh", "ls\n", false},
		{root, base + "/other/x.sh", "ls\n", false},
		{root, base + "/wt/x.sh", "ls\n", true},
		{root, root + "/.claude/worktrees/w1/x.sh", "ls\n", true},
		{base + "/nowhere", base + "/nowhere/x.sh", "ls\n", false},
	} {
		if got := committed(c.root, c.path, c.text); got != c.want {
			t.Errorf("%s in %s with %q: %v", c.path, c.root, c.text, got)
		}
	}
}
