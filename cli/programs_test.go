package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/internal/product"
)

// toolFolder creates a folder with executable programs.
func toolFolder(t *testing.T, dir string, programs ...string) string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range programs {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "guardrails")
}

func TestHookProgramsAreFoundBesideTheProgram(t *testing.T) {
	root := t.TempDir()
	whole := toolFolder(t, filepath.Join(root, "whole"), product.Hooks()...)
	alone := toolFolder(t, filepath.Join(root, "alone"))
	partly := toolFolder(t, filepath.Join(root, "partly"), "guardrails-inject", "guardrails-subagent",
		"guardrails-enforce")
	if err := os.WriteFile(filepath.Join(root, "partly", "guardrails-stop"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	built := toolFolder(t, filepath.Join(root, "go-build123", "exe"), product.Hooks()...)
	link := filepath.Join(root, "link")
	if err := os.Symlink(root, link); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name     string
		programs []string
		temp     string
		want     string
	}{
		{"all programs exist", []string{whole}, "/none", "$ROOT/whole"},
		{
			"the path by which the program was called comes first",
			[]string{filepath.Join(link, "whole", "guardrails"), whole},
			"/none", "$ROOT/link/whole",
		},
		{"a link to the program alone", []string{alone, whole}, "/none", "$ROOT/whole"},
		{
			"no program exists",
			[]string{alone},
			"/none",
			"$ROOT/alone/guardrails-inject: cannot be run, so the hooks would do nothing; install all programs of guardrails into one folder (make install)",
		},
		{
			"one program is not executable",
			[]string{partly},
			"/none",
			"$ROOT/partly/guardrails-stop: cannot be run, so the hooks would do nothing; install all programs of guardrails into one folder (make install)",
		},
		{
			"built by go run",
			[]string{built},
			"/none",
			"$ROOT/go-build123/exe: is a temporary folder, and the hooks would disappear with it; install the programs (make install), and run the installed guardrails",
		},
		{
			"in the temporary folder",
			[]string{whole},
			link,
			"$ROOT/whole: is a temporary folder, and the hooks would disappear with it; install the programs (make install), and run the installed guardrails",
		},
		{
			"nowhere", nil, "/none",
			"guardrails cannot find the path of its own program; install all programs of guardrails into one folder (make install)",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := findHooks(c.programs, c.temp)
			if err != nil {
				got = err.Error()
			}
			if got = strings.ReplaceAll(got, root, "$ROOT"); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestTheRunningProgramFindsItsOwnPath(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	paths := programPaths(self)
	if len(paths) != 2 || paths[0] != self || paths[1] != self {
		t.Errorf("got %v", paths)
	}
	// The result must not contain another program with the name "go".
	if paths := programPaths("go"); len(paths) != 1 || paths[0] != self {
		t.Errorf("got %v", paths)
	}
}
