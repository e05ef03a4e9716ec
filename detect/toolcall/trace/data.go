package trace

import (
	"strings"

	"guardrails/detect/toolcall/words"
)

// withoutData returns the text of a command with "…" in place of each argument that is only data. Examples of such data
// are a commit message, a printed text and a search pattern. With this text, a guideline's pattern for "git push" does
// not match a commit whose message mentions "git push". withoutData returns false if no argument is only data.
func withoutData(c *Command) (string, bool) {
	var isData func(i int) bool
	switch c.Name {
	case "echo", "printf":
		isData = func(int) bool { return true }
	case words.Among(c.Name, "grep egrep fgrep rg ag ack"):
		pattern := firstOperand(c.Argv)
		isData = func(i int) bool { return i == pattern || follows(c.Argv, i, "-e", "--regexp") }
	case words.Among(c.Name, "git gh glab hub svn hg jj"):
		isData = func(i int) bool {
			return follows(c.Argv, i, "-m", "--message", "-am", "--title", "--body", "-t", "-b", "--notes", "--description",
				"--grep")
		}
	default:
		return "", false
	}
	found := false
	var b strings.Builder
	b.WriteString(c.Argv[0].Text)
	for i, v := range c.Argv[1:] {
		text := v.Text
		if isData(i + 1) {
			text, found = "…", true
		} else if name, _, ok := strings.Cut(text, "="); ok && (name == "--message" ||
			name == "--body" || name == "--title") {
			text, found = name+"=…", true
		}
		b.WriteString(" " + text)
	}
	return b.String(), found
}

func firstOperand(argv []Value) int {
	for i, v := range argv[1:] {
		if !strings.HasPrefix(v.Text, "-") {
			return i + 1
		}
	}
	return -1
}

// follows() reports whether the argument at index i comes directly after one of the flags.
func follows(argv []Value, i int, flags ...string) bool {
	if i < 2 {
		return false
	}
	for _, f := range flags {
		if argv[i-1].Text == f {
			return true
		}
	}
	return false
}
