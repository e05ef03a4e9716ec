package tooluse

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// builtinHandler knows the shell's own commands that change its state or print what is known.
func builtinHandler(name string) handler {
	switch name {
	case "cd", "pushd", "popd", "chdir":
		return changeDir
	case "echo":
		return echo
	case "printf":
		return settingNames(printf)
	case "alias":
		return aliasBuiltin
	case "unset":
		return unsetBuiltin
	case among(name, "export declare typeset local readonly"):
		return exportBuiltin
	case "set", "shift":
		return positional
	case "hash":
		return hashBuiltin
	case "read", "readarray", "mapfile":
		return settingNames(readBuiltin)
	case "pwd":
		return func(_ *analyzer, c *command) flow { return flow{text: c.sc.cwd, known: !c.sc.cwdUnknown} }
	case "which", "type", "whence", "where":
		return func(_ *analyzer, c *command) flow { return whichOutput(c.args()) }
	case "mktemp":
		return func(*analyzer, *command) flow { return flow{text: "/tmp/tmp.mktemp", known: true} }
	case among(name, "true false : test [ return exit break continue wait shopt umask let jobs bg fg dirs times sleep "+
		"unalias ulimit"):
		return func(*analyzer, *command) flow { return nothing() }
	case "getopts":
		return getoptsBuiltin
	case "dirname", "basename", "realpath", "readlink":
		return pathText
	case "yes":
		return func(*analyzer, *command) flow { return flow{taint: endless} }
	}
	return nil
}

// whichOutput is the path of a program by its name.
func whichOutput(args []value) flow {
	for _, v := range args {
		if !strings.HasPrefix(v.text, "-") {
			return flow{text: "/usr/local/bin/" + v.text, known: !v.partial}
		}
	}
	return nothing()
}

// changeDir follows cd where it is known where it goes.
func changeDir(a *analyzer, c *command) flow {
	sc := c.sc
	dir := value{text: a.env.Home}
	for _, v := range c.args() {
		if v.text == "-" || !strings.HasPrefix(v.text, "-") {
			dir = v
			break
		}
	}
	if dir.partial || dir.text == "-" || c.name == "popd" || dir.glob {
		sc.cwdUnknown = !a.atRoot(c, dir)
		return nothing()
	}
	p := a.place(dir, sc)
	if p.zone != unresolved {
		sc.cwd, sc.cwdUnknown = p.abs, false
	}
	return nothing()
}

// atRoot recognises cd "$(git rev-parse --show-toplevel)", which goes to the project.
func (a *analyzer) atRoot(c *command, dir value) bool {
	if dir.text != "$(…)" || c.run == 0 {
		return false
	}
	if before := a.effects[c.run-1]; before.Kind == Run && strings.HasSuffix(before.Command, "rev-parse --show-toplevel") {
		c.sc.cwd = a.env.Root
		return true
	}
	return false
}

func echo(_ *analyzer, c *command) flow {
	args, escapes, newline := c.args(), false, "\n"
	for len(args) > 0 && len(args[0].text) > 1 && strings.Trim(args[0].text, "neE") == "-" {
		escapes = strings.Contains(args[0].text, "e")
		if strings.Contains(args[0].text, "n") {
			newline = ""
		}
		args = args[1:]
	}
	f := flow{known: true}
	if len(args) > 0 {
		f.text = joinAll(args)
	}
	for _, v := range args {
		f.known = f.known && !v.partial
		f.taint |= v.taint
	}
	if escapes {
		decodedText := unescapeANSI(f.text)
		if decodedText != f.text {
			f.text, f.taint = decodedText, f.taint|hiddenBy(f.text)
		}
	}
	f.text += newline
	return f
}

// hiddenBy is decoded when a text spells letters as numbers, which nobody does but to hide them.
func hiddenBy(text string) taint {
	if strings.Contains(text, `\x`) || strings.Contains(text, `\0`) || strings.Contains(text, `\1`) {
		return decoded
	}
	return 0
}

func joinAll(args []value) string {
	texts := make([]string, len(args))
	for i, v := range args {
		texts[i] = v.text
	}
	return strings.Join(texts, " ")
}

// printf fills %s, %b and %d with its arguments as far as they are known.
func printf(_ *analyzer, c *command) flow {
	args := c.args()
	if len(args) > 1 && args[0].text == "-v" {
		rest := &command{argv: args[1:], sc: c.sc}
		f := printf(nil, rest)
		c.sc.set(args[1].text, variable{values: []value{{text: f.text, quality: quality{partial: !f.known, taint: f.taint}}}})
		return nothing()
	}
	if len(args) > 0 && args[0].text == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return nothing()
	}
	f := flow{known: true}
	for _, v := range args {
		f.known = f.known && !v.partial
		f.taint |= v.taint
	}
	format := unescapeANSI(args[0].text)
	f.taint |= hiddenBy(args[0].text)
	var b strings.Builder
	rest := args[1:]
	for {
		used := fillFormat(&b, format, rest)
		if used == 0 || used >= len(rest) || b.Len() > 1<<16 {
			break
		}
		rest = rest[used:]
	}
	f.text = b.String()
	return f
}

// fillFormat writes the format once and returns how many arguments it took.
func fillFormat(b *strings.Builder, format string, args []value) int {
	used := 0
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			b.WriteByte(format[i])
			continue
		}
		i++
		for i < len(format)-1 && strings.IndexByte("-+ #0123456789.", format[i]) >= 0 {
			i++
		}
		if format[i] == '%' {
			b.WriteByte('%')
			continue
		}
		if used < len(args) {
			text := args[used].text
			if format[i] == 'b' {
				text = unescapeANSI(text)
			}
			b.WriteString(text)
			used++
		}
	}
	return used
}

func aliasBuiltin(_ *analyzer, c *command) flow {
	for _, v := range c.args() {
		if name, text, ok := strings.Cut(v.text, "="); ok {
			c.sc.own()
			c.sc.aliases[name] = text
		}
	}
	return nothing()
}

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
		a.mark(c, "stops the shell from recording commands", DefenseOff)
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

// pathText is what dirname and its kind print of a known path.
func pathText(_ *analyzer, c *command) flow {
	o := parseOptions(c.args(), "")
	if len(o.operands) == 0 || o.operands[0].partial {
		return unknown()
	}
	text := strings.TrimSuffix(o.word(0), "/")
	i := strings.LastIndexByte(text, '/')
	switch {
	case c.name == "basename" && i >= 0:
		text = text[i+1:]
	case c.name == "dirname" && i > 0:
		text = text[:i]
	case c.name == "dirname" && i == 0:
		text = "/"
	case c.name == "dirname":
		text = "."
	}
	return flow{text: text, known: true}
}

// declClause is export, declare and their kind when they stand as commands.
func (a *analyzer) declClause(c *syntax.DeclClause, sc *scope) flow {
	variant := c.Variant.Value
	local := sc.locals != nil && (variant == "local" || variant == "declare" || variant == "typeset") && !hasFlag(c, 'g')
	for _, assign := range c.Args {
		if local && assign.Name != nil {
			*sc.locals = append(*sc.locals, sc.save(assign.Name.Value))
		}
		a.assign(assign, sc)
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
