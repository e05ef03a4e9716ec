package guideline

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Glob is a compiled path pattern in the manner of fnmatch: * and ** cross slashes, ? is any character, [a-z] and
// [!a-z] are classes, {a,b} alternatives. It matches in time linear in the path for each star, whatever the pattern.
type Glob struct {
	source string
	// branches are the alternatives that braces unfold to; one when there are none.
	branches []wildcard
}

// maxBranches bounds what braces may unfold to: {a,b} ten times over is a thousand patterns.
const maxBranches = 64

// CompileGlob compiles a path pattern. The error says what is wrong and, after a semicolon, what to do.
func CompileGlob(pattern string) (*Glob, error) {
	if err := checkPattern(pattern); err != nil {
		return nil, err
	}
	alternatives, ok := unfold(pattern)
	if !ok {
		return nil, fmt.Errorf("{…} unfolds to more than %d patterns; write fewer alternatives", maxBranches)
	}
	g := &Glob{source: pattern, branches: make([]wildcard, len(alternatives))}
	for i, a := range alternatives {
		if err := checkSegments(a); err != nil {
			return nil, err
		}
		g.branches[i] = parseWildcard(a)
	}
	return g, nil
}

func checkPattern(pattern string) error {
	if pattern == "" {
		return fmt.Errorf("is empty; write a pattern")
	}
	if len(pattern) > MaxPatternLength {
		return fmt.Errorf("is longer than %d bytes; shorten it", MaxPatternLength)
	}
	if !utf8.ValidString(pattern) {
		return fmt.Errorf("is not valid UTF-8; write it anew")
	}
	if i := strings.IndexFunc(pattern, isControl); i >= 0 {
		return fmt.Errorf("contains a control character at byte %d; remove it", i)
	}
	return nil
}

func isControl(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' }

func checkSegments(pattern string) error {
	real := 0
	for segment := range strings.SplitSeq(pattern, "/") {
		if segment == ".." {
			return fmt.Errorf(`contains ".."; write the path that is meant`)
		}
		if segment != "" && segment != "**" {
			real++
		}
	}
	if real > MaxPatternSegment {
		return fmt.Errorf("has %d segments, more than %d; use ** for the middle ones", real, MaxPatternSegment)
	}
	return nil
}

// String is the pattern as it was written.
func (g *Glob) String() string { return g.source }

// Match reports whether the whole path matches.
func (g *Glob) Match(path string) bool {
	for _, b := range g.branches {
		if b.match(path) {
			return true
		}
	}
	return false
}

// Rooted reports whether the pattern speaks of places outside a project too: it is absolute, begins at a home
// directory, or is nothing but stars.
func (g *Glob) Rooted() bool {
	return IsRooted(g.source) || strings.Trim(g.source, "*") == ""
}

// IsRooted reports whether a path is absolute or begins at a home directory.
func IsRooted(path string) bool {
	if path == "" {
		return false
	}
	windowsDrive := len(path) > 2 && path[1] == ':' && path[2] == '/'
	return path[0] == '/' || path[0] == '~' || windowsDrive
}

// MatchTree reports whether the pattern matches the directory or must match something that may lie below it: what
// removes or moves a directory does so to everything in it.
func (g *Glob) MatchTree(dir string) bool {
	below := strings.TrimSuffix(dir, "/") + "/"
	if dir == "." {
		below = ""
	}
	for _, b := range g.branches {
		prefix := b.literalPrefix()
		if b.match(dir) || below != "" && b.match(below) || prefix != "" && strings.HasPrefix(prefix, below) && (below != "" || !IsRooted(prefix)) {
			return true
		}
	}
	return false
}

// Overlaps reports whether some path could match both the pattern and a shell's glob, whose * and ? stop at slashes.
func (g *Glob) Overlaps(shell string) bool {
	alternatives, ok := unfold(shell)
	if !ok {
		return true
	}
	for _, a := range alternatives {
		s := parseWildcard(a)
		for _, b := range g.branches {
			if overlap(b, s) {
				return true
			}
		}
	}
	return false
}

// unfold expands braces; a brace without its partner or without a comma stands for itself.
func unfold(pattern string) ([]string, bool) {
	open, commas, end := outermostBrace(pattern)
	if end < 0 {
		return []string{pattern}, true
	}
	tails, ok := unfold(pattern[end+1:])
	if !ok {
		return nil, false
	}
	var out []string
	from := open + 1
	for _, to := range append(commas, end) {
		heads, ok := unfold(pattern[from:to])
		if !ok || len(out)+len(heads)*len(tails) > maxBranches {
			return nil, false
		}
		for _, h := range heads {
			for _, t := range tails {
				out = append(out, pattern[:open]+h+t)
			}
		}
		from = to + 1
	}
	return out, true
}

// outermostBrace finds the first brace group that has a comma and its partner; end is -1 when there is none. One pass
// with a stack of open groups keeps it linear for any number of stray braces.
func outermostBrace(pattern string) (open int, commas []int, end int) {
	type group struct {
		open   int
		commas []int
	}
	var stack []group
	best := group{open: -1}
	end = -1
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '[':
			if close := classEnd(pattern, i); close > 0 {
				i = close
			}
		case '{':
			stack = append(stack, group{open: i})
		case ',':
			if len(stack) > 0 {
				top := &stack[len(stack)-1]
				top.commas = append(top.commas, i)
			}
		case '}':
			if len(stack) == 0 {
				continue
			}
			top := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if len(top.commas) > 0 && (best.open < 0 || top.open < best.open) {
				best, end = top, i
			}
			if len(stack) == 0 && best.open >= 0 {
				return best.open, best.commas, end
			}
		}
	}
	return best.open, best.commas, end
}
