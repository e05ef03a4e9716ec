//go:build unix

package host

import (
	"path/filepath"
	"testing"

	"guardrails/detect/toolcall"
)

func gitAll(t *testing.T, dir string, commands ...[]string) {
	t.Helper()
	for _, args := range commands {
		gitIn(t, dir, args...)
	}
}

// cloned() returns a clone of a new repository whose default branch is "develop".
func cloned(t *testing.T) string {
	t.Helper()
	base := t.TempDir()
	gitAll(t, base,
		[]string{"init", "-q", "--bare", "-b", "develop", "remote.git"},
		[]string{"init", "-q", "-b", "develop", "first"},
		[]string{"-C", "first", "commit", "-q", "--allow-empty", "-m", "one"},
		[]string{"-C", "first", "push", "-q", "../remote.git", "develop"},
		[]string{"clone", "-q", "remote.git", "clone"})
	return filepath.Join(base, "clone")
}

func TestARepositoryIsReadFromItsFiles(t *testing.T) {
	base := toolcall.Repository{Branch: "develop", Remote: "origin", Upstream: "develop", Default: "develop", Pushed: true}
	changed := func(change func(r *toolcall.Repository)) toolcall.Repository {
		r := base
		change(&r)
		return r
	}
	for name, c := range map[string]struct {
		commands [][]string
		folder   string
		want     toolcall.Repository
	}{
		"a fresh clone":      {nil, "", base},
		"a folder inside":    {[][]string{{"init", "-q", "other"}}, "missing/folder", base},
		"a repository in it": {[][]string{{"init", "-q", "-b", "x", "other"}}, "other", toolcall.Repository{Branch: "x"}},
		"packed references":  {[][]string{{"pack-refs", "--all"}}, "", base},
		"a new commit": {
			[][]string{{"commit", "-q", "--allow-empty", "-m", "two"}},
			"",
			changed(func(r *toolcall.Repository) { r.Pushed = false }),
		},
		"a pushed commit": {[][]string{{"commit", "-q", "--allow-empty", "-m", "two"}, {"push", "-q"}}, "", base},
		"a branch without an upstream": {
			[][]string{{"switch", "-q", "-c", "feature/x"}},
			"",
			toolcall.Repository{Branch: "feature/x", Default: "develop"},
		},
		"a branch that follows another one": {
			[][]string{{"switch", "-q", "-c", "feature", "--track", "origin/develop"}, {"config", "push.default", "current"}},
			"",
			changed(func(r *toolcall.Repository) { r.Branch, r.PushDefault = "feature", "current" }),
		},
		"a remote whose branches each push overwrites": {
			[][]string{{"config", "remote.origin.push", "+HEAD~1:refs/heads/develop"}},
			"",
			changed(func(r *toolcall.Repository) { r.Overwrites = true }),
		},
		"no branch": {[][]string{{"checkout", "-q", "--detach"}}, "", toolcall.Repository{Default: "develop"}},
		"a worktree": {
			[][]string{{"worktree", "add", "-q", "-b", "side", "../side"}},
			"../side",
			toolcall.Repository{Branch: "side", Default: "develop"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			clone := cloned(t)
			gitAll(t, clone, c.commands...)
			folder := filepath.Join(clone, c.folder)
			if got := branches(folder); got != c.want {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
		})
	}
}

func TestAFolderWithoutARepositorySaysNothing(t *testing.T) {
	if got := branches(t.TempDir()); got != (toolcall.Repository{}) {
		t.Errorf("got %+v", got)
	}
	if got := branches("relative"); got != (toolcall.Repository{}) {
		t.Errorf("got %+v", got)
	}
}

func TestAliasesAreReadFromTheSettingsOfTheRepositoryAndOfTheUser(t *testing.T) {
	clone, home := cloned(t), t.TempDir()
	gitAll(t, clone, []string{"config", "alias.wipe", "reset --hard"}, []string{"config", "alias.Both", "log"},
		[]string{"config", "alias.quoted", `!f() { echo "a\b"; }; f`})
	gitAll(t, home, []string{"config", "-f", ".gitconfig", "alias.both", "status"},
		[]string{"config", "-f", ".gitconfig", "alias.own", "push --force"})
	for name, want := range map[string]string{
		"wipe": "reset --hard", "both": "log", "own": "push --force", "quoted": `!f() { echo "a\b"; }; f`, "none": "",
	} {
		if got := gitAlias(clone, home, name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if got := gitAlias(t.TempDir(), t.TempDir(), "wipe"); got != "" {
		t.Errorf("without settings: %q", got)
	}
}
