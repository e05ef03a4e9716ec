package lint

import (
	"fmt"
	"slices"
	"strings"
)

// commandFlaws finds what the text of a simple command never has: it is compared one command at a time, with one space
// between words and without quotes.
func commandFlaws(pattern string) []flaw {
	var out []flaw
	if operator := shellOperator(pattern); operator != "" {
		out = append(out, flaw{
			Error, fmt.Sprintf("has %q, but commands are compared one at a time", operator),
			"write one pattern for each command",
		})
	}
	if strings.ContainsAny(pattern, `"'`) {
		out = append(out, flaw{Warning, "has quotes, which are removed before commands are compared", "write the text without them"})
	}
	if strings.Contains(pattern, "  ") {
		out = append(out, flaw{Error, "has two spaces, but words are compared with one between them", "write one space"})
	}
	if i := strings.Index(pattern, ":*"); i >= 0 && i+2 < len(pattern) {
		out = append(out, flaw{Warning, "has :* before its end, where the colon stands for itself", "write * alone, or end the pattern there"})
	}
	return out
}

// shellOperator is the part of a pattern that joins commands or turns their output elsewhere. Programs that are given
// code as an argument may have such text in it.
func shellOperator(pattern string) string {
	program, _, _ := strings.Cut(strings.TrimSuffix(pattern, ":*"), " ")
	if slices.Contains(codeTakers(), program) || strings.Contains(program, "*") {
		return ""
	}
	for _, operator := range []string{"&&", "||", "|", ";", ">", "<", "`", "$("} {
		if strings.Contains(pattern, operator) {
			return operator
		}
	}
	return ""
}

func codeTakers() []string {
	return []string{
		"awk", "bash", "eval", "find", "gawk", "jq", "node", "perl", "php", "psql", "python", "python3", "ruby", "sed",
		"sh", "sqlite3", "ssh", "xargs", "yq", "zsh",
	}
}
