package pattern

import (
	"strings"
	"testing"
	"time"
)

// fill repeats a part up to a pattern's or path's size, between a beginning and an end.
func fill(begin, part, end string, size int) string {
	return begin + strings.Repeat(part, max(0, size-len(begin)-len(end))/len(part)) + end
}

func hostilePatterns() map[string]string {
	return map[string]string{
		"stars":                 fill("", "*", "b", MaxLength),
		"stars and letters":     fill("", "*a", "b", MaxLength),
		"stars and any":         fill("", "*?", "b", MaxLength),
		"one star, any":         fill("*", "?", "b*", MaxLength),
		"one star, letters":     fill("*", "a", "b*", MaxLength),
		"almost, again":         fill("*", "a?", "b*", MaxLength),
		"stars, almost":         fill("", "*aaa?aaa", "b*", MaxLength),
		"classes":               fill("*", "[!b]", "b*", MaxLength),
		"empty classes":         fill("*", "[z-a]", "*", MaxLength),
		"one long class":        fill("*[", "bc", "]?x*", MaxLength),
		"beyond ASCII":          fill("*", "é?", "b*", MaxLength),
		"classes beyond ASCII":  fill("*", "[à-ü]", "b*", MaxLength),
		"branches":              fill("*", "a?", "{b,c,d}*", MaxLength),
		"many branches":         "*a?a?a?a?a?a?a?a?{" + strings.Repeat("a?a?a?b*,", 60) + "}*",
		"brackets":              fill("", "[", "", MaxLength),
		"stars and brackets":    fill("", "*[", "b", MaxLength),
		"braces":                fill("", "{", "", MaxLength),
		"braces and commas":     fill("", "{,", "}", MaxLength),
		"pairs of braces":       fill("", "{a}", "", MaxLength),
		"nested braces":         fill("", "{a,", strings.Repeat("}", 200), MaxLength),
		"braces after brackets": fill("", "{[a,b}", "", MaxLength),
	}
}

func hostilePaths(size int) map[string]string {
	return map[string]string{
		"one letter":    fill("", "a", "", size),
		"at the end":    fill("", "a", "b", size),
		"two letters":   fill("", "ab", "", size),
		"accents":       fill("", "é", "", size),
		"mixed accents": fill("", "éaèa", "", size),
		"broken bytes":  fill("", "\xc3", "", size),
		"slashes":       fill("", "a/", "", size),
	}
}

func TestNoPatternMakesMatchingSlow(t *testing.T) {
	paths := hostilePaths(16 << 10)
	for shape, pattern := range hostilePatterns() {
		g, err := CompileGlob(pattern)
		if err != nil {
			continue // Refusing a hostile pattern is an answer too.
		}
		for kind, path := range paths {
			within(t, 3*time.Second, shape+" on "+kind, func() { g.Match(path) })
		}
	}
}

func TestMatchingTimeGrowsNoFasterThanThePath(t *testing.T) {
	short, long := hostilePaths(4<<10), hostilePaths(32<<10)
	for shape, pattern := range hostilePatterns() {
		g, err := CompileGlob(pattern)
		if err != nil {
			continue
		}
		for kind := range short {
			if before, after, ok := linear(g, short[kind], long[kind]); !ok {
				t.Errorf("%s on %s: %v for 4 KiB, %v for 32 KiB", shape, kind, before, after)
			}
		}
	}
}

// linear reports whether eight times the path takes about eight times as long; a quadratic matcher would need sixty-four
// times. On a busy machine one measurement says little, so that it takes several to say no.
func linear(g *Glob, short, long string) (before, after time.Duration, ok bool) {
	for range 5 {
		before, after = timeToMatch(g, short), timeToMatch(g, long)
		if after <= 24*before+10*time.Millisecond {
			return before, after, true
		}
	}
	return before, after, false
}

func timeToMatch(g *Glob, path string) time.Duration {
	begin := time.Now()
	g.Match(path)
	return time.Since(begin)
}

func TestNoPatternMakesCompilingSlow(t *testing.T) {
	for shape, pattern := range hostilePatterns() {
		within(t, time.Second, shape, func() {
			_, _ = CompileGlob(pattern)
			_, _ = CompileTool("Bash(" + pattern[:MaxLength/2] + ":*)")
		})
	}
}

func TestNoShellGlobMakesComparingSlow(t *testing.T) {
	for shape, pattern := range hostilePatterns() {
		g, err := CompileGlob(pattern)
		if err != nil {
			continue
		}
		for _, size := range []int{maxAtoms, maxAtoms + 1} {
			for kind, shell := range map[string]string{
				"stars": fill("", "*a", "", size), "any": fill("", "?", "", size), "braces": fill("", "{a,b}", "", size), "brackets": fill("", "[", "", size),
			} {
				within(t, 5*time.Second, shape+" against "+kind, func() {
					for _, place := range []Path{{Name: shell, Glob: true}, {Name: shell, Glob: true, Tree: true}, {Name: shell, Tree: true}} {
						g.MatchPath(place)
						g.covers(place)
					}
				})
			}
		}
	}
}

// within fails when even the best of several runs is too slow: a busy machine may slow some of them down. The limits
// leave room for the race detector; what grows with the square of its input misses them all the same.
func within(t *testing.T, limit time.Duration, what string, run func()) {
	t.Helper()
	var took time.Duration
	for range 5 {
		begin := time.Now()
		run()
		if took = time.Since(begin); took <= limit {
			return
		}
	}
	t.Errorf("%s: %v, more than %v", what, took, limit)
}

func BenchmarkGlobMatchHostile(b *testing.B) {
	g := mustGlob(b, hostilePatterns()["almost, again"])
	path := hostilePaths(64 << 10)["one letter"]
	for b.Loop() {
		g.Match(path)
	}
}

func BenchmarkGlobMatchEveryday(b *testing.B) {
	g := mustGlob(b, "src/{workers,core}/**/*.py")
	for b.Loop() {
		g.Match("src/workers/pool/manager.py")
	}
}
