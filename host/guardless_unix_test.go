//go:build unix

package host

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/detect/toolcall"
	"guardrails/internal/fortests/need"
	"guardrails/internal/product"
)

// Each constant is the text of a settings file. The first one (moved) differs from the constant guarding in the command
// of the hook. The second one (narrowed) differs from it in the matcher. The third one (named) has no hooks, but it
// contains the path of a hook program. The last one (off) disables all hooks.
const (
	moved    = `{"model":"x","hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"\"/usr/my bin/guardrails-enforce\" --strict"}]}]}}`
	narrowed = `{"hooks":{"PreToolUse":[{"matcher":"Read","hooks":[{"type":"command","command":"/opt/x/guardrails-enforce"}]}]}}`
	named    = `{"note":"/opt/x/guardrails-enforce"}`
	off      = `{"disableAllHooks":true,"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"/opt/x/guardrails-enforce"}]}]}}`
)

type gitProject struct {
	t   *testing.T
	dir string
}

func newGitProject(t *testing.T) *gitProject {
	t.Helper()
	if program("git") == "" {
		need.Missing(t, "there is no git in the usual folders")
	}
	r := &gitProject{t, t.TempDir()}
	r.git("init", "-q", "-b", "main")
	r.write("a.txt", "a")
	r.commit("first")
	r.git("branch", "nog")
	return r
}

func (r *gitProject) git(args ...string) {
	r.t.Helper()
	c := exec.Command("git", append([]string{"-C", r.dir, "-c", "user.name=x", "-c", "user.email=x@x", "-c", "commit.gpgsign=false"}, args...)...)
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	if out, err := c.CombinedOutput(); err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (r *gitProject) write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

func (r *gitProject) commit(message string) {
	r.git("add", "-A", "-f")
	r.git("commit", "-q", "--allow-empty", "-m", message)
}

// branch() creates a branch in which a settings file has another text, and switches back to the branch "main".
func (r *gitProject) branch(name, settings string) {
	r.git("checkout", "-q", "-b", name)
	r.write(product.Settings, settings)
	r.commit(name)
	r.git("checkout", "-q", "main")
}

// guardedProject creates a project whose guard is committed. The branch "nog" has no guard. The other branches have
// different settings.
func guardedProject(t *testing.T) *gitProject {
	r := newGitProject(t)
	r.write(product.Settings, guarding)
	r.write(".claude/guardrails.yaml", "packs: [core]\n")
	r.commit("guard")
	r.branch("same", guarding)
	r.branch("moved", moved)
	r.branch("narrowed", narrowed)
	r.branch("named", named)
	r.branch("off", off)
	r.git("checkout", "-q", "-b", "work")
	r.write("b.txt", "b")
	r.commit("work")
	r.git("rm", "-q", "-r", ".claude")
	r.git("commit", "-q", "-m", "without")
	r.git("checkout", "-q", "main")
	r.git("update-ref", "refs/remotes/origin/far", "nog")
	return r
}

func TestARevisionWithoutTheGuardIsRecognized(t *testing.T) {
	r := guardedProject(t)
	forced := func(to string) toolcall.TreeChange { return toolcall.TreeChange{To: to, Forced: true} }
	merged := func(to string) toolcall.TreeChange { return toolcall.TreeChange{To: to, Merge: true} }
	for name, c := range map[string]struct {
		change toolcall.TreeChange
		want   bool
	}{
		"checkout of a branch that never had the guard":    {toolcall.TreeChange{To: "nog"}, true},
		"checkout of an earlier commit":                    {toolcall.TreeChange{To: "HEAD~1"}, true},
		"checkout of a branch that removed the guard":      {toolcall.TreeChange{To: "work"}, true},
		"checkout of a remote branch":                      {toolcall.TreeChange{To: "far"}, true},
		"checkout with a narrower matcher":                 {toolcall.TreeChange{To: "narrowed"}, true},
		"checkout with the name in another field":          {toolcall.TreeChange{To: "named"}, true},
		"checkout with all hooks disabled":                 {toolcall.TreeChange{To: "off"}, true},
		"checkout of an empty tree":                        {toolcall.TreeChange{To: "4b825dc642cb6eb9a060e54bf8d69288fbee4904"}, true},
		"reset to a branch that never had the guard":       {forced("nog"), true},
		"files of a branch that never had the guard":       {toolcall.TreeChange{To: "nog", Forced: true, Overlay: true}, false},
		"files of a branch with other settings":            {toolcall.TreeChange{To: "narrowed", Forced: true, Overlay: true}, true},
		"merge of a branch that removed the guard":         {merged("work"), true},
		"merge of a branch that never had the guard":       {merged("nog"), false},
		"cherry-pick of the commit that removed the guard": {toolcall.TreeChange{From: "work^", To: "work"}, true},
		"revert of the commit that added the guard":        {toolcall.TreeChange{From: "main", To: "main^"}, true},
		"cherry-pick of another commit":                    {toolcall.TreeChange{From: "work^^", To: "work^"}, false},
		"checkout of a branch with the same settings":      {toolcall.TreeChange{To: "same"}, false},
		"checkout with the programs elsewhere":             {toolcall.TreeChange{To: "moved"}, false},
		"checkout of this branch":                          {toolcall.TreeChange{To: "main"}, false},
		"reset to HEAD":                                    {forced("HEAD"), false},
		"reset to a branch with the same settings":         {forced("same"), false},
		"restore of staged files":                          {toolcall.TreeChange{Forced: true, Overlay: true}, false},
		"clean":                                            {toolcall.TreeChange{Untracked: true, Ignored: true}, false},
		"stash":                                            {toolcall.TreeChange{To: "HEAD", Forced: true, Untracked: true}, false},
		"a revision that git does not have":                {toolcall.TreeChange{To: "nowhere"}, false},
		"an option instead of a revision":                  {toolcall.TreeChange{To: "--output=x"}, false},
		"a file instead of a revision":                     {toolcall.TreeChange{To: "a.txt"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := guardless(r.dir, c.change); got != c.want {
				t.Errorf("%+v: %v, want %v", c.change, got, c.want)
			}
		})
	}
}

func TestACheckoutKeepsAnUncommittedGuardAndAStashRemovesIt(t *testing.T) {
	r := newGitProject(t)
	r.write(product.Settings, guarding)
	for name, c := range map[string]struct {
		change toolcall.TreeChange
		want   bool
	}{
		"checkout":               {toolcall.TreeChange{To: "nog"}, false},
		"reset":                  {toolcall.TreeChange{To: "HEAD", Forced: true}, false},
		"stash":                  {toolcall.TreeChange{To: "HEAD", Forced: true}, false},
		"stash with new files":   {toolcall.TreeChange{To: "HEAD", Forced: true, Untracked: true}, true},
		"clean":                  {toolcall.TreeChange{Untracked: true}, true},
		"clean of ignored files": {toolcall.TreeChange{Ignored: true}, false},
	} {
		if got := guardless(r.dir, c.change); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestDeletingIgnoredFilesDeletesAnIgnoredGuard(t *testing.T) {
	r := newGitProject(t)
	r.write(".git/info/exclude", ".claude\n")
	r.write(product.Settings, guarding)
	if guardless(r.dir, toolcall.TreeChange{Untracked: true}) || !guardless(r.dir, toolcall.TreeChange{Ignored: true}) {
		t.Error("deleting ignored files is the only way to delete an ignored guard")
	}
}

func TestAResetRemovesUncommittedHooksAndACheckoutKeepsThem(t *testing.T) {
	r := newGitProject(t)
	r.write(product.Settings, `{"model":"x"}`)
	r.commit("settings of before")
	r.git("branch", "other")
	r.write(product.Settings, guarding)
	for name, c := range map[string]struct {
		change toolcall.TreeChange
		want   bool
	}{
		"checkout":             {toolcall.TreeChange{To: "other"}, false},
		"reset":                {toolcall.TreeChange{To: "HEAD", Forced: true}, true},
		"stash":                {toolcall.TreeChange{To: "HEAD", Forced: true}, true},
		"restore of all files": {toolcall.TreeChange{Forced: true, Overlay: true}, true},
		"clean":                {toolcall.TreeChange{Untracked: true}, false},
		"checkout forced":      {toolcall.TreeChange{To: "other", Forced: true}, true},
	} {
		if got := guardless(r.dir, c.change); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestAProjectWithoutItsOwnGuardAndAnotherRepositoryLoseNothing(t *testing.T) {
	plain, r := newGitProject(t), guardedProject(t)
	if guardless(plain.dir, toolcall.TreeChange{To: "nog"}) {
		t.Error("a project without its own guard loses one")
	}
	if guardless(r.dir, toolcall.TreeChange{Dir: plain.dir, To: "nog"}) {
		t.Error("git in another repository removes the guard")
	}
	sub := filepath.Join(r.dir, "sub")
	if err := os.Mkdir(sub, 0o700); err != nil {
		t.Fatal(err)
	}
	if !guardless(r.dir, toolcall.TreeChange{Dir: sub, To: "nog"}) {
		t.Error("git in a folder of the project keeps the guard")
	}
}

func TestAskingGitRunsNoProgramOfTheRepository(t *testing.T) {
	r := guardedProject(t)
	trap := filepath.Join(r.dir, "trap")
	for _, key := range []string{"core.fsmonitor", "core.sshCommand", "filter.x.clean", "filter.x.smudge", "diff.x.textconv", "diff.external", "core.pager", "alias.ls-tree"} {
		r.git("config", key, "touch "+trap+";false")
	}
	r.write(".gitattributes", "* filter=x diff=x\n")
	for _, change := range []toolcall.TreeChange{{To: "nog"}, {To: "narrowed", Forced: true}, {To: "work", Merge: true}, {Untracked: true, Ignored: true}, {To: "far"}} {
		guardless(r.dir, change)
	}
	if _, err := os.Stat(trap); err == nil {
		t.Error("a setting of the repository was run")
	}
}

func FuzzReadTree(f *testing.F) {
	f.Add("100644 blob abc\ta b\x00", false)
	f.Add("100644 abc 0\t.claude/x\x00", true)
	f.Add("\t\x00\x00 \t", false)
	f.Fuzz(func(t *testing.T, out string, staged bool) {
		tree := readTree(out, staged)
		if len(tree.names) != len(tree.objects) {
			t.Errorf("%q: %d names, %d objects", out, len(tree.names), len(tree.objects))
		}
		for _, name := range tree.names {
			if strings.Contains(name, "\x00") {
				t.Errorf("%q: the name %q", out, name)
			}
		}
	})
}
