package windows

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/powershell"
	"guardrails/detect/toolcall/program/files"
	"guardrails/detect/toolcall/shell"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// isCmdBuiltin reports whether a command is part of cmd.exe itself.
func isCmdBuiltin(name string) bool {
	return name == words.Among(name, "del erase rd rmdir copy move ren rename type md mkdir mklink echo set cd chdir "+
		"pushd popd dir cls ver vol rem start call if for exit title pause assoc ftype echo. where")
}

func cmdBuiltin(
	t *trace.Trace, name string, list []trace.Value, sc *trace.Scope, in trace.Flow, span effect.Span,
) trace.Flow {
	c := &trace.Command{Name: name, Argv: list, Span: span, Scope: sc, In: in}
	t.Commands++
	t.EmitRun(c)
	o := parseOptions(list[1:])
	operands := o.operands
	switch name {
	case "del", "erase", "rd", "rmdir":
		for _, v := range operands {
			t.Remove(v, sc, span, trace.Removal{Tree: o.hasOption("s"), How: "deletes"})
		}
	case words.Among(name, "copy move ren rename mklink"):
		cmdCopy(t, c, operands)
	case "type":
		out := trace.Nothing()
		for i, v := range operands {
			out = shell.Sequence(out, t.ReadFlow(v, sc, span), i == 0)
		}
		return out
	case "md", "mkdir":
		for _, v := range operands {
			t.Write(v, sc, span)
		}
	case "echo", "echo.":
		text := trace.JoinAll(list[1:])
		return trace.Flow{Text: text + "\n", Known: !strings.Contains(text, "%")}
	case "set":
		if len(list) > 1 {
			key, val, _ := strings.Cut(trace.JoinAll(list[1:]), "=")
			t.SensitiveVariable(c, strings.ToUpper(key), trace.Value{Text: val})
			return trace.Nothing()
		}
		return trace.Flow{Taint: trace.FromEnviron}
	case "cd", "chdir", "pushd":
		if len(operands) > 0 {
			if p := t.Place(operands[0], sc); p.Zone != trace.Unresolved {
				sc.Cwd = p.Abs
			}
		}
	case "start", "call", "if", "for":
		return cmdPrefix(t, c, name, list[1:])
	}
	return trace.Nothing()
}

func cmdCopy(t *trace.Trace, c *trace.Command, operands []trace.Value) {
	if len(operands) < 2 {
		return
	}
	end := len(operands) - 1
	sources, last := operands[:end], operands[end]
	switch c.Name {
	case "mklink":
		t.Write(operands[0], c.Scope, c.Span)
		return
	case "ren", "rename":
		last.Text = powershell.SiblingPath(operands[0].Text, last.Text)
	}
	for _, v := range sources {
		if c.Name == "copy" {
			t.Read(v, c.Scope, c.Span)
		} else {
			t.Remove(v, c.Scope, c.Span, trace.Removal{Tree: true, Moved: true, How: "moves away"})
		}
	}
	files.Put(t, c, sources, last, true)
}

// cmdPrefix analyzes the command that follows "start", "call", "if …" or "for … do".
func cmdPrefix(t *trace.Trace, c *trace.Command, name string, rest []trace.Value) trace.Flow {
	switch name {
	case "for":
		for i, v := range rest {
			if strings.EqualFold(v.Text, "do") {
				return cmdCommand(t, quoteWords(rest[i+1:]), c.Scope, c.In, c.Span)
			}
		}
		return trace.Unknown()
	case "if":
		skip := 1
		if rest = skipOptions(rest); len(rest) > 0 && strings.EqualFold(rest[0].Text, "not") {
			rest = skipOptions(rest[1:])
		}
		if len(rest) > 0 && words.OneOf(strings.ToLower(rest[0].Text), "exist defined errorlevel") {
			skip = 2
		}
		rest = rest[min(skip, len(rest)):]
	case "start":
		if rest = skipOptions(rest); len(rest) > 0 && rest[0].Text == "" {
			rest = skipOptions(rest[1:]) // an empty title
		}
	}
	if len(rest) == 0 || t.Depth >= trace.MaxDepth {
		return trace.Nothing()
	}
	t.Depth++
	defer func() { t.Depth-- }()
	return cmdCommand(t, quoteWords(rest), c.Scope, c.In, c.Span)
}

// quoteWords joins words into a line and quotes words that contain spaces.
func quoteWords(words []trace.Value) string {
	texts := make([]string, len(words))
	for i, v := range words {
		texts[i] = v.Text
		if strings.ContainsAny(v.Text, " \t") {
			texts[i] = `"` + v.Text + `"`
		}
	}
	return strings.Join(texts, " ")
}
