package toolcall

import "strings"

// withoutData is a command's text with … in the place of arguments that are only data, so that a pattern for a
// command does not match what a commit message, an echo or a search merely mentions.
func withoutData(c *command) (string, bool) {
	var isData func(i int) bool
	switch c.name {
	case "echo", "printf":
		isData = func(int) bool { return true }
	case among(c.name, "grep egrep fgrep rg ag ack"):
		pattern := firstOperand(c.argv)
		isData = func(i int) bool { return i == pattern || follows(c.argv, i, "-e", "--regexp") }
	case among(c.name, "git gh glab hub svn hg jj"):
		isData = func(i int) bool {
			return follows(c.argv, i, "-m", "--message", "-am", "--title", "--body", "-t", "-b", "--notes", "--description", "--grep")
		}
	default:
		return "", false
	}
	found := false
	var b strings.Builder
	b.WriteString(c.argv[0].text)
	for i, v := range c.argv[1:] {
		text := v.text
		if isData(i + 1) {
			text, found = "…", true
		} else if name, _, ok := strings.Cut(text, "="); ok && (name == "--message" || name == "--body" || name == "--title") {
			text, found = name+"=…", true
		}
		b.WriteString(" " + text)
	}
	return b.String(), found
}

func firstOperand(argv []value) int {
	for i, v := range argv[1:] {
		if !strings.HasPrefix(v.text, "-") {
			return i + 1
		}
	}
	return -1
}

// follows reports whether the argument before the i-th is one of the flags.
func follows(argv []value, i int, flags ...string) bool {
	if i < 2 {
		return false
	}
	for _, f := range flags {
		if argv[i-1].text == f {
			return true
		}
	}
	return false
}
