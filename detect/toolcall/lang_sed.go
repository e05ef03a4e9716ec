package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// sedScript follows what a sed script does outside its stream: e runs commands, w writes files, r reads them.
func sedScript(a *analyzer, c *command, script value) {
	if script.partial {
		return
	}
	for line := range strings.FieldsFuncSeq(script.text, func(r rune) bool { return r == '\n' }) {
		a.sedLine(c, line)
	}
}

func (a *analyzer) sedLine(c *command, line string) {
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
			rest = a.sedSubstitute(c, rest, verb)
		case 'e':
			a.sedRun(c, strings.TrimSpace(rest))
			return
		case 'w', 'W':
			a.write(value{text: strings.TrimSpace(rest)}, c.sc, c.span)
			return
		case 'r', 'R':
			a.read(value{text: strings.TrimSpace(rest)}, c.sc, c.span)
			return
		case 'a', 'i', 'c', ':', 'b', 't', 'T', '#':
			return
		}
	}
}

// sedRun runs sed's e; without a command it runs the lines that come in.
func (a *analyzer) sedRun(c *command, text string) {
	text = strings.TrimRight(text, "} ")
	a.runText(c, value{text: text, quality: quality{partial: text == "", taint: fromProgram}})
}

// sedAddress skips the lines that a command is for.
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

// sedPart cuts a text at its delimiter.
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

// sedSubstitute follows s/a/b/flags and returns what stands behind it.
func (a *analyzer) sedSubstitute(c *command, s string, verb byte) string {
	if s == "" {
		return ""
	}
	_, s2 := sedPart(s[1:], s[0])
	replacement, flags := sedPart(s2, s[0])
	i := 0
	for ; i < len(flags) && strings.IndexByte(" ;}", flags[i]) < 0 && verb == 's'; i++ {
		switch flags[i] {
		case 'e':
			a.opaque(c.span, "runs what sed makes of its input", effect.OpaqueExecution)
			if strings.TrimSpace(replacement) != "" && replacement != "&" {
				a.runText(c, value{text: replacement})
			}
		case 'w':
			a.write(value{text: strings.TrimSpace(flags[i+1:])}, c.sc, c.span)
			return ""
		}
	}
	return flags[i:]
}
