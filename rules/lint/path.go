package lint

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"guardrails/guideline/pattern"
	"guardrails/internal/document"
)

// flaw is what is wrong with a pattern.
type flaw struct {
	severity        Severity
	message, remedy string
}

func (c *checker) conditionPaths(s *subject) {
	for i, pattern := range s.Condition.Paths {
		at := fmt.Sprintf("condition.paths[%d]", i)
		for _, f := range append(conditionFlaws(pattern), pathFlaws(pattern)...) {
			c.report(s, NeverMatches, f.severity, fmt.Sprintf("%s: %s %s", at, document.Excerpt(pattern), f.message), f.remedy)
		}
	}
}

// conditionFlaws are those of a condition's paths only; a tool pattern reads these forms as they are meant.
func conditionFlaws(pattern string) []flaw {
	var out []flaw
	if rest, ok := strings.CutPrefix(pattern, "./"); ok {
		out = append(out, flaw{Error, "begins with ./, and no path does", "write " + rest})
	}
	if strings.HasPrefix(pattern, "//") {
		out = append(out, flaw{Error, "begins with two slashes, and no path does", "write one"})
	}
	if strings.HasSuffix(pattern, "/") && pattern != "/" {
		out = append(out, flaw{Warning, "matches the folder itself and no file in it", "write " + pattern + "*"})
	}
	return out
}

// pathFlaws are forms that no path has, in conditions and tool patterns alike.
func pathFlaws(pattern string) []flaw {
	var out []flaw
	body := strings.TrimPrefix(strings.TrimPrefix(pattern, "./"), "//")
	if strings.Contains(body, "//") {
		out = append(out, flaw{Error, "has an empty folder name between two slashes", "write one slash"})
	}
	if strings.Contains(body, "/./") || strings.HasSuffix(body, "/.") {
		out = append(out, flaw{Error, "has a folder named . in it, and no path does", "leave it out"})
	}
	out = append(out, emptyClass(pattern)...)
	if strings.Contains(pattern, `\`) {
		out = append(out, flaw{Warning, "has a backslash, which stands for itself here", "write / between folders; [*] is a star that is no wildcard"})
	}
	return append(out, foreignForm(pattern)...)
}

// emptyClass finds a class of characters that holds none, such as [z-a]. In braces the other branches still match.
func emptyClass(pattern string) []flaw {
	for rest := pattern; ; {
		i := strings.IndexByte(rest, '[')
		if i < 0 {
			return nil
		}
		rest = rest[i+1:]
		end := strings.IndexByte(rest[min(1, len(rest)):], ']') + 1
		if end == 0 {
			return nil
		}
		if class := rest[:end]; class[0] != '!' && !hasMember(class) {
			return []flaw{{Error, fmt.Sprintf("has the class [%s], in which there is no character", class), "write the range the other way round"}}
		}
		rest = rest[end+1:]
	}
}

// hasMember reports whether a class has a single character or a range from low to high.
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

// foreignForm finds what is a pattern in other places and stands for itself here.
func foreignForm(pattern string) []flaw {
	switch {
	case strings.HasPrefix(pattern, "^") || strings.HasSuffix(pattern, "$"):
		return []flaw{{Warning, "looks like a regular expression, which is not read here", "write a glob such as src/*.go"}}
	case strings.HasPrefix(pattern, "!"):
		return []flaw{{Warning, "begins with !, which stands for itself here", "list what is meant, or use a guideline with a higher priority for the exception"}}
	case strings.HasPrefix(pattern, "$"):
		return []flaw{{Warning, "names a variable, which is not replaced here", "write ~ for the home directory"}}
	case strings.HasPrefix(pattern, "/") && !isSystemPath(pattern):
		return []flaw{{Warning, "matches outside the project only: what lies in the project has no / at the front", "write " + strings.TrimLeft(pattern, "/") + " for the project's own"}}
	}
	return nil
}

// isSystemPath reports whether an absolute pattern begins with a folder that systems have at their root, or says with
// two slashes that it means to be absolute.
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

// toolPatterns finds tool patterns that no tool call can match.
func (c *checker) toolPatterns(s *subject) {
	c.toolList(s, "tools_allowed", s.allowed)
	c.toolList(s, "tools_denied", s.denied)
}

func (c *checker) toolList(s *subject, field string, patterns []toolPattern) {
	for i := range patterns {
		p := &patterns[i]
		flaws := toolFlaws(p.Name)
		switch {
		case p.Spec == pattern.PathSpec:
			flaws = append(flaws, pathFlaws(p.inside)...)
		case p.Spec == pattern.CommandSpec && p.Name == "Bash":
			flaws = append(flaws, commandFlaws(p.inside)...)
		}
		for _, f := range flaws {
			c.report(s, NeverMatches, f.severity, fmt.Sprintf("action.%s: %s %s", field, document.Excerpt(p.String()), f.message), f.remedy)
		}
	}
}
