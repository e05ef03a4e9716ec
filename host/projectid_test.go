package host_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/host"
)

func TestEverySpellingOfARemoteIsTheSameProject(t *testing.T) {
	for address, want := range map[string]string{
		"https://github.com/acme/shop.git":                   "github.com/acme/shop",
		"https://github.com/acme/shop":                       "github.com/acme/shop",
		"https://github.com/acme/shop/":                      "github.com/acme/shop",
		"https://GitHub.com/Acme/Shop.git":                   "github.com/acme/shop",
		"https://ann:secret-token@github.com/acme/shop.git":  "github.com/acme/shop",
		"git@github.com:acme/shop.git":                       "github.com/acme/shop",
		"github.com:acme/shop":                               "github.com/acme/shop",
		"ssh://git@github.com/acme/shop.git":                 "github.com/acme/shop",
		"ssh://git@github.com:22/acme/shop.git":              "github.com/acme/shop",
		"git://github.com/acme/shop.git":                     "github.com/acme/shop",
		"https://gitlab.example.com:8443/group/sub/shop.git": "gitlab.example.com/group/sub/shop",
		"https://github.com/other/shop.git":                  "github.com/other/shop",
		"https://example.com/acme/shop.git":                  "example.com/acme/shop",
	} {
		t.Run(address, func(t *testing.T) {
			root := repository(t, "shop", "[remote \"origin\"]\n\turl = "+address+"\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n")
			isProject(t, root, want)
		})
	}
}

func TestTheRemoteOfAProject(t *testing.T) {
	const acme, fork = "\turl = https://example.com/acme/shop\n", "\turl = https://example.com/fork/shop\n"
	for name, c := range map[string]struct{ config, want string }{
		"origin of several":       {"[remote \"fork\"]\n" + fork + "[remote \"origin\"]\n" + acme, "example.com/acme/shop"},
		"the only one":            {"[remote \"work\"]\n" + acme, "example.com/acme/shop"},
		"several without origin":  {"[remote \"a\"]\n" + fork + "[remote \"b\"]\n" + acme, "PATH"},
		"none":                    {"[core]\n\tbare = false\n", "PATH"},
		"no settings":             {"", "PATH"},
		"an address elsewhere":    {"[submodule \"x\"]\n" + acme, "PATH"},
		"a quoted address":        {"[remote \"origin\"]\n\tURL = \"https://example.com/acme/shop\"\n", "example.com/acme/shop"},
		"an empty address":        {"[remote \"origin\"]\n\turl =\n", "PATH"},
		"a line that is too long": {"[remote \"origin\"]\n\turl = https://example.com/" + strings.Repeat("x", 300) + "\n", "project-HASH"},
	} {
		t.Run(name, func(t *testing.T) {
			root := repository(t, "shop", c.config)
			switch got := host.ProjectID(root); c.want {
			case "PATH":
				isProject(t, root, filepath.ToSlash(host.Resolve(root)))
			case "project-HASH":
				if !strings.HasPrefix(got, "project-") || len(got) > 200 {
					t.Errorf("got %q", got)
				}
			default:
				isProject(t, root, c.want)
			}
		})
	}
}

func TestClonesWorktreesAndFoldersOfARepositoryAreOneProject(t *testing.T) {
	main := repository(t, "shop", "[core]\n")
	want := filepath.ToSlash(host.Resolve(main))
	isProject(t, main, want)
	isProject(t, filepath.Join(main, "src", "deep"), want)

	linked := filepath.Join(t.TempDir(), "linked")
	write(t, filepath.Join(main, ".git", "worktrees", "linked", "commondir"), "../..\n")
	write(t, filepath.Join(linked, ".git"), "gitdir: "+filepath.Join(main, ".git", "worktrees", "linked")+"\n")
	isProject(t, linked, want)

	clone := repository(t, "clone", "[remote \"origin\"]\n\turl = "+main+"\n")
	isProject(t, clone, want)
	again := repository(t, "again", "[remote \"origin\"]\n\turl = file://"+clone+"\n")
	isProject(t, again, want)
	beside := filepath.Join(filepath.Dir(main), "beside")
	write(t, filepath.Join(beside, ".git", "config"), "[remote \"origin\"]\n\turl = ../shop\n")
	isProject(t, beside, want)
}

func TestTheCloneOfABareRepositoryHasItsPath(t *testing.T) {
	parent := repository(t, "parent", "[remote \"origin\"]\n\turl = https://example.com/parent\n")
	bare := filepath.Join(parent, "shop.git")
	write(t, filepath.Join(bare, "config"), "[core]\n\tbare = true\n")
	clone := repository(t, "clone", "[remote \"origin\"]\n\turl = "+bare+"\n")
	isProject(t, clone, filepath.ToSlash(host.Resolve(bare)))
}

func TestACircleOfClonesHasAnID(t *testing.T) {
	base := t.TempDir()
	for name, other := range map[string]string{"a": "b", "b": "a"} {
		write(t, filepath.Join(base, name, ".git", "config"), "[remote \"origin\"]\n\turl = "+filepath.Join(base, other)+"\n")
	}
	if got := host.ProjectID(filepath.Join(base, "a")); got == "" {
		t.Error("a circle of clones has no id")
	}
}

func TestAFolderWithoutARepositoryHasItsPath(t *testing.T) {
	dir := t.TempDir()
	isProject(t, dir, filepath.ToSlash(host.Resolve(dir)))
}

func repository(t *testing.T, name, config string) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), name)
	write(t, filepath.Join(root, ".git", "config"), config)
	return root
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func isProject(t *testing.T, root, want string) {
	t.Helper()
	if got := host.ProjectID(root); got != want {
		t.Errorf("%s is the project %q, want %q", root, got, want)
	}
}
