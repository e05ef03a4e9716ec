package shell

import (
	"cmp"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// BuiltinHandler returns the handler of a command if the command changes the state of the shell, or if its output is
// predictable. It returns nil for any other name.
func BuiltinHandler(name string) trace.Handler {
	switch name {
	case "cd", "pushd", "popd", "chdir":
		return ChangeDir
	case "echo":
		return echo
	case "printf":
		return printf
	case "alias":
		return aliasBuiltin
	case "unset":
		return unsetBuiltin
	case words.Among(name, "export declare typeset local readonly"):
		return exportBuiltin
	case "set", "shift":
		return setOrShift
	case "hash":
		return hashBuiltin
	case "read", "readarray", "mapfile":
		return readBuiltin
	case "pwd":
		return func(_ *trace.Trace, c *trace.Command) trace.Flow {
			return trace.Flow{Text: c.Scope.Cwd, Known: !c.Scope.CwdUnknown}
		}
	case "which", "type", "whence", "where":
		return func(_ *trace.Trace, c *trace.Command) trace.Flow { return WhichOutput(c.Args()) }
	case "mktemp":
		return func(*trace.Trace, *trace.Command) trace.Flow { return trace.Flow{Text: "/tmp/tmp.mktemp", Known: true} }
	case words.Among(name, "true false : test [ return exit break continue wait umask let jobs bg fg dirs times "+
		"sleep unalias ulimit"):
		return func(*trace.Trace, *trace.Command) trace.Flow { return trace.Nothing() }
	case "shopt", "setopt":
		return func(t *trace.Trace, c *trace.Command) trace.Flow {
			options := trace.JoinArgs(c.Args())
			t.Dots = t.Dots || strings.Contains(options, "dotglob") && !strings.HasPrefix(options, "-u") ||
				strings.Contains(options, "globdots")
			return trace.Nothing()
		}
	case "zmv", "zcp":
		return moveMatches
	case "getopts":
		return getoptsBuiltin
	case "dirname", "basename", "realpath", "readlink":
		return pathText
	case "yes":
		return func(*trace.Trace, *trace.Command) trace.Flow { return trace.Flow{Taint: trace.Endless} }
	}
	return nil
}

// WhichOutput returns the output of the command "which". It assumes that the first program in the arguments is in
// /usr/local/bin.
func WhichOutput(args []trace.Value) trace.Flow {
	o := flags.Parse(args, "")
	if len(o.Operands) == 0 {
		return trace.Nothing()
	}
	return trace.Flow{Text: "/usr/local/bin/" + o.Word(0), Known: !o.Operands[0].Partial}
}

// ChangeDir changes the working folder as "cd" and similar commands do. If the target is unknown, the working folder
// becomes unknown.
func ChangeDir(t *trace.Trace, c *trace.Command) trace.Flow {
	sc := c.Scope
	dir := trace.Value{Text: t.Env.Home}
	if rest := flags.SkipLeading(c.Args(), ""); len(rest) > 0 {
		dir = rest[0]
	}
	if folder, ok := t.MayBeGuardFolder(dir, sc); ok {
		sc.Cwd, sc.CwdUnknown = folder, false
		return trace.Nothing()
	}
	if dir.Text == "-" {
		dir = sc.Vars.Get("OLDPWD").Scalar()
		dir.Partial = dir.Partial || dir.Text == ""
	}
	sc.Set("OLDPWD", trace.Variable{Values: []trace.Value{{Text: sc.Cwd, Quality: trace.Quality{Partial: sc.CwdUnknown}}}})
	if dir.Partial || c.Name == "popd" || dir.Glob {
		sc.CwdUnknown = !goesToRoot(t, c, dir)
		return trace.Nothing()
	}
	p := t.Place(dir, sc)
	if p.Zone != trace.Unresolved || strings.HasPrefix(p.Abs, trace.ContainerPrefix) {
		sc.Cwd, sc.CwdUnknown = p.Abs, false
	}
	return trace.Nothing()
}

// goesToRoot reports whether the command is cd "$(git rev-parse --show-toplevel)". If so, goesToRoot makes the
// project's root the working folder.
func goesToRoot(t *trace.Trace, c *trace.Command, dir trace.Value) bool {
	if dir.Text != "$(…)" || c.Run == 0 {
		return false
	}
	before := t.Effects[c.Run-1]
	if before.Kind == effect.Run && strings.HasSuffix(before.Command, "rev-parse --show-toplevel") {
		c.Scope.Cwd = t.Env.Root
		return true
	}
	return false
}

func aliasBuiltin(_ *trace.Trace, c *trace.Command) trace.Flow {
	global := ""
	for _, v := range c.Args() {
		if v.Text == "-g" {
			global = globalAlias
		}
		if name, text, ok := strings.Cut(v.Text, "="); ok {
			c.Scope.Aliases.Set(global+name, text)
		}
	}
	return trace.Nothing()
}

// pathText returns the output of dirname, basename, realpath or readlink. The output is known if the path is known.
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
		decodedText := unescape(f.Text)
		if decodedText != f.Text {
			f.Text, f.Taint = decodedText, f.Taint|escapeTaint(f.Text)
		}
	}
	f.Text += newline
	return f
}

// unescape() replaces the escapes of "echo -e" and of the verb %b of "printf". In such an escape, an octal number
// begins with a 0.
func unescape(text string) string { return words.UnescapeANSI(strings.ReplaceAll(text, `\0`, `\`)) }

// escapeTaint returns the taint Decoded if a text contains characters as numeric escapes. The only reason to write
// characters as numeric escapes is to hide the characters.
func escapeTaint(text string) trace.Taint {
	if words.HasPart(text, `\x|\0|\1`) {
		return trace.Decoded
	}
	return 0
}

// printf() returns the output of the command "printf". With -v NAME, "printf" stores the text in the variable NAME and
// prints nothing. If the call has several flags -v, the last one counts.
func printf(t *trace.Trace, c *trace.Command) trace.Flow {
	args := c.Args()
	variable := ""
	for len(args) > 0 && strings.HasPrefix(args[0].Text, "-v") {
		variable = args[0].Text[2:]
		if args = args[1:]; variable == "" && len(args) > 0 {
			variable, args = args[0].Text, args[1:]
		}
	}
	f := printed(args)
	if variable != "" {
		v := trace.Value{Text: f.Text, Quality: trace.Quality{Partial: !f.Known, Taint: f.Taint}}
		t.SetVariable(variable, []trace.Value{v}, c.Scope, c.Span)
		return trace.Nothing()
	}
	return f
}

// printed() returns the output of "printf", as far as the arguments are known.
func printed(args []trace.Value) trace.Flow {
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
	f.Taint |= escapeTaint(args[0].Text)
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

// FillFormat writes a printf format to b and replaces the verbs such as %s with the arguments. It returns the number of
// arguments that it has used.
func FillFormat(b *strings.Builder, format string, args []trace.Value) int {
	used := 0
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			b.WriteByte(format[i])
			continue
		}
		i++
		first := i
		for i < len(format)-1 && strings.IndexByte("-+ #0123456789.", format[i]) >= 0 {
			i++
		}
		_, precision, limited := strings.Cut(format[first:i], ".")
		if format[i] == '%' {
			b.WriteByte('%')
			continue
		}
		if used < len(args) {
			text := args[used].Text
			most, _ := strconv.Atoi(precision)
			code, err := strconv.Atoi(text)
			switch {
			case format[i] == 'b':
				text = unescape(text)
			case format[i] == 'c' && err == nil && len(text) > 1:
				text = string(rune(code)) // shells do not do so, but awk, Lua and Perl print the character with this number
			case format[i] == 'c':
				text = text[:min(1, len(text))]
			case limited && format[i] == 's':
				text = text[:min(most, len(text))]
			}
			b.WriteString(text)
			used++
		}
	}
	return used
}

func unsetBuiltin(t *trace.Trace, c *trace.Command) trace.Flow {
	args := c.Args()
	for _, v := range args {
		name := v.Text
		if args[0].Text != "-n" {
			name = c.Scope.Target(name)
		}
		MarkUnset(t, c, name, "")
		c.Scope.Vars.Unset(name)
	}
	return trace.Nothing()
}

// exportBuiltin handles "export" and "declare" after a word such as "command". After such a word, the parser treats
// assignments in the arguments as plain words.
func exportBuiltin(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "")
	d := declaration{reference: o.Has("n") && c.Name != "export", exports: o.Has("x") || c.Name == "export" && !o.Has("n")}
	d.assignFields(t, c.Args(), c.Scope, c.Span)
	if len(c.Argv) == 1 || o.Has("p x") {
		return trace.Flow{Taint: trace.FromEnviron}
	}
	return trace.Nothing()
}

func setOrShift(t *trace.Trace, c *trace.Command) trace.Flow {
	args := c.Args()
	t.SetsVariables(c, args) // fish sets variables with set -gx NAME value
	switch {
	case c.Name == "shift":
		shiftBy(c, args)
	case len(args) == 0:
		return trace.Flow{Taint: trace.FromEnviron}
	case len(args) == 2 && args[0].Text == "+o" && args[1].Text == "history":
		t.Mark(c, "stops the shell from recording commands", effect.DefenseOff)
	default:
		setArguments(c, args)
		if o := parseOptions(args); o.hasLong("allexport") || o.isOn('a') || args[0].Text == "+a" {
			c.Scope.Exports = args[0].Text[0] == '-'
		}
		if o := parseOptions(args); len(o.given) > 0 {
			c.Scope.Traces = o.isOn('x') || o.isOn('v') || o.hasLong("xtrace") || c.Scope.Traces && args[0].Text[0] == '-'
		}
	}
	return trace.Nothing()
}

// readBuiltin handles "read", "readarray" and "mapfile". With "read", the values of the variables are known only if the
// input is a single known line.
func readBuiltin(t *trace.Trace, c *trace.Command) trace.Flow {
	taking := "d p n N t u i a"
	if c.Name != "read" {
		taking = "d n u O s c C"
	}
	o := flags.Parse(c.Args(), taking)
	t.RunTexts(c, o.Values("C"))
	if len(o.Operands) == 0 {
		c.Scope.Forget("REPLY")
		c.Scope.Forget("MAPFILE")
	}
	known := c.In.Known && c.In.Text != "" && !o.Has("n N u O i") && (c.Name == "read" || !o.Has("s"))
	if c.Name != "read" {
		readLines(c, &o, known)
		return trace.Nothing()
	}
	line, _, _ := strings.Cut(c.In.Text, "\n")
	if !o.Has("r") {
		line = strings.ReplaceAll(line, `\`, "")
	}
	known = known && trace.FirstText(o.Values("d")) == "" && isOneLine(c.In.Text) && strings.IndexByte(line, 0) < 0
	separators, ok := (&fieldBuilder{trace: t, sc: c.Scope}).separators()
	known = known && ok
	isSeparator := func(r rune) bool { return strings.ContainsRune(separators, r) }
	for i, v := range append(o.Values("a"), o.Operands...) {
		quality := trace.Quality{Partial: true, Taint: c.In.Taint}
		values := []trace.Value{{Text: "$" + v.Text, Quality: quality}}
		if quality.Partial = false; known && o.Has("a") {
			values = nil
			for _, word := range strings.FieldsFunc(line, isSeparator) {
				values = append(values, trace.Value{Text: word, Quality: quality})
			}
			t.Keep(v.Text, trace.Variable{Values: values, Array: true}, c.Scope)
			continue
		}
		if known {
			word := strings.TrimFunc(line, isSeparator)
			if end := strings.IndexFunc(word, isSeparator); end >= 0 && i < len(o.Operands)-1 {
				word, line = word[:end], word[end:]
			} else {
				line = ""
			}
			values = []trace.Value{{Text: word, Quality: quality}}
		}
		t.SetVariable(v.Text, values, c.Scope, c.Span)
	}
	return trace.Nothing()
}

// readLines puts each line of the input into one element of an array, as "readarray" and "mapfile" do.
func readLines(c *trace.Command, o *flags.Options, known bool) {
	if len(o.Operands) == 0 {
		return
	}
	name, end := o.Word(0), "\n"
	if ends := o.Values("d"); len(ends) > 0 {
		end = cmp.Or(ends[0].Text, "\x00")
	}
	lines := strings.Split(strings.TrimSuffix(c.In.Text, end), end)
	if !known || len(lines) > trace.MaxFields || len(end) != 1 {
		c.Scope.Forget(name)
		return
	}
	var values []trace.Value
	for _, line := range lines {
		values = append(values, trace.Value{Text: strings.TrimSuffix(line, "\n"), Quality: trace.Quality{Taint: c.In.Taint}})
	}
	c.Scope.Set(name, trace.Variable{Values: values, Array: true})
}

// isOneLine reports whether a text is a single line. In a text with several lines, it is unknown which line "read"
// gets.
func isOneLine(text string) bool {
	return !strings.Contains(strings.TrimRight(text, "\n"), "\n")
}

// declClause evaluates a declaration with "export", "declare", "local", "readonly" or "typeset".
func declClause(t *trace.Trace, c *syntax.DeclClause, sc *trace.Scope) trace.Flow {
	variant := c.Variant.Value
	export := variant == "export"
	d := declaration{
		local:     sc.Locals != nil && words.OneOf(variant, "local declare typeset") && !hasFlag(c, 'g'),
		reference: variant == "nameref" || !export && hasFlag(c, 'n'),
		exports:   export && !hasFlag(c, 'n') || !export && hasFlag(c, 'x'),
		hides:     export && hasFlag(c, 'n'),
	}
	for _, arg := range c.Args {
		if d.local && arg.Name != nil {
			*sc.Locals = append(*sc.Locals, sc.Save(arg.Name.Value))
		}
		first := len(t.Effects)
		span := spanOf(t, arg.Pos(), arg.End())
		switch {
		case d.reference && arg.Name != nil && arg.Value != nil:
			refer(t, arg.Name.Value, single(t, arg.Value, sc), sc, span)
		case d.reference && arg.Name != nil:
			sc.Refer(arg.Name.Value)
		case arg.Naked && arg.Value != nil:
			d.assignFields(t, fields(t, arg.Value, sc), sc, span)
		default:
			assign(t, arg, sc)
		}
		if arg.Name != nil {
			d.export(sc, arg.Name.Value)
		}
		if export && arg.Naked {
			loadsSettings(t.Effects[min(first, len(t.Effects)):])
		}
	}
	if listsVariables(c.Args) {
		return trace.Flow{Taint: trace.FromEnviron}
	}
	return trace.Nothing()
}

// loadsSettings drops the event SecretAccess from the reads of .env files in a command such as "export $(cat .env)".
// Only "export" receives the lines of the file, and the command prints nothing. In the same way, "source .env" prints
// nothing.
func loadsSettings(effects []effect.Effect) {
	for i := range effects {
		if effects[i].Kind == effect.Read && strings.HasPrefix(trace.BaseName(effects[i].Path), ".env") {
			effects[i].Drop(effect.SecretAccess)
		}
	}
}

// listsVariables reports whether a declaration names no variable, as in "export -p". It then prints all variables.
func listsVariables(args []*syntax.Assign) bool {
	for _, assign := range args {
		if assign.Value == nil || !strings.HasPrefix(assign.Value.Lit(), "-") {
			return false
		}
	}
	return true
}

// hasFlag reports whether a declaration has a flag. For example, "declare -g" and "declare -gx" have the flag "g".
func hasFlag(c *syntax.DeclClause, flag byte) bool {
	for _, arg := range c.Args {
		if !arg.Naked || arg.Value == nil {
			continue
		}
		text := arg.Value.Lit()
		if strings.HasPrefix(text, "-") && strings.IndexByte(text, flag) > 0 {
			return true
		}
	}
	return false
}

// moveMatches analyzes zmv and zcp of zsh, which move or copy the files that match a pattern: zmv '(*).txt' '$1.md'.
func moveMatches(t *trace.Trace, c *trace.Command) trace.Flow {
	argv := []trace.Value{{Text: c.Name[1:]}} // mv or cp
	for _, v := range c.Args() {
		v.Text = words.Replace(v.Text, "(", "", ")", "")
		v.Glob = v.Glob || strings.ContainsAny(v.Text, "*?[")
		argv = append(argv, v)
	}
	return t.RunInner(c, argv)
}

// hashBuiltin handles a command such as "hash -p PATH NAME", after which the command NAME runs PATH. hashBuiltin
// records NAME as an alias of PATH. If PATH is a program of the guard, it also marks the command "hash".
func hashBuiltin(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "p")
	for _, v := range o.Values("p") {
		if p := t.Place(v, c.Scope); p.Program {
			t.Mark(c, "gives another name to "+p.Name+", which belongs to the guard", effect.GuardTamper)
		}
		c.Scope.Aliases.Set(o.Word(0), v.Text)
	}
	return trace.Nothing()
}

// setArguments sets $1, $2 and so on to the operands of "set". If there are no operands, only "set --" has an effect:
// it removes all arguments.
func setArguments(c *trace.Command, args []trace.Value) {
	o := parseOptions(args)
	if len(o.operands) > 0 || o.ended && args[len(o.given)].Text == "--" {
		c.Scope.Args = append([]trace.Value{}, o.operands...)
	}
}

// shiftBy removes the first arguments, as "shift" does. If the number in the call is unknown, all arguments become
// unknown.
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

// getoptsBuiltin forgets the values of the variables that "getopts" sets.
func getoptsBuiltin(_ *trace.Trace, c *trace.Command) trace.Flow {
	for _, name := range [...]string{trace.ArgAt(c.Argv, 2), "OPTARG", "OPTIND"} {
		if name != "" {
			c.Scope.Forget(name)
		}
	}
	return trace.Nothing()
}

// MarkUnset is for a command that unsets a variable. It marks the command if the guard depends on the variable, or if
// the variable configures the shell's history.
func MarkUnset(t *trace.Trace, c *trace.Command, name, flag string) {
	if trace.IsGuardVariable(name) || strings.Contains(c.Span.Text, "GUARDRAILS") {
		t.Mark(c, "unsets "+name+", which the guard depends on", effect.GuardTamper)
	}
	if trace.IsHistoryVariable(name) && flag == "" {
		t.Mark(c, "stops the shell from recording commands", effect.DefenseOff)
	}
}
