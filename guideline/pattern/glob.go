// Package pattern compiles and matches the patterns that guidelines are written with: globs for paths, and tool
// patterns such as Write(src/*) or Bash(npm test:*).
//
// Start with CompileGlob and CompileTool.
package pattern

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits for the size of a pattern.
const (
	MaxLength   = 1024
	MaxSegments = 10
)

// Glob is a compiled path pattern. It follows fnmatch: * and ** match any text, even slashes, ? matches any character,
// [a-z] and [!a-z] are classes, and {a,b} are alternatives. The time for a match is at most proportional to the length
// of the pattern times the length of the path.
type Glob struct {
	source string
	// The field "branches" contains the patterns to which the pattern expands. If the pattern has no braces, there is
	// one branch.
	branches []branch
}

type branch struct {
	wildcard
	// The field "rooted" is set if the branch can match outside the project.
	rooted bool
}

// Error says what is wrong with a pattern and how to fix it.
type Error struct {
	Message string
	Remedy  string
}

// Error returns the message and the remedy.
func (e *Error) Error() string { return e.Message + "; " + e.Remedy }

func badPattern(remedy, message string) error {
	return &Error{Message: message, Remedy: remedy}
}

// CompileGlob compiles a path pattern. The error is a *Error.
func CompileGlob(pattern string) (*Glob, error) {
	if err := checkPattern(pattern); err != nil {
		return nil, err
	}
	alternatives, ok := expand(pattern)
	if !ok {
		return nil, badPattern("write fewer alternatives",
			"expands to more than "+strconv.Itoa(maxBranches)+" patterns or "+strconv.Itoa(maxExpandedSize)+" bytes")
	}
	g := &Glob{source: pattern, branches: make([]branch, len(alternatives))}
	for i, a := range alternatives {
		if err := checkSegments(a); err != nil {
			return nil, err
		}
		g.branches[i] = branch{wildcard: parseWildcard(a), rooted: IsRooted(a) || a != "" && strings.Trim(a, "*") == ""}
	}
	return g, nil
}

func checkPattern(pattern string) error {
	if pattern == "" {
		return badPattern("write a pattern", "is empty")
	}
	if len(pattern) > MaxLength {
		return badPattern("shorten it", "is longer than "+strconv.Itoa(MaxLength)+" bytes")
	}
	if !utf8.ValidString(pattern) {
		return badPattern("save it as UTF-8", "is not valid UTF-8")
	}
	if i := strings.IndexFunc(pattern, isControl); i >= 0 {
		return badPattern("remove it", "contains a control character at byte "+strconv.Itoa(i))
	}
	return nil
}

func isControl(r rune) bool {
	return r < 0x20 || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029'
}

func checkSegments(pattern string) error {
	count := 0
	for segment := range strings.SplitSeq(pattern, "/") {
		if segment == ".." {
			return badPattern("write the path without it", `contains ".."`)
		}
		if segment != "" && segment != "**" {
			count++
		}
	}
	if count > MaxSegments {
		return badPattern("replace the middle ones with **",
			"has "+strconv.Itoa(count)+" segments, but the limit is "+strconv.Itoa(MaxSegments))
	}
	return nil
}

// String returns the pattern as it was written.
func (g *Glob) String() string { return g.source }

// Match reports whether the whole path matches.
func (g *Glob) Match(path string) bool {
	for i := range g.branches {
		if g.branches[i].match(path) {
			return true
		}
	}
	return false
}

// Rooted reports whether the pattern can match outside the project: the pattern, or one of its alternatives, is
// absolute, begins with ~, or consists of stars.
func (g *Glob) Rooted() bool {
	for i := range g.branches {
		if g.branches[i].rooted {
			return true
		}
	}
	return false
}

// IsRooted reports whether a path is absolute or begins with ~.
func IsRooted(path string) bool {
	if path == "" {
		return false
	}
	windowsDrive := len(path) > 2 && path[1] == ':' && path[2] == '/'
	return path[0] == '/' || path[0] == '~' || windowsDrive
}
