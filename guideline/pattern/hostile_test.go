package pattern

import (
	"strings"
	"testing"
	"time"

	"guardrails/internal/fortests/worstcase"
)

// fill() returns a text of at most size bytes. The text consists of three parameters: begin, then part as often as it
// fits, and then end.
func fill(begin, part, end string, size int) string {
	return begin + strings.Repeat(part, max(0, size-len(begin)-len(end))/len(part)) + end
}

func hostilePatterns(size int) map[string]string {
	return map[string]string{
		"stars":                 fill("", "*", "b", size),
		"stars and letters":     fill("", "*a", "b", size),
		"stars and any":         fill("", "*?", "b", size),
		"one star, any":         fill("*", "?", "b*", size),
		"one star, letters":     fill("*", "a", "b*", size),
		"almost, again":         fill("*", "a?", "b*", size),
		"stars, almost":         fill("", "*aaa?aaa", "b*", size),
		"classes":               fill("*", "[!b]", "b*", size),
		"empty classes":         fill("*", "[z-a]", "*", size),
		"one long class":        fill("*[", "bc", "]?x*", size),
		"beyond ASCII":          fill("*", "é?", "b*", size),
		"classes beyond ASCII":  fill("*", "[à-ü]", "b*", size),
		"branches":              fill("*", "a?", "{b,c,d}*", size),
		"many branches":         "*a?a?a?a?a?a?a?a?{" + strings.Repeat("a?a?a?b*,", 60) + "}*",
		"brackets":              fill("", "[", "", size),
		"stars and brackets":    fill("", "*[", "b", size),
		"braces":                fill("", "{", "", size),
		"braces and commas":     fill("", "{,", "}", size),
		"pairs of braces":       fill("", "{a}", "", size),
		"nested braces":         fill("", "{a,", strings.Repeat("}", 200), size),
		"braces after brackets": fill("", "{[a,b}", "", size),
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
	for shape, pattern := range hostilePatterns(MaxLength) {
		g, err := CompileGlob(pattern)
		if err != nil {
			continue // Rejecting a hostile pattern is fine.
		}
		for kind, path := range paths {
			checkLimit(t, 3*time.Second, shape+" on "+kind, func() { g.Match(path) })
		}
	}
}

func TestMatchingTimeGrowsNoFasterThanThePath(t *testing.T) {
	short, long := hostilePaths(1<<10), hostilePaths(8<<10)
	for shape, pattern := range hostilePatterns(MaxLength / 4) {
		g, err := CompileGlob(pattern)
		if err != nil {
			continue
		}
		for kind := range short {
			if before, after, ok := linear(g, short[kind], long[kind]); !ok {
				t.Errorf("%s on %s: %v for 1 KiB, %v for 8 KiB", shape, kind, before, after)
			}
		}
	}
}

// linear reports whether a path of eight times the length takes about eight times as long to match. With a quadratic
// algorithm, it would take 64 times as long. linear measures up to five times, because the machine may be busy.
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
	return worstcase.Cost(1, func() { g.Match(path) })
}

func TestNoPatternMakesCompilingSlow(t *testing.T) {
	for shape, pattern := range hostilePatterns(MaxLength) {
		checkLimit(t, time.Second, shape, func() {
			_, _ = CompileGlob(pattern)
			_, _ = CompileTool("Bash(" + pattern[:MaxLength/2] + ":*)")
		})
	}
}

func TestNoShellGlobMakesComparingSlow(t *testing.T) {
	for shape, pattern := range hostilePatterns(MaxLength) {
		g, err := CompileGlob(pattern)
		if err != nil {
			continue
		}
		for _, size := range []int{maxAtoms, maxAtoms + 1} {
			for kind, shell := range map[string]string{
				"stars": fill("", "*a", "", size), "any": fill("", "?", "", size), "braces": fill("", "{a,b}", "", size), "brackets": fill("", "[", "", size),
			} {
				checkLimit(t, 5*time.Second, shape+" against "+kind, func() {
					for _, place := range []Path{{Name: shell, Glob: true}, {Name: shell, Glob: true, Tree: true}, {Name: shell, Tree: true}} {
						g.MatchPath(place)
						g.coversPath(place)
					}
				})
			}
		}
	}
}

// checkLimit calls run() up to five times. The test fails only if every call takes longer than the limit, because a
// busy machine can make single calls slow. The limits leave room for the race detector, but not for an algorithm of
// quadratic time.
func checkLimit(t *testing.T, limit time.Duration, what string, run func()) {
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
	g := mustGlob(b, hostilePatterns(MaxLength)["almost, again"])
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
