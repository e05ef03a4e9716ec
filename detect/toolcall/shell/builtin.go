package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/self"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// BuiltinHandler knows the shell's own commands that change its state or print what is known.
func BuiltinHandler(name string) trace.Handler {
	switch name {
	case "cd", "pushd", "popd", "chdir":
		return ChangeDir
	case "echo":
		return echo
	case "printf":
		return self.SettingNames(printf)
	case "alias":
		return aliasBuiltin
	case "unset":
		return unsetBuiltin
	case words.Among(name, "export declare typeset local readonly"):
		return exportBuiltin
	case "set", "shift":
		return positional
	case "hash":
		return hashBuiltin
	case "read", "readarray", "mapfile":
		return self.SettingNames(readBuiltin)
	case "pwd":
		return func(_ *trace.Trace, c *trace.Command) trace.Flow {
			return trace.Flow{Text: c.Scope.Cwd, Known: !c.Scope.CwdUnknown}
		}
	case "which", "type", "whence", "where":
		return func(_ *trace.Trace, c *trace.Command) trace.Flow { return WhichOutput(c.Args()) }
	case "mktemp":
		return func(*trace.Trace, *trace.Command) trace.Flow { return trace.Flow{Text: "/tmp/tmp.mktemp", Known: true} }
	case words.Among(name, "true false : test [ return exit break continue wait shopt umask let jobs bg fg dirs times sleep "+
		"unalias ulimit"):
		return func(*trace.Trace, *trace.Command) trace.Flow { return trace.Nothing() }
	case "getopts":
		return getoptsBuiltin
	case "dirname", "basename", "realpath", "readlink":
		return pathText
	case "yes":
		return func(*trace.Trace, *trace.Command) trace.Flow { return trace.Flow{Taint: trace.Endless} }
	}
	return nil
}

// WhichOutput is the path of a program by its name.
func WhichOutput(args []trace.Value) trace.Flow {
	for _, v := range args {
		if !strings.HasPrefix(v.Text, "-") {
			return trace.Flow{Text: "/usr/local/bin/" + v.Text, Known: !v.Partial}
		}
	}
	return trace.Nothing()
}

// ChangeDir follows cd where it is known where it goes.
func ChangeDir(t *trace.Trace, c *trace.Command) trace.Flow {
	sc := c.Scope
	dir := trace.Value{Text: t.Env.Home}
	for _, v := range c.Args() {
		if v.Text == "-" || !strings.HasPrefix(v.Text, "-") {
			dir = v
			break
		}
	}
	if dir.Partial || dir.Text == "-" || c.Name == "popd" || dir.Glob {
		sc.CwdUnknown = !atRoot(t, c, dir)
		return trace.Nothing()
	}
	p := t.Place(dir, sc)
	if p.Zone != trace.Unresolved {
		sc.Cwd, sc.CwdUnknown = p.Abs, false
	}
	return trace.Nothing()
}

// atRoot recognises cd "$(git rev-parse --show-toplevel)", which goes to the project.
func atRoot(t *trace.Trace, c *trace.Command, dir trace.Value) bool {
	if dir.Text != "$(…)" || c.Run == 0 {
		return false
	}
	if before := t.Effects[c.Run-1]; before.Kind == effect.Run && strings.HasSuffix(before.Command, "rev-parse --show-toplevel") {
		c.Scope.Cwd = t.Env.Root
		return true
	}
	return false
}

func aliasBuiltin(_ *trace.Trace, c *trace.Command) trace.Flow {
	for _, v := range c.Args() {
		if name, text, ok := strings.Cut(v.Text, "="); ok {
			c.Scope.Own()
			c.Scope.Aliases[name] = text
		}
	}
	return trace.Nothing()
}

// pathText is what dirname and its kind print of a known path.
func pathText(_ *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "")
	if len(o.Operands) == 0 || o.Operands[0].Partial {
		return trace.Unknown()
	}
	text := strings.TrimSuffix(o.Word(0), "/")
	i := strings.LastIndexByte(text, '/')
	switch {
	case c.Name == "basename" && i >= 0:
		text = text[i+1:]
	case c.Name == "dirname" && i > 0:
		text = text[:i]
	case c.Name == "dirname" && i == 0:
		text = "/"
	case c.Name == "dirname":
		text = "."
	}
	return trace.Flow{Text: text, Known: true}
}

func echo(_ *trace.Trace, c *trace.Command) trace.Flow {
	args, escapes, newline := c.Args(), false, "\n"
	for len(args) > 0 && len(args[0].Text) > 1 && strings.Trim(args[0].Text, "neE") == "-" {
		escapes = strings.Contains(args[0].Text, "e")
		if strings.Contains(args[0].Text, "n") {
			newline = ""
		}
		args = args[1:]
	}
	f := trace.Flow{Known: true}
	if len(args) > 0 {
		f.Text = trace.JoinAll(args)
	}
	for _, v := range args {
		f.Known = f.Known && !v.Partial
		f.Taint |= v.Taint
	}
	if escapes {
		decodedText := words.UnescapeANSI(f.Text)
		if decodedText != f.Text {
			f.Text, f.Taint = decodedText, f.Taint|hiddenBy(f.Text)
		}
	}
	f.Text += newline
	return f
}

// hiddenBy is decoded when a text spells letters as numbers, which nobody does but to hide them.
func hiddenBy(text string) trace.Taint {
	if strings.Contains(text, `\x`) || strings.Contains(text, `\0`) || strings.Contains(text, `\1`) {
		return trace.Decoded
	}
	return 0
}

// printf fills %s, %b and %d with its arguments as far as they are known.
func printf(_ *trace.Trace, c *trace.Command) trace.Flow {
	args := c.Args()
	if len(args) > 1 && args[0].Text == "-v" {
		rest := &trace.Command{Argv: args[1:], Scope: c.Scope}
		f := printf(nil, rest)
		c.Scope.Set(args[1].Text, trace.Variable{Values: []trace.Value{{Text: f.Text, Quality: trace.Quality{Partial: !f.Known, Taint: f.Taint}}}})
		return trace.Nothing()
	}
	if len(args) > 0 && args[0].Text == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return trace.Nothing()
	}
	f := trace.Flow{Known: true}
	for _, v := range args {
		f.Known = f.Known && !v.Partial
		f.Taint |= v.Taint
	}
	format := words.UnescapeANSI(args[0].Text)
	f.Taint |= hiddenBy(args[0].Text)
	var b strings.Builder
	rest := args[1:]
	for {
		used := FillFormat(&b, format, rest)
		if used == 0 || used >= len(rest) || b.Len() > 1<<16 {
			break
		}
		rest = rest[used:]
	}
	f.Text = b.String()
	return f
}

// FillFormat writes the format once and returns how many arguments it took.
func FillFormat(b *strings.Builder, format string, args []trace.Value) int {
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
			text := args[used].Text
			if format[i] == 'b' {
				text = words.UnescapeANSI(text)
			}
			b.WriteString(text)
			used++
		}
	}
	return used
}

func unsetBuiltin(t *trace.Trace, c *trace.Command) trace.Flow {
	for _, v := range c.Args() {
		Unset(t, c, v.Text, "")
		if _, ok := c.Scope.Vars[v.Text]; ok {
			c.Scope.Own()
			delete(c.Scope.Vars, v.Text)
		}
	}
	return trace.Nothing()
}

// exportBuiltin is reached when export stands behind a wrapper and its assignments were read as words.
func exportBuiltin(t *trace.Trace, c *trace.Command) trace.Flow {
	for _, v := range c.Args() {
		if name, text, ok := strings.Cut(v.Text, "="); ok {
			c.Scope.Set(name, trace.Variable{Values: []trace.Value{{Text: text, Quality: trace.Quality{Partial: v.Partial, Taint: v.Taint}}}})
			t.SensitiveVariable(c, name, trace.Value{Text: text, Quality: trace.Quality{Partial: v.Partial}})
		}
	}
	if len(c.Argv) == 1 || c.Argv[1].Text == "-p" || c.Argv[1].Text == "-x" {
		return trace.Flow{Taint: trace.FromEnviron}
	}
	return trace.Nothing()
}

func positional(t *trace.Trace, c *trace.Command) trace.Flow {
	args := c.Args()
	t.SetsVariables(c, args) // fish: set -gx NAME value
	switch {
	case c.Name == "shift":
		shiftBy(c, args)
	case len(args) == 0:
		return trace.Flow{Taint: trace.FromEnviron}
	case len(args) == 2 && args[0].Text == "+o" && args[1].Text == "history":
		t.Mark(c, "stops the shell from recording commands", effect.DefenseOff)
	default:
		setArguments(c, args)
	}
	return trace.Nothing()
}

// readBuiltin sets variables from the input: known if one line of it is.
func readBuiltin(_ *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "d p n N t u i a O s c C")
	for _, v := range o.Values("a C") {
		c.Scope.Forget(v.Text)
	}
	if len(o.Operands) == 0 {
		c.Scope.Forget("REPLY")
		c.Scope.Forget("MAPFILE")
	}
	line, _, _ := strings.Cut(c.In.Text, "\n")
	for i, v := range o.Operands {
		val := trace.Value{Text: "$" + v.Text, Quality: trace.Quality{Partial: true, Taint: c.In.Taint}}
		if c.In.Known && c.Name == "read" && i == 0 && len(o.Operands) == 1 && c.In.Text != "" && !o.Has("d n N a u") && isOneLine(c.In.Text) {
			val = trace.Value{Text: line, Quality: trace.Quality{Taint: c.In.Taint}}
		}
		c.Scope.Set(v.Text, trace.Variable{Values: []trace.Value{val}})
	}
	return trace.Nothing()
}

// isOneLine reports whether a text is one line; of several it is not known which one a read gets.
func isOneLine(text string) bool {
	return !strings.Contains(strings.TrimRight(text, "\n"), "\n")
}

// declClause is export, declare and their kind when they stand as commands.
func declClause(t *trace.Trace, c *syntax.DeclClause, sc *trace.Scope) trace.Flow {
	variant := c.Variant.Value
	local := sc.Locals != nil && (variant == "local" || variant == "declare" || variant == "typeset") && !hasFlag(c, 'g')
	for _, arg := range c.Args {
		if local && arg.Name != nil {
			*sc.Locals = append(*sc.Locals, sc.Save(arg.Name.Value))
		}
		assign(t, arg, sc)
	}
	sc.Lost = sc.Lost || variant == "nameref" || hasFlag(c, 'n')
	if listsVariables(c.Args) {
		return trace.Flow{Taint: trace.FromEnviron}
	}
	return trace.Nothing()
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

// hashBuiltin is hash -p, which lets a shell run one program by the name of another.
func hashBuiltin(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "p")
	for _, v := range o.Values("p") {
		if p := t.Place(v, c.Scope); p.Program {
			t.Mark(c, "gives "+p.Name+", which belongs to the guard, a second name", effect.GuardTamper)
		}
	}
	return trace.Nothing()
}

// setArguments is set with operands; its options are stepped over, and with options alone nothing changes.
func setArguments(c *trace.Command, args []trace.Value) {
	for i := 0; i < len(args); i++ {
		switch text := args[i].Text; {
		case text == "--" || text == "-":
			c.Scope.Args = append([]trace.Value{}, args[i+1:]...)
			return
		case text == "-o" || text == "+o":
			i++
		case len(text) < 2 || text[0] != '-' && text[0] != '+':
			c.Scope.Args = append([]trace.Value{}, args[i:]...)
			return
		case text[len(text)-1] == 'o':
			i++
		}
	}
}

// shiftBy is shift with its count; one that is not known leaves nothing known.
func shiftBy(c *trace.Command, args []trace.Value) {
	n := 1
	if len(args) > 0 {
		count, err := strconv.Atoi(args[0].Text)
		if err != nil || count < 0 || args[0].Partial {
			c.Scope.Args = nil
			return
		}
		n = count
	}
	if n <= len(c.Scope.Args) {
		c.Scope.Args = c.Scope.Args[n:]
	}
}

// getoptsBuiltin sets its variable and two more to what is not known.
func getoptsBuiltin(_ *trace.Trace, c *trace.Command) trace.Flow {
	for _, name := range [...]string{trace.ArgAt(c.Argv, 2), "OPTARG", "OPTIND"} {
		if name != "" {
			c.Scope.Forget(name)
		}
	}
	return trace.Nothing()
}

// Unset notes that a variable which the guard depends on is taken away.
func Unset(t *trace.Trace, c *trace.Command, name, flag string) {
	if trace.IsGuardVariable(name) || strings.Contains(c.Span.Text, "GUARDRAILS") {
		t.Mark(c, "takes away "+name+", which the guard depends on", effect.GuardTamper)
	}
	if trace.IsHistoryVariable(name) && flag == "" {
		t.Mark(c, "stops the shell from recording commands", effect.DefenseOff)
	}
}
