package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// call() analyzes a simple command. Such a command has assignments, or a program with arguments, or both.
func call(t *trace.Trace, c *syntax.CallExpr, sc *trace.Scope, io trace.Streams) trace.Flow {
	var argv []trace.Value
	for _, w := range c.Args {
		if t.Full {
			return trace.Unknown()
		}
		argv = append(argv, fields(t, w, sc)...)
		if len(argv) > 4096 {
			t.Overflow("has more than 4,096 arguments")
			return trace.Unknown()
		}
	}
	if t.Zsh && len(c.Args) > 0 && isElement(c.Args[0]) {
		t.Opaque(spanOf(t, c.Pos(), c.End()), "runs an element of an array, which is unknown", effect.OpaqueExecution)
	}
	if len(argv) == 0 {
		assignAll(t, c.Assigns, sc)
		return trace.Nothing()
	}
	defer assignForCommand(t, c.Assigns, argv, sc)()
	span := spanOf(t, c.Pos(), c.End())
	return invoke(t, argv, span, sc, io)
}

// isElement reports whether a word begins with an element of an array without braces, such as $a[2]. Only zsh reads the
// word in this way.
func isElement(w *syntax.Word) bool {
	if len(w.Parts) < 2 {
		return false
	}
	p, ok := w.Parts[0].(*syntax.ParamExp)
	lit, isText := w.Parts[1].(*syntax.Lit)
	return ok && p.Short && isText && strings.HasPrefix(lit.Value, "[")
}

// invoke() analyzes a call of an alias, a shell function or a program. An alias or a shell function may have the name
// of a program with a handler. In this case, invoke() also analyzes a call of that program, because the alias or shell
// function may not be defined when the command runs.
func invoke(t *trace.Trace, argv []trace.Value, span effect.Span, sc *trace.Scope, io trace.Streams) trace.Flow {
	name := argv[0].Text
	if line, ok := withGlobalAliases(argv, sc); ok && !t.IsCalling(globalAlias) {
		return expandAlias(t, globalAlias, line, argv[:1], span, sc, io)
	}
	text, isAlias := sc.Aliases.Find(name)
	isAlias = isAlias && !t.IsCalling(name)
	body, isFunction := sc.Funcs.Find(name)
	if !isAlias && !isFunction {
		if body, ok := sc.Funcs.Find(notFound); ok && t.Find(trace.ProgramName(name)) == nil {
			callFunction(t, notFound, body, append([]trace.Value{{}}, argv...), span, sc, io)
		}
		return t.Dispatch(argv, span, sc, io)
	}
	if !t.CountCommand() {
		return trace.Unknown()
	}
	before := sc.Sub()
	var out trace.Flow
	if isAlias {
		out = expandAlias(t, name, text, argv, span, sc, io)
	} else {
		out = callFunction(t, name, body, argv, span, sc, io)
	}
	if t.Find(trace.ProgramName(name)) != nil {
		t.Dispatch(argv, span, before, io)
		sc.Join(before)
		out.Known = false
	}
	return out
}

// globalAlias is the prefix of the names of global aliases in Scope.Aliases. Global aliases are defined with "alias
// -g". Zsh expands them anywhere in a command.
const globalAlias = "-g "

// withGlobalAliases returns the text of a command after the expansion of zsh's global aliases. It returns false if the
// command contains no global alias.
func withGlobalAliases(argv []trace.Value, sc *trace.Scope) (line string, found bool) {
	if sc.Aliases.IsEmpty() {
		return "", false
	}
	for _, v := range argv {
		text, ok := sc.Aliases.Find(globalAlias + v.Text)
		if found = found || ok; !ok {
			text = words.Quote(v.Text)
		}
		line += text + " "
	}
	return line, found
}

// notFound is the name of the function that Bash calls if there is no program with the name of a command.
const notFound = "command_not_found_handle"

func expandAlias(
	t *trace.Trace, name, text string, argv []trace.Value, span effect.Span, sc *trace.Scope, io trace.Streams,
) trace.Flow {
	t.Calling = append(t.Calling, name)
	defer func() { t.Calling = t.Calling[:len(t.Calling)-1] }()
	rest := ""
	for _, v := range argv[1:] {
		rest += " " + words.Quote(v.Text)
	}
	return t.Inside(span, func() trace.Flow { return t.Shell(text+rest, sc, io.In) })
}

func callFunction(
	t *trace.Trace, name string, body *syntax.Stmt,
	argv []trace.Value, span effect.Span, sc *trace.Scope, io trace.Streams,
) trace.Flow {
	if t.IsCalling(name) {
		if len(t.Calling) > 0 && t.Calling[len(t.Calling)-1] == name {
			t.Opaque(span, "the function "+name+" calls itself endlessly", effect.ResourceExhaust)
		}
		return trace.Unknown()
	}
	if len(t.Calling) >= trace.MaxDepth {
		t.Overflow("has functions that call each other deeper than 24 levels")
		return trace.Unknown()
	}
	t.Calling = append(t.Calling, name)
	defer func() { t.Calling = t.Calling[:len(t.Calling)-1] }()
	defer sc.EnterFunction(append([]trace.Value{}, argv[1:]...))()
	return t.Inside(span, func() trace.Flow { return statement(t, body, sc, io.In) })
}
