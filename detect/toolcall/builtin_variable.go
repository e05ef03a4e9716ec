package toolcall

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"guardrails/detect/effect"
)

func unsetBuiltin(a *analyzer, c *command) flow {
	for _, v := range c.args() {
		a.unset(c, v.text, "")
		if _, ok := c.sc.vars[v.text]; ok {
			c.sc.own()
			delete(c.sc.vars, v.text)
		}
	}
	return nothing()
}

// exportBuiltin is reached when export stands behind a wrapper and its assignments were read as words.
func exportBuiltin(a *analyzer, c *command) flow {
	for _, v := range c.args() {
		if name, text, ok := strings.Cut(v.text, "="); ok {
			c.sc.set(name, variable{values: []value{{text: text, quality: quality{partial: v.partial, taint: v.taint}}}})
			a.sensitiveVariable(c, name, value{text: text, quality: quality{partial: v.partial}})
		}
	}
	if len(c.argv) == 1 || c.argv[1].text == "-p" || c.argv[1].text == "-x" {
		return flow{taint: fromEnviron}
	}
	return nothing()
}

func positional(a *analyzer, c *command) flow {
	args := c.args()
	a.setsVariables(c, args) // fish: set -gx NAME value
	switch {
	case c.name == "shift":
		c.shiftBy(args)
	case len(args) == 0:
		return flow{taint: fromEnviron}
	case len(args) == 2 && args[0].text == "+o" && args[1].text == "history":
		a.mark(c, "stops the shell from recording commands", effect.DefenseOff)
	default:
		c.setArguments(args)
	}
	return nothing()
}

// readBuiltin sets variables from the input: known if one line of it is.
func readBuiltin(_ *analyzer, c *command) flow {
	o := parseOptions(c.args(), "d p n N t u i a O s c C")
	for _, v := range o.values("a C") {
		c.sc.forget(v.text)
	}
	if len(o.operands) == 0 {
		c.sc.forget("REPLY")
		c.sc.forget("MAPFILE")
	}
	line, _, _ := strings.Cut(c.in.text, "\n")
	for i, v := range o.operands {
		val := value{text: "$" + v.text, quality: quality{partial: true, taint: c.in.taint}}
		if c.in.known && c.name == "read" && i == 0 && len(o.operands) == 1 && c.in.text != "" && !o.has("d n N a u") && isOneLine(c.in.text) {
			val = value{text: line, quality: quality{taint: c.in.taint}}
		}
		c.sc.set(v.text, variable{values: []value{val}})
	}
	return nothing()
}

// isOneLine reports whether a text is one line; of several it is not known which one a read gets.
func isOneLine(text string) bool {
	return !strings.Contains(strings.TrimRight(text, "\n"), "\n")
}

// declClause is export, declare and their kind when they stand as commands.
func (a *analyzer) declClause(c *syntax.DeclClause, sc *scope) flow {
	variant := c.Variant.Value
	local := sc.locals != nil && (variant == "local" || variant == "declare" || variant == "typeset") && !hasFlag(c, 'g')
	for _, arg := range c.Args {
		if local && arg.Name != nil {
			*sc.locals = append(*sc.locals, sc.save(arg.Name.Value))
		}
		a.assign(arg, sc)
	}
	sc.lost = sc.lost || variant == "nameref" || hasFlag(c, 'n')
	if listsVariables(c.Args) {
		return flow{taint: fromEnviron}
	}
	return nothing()
}

// listsVariables reports whether a declaration names no variable, so that it prints them all: export -p.
func listsVariables(args []*syntax.Assign) bool {
	for _, assign := range args {
		if assign.Value == nil || !strings.HasPrefix(assign.Value.Lit(), "-") {
			return false
		}
	}
	return true
}

// hasFlag reports whether a declaration has a flag, also in a cluster.
func hasFlag(c *syntax.DeclClause, flag byte) bool {
	for _, arg := range c.Args {
		if !arg.Naked || arg.Value == nil {
			continue
		}
		text := arg.Value.Lit()
		if variant := c.Variant.Value; variant != "export" && strings.HasPrefix(text, "-") && strings.IndexByte(text, flag) > 0 {
			return true
		}
	}
	return false
}
