package lint

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"guardrails/guideline/pattern"
	"guardrails/internal/document"
)

type flaw struct {
	severity        Severity
	message, remedy string
}

func (c *checker) checkPaths(s *subject) {
	for i, pattern := range s.Condition.Paths {
		at := fmt.Sprintf("condition.paths[%d]", i)
		for _, f := range append(conditionFlaws(pattern), pathFlaws(pattern)...) {
			c.report(s, at, NeverMatches, f.severity, document.Excerpt(pattern)+" "+f.message, f.remedy)
		}
	}
}

// conditionFlaws finds misleading parts of a path pattern in condition.paths: these parts do not match what they seem
// to match there. In tool patterns, these parts are correct.
func conditionFlaws(pattern string) []flaw {
	var out []flaw
	if rest, ok := strings.CutPrefix(pattern, "./"); ok {
		out = append(out, flaw{Error, "begins with ./, so it matches no path", "write " + rest})
	}
	if strings.HasPrefix(pattern, "//") {
		out = append(out, flaw{Error, "begins with //, so it matches no path", "write one slash"})
	}
	if strings.HasSuffix(pattern, "/") && pattern != "/" {
		out = append(out, flaw{Warning, "matches the folder but no file in it", "write " + pattern + "*"})
	}
	return out
}

// pathFlaws finds mistakes that a pattern can have both in condition.paths and in a tool pattern.
func pathFlaws(pattern string) []flaw {
	var out []flaw
	body := strings.TrimPrefix(strings.TrimPrefix(pattern, "./"), "//")
	if strings.Contains(body, "//") {
		out = append(out, flaw{Error, "contains //, so it matches no path", "write one slash"})
	}
	if strings.Contains(body, "/./") || strings.HasSuffix(body, "/.") {
		out = append(out, flaw{Error, `contains a folder named ".", so it matches no path`, "remove it"})
	}
	out = append(out, emptyClasses(pattern)...)
	if strings.Contains(pattern, `\`) {
		out = append(out, flaw{
			Warning, "contains a backslash, which is an ordinary character here",
			"write / between folders, and [*] for a literal star",
		})
	}
	return append(out, foreignForm(pattern)...)
}

// emptyClasses finds character classes that contain no character, such as [z-a].
func emptyClasses(pattern string) []flaw {
	var out []flaw
	for rest := pattern; ; {
		i := strings.IndexByte(rest, '[')
		if i < 0 {
			return out
		}
		rest = rest[i+1:]
		end := strings.IndexByte(rest[min(1, len(rest)):], ']') + 1
		if end == 0 {
			return out
		}
		if class := rest[:end]; class[0] != '!' && !hasMember(class) {
			message := fmt.Sprintf("has the class [%s], which contains no character", class)
			out = append(out, flaw{Error, message, "swap the two ends of the range"})
		}
		rest = rest[end+1:]
	}
}

// hasMember reports whether a character class contains at least one character. A range such as z-a contains none.
func hasMember(class string) bool {
	for class != "" {
		low, size := utf8.DecodeRuneInString(class)
		class = class[size:]
		if len(class) < 2 || class[0] != '-' {
			return true
		}
		high, size := utf8.DecodeRuneInString(class[1:])
		if low <= high {
			return true
		}
		class = class[1+size:]
	}
	return false
}

// foreignForm finds syntax that other tools have, but our globs do not.
func foreignForm(pattern string) []flaw {
	switch {
	case strings.HasPrefix(pattern, "^") || strings.HasSuffix(pattern, "$"):
		return []flaw{{Warning, "looks like a regular expression, but is read as a glob", "write a glob such as src/*.go"}}
	case strings.HasPrefix(pattern, "!"):
		return []flaw{{
			Warning, "begins with !, which does not negate a pattern",
			"list what you mean, or add a guideline with a higher priority for the exception",
		}}
	case strings.HasPrefix(pattern, "$"):
		return []flaw{{Warning, "begins with $, but variables are not expanded", "write ~ for the home directory"}}
	case strings.HasPrefix(pattern, "/") && !isSystemPath(pattern):
		return []flaw{{
			Warning, "matches only outside the project, because paths in the project do not begin with /",
			"write " + strings.TrimLeft(pattern, "/") + " for paths in the project",
		}}
	}
	return nil
}

// isSystemPath reports whether an absolute pattern begins with two slashes or with a system folder such as /etc.
func isSystemPath(pattern string) bool {
	if strings.HasPrefix(pattern, "//") {
		return true
	}
	first, _, _ := strings.Cut(strings.TrimLeft(pattern, "/"), "/")
	if strings.ContainsAny(first, "*?[{") || first == "" {
		return true
	}
	return slices.Contains(systemFolders(), first)
}

func systemFolders() []string {
	return []string{
		"Applications", "Library", "System", "Users", "Volumes", "bin", "boot", "cores", "data", "dev", "efi", "etc",
		"home", "lib", "lib32", "lib64", "lost+found", "media", "mnt", "nix", "opt", "private", "proc", "root", "run",
		"sbin", "snap", "srv", "sys", "tmp", "usr", "var", "workspace", "workspaces",
	}
}

// checkTools reports tool patterns that no tool call can match.
func (c *checker) checkTools(s *subject) {
	for _, p := range slices.Concat(s.allowed, s.denied, s.asked) {
		flaws := toolFlaws(p.Name)
		switch {
		case p.Spec == pattern.PathSpec:
			flaws = append(flaws, pathFlaws(p.inside)...)
		case p.Spec == pattern.CommandSpec && p.Name == "Bash":
			flaws = append(flaws, commandFlaws(p.inside)...)
		}
		for _, f := range flaws {
			c.report(s, p.field, NeverMatches, f.severity, document.Excerpt(p.String())+" "+f.message, f.remedy)
		}
	}
}
