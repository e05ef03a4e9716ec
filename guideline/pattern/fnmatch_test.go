package pattern

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

func load(t testing.TB, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func mustGlob(t testing.TB, pattern string) *Glob {
	t.Helper()
	g, err := CompileGlob(pattern)
	if err != nil {
		t.Fatalf("CompileGlob(%q): %v", pattern, err)
	}
	return g
}

func TestGlobMatchesAsPythonFnmatchDoes(t *testing.T) {
	for _, file := range []string{"fnmatch.json", "fnmatch_more.json"} {
		var table struct {
			Cases []struct {
				Pattern, Path string
				Match         bool
			}
		}
		load(t, file, &table)
		if len(table.Cases) == 0 {
			t.Fatalf("%s has no cases", file)
		}
		for _, c := range table.Cases {
			if got := mustGlob(t, c.Pattern).Match(c.Path); got != c.Match {
				t.Errorf("%s: %q matches %q: %v, want %v", file, c.Pattern, c.Path, got, c.Match)
			}
		}
	}
}

type textsOfPattern struct {
	Pattern string
	Match   []string
	No      []string
}

func TestGlobMatchesAsPythonFnmatchDoesOnRandomPatterns(t *testing.T) {
	matchesAsTheTableSays(t, "fnmatch_generated.json")
}

func matchesAsTheTableSays(t *testing.T, file string) {
	t.Helper()
	var table struct{ Cases []textsOfPattern }
	load(t, file, &table)
	for _, c := range table.Cases {
		g := mustGlob(t, c.Pattern)
		for _, text := range c.Match {
			if !g.Match(text) {
				t.Errorf("%q does not match %q", c.Pattern, text)
			}
		}
		for _, text := range c.No {
			if g.Match(text) {
				t.Errorf("%q matches %q", c.Pattern, text)
			}
		}
	}
}
