package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// cmdProgram is the old command processor of Windows: cmd /c "…".
func cmdProgram(a *analyzer, c *command) flow {
	args := c.args()
	for i, v := range args {
		switch strings.ToLower(strings.TrimPrefix(v.text, "/")) {
		case "/c", "/k", "/r", "c", "k", "r":
			if strings.HasPrefix(v.text, "/") {
				return a.cmdText(c, joined(args[i+1:]))
			}
		}
		if lower := strings.ToLower(v.text); strings.HasPrefix(lower, "/c") && len(lower) > 2 {
			rest := joined(args[i:])
			rest.text = rest.text[2:]
			return a.cmdText(c, rest)
		}
	}
	if c.in.known && strings.TrimSpace(c.in.text) != "" {
		return a.cmdText(c, value{text: c.in.text})
	}
	if len(args) == 0 && c.in.taint != 0 {
		a.runUnknown(c, c.in.taint|fromProgram, "runs what another program prints")
	}
	return flow{taint: fromShell}
}

// cmdText analyses a line of commands.
func (a *analyzer) cmdText(c *command, v value) flow {
	if a.exceeds(v.text) {
		return unknown()
	}
	a.depth++
	defer func() { a.depth-- }()
	if v.partial && strings.HasPrefix(v.text, "$") {
		a.runUnknown(c, v.taint, "runs "+shorten(v.text)+", of which not all is known")
	}
	text := strings.TrimSpace(v.text)
	if len(text) > 1 && text[0] == '"' && text[len(text)-1] == '"' && strings.Count(text, `"`) == 2 {
		text = text[1 : len(text)-1]
	}
	sc := c.sc.sub()
	out, in := nothing(), c.in
	for text != "" && !a.full {
		var part string
		var piped bool
		part, text, piped = cutCmd(text)
		out = a.inside(c.span, func() flow { return a.cmdCommand(part, sc, in, c.span) })
		in = nothing()
		if piped {
			in = out
		}
	}
	return out
}

// cutCmd takes the first command off a line and reports whether its output goes on to the next.
func cutCmd(text string) (part, rest string, piped bool) {
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '^':
			i++
		case c == '>' && i+1 < len(text) && text[i+1] == '&':
			i++
		case c == '&' || c == '|' || c == '\n':
			n := i + 1
			if n < len(text) && text[n] == c {
				n++
			}
			return text[:i], text[n:], c == '|' && n == i+1
		}
	}
	return text, "", false
}

// cmdCommand runs one command with its redirections.
func (a *analyzer) cmdCommand(text string, sc *scope, in flow, span effect.Span) flow {
	words, targets := cmdWords(text)
	if len(words) == 0 {
		return nothing()
	}
	if bare := strings.TrimLeft(words[0].text, "@("); bare != words[0].text {
		words[0].text = bare
		words[len(words)-1].text = strings.TrimRight(words[len(words)-1].text, ")")
	}
	name := strings.ToLower(words[0].text)
	if i := strings.IndexByte(name, '/'); i > 0 && isCmdBuiltin(name[:i]) {
		words = append([]value{{text: words[0].text[:i]}, {text: words[0].text[i:]}}, words[1:]...)
		name = name[:i]
	}
	var out flow
	if isCmdBuiltin(name) {
		out = a.cmdBuiltin(name, words, sc, in, span)
	} else {
		words[0].text = strings.ReplaceAll(words[0].text, `\`, "/")
		out = a.dispatch(words, span, sc, streams{in: in})
	}
	for _, v := range targets {
		if strings.EqualFold(v.text, "nul") || v.text == "" {
			continue
		}
		if path := a.write(windowsPath(v), sc, span); path != "" {
			a.remember(path, out)
		}
	}
	return out
}

// windowsWords splits a line into words at blanks outside double quotes.
func windowsWords(v value) []value {
	words, _ := cmdWords(v.text)
	for i := range words {
		words[i].taint, words[i].partial = v.taint, v.partial && strings.Contains(words[i].text, "$")
	}
	return words
}

// cmdWords splits a command into its words and the files that its output goes to.
func cmdWords(text string) (words, targets []value) {
	var l cmdLine
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			l.quoted, l.started = !l.quoted, true
		case c == '^' && !l.quoted && i+1 < len(text):
			i++
			l.add(text[i])
		case !l.quoted && (c == ' ' || c == '\t' || c == '\r' || c == ',' || c == ';'):
			l.flush()
		case !l.quoted && c == '>':
			i += l.redirect(text[i:])
		default:
			l.add(c)
		}
	}
	l.flush()
	return l.words, l.targets
}

// cmdLine is a command as far as it has been read.
type cmdLine struct {
	words, targets []value
	word           strings.Builder
	// started is set within a word, target where it is the file of a redirection.
	started, quoted, target bool
}

func (l *cmdLine) add(c byte) {
	l.word.WriteByte(c)
	l.started = true
}

// flush ends a word.
func (l *cmdLine) flush() {
	if !l.started {
		return
	}
	v := value{text: l.word.String()}
	v.partial = strings.Count(v.text, "%") > 1
	v.glob = strings.ContainsAny(v.text, "*?")
	if l.target {
		l.targets = append(l.targets, v)
	} else {
		l.words = append(l.words, v)
	}
	l.word.Reset()
	l.started, l.target = false, false
}

// redirect begins the file of a redirection, or passes over one onto another stream; it says by how much more than a byte.
func (l *cmdLine) redirect(text string) (more int) {
	if s := l.word.String(); s == "1" || s == "2" {
		l.word.Reset()
		l.started = false
	}
	l.flush()
	for more+1 < len(text) && text[more+1] == '>' {
		more++
	}
	if more+2 < len(text) && text[more+1] == '&' {
		return more + 2
	}
	l.target = true
	return more
}
