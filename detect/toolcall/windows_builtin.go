package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

func isCmdBuiltin(name string) bool {
	return name == among(name, "del erase rd rmdir copy move ren rename type md mkdir mklink echo set cd chdir pushd popd dir cls "+
		"ver vol rem start call if for exit title pause assoc ftype echo. where")
}

// cmdBuiltin is a command of the command processor itself.
func (a *analyzer) cmdBuiltin(name string, words []value, sc *scope, in flow, span effect.Span) flow {
	c := &command{name: name, argv: words, span: span, sc: sc, in: in}
	a.commands++
	a.emitRun(c)
	operands, tree := cmdOperands(words[1:])
	switch name {
	case "del", "erase", "rd", "rmdir":
		for _, v := range operands {
			a.remove(v, sc, span, removal{tree: tree, how: "deletes"})
		}
	case among(name, "copy move ren rename mklink"):
		a.cmdCopy(name, operands, sc, span)
	case "type":
		out := nothing()
		for i, v := range operands {
			out = a.sequence(out, a.readFlow(v, sc, span), i == 0)
		}
		return out
	case "md", "mkdir":
		for _, v := range operands {
			a.write(v, sc, span)
		}
	case "echo", "echo.":
		text := joinAll(words[1:])
		return flow{text: text + "\n", known: !strings.Contains(text, "%")}
	case "set":
		if len(words) > 1 {
			key, val, _ := strings.Cut(joinAll(words[1:]), "=")
			a.sensitiveVariable(c, strings.ToUpper(key), value{text: val})
			return nothing()
		}
		return flow{taint: fromEnviron}
	case "cd", "chdir", "pushd":
		if len(operands) > 0 {
			if p := a.place(operands[0], sc); p.zone != unresolved {
				sc.cwd = p.abs
			}
		}
	case "start", "call", "if", "for":
		return a.cmdPrefix(c, name, words[1:])
	}
	return nothing()
}

// cmdOperands are the paths among the arguments; tree is set where a flag says that all below is meant.
func cmdOperands(arguments []value) (operands []value, tree bool) {
	for _, v := range arguments {
		if strings.HasPrefix(v.text, "/") {
			tree = tree || strings.HasPrefix(strings.ToLower(v.text), "/s")
		} else {
			operands = append(operands, windowsPath(v))
		}
	}
	return operands, tree
}

func (a *analyzer) cmdCopy(name string, operands []value, sc *scope, span effect.Span) {
	if len(operands) < 2 {
		return
	}
	last := operands[len(operands)-1]
	switch name {
	case "mklink":
		a.write(operands[0], sc, span)
		return
	case "ren", "rename":
		last.text = siblingPath(operands[0].text, last.text)
	}
	for _, v := range operands[:len(operands)-1] {
		if name == "copy" {
			a.read(v, sc, span)
		} else {
			a.remove(v, sc, span, removal{tree: true, moved: true, how: "moves away"})
		}
	}
	a.write(last, sc, span)
}

// cmdPrefix runs what stands behind start, call, if … and for … do.
func (a *analyzer) cmdPrefix(c *command, name string, rest []value) flow {
	switch name {
	case "for":
		for i, v := range rest {
			if strings.EqualFold(v.text, "do") {
				return a.cmdCommand(quoteWords(rest[i+1:]), c.sc, c.in, c.span)
			}
		}
		return unknown()
	case "if":
		skip := 1
		for len(rest) > 0 && (strings.EqualFold(rest[0].text, "not") || strings.EqualFold(rest[0].text, "/i")) {
			rest = rest[1:]
		}
		if len(rest) > 0 && (strings.EqualFold(rest[0].text, "exist") || strings.EqualFold(rest[0].text, "defined") || strings.EqualFold(rest[0].text, "errorlevel")) {
			skip = 2
		}
		rest = rest[min(skip, len(rest)):]
	case "start":
		for len(rest) > 0 && (strings.HasPrefix(rest[0].text, "/") || rest[0].text == "") {
			rest = rest[1:]
		}
	}
	if len(rest) == 0 || a.depth >= MaxDepth {
		return nothing()
	}
	a.depth++
	defer func() { a.depth-- }()
	return a.cmdCommand(quoteWords(rest), c.sc, c.in, c.span)
}

// quoteWords writes words as a line again.
func quoteWords(words []value) string {
	texts := make([]string, len(words))
	for i, v := range words {
		texts[i] = v.text
		if strings.ContainsAny(v.text, " \t") {
			texts[i] = `"` + v.text + `"`
		}
	}
	return strings.Join(texts, " ")
}
