package windows

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/shell"
	"guardrails/detect/toolcall/trace"
)

// cmdProgram analyzes a call of cmd.exe, such as cmd /c "…".
func cmdProgram(t *trace.Trace, c *trace.Command) trace.Flow {
	args := c.Args()
	if text, ok := commandOf(args); ok {
		return cmdText(t, c, text)
	}
	if c.In.Known && strings.TrimSpace(c.In.Text) != "" {
		return cmdText(t, c, trace.Value{Text: c.In.Text})
	}
	if len(args) == 0 && c.In.Taint != 0 {
		t.RunUnknown(c, c.In.Taint|trace.FromProgram, "runs the output of another program")
	}
	return trace.Flow{Taint: trace.FromShell}
}

// cmdText analyzes a line of commands for cmd.exe.
func cmdText(t *trace.Trace, c *trace.Command, v trace.Value) trace.Flow {
	if shell.ExceedsLimits(t, v.Text) {
		return trace.Unknown()
	}
	t.Depth++
	defer func() { t.Depth-- }()
	if v.Partial && strings.HasPrefix(v.Text, "$") {
		t.RunUnknown(c, v.Taint, "runs "+trace.Shorten(v.Text)+", part of which is unknown")
	}
	text := strings.TrimSpace(v.Text)
	if len(text) > 1 && text[0] == '"' && text[len(text)-1] == '"' && strings.Count(text, `"`) == 2 {
		text = text[1 : len(text)-1]
	}
	sc := c.Scope.Sub()
	out, in := trace.Nothing(), c.In
	for text != "" && !t.Full {
		var part string
		var piped bool
		part, text, piped = cutCmd(text)
		out = t.Inside(c.Span, func() trace.Flow { return cmdCommand(t, part, sc, in, c.Span) })
		in = trace.Nothing()
		if piped {
			in = out
		}
	}
	return out
}

// cutCmd splits a line into its first command and the rest. The result "piped" is true if a pipe connects the first
// command to the next command.
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

// cmdCommand analyzes one command with its redirections.
func cmdCommand(t *trace.Trace, text string, sc *trace.Scope, in trace.Flow, span effect.Span) trace.Flow {
	words, targets := flags.CmdWords(text)
	if len(words) == 0 {
		return trace.Nothing()
	}
	if bare := strings.TrimLeft(words[0].Text, "@("); bare != words[0].Text {
		words[0].Text = bare
		words[len(words)-1].Text = strings.TrimRight(words[len(words)-1].Text, ")")
	}
	name := strings.ToLower(words[0].Text)
	if i := strings.IndexByte(name, '/'); i > 0 && isCmdBuiltin(name[:i]) {
		words = append([]trace.Value{{Text: words[0].Text[:i]}, {Text: words[0].Text[i:]}}, words[1:]...)
		name = name[:i]
	}
	var out trace.Flow
	if isCmdBuiltin(name) {
		out = cmdBuiltin(t, name, words, sc, in, span)
	} else {
		words[0].Text = strings.ReplaceAll(words[0].Text, `\`, "/")
		out = t.Dispatch(words, span, sc, trace.Streams{In: in})
	}
	for _, v := range targets {
		if strings.EqualFold(v.Text, "nul") || v.Text == "" {
			continue
		}
		if path := t.Write(windowsPath(v), sc, span); path != "" {
			t.Remember(path, out)
		}
	}
	return out
}
