package toolcall

import (
	"slices"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/program/cloud"
	"guardrails/detect/toolcall/program/database"
	"guardrails/detect/toolcall/program/files"
	"guardrails/detect/toolcall/program/find"
	"guardrails/detect/toolcall/program/git"
	"guardrails/detect/toolcall/program/interpreter"
	"guardrails/detect/toolcall/program/network"
	"guardrails/detect/toolcall/program/packages"
	"guardrails/detect/toolcall/program/system"
	"guardrails/detect/toolcall/program/windows"
	"guardrails/detect/toolcall/program/wrapper"
	"guardrails/detect/toolcall/self"
	"guardrails/detect/toolcall/shell"
	"guardrails/detect/toolcall/trace"
	"guardrails/guideline/pattern"
)

// The function dispatch analyzes a call of a program. It ignores aliases and shell functions, because programs such as
// sudo, which run other programs, do not know them.
func dispatch(t *trace.Trace, argv []trace.Value, span effect.Span, sc *trace.Scope, io trace.Streams) trace.Flow {
	if len(argv) == 0 {
		return trace.Nothing()
	}
	if !t.CountCommand() || !t.SpendOn(argv, &io.In) {
		return trace.Unknown()
	}
	if argv[0].Taint.Has(trace.FromArgument) {
		defer t.Scripts.LeaveAll()()
	}
	c := &trace.Command{Name: trace.ProgramName(argv[0].Text), Argv: argv, Span: span, Scope: sc, In: io.In, Socket: io.Socket}
	if argv[0].Glob {
		c.Name = globbedProgram(c.Name)
	}
	t.EmitRun(c)
	c.Argv = flags.Effective(argv)
	if path, changed := sc.Vars.Find("PATH"); changed && strings.IndexByte(argv[0].Text, '/') < 0 {
		inChangedPath(t, c, path.Scalar().Text)
	}
	if argv[0].Glob && !trace.IsOwnName(c.Name) {
		globbedOwn(t, c)
	}
	if argv[0].Partial && !inUnknownFolder(t, c) {
		return unknownProgram(t, c)
	}
	nameInput(c)
	if io.Socket {
		shell.MarkSocketShell(t, c)
	}
	programFile(t, c)
	if len(t.Content) > 0 && strings.IndexByte(c.Argv[0].Text, '/') >= 0 {
		p := t.Place(c.Argv[0], sc)
		if f, written := t.Content[p.Name]; written {
			t.RunContent(c, f)
			c.Name = trace.ProgramName(t.Scripts.Original(&p))
			if t.Find(c.Name) == nil {
				interpreter.CompiledSources(t, c) // a compiler may have replaced the file
				return trace.Unknown()
			}
			// It is possible that the call has not written the file, or has only added to the file. So the command is also
			// analyzed as a call of the usual program.
		}
	}
	self.MarkKey(t, c)
	if t.Content != nil || t.Env.Script != nil || c.In.Known || c.Name == "java" {
		interpreter.CompiledSources(t, c)
	}
	if handle := t.Find(c.Name); handle != nil && !onlyHelp(c) {
		begin := len(t.Effects)
		out := handle(t, c)
		database.ForgiveOwn(t, c)
		if len(t.Effects) > begin && len(t.Effects[begin].Events) > 0 && trace.ShowsNames(argv, sc) {
			t.ForgiveReads(begin, true)
		}
		if c.In.Taint.Has(trace.FromEnviron) && trace.ShowsNames(argv, sc) {
			out.Taint &^= trace.FromEnviron
		}
		program.FollowRows(t, c)
		program.Outputs(t, c, true)
		anyProgram(t, c, true)
		return out
	}
	anyProgram(t, c, false)
	database.UnlistedSQL(t, c)
	return program.Plain(t, c)
}

// The function nameInput connects the arguments that stand for the input of a command, such as /dev/stdin, with that
// input.
func nameInput(c *trace.Command) {
	if !c.In.Known && c.In.Taint == 0 {
		return
	}
	for i := range c.Argv {
		if v := &c.Argv[i]; v.Pipe == nil && trace.NamesInput(v.Text) {
			c.Argv = slices.Clone(c.Argv)
			c.Argv[i].Pipe = &c.In
		}
	}
}

// anyProgram looks for effects that every program can have, in addition to the effects that the program's handler
// finds. The parameter "handled" is true if the program has a handler.
func anyProgram(t *trace.Trace, c *trace.Command, handled bool) {
	program.Escapes(t, c)
	program.Exposes(t, c)
	program.Migrates(t, c)
	system.Attaches(t, c)
	self.MarkAgent(t, c)
	interpreter.Unlisted(t, c, handled)
}

// onlyHelp reports whether a program with subcommands only prints its help, as in "docker volume prune --help".
func onlyHelp(c *trace.Command) bool {
	if len(c.Argv) < 2 || c.Argv[len(c.Argv)-1].Text != "--help" {
		return false
	}
	for _, group := range [...]func(string) trace.Handler{packages.Handler, cloud.Handler, database.Handler, git.Handler} {
		if group(c.Name) == nil {
			continue
		}
		for _, v := range c.Args() {
			if v.Text == "run" || v.Text == "exec" || v.Text == "x" || v.Text == "dlx" || v.Text == "--" || v.Partial ||
				strings.ContainsAny(v.Text, " =;") {
				return false
			}
		}
		return true
	}
	return false
}

// globbedProgram returns a program whose name matches a command word such as /bin/r?. If several names match, it
// returns the most dangerous of them.
func globbedProgram(word string) string {
	g, err := pattern.CompileGlob(word)
	if err != nil {
		return word
	}
	for _, name := range [...]string{
		"rm", "dd", "sh", "bash", "mv", "cp", "ln", "tee", "chmod", "chown", "sudo", "su", "git", "curl", "wget", "nc",
		"ncat", "python3", "python", "perl", "ruby", "node",
		"find", "xargs", "env", "shred", "mkfs", "truncate", "cat", "kill", "shutdown", "reboot", "crontab", "docker",
		"kubectl", "base64", "ssh", "scp", "unlink", "eval",
	} {
		if g.Match(name) {
			return name
		}
	}
	return word
}

// globbedOwn analyzes a call whose command word, such as ~/.local/bin/g*s, may match one of the guard's programs.
func globbedOwn(t *trace.Trace, c *trace.Command) {
	if p := t.Place(c.Argv[0], c.Scope); p.Program || trace.MayBeOwnName(trace.BaseName(c.Argv[0].Text)) {
		self.OwnArguments(t, c, c.Args())
	}
}

// The variable "wired" holds the functions through which the packages of the analysis call each other.
var wired = trace.Callbacks{Find: handlerOf, Dispatch: dispatch, Shell: shell.Follow} //nolint:gochecknoglobals // never changes

func newTrace(env *trace.Env, tool string) *trace.Trace { return trace.New(&wired, env, tool) }

// handlerOf returns the handler of the program with this name, or nil. Each group of programs is a switch or a constant
// string, because building a table would delay the start of every hook. Groups of common programs come first. If a
// program is in two groups (arch, bun, deno, infisical), the first group handles it.
func handlerOf(name string) trace.Handler {
	for _, group := range [...]func(string) trace.Handler{
		shell.BuiltinHandler, git.Handler, files.Handler, files.FilterHandler, shell.Handler, packages.StartupHandler,
		wrapper.Handler, find.Handler, interpreter.Handler, self.Handler, packages.Handler, network.Handler, system.Handler, system.DiskHandler,
		cloud.Handler, database.Handler, windows.Handler,
	} {
		if h := group(name); h != nil {
			return h
		}
	}
	return nil
}

// inUnknownFolder reports whether a command word is the path of a program in an unknown folder, such as
// $JAVA_HOME/bin/java. It returns false if the call itself may have put the file there.
func inUnknownFolder(t *trace.Trace, c *trace.Command) bool {
	v := c.Argv[0]
	before, ok := strings.CutSuffix(v.Text, "bin/"+c.Name)
	if !ok || !strings.HasSuffix(strings.TrimSuffix(before, "."), "/") || strings.ContainsAny(c.Name, "$`*?[)") ||
		v.Taint.Has(trace.FromNetwork|trace.Decoded) || len(t.BroughtIn) > 0 || shell.BuiltinHandler(c.Name) != nil {
		return false
	}
	for i := range t.Effects {
		e := &t.Effects[i]
		if e.Kind == effect.Fetch || e.Kind == effect.Write && (e.Unknown || strings.HasSuffix(e.Path, "/"+c.Name)) {
			return false
		}
	}
	return true
}

// unknownProgram analyzes a call whose command word is unknown, such as "$cmd". If the flags look like the flags of "rm
// -rf", it treats the program as rm.
func unknownProgram(t *trace.Trace, c *trace.Command) trace.Flow {
	reason := "runs " + c.Argv[0].Text + ", which is unknown"
	switch {
	case c.Argv[0].Taint.Has(trace.FromNetwork):
		t.Opaque(c.Span, "runs what it downloads", effect.PipeToShell)
	case c.Argv[0].Taint.Has(trace.Decoded):
		t.Opaque(c.Span, "runs what it decodes", effect.HiddenExecution)
	case c.Argv[0].Taint.Has(trace.FromProgram | trace.FromFile):
		t.Opaque(c.Span, reason, effect.OpaqueExecution)
	default:
		t.Unanalyzed(c.Span, reason)
	}
	self.MarkOwnCommand(t, c)
	if c.Argv[0].Text == "$0" {
		t.Mark(c, "starts itself again", effect.ResourceExhaust)
	}
	o := flags.Parse(c.Args(), "")
	if o.Has("r R recursive") && o.Has("f force") && mayBeRemoval(&o) {
		for _, v := range o.Operands {
			t.Remove(v, c.Scope, c.Span, trace.Removal{Tree: true, How: "may delete"})
		}
	}
	// The remaining arguments may be a command that the unknown program runs, as in: "$cmd" rm -rf x.
	if len(o.Operands) > 0 && handlerOf(o.Operands[0].Text) != nil && c.Argv[1].Text == o.Operands[0].Text {
		t.RunInner(c, c.Argv[1:])
	}
	return trace.Unknown()
}

// mayBeRemoval reports whether an unknown command may be rm. It returns false if the command has a short flag that rm
// does not accept.
func mayBeRemoval(o *flags.Options) bool {
	for _, f := range o.Flags {
		if (len(f.Name) == 1 || f.Name[0] == '-') && strings.Trim(f.Name, "-rRfiIdv") != "" {
			return false
		}
	}
	return true
}

// programFile analyzes a program that is a script and is called by its path, such as ./build.sh or bin/tool. If the
// call has changed PATH, the program may also be called by its name.
func programFile(t *trace.Trace, c *trace.Command) {
	v := c.Argv[0]
	if t.Env.Script == nil || v.Partial || v.Glob {
		return
	}
	if strings.IndexByte(v.Text, '/') < 0 || isSystemFolder(v.Text) {
		return
	}
	p := t.Place(v, c.Scope)
	number := t.ScriptAt(&p)
	if number == 0 {
		// A copy of a known program, or a link to it, acts as this program. If the copy has the name of another known
		// program, both are analyzed, because the file is possibly an older one.
		if name := trace.ProgramName(t.Scripts.Original(&p)); name != c.Name && t.Find(name) != nil {
			if t.Find(c.Name) != nil {
				copied := *c
				copied.Name = name
				t.Find(name)(t, &copied)
			} else {
				c.Name = name
			}
		}
		if _, written := t.Content[p.Name]; !written && (trace.IsScriptName(p.Name) || t.Downloaded(c, &p)) {
			t.RunsNew(c, &p)
		}
		return
	}
	before := shebang(t.Scripts.Read[number-1].Text)
	if len(before) == 0 || trace.IsShell(before[0].Text) {
		shell.Script(t, c, &p, v.Text, c.Args())
		return
	}
	handle := interpreter.Handler(before[0].Text)
	if before[0].Text == "pwsh" {
		handle = windows.Handler("pwsh")
	}
	if handle == nil {
		return
	}
	inner := *c
	inner.Name = before[0].Text
	inner.Argv = append(append(before, v), c.Args()...)
	handle(t, &inner)
}

func isSystemFolder(path string) bool {
	return strings.HasPrefix(path, "/usr/") || strings.HasPrefix(path, "/bin/")
}

// maxFolders limits how many folders of a changed PATH are searched.
const maxFolders = 4

// inChangedPath looks for a program in the folders of a PATH that the call has changed. If one of the first folders has
// a script or a copy of another program, the command gets the path of this file. If the call has written the file, the
// content of the file is analyzed. The usual program is analyzed too, because the file is possibly not executable.
func inChangedPath(t *trace.Trace, c *trace.Command, path string) {
	if shell.BuiltinHandler(c.Name) != nil {
		return
	}
	for range maxFolders {
		var folder string
		if folder, path, _ = strings.Cut(path, ":"); folder == "" || isSystemFolder(folder+"/") {
			return
		}
		v := trace.Value{Text: strings.TrimSuffix(folder, "/") + "/" + c.Argv[0].Text}
		p := t.Place(v, c.Scope)
		if f, written := t.Content[p.Name]; written {
			t.RunContent(c, f)
		}
		if t.ScriptAt(&p) > 0 || trace.BaseName(t.Scripts.Original(&p)) != c.Argv[0].Text {
			c.Argv = append([]trace.Value{v}, c.Args()...)
			return
		}
	}
}

// shebang() returns the interpreter in the first line of a script, together with the options of the interpreter. It
// returns nil if there is no interpreter in this line. In this case, a shell runs the script.
func shebang(text string) []trace.Value {
	line, ok := strings.CutPrefix(text, "#!")
	if !ok {
		return nil
	}
	line, _, _ = strings.Cut(line, "\n")
	out := flags.SplitWords(line, trace.Value{})
	if len(out) > 1 && trace.ProgramName(out[0].Text) == "env" {
		out = flags.SkipLeading(out[1:], "u C unset chdir")
		for len(out) > 1 && strings.Contains(out[0].Text, "=") {
			out = out[1:]
		}
	}
	if len(out) > 0 {
		out[0].Text = trace.ProgramName(out[0].Text)
	}
	return out
}
