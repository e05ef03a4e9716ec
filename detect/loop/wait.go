package loop

import (
	"strings"

	"guardrails/internal/document"
)

// waits() reports whether a call only waits for something. Such a call reads the output of a shell in the background,
// or its command sleeps.
func waits(c *Call) bool {
	switch c.Tool {
	case "BashOutput", "TaskOutput":
		return true
	case "Bash":
		return sleeps(commandOf(c))
	}
	return false
}

// commandOf returns the command of a Bash call, or "".
func commandOf(c *Call) string {
	if c.Input.Kind != document.Object {
		return ""
	}
	if command := c.Input.Field("command"); command != nil && command.Kind == document.String {
		return command.Text
	}
	return ""
}

// sleeps() reports whether a command has a sleep of ten seconds or more.
func sleeps(command string) bool {
	for {
		i := strings.Index(command, "sleep ")
		if i < 0 {
			return false
		}
		isWord := i == 0 || strings.IndexByte(" \t\n;&|(", command[i-1]) >= 0
		command = command[i+len("sleep "):]
		if isWord && isLong(command) {
			return true
		}
	}
}

// isLong reports whether a text begins with a duration of ten seconds or more, in the form that sleep accepts, such
// as 10, 1m or 0.5h.
func isLong(text string) bool {
	text = strings.TrimLeft(text, " ")
	whole := run(text, isDigit)
	rest := text[whole:]
	if strings.HasPrefix(rest, ".") {
		rest = rest[1+run(rest[1:], isDigit):]
	}
	isLargeUnit := len(rest) < len(text) && rest != "" && strings.IndexByte("mhd", rest[0]) >= 0
	return isLargeUnit || len(strings.TrimLeft(text[:whole], "0")) > 1
}
