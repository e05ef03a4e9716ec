package pattern

import (
	"strings"
	"testing"
)

func TestPathsThatPatternsMatchAndCover(t *testing.T) {
	var table struct {
		Cases []struct {
			Pattern, Place, Kind string
			Hit, Covers          bool
		}
	}
	load(t, "places.json", &table)
	for _, c := range table.Cases {
		p, err := CompileTool("Write(" + c.Pattern + ")")
		if err != nil {
			t.Fatal(err)
		}
		place := Path{Name: c.Place, Tree: strings.HasSuffix(c.Kind, "tree"), Glob: strings.HasPrefix(c.Kind, "glob")}
		if got := p.MatchPath(place); got != c.Hit {
			t.Errorf("%s hits %s %s: %v, want %v", c.Pattern, c.Kind, c.Place, got, c.Hit)
		}
		if got := mustGlob(t, c.Pattern).MatchPath(place); got != c.Hit {
			t.Errorf("glob %s hits %s %s: %v, want %v", c.Pattern, c.Kind, c.Place, got, c.Hit)
		}
		if got := p.CoversPath(place); got != c.Covers {
			t.Errorf("%s covers %s %s: %v, want %v", c.Pattern, c.Kind, c.Place, got, c.Covers)
		}
	}
}

func TestAPathThatCannotBeComparedMatchesAndIsNotCovered(t *testing.T) {
	for name, place := range map[string]Path{
		"long glob":          {Name: strings.Repeat("?", maxAtoms+1), Glob: true},
		"braces without end": {Name: strings.Repeat("{a,b}", 20), Glob: true},
		"long tree":          {Name: strings.Repeat("a", maxAtoms+1), Tree: true},
	} {
		g := mustGlob(t, "*b?c*")
		if !g.MatchPath(place) || g.coversPath(place) {
			t.Errorf("%s: hit %v, covered %v", name, g.MatchPath(place), g.coversPath(place))
		}
	}
}

// The test tries every short text over a tiny alphabet. Short texts are enough: if the comparison of two patterns is
// wrong, a text of at most the length of the patterns shows the mistake.
func TestComparisonsAgreeWithEveryShortText(t *testing.T) {
	subjects := texts("ab/", 5)
	patterns := append(texts("a*?/", 3), "a**b", "[ab]/*", "[!a]*", "a/*/b", "{a,b/}*", "*/b?")
	shells := texts("a*?/", 3)
	for _, pattern := range patterns {
		if pattern == "" {
			continue
		}
		g := mustGlob(t, pattern)
		for _, shell := range shells {
			checkAgainstTexts(t, g, shell, subjects)
		}
	}
}

func checkAgainstTexts(t *testing.T, g *Glob, shell string, subjects []string) {
	t.Helper()
	overlaps, covers := g.mayMatch(Path{Name: shell, Glob: true}, false), g.coversPath(Path{Name: shell, Glob: true})
	for _, text := range subjects {
		if !matchesShellGlob(shell, text) {
			continue
		}
		if g.Match(text) && !overlaps {
			t.Fatalf("%q does not overlap %q, but both match %q", g, shell, text)
		}
		if !g.Match(text) && covers {
			t.Fatalf("%q covers %q, but does not match %q", g, shell, text)
		}
	}
}

func TestAShellsGlobMeetsWhatTheShellWouldMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, shell string
		want           bool
	}{
		{"src/prices.go", "src/[^x]rices.go", true},
		{"src/prices.go", "src/[!x]rices.go", true},
		{"src/prices.go", "src/[[:alpha:]]rices.go", true},
		{"src/prices.go", "src/[]p]rices.go", true},
		{"src/prices.go", "src/[^]]rices.go", true},
		{"src/prices.go", "src/[[:alpha:]]rice.go", false},
		{"a/b/c", "a/**/b/**/c", true},
		{"a/x/b/c", "a/**/b/**/c", true},
		{"a/b/c", "a/**/**/b/**/**/c", true},
		{"a/b/d", "a/**/b/**/c", false},
		{"a/b", strings.Repeat("**/", maxDeep+1) + "c", true}, // there are too many combinations
	} {
		g := mustGlob(t, c.pattern)
		if got := g.MatchPath(Path{Name: c.shell, Glob: true}); got != c.want {
			t.Errorf("%s meets %s: %v", c.pattern, c.shell, got)
		}
		if wider := mustGlob(t, Wider(c.shell)); c.want && strings.Count(c.shell, "**/") <= maxDeep && !wider.Match(c.pattern) {
			t.Errorf("%s does not match %s", wider, c.pattern)
		}
	}
}

func TestATreeIsCoveredOnlyWhenEveryTextBelowItMatches(t *testing.T) {
	below := texts("ab/", 4)
	for _, pattern := range texts("a*?/", 4) {
		if pattern == "" {
			continue
		}
		g := mustGlob(t, pattern)
		for _, dir := range []string{"a", "a/a", "b"} {
			covered := g.coversPath(Path{Name: dir, Tree: true})
			for _, rest := range below {
				if covered && !g.Match(dir+"/"+rest) {
					t.Fatalf("%q covers the tree %q, but does not match %q", pattern, dir, dir+"/"+rest)
				}
			}
		}
	}
}

func TestTreesOfPatternsThatDoNotBeginWithAStar(t *testing.T) {
	// A tree must match if the pattern matches some path in the directory, even when no star may match a
	// slash.
	below := texts("ab/", 3)
	for _, pattern := range texts("a*?/b", 4) {
		if pattern == "" || pattern[0] == '*' || strings.Contains(pattern, "**") || IsRooted(pattern) {
			continue
		}
		g := mustGlob(t, pattern)
		for _, dir := range []string{"a", "a/b", "b"} {
			hit := g.mayMatch(Path{Name: dir, Tree: true}, false)
			for _, rest := range below {
				if text := dir + "/" + rest; !hit && matchesShellGlob(pattern, text) {
					t.Fatalf("%q does not hit the tree %q, but matches %q", pattern, dir, text)
				}
			}
		}
	}
}
