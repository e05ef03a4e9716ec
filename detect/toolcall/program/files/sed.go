package files

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// SedScript analyzes the commands of a sed script that run programs (e), write files (w) or read files (r).
func SedScript(t *trace.Trace, c *trace.Command, script trace.Value) {
	if script.Partial {
		return
	}
	for _, line := range strings.FieldsFunc(script.Text, func(r rune) bool { return r == '\n' }) {
		sedLine(t, c, line)
	}
}

func sedLine(t *trace.Trace, c *trace.Command, line string) {
	rest := line
	for rest != "" {
		rest = strings.TrimLeft(rest, " \t;{}")
		rest = sedAddress(rest)
		if rest == "" {
			return
		}
		verb := rest[0]
		rest = rest[1:]
		switch verb {
		case 's', 'y':
			rest = sedSubstitute(t, c, rest, verb)
		case 'e':
			sedRun(t, c, strings.TrimSpace(rest))
			return
		case 'w', 'W':
			t.Write(trace.Value{Text: strings.TrimSpace(rest)}, c.Scope, c.Span)
			return
		case 'r', 'R':
			t.Read(trace.Value{Text: strings.TrimSpace(rest)}, c.Scope, c.Span)
			return
		case 'a', 'i', 'c', ':', 'b', 't', 'T', '#':
			return
		}
	}
}

// sedRun analyzes the sed command "e". Without an argument, the command "e" runs each line of the input.
func sedRun(t *trace.Trace, c *trace.Command, text string) {
	text = strings.TrimRight(text, "} ")
	t.RunText(c, trace.Value{Text: text, Quality: trace.Quality{Partial: text == "", Taint: trace.FromProgram}})
}

// sedAddress returns the text after the address of a sed command.
func sedAddress(s string) string {
	for s != "" {
		switch c := s[0]; {
		case c >= '0' && c <= '9', c == '$', c == ',', c == '!', c == '~', c == '+', c == ' ':
			s = s[1:]
		case c == '/':
			_, after := sedPart(s[1:], '/')
			s = strings.TrimLeft(after, "IM")
		default:
			return s
		}
	}
	return s
}

// sedPart cuts a text at the first delimiter that has no backslash before it.
func sedPart(s string, delimiter byte) (part, after string) {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case delimiter:
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}

// sedSubstitute analyzes the sed command s/a/b/flags and returns the text after it.
func sedSubstitute(t *trace.Trace, c *trace.Command, s string, verb byte) string {
	if s == "" {
		return ""
	}
	_, s2 := sedPart(s[1:], s[0])
	replacement, flags := sedPart(s2, s[0])
	i := 0
	for ; i < len(flags) && strings.IndexByte(" ;}", flags[i]) < 0 && verb == 's'; i++ {
		switch flags[i] {
		case 'e':
			t.Opaque(c.Span, "runs commands that sed makes from its input", effect.OpaqueExecution)
			if strings.TrimSpace(replacement) != "" && replacement != "&" {
				t.RunText(c, trace.Value{Text: replacement})
			}
		case 'w':
			t.Write(trace.Value{Text: strings.TrimSpace(flags[i+1:])}, c.Scope, c.Span)
			return ""
		}
	}
	return flags[i:]
}

// EditText returns the text that the commands of sed, ed or vim put into a file. Such text is in the replacements of s,
// and in the lines after a, i and c. EditText also finds the replacements of Perl's s///, which has the same form.
func EditText(script string) string {
	var out strings.Builder
	lines := strings.Split(script, "\n")
	for i, line := range lines {
		for rest := line; rest != ""; {
			replacement, after, ok := nextReplacement(rest)
			if !ok {
				break
			}
			out.WriteString(replacement + "\n")
			rest = after
		}
		if verb, text := insertion(line); verb {
			out.WriteString(text + "\n")
			if text == "" || text == "\\" {
				out.WriteString(strings.Join(lines[i+1:], "\n") + "\n")
				break
			}
		}
	}
	return words.Replace(out.String(), `\n`, "\n", `\t`, "\t", `\/`, "/", `\`, "")
}

// nextReplacement returns the replacement of the first command such as s/a/b/ in a text, and the text after this
// command.
func nextReplacement(text string) (replacement, after string, ok bool) {
	for i := 0; i+1 < len(text); i++ {
		c := text[i+1]
		if text[i] != 's' || i > 0 && isWordByte(text[i-1]) || isWordByte(c) || c <= ' ' || c == '(' || c == ';' {
			continue
		}
		_, rest := sedPart(text[i+2:], words.Closing(c))
		if words.Closing(c) != c { // as in s{a}{b} of Perl
			rest = strings.TrimLeft(rest, " ")
			if rest != "" {
				c, rest = rest[0], rest[1:]
			}
		}
		replacement, after = sedPart(rest, words.Closing(c))
		return replacement, after, replacement != ""
	}
	return "", "", false
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

// insertion() reports whether a line is a command that inserts text, such as "2a text" or "$i\". It also returns the
// text that follows the command on the same line.
func insertion(line string) (found bool, text string) {
	rest := sedAddress(strings.TrimLeft(line, " \t"))
	if rest == "" || strings.IndexByte("aic", rest[0]) < 0 {
		return false, ""
	}
	rest = strings.TrimLeft(rest[1:], `\ |`)
	return true, rest
}
