package pattern

import (
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func FuzzGlob(f *testing.F) {
	for _, pattern := range hostilePatterns(MaxLength) {
		f.Add(pattern, "src/aab/aab")
	}
	for _, pattern := range []string{"src/*", "**/[!a-c]?.{ts,tsx}", "[]a]", "[z-a]", "[!", "a\\*", "*é?[à-ü]*", "{a,b{c,d}}", "~/x", "*a?b*"} {
		f.Add(pattern, "src/b/x.tsx")
	}
	f.Fuzz(func(t *testing.T, pattern, path string) {
		g, err := CompileGlob(pattern)
		var bad *Error
		if err != nil && !errors.As(err, &bad) {
			t.Fatalf("%q: an error without remedy: %v", pattern, err)
		}
		if err != nil {
			return
		}
		checkTime(t, g, path)
		got := g.Match(path)
		if plain := !strings.Contains(pattern, "{"); plain && utf8.ValidString(path) && len(pattern)*len(path) < 1<<16 && got != slowMatch(pattern, path) {
			t.Fatalf("%q matches %q: %v", pattern, path, got)
		}
		checkPaths(t, g, path, got)
	})
}

func checkTime(t *testing.T, g *Glob, path string) {
	t.Helper()
	if path == "" {
		return
	}
	long := strings.Repeat(path, 1+(8<<10)/len(path))
	if took := timeToMatch(g, long); took > 3*time.Second {
		t.Fatalf("%q takes %v for %d bytes", g, took, len(long))
	}
}

// checkPaths checks two rules. If a glob matches a path, it also matches this path as a tree and as a shell's glob. If
// a glob covers a path, it also matches the path.
func checkPaths(t *testing.T, g *Glob, path string, matches bool) {
	t.Helper()
	for _, place := range []Path{{Name: path}, {Name: path, Tree: true}, {Name: path, Glob: true}, {Name: path, Tree: true, Glob: true}} {
		hit := g.MatchPath(place)
		if matches && !hit && (!place.Outside() || g.Rooted()) && !strings.Contains(g.String(), "{") {
			t.Fatalf("%q matches the name but not %+v", g, place)
		}
		if g.coversPath(place) && !hit {
			t.Fatalf("%q covers but does not match %+v", g, place)
		}
	}
}

func FuzzTool(f *testing.F) {
	var table struct {
		Patterns []toolPatternCase
		Errors   []struct{ Pattern string }
	}
	load(f, "toolpatterns.json", &table)
	for _, c := range table.Patterns {
		f.Add(c.Pattern, strings.Join(append(append(c.Commands, c.Paths...), c.Hosts...), " "))
	}
	for _, c := range table.Errors {
		f.Add(c.Pattern, "x")
	}
	f.Fuzz(func(t *testing.T, pattern, subject string) {
		p, err := CompileTool(pattern)
		if err != nil {
			var bad *Error
			if p != nil || !errors.As(err, &bad) || bad.Message == "" || bad.Remedy == "" {
				t.Fatalf("%q: an error without remedy: %v", pattern, err)
			}
			return
		}
		if p.String() != pattern || !strings.Contains(p.Name, "*") && !p.MatchTool(p.Name) {
			t.Fatalf("%q is not for %q", pattern, p.Name)
		}
		checkKinds(t, p, subject)
	})
}

// checkKinds checks that a pattern with parentheses matches only one kind of subject, for example commands but not
// hosts.
func checkKinds(t *testing.T, p *Tool, subject string) {
	t.Helper()
	p.MatchTool(subject)
	for kind, matches := range map[Spec]bool{
		PathSpec: p.MatchPath(Path{Name: subject}), CommandSpec: p.MatchCommand(subject), HostSpec: p.MatchHost(subject), NameSpec: p.MatchName(subject),
	} {
		if p.Spec == NoSpec && !matches || p.Spec != NoSpec && p.Spec != kind && matches {
			t.Fatalf("%q of kind %d matches %q of kind %d: %v", p, p.Spec, subject, kind, matches)
		}
	}
}
