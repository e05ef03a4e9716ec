package trace

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/words"
)

// JoinAll joins the texts of the arguments with spaces.
func JoinAll(args []Value) string {
	texts := make([]string, len(args))
	for i, v := range args {
		texts[i] = v.Text
	}
	return strings.Join(texts, " ")
}

// Command is a simple command: a program with its arguments.
type Command struct {
	Name  string  // the program without its folder
	Argv  []Value // argv[0] is the program as written
	Span  effect.Span
	Scope *Scope
	In    Flow
	// Run identifies the effect of running this command. It is the index of this effect in Trace.Effects.
	Run int
	// Socket is set if a redirection connects the command to the network.
	Socket bool
}

// Args returns the arguments after the program's name.
func (c *Command) Args() []Value { return c.Argv[1:] }

// CountCommand counts one more command. It returns false if the limit is exceeded.
func (t *Trace) CountCommand() bool {
	t.Commands++
	if t.Commands > MaxCommands {
		t.Overflow("has more than 10,000 commands")
	}
	return !t.Full
}

// SpendOn counts the usual work of a handler in steps. A handler reads its arguments and its input, and may compare
// each argument with all other arguments.
func (t *Trace) SpendOn(argv []Value, in *Flow) bool {
	n := len(argv)
	steps := stepsOfCommand + n*stepsOfArgument + n*n/16 + len(in.Text)/2
	for i := range argv {
		steps += len(argv[i].Text)
	}
	return t.Spend(steps)
}

// ProgramName returns a program's name without its folder, and without a Windows extension or .jar. The name is in
// lower case, because some file systems ignore case. In zsh, "=rm" stands for the path of rm, and "zf_rm" is a builtin
// that does the same as rm.
func ProgramName(s string) string {
	s = s[strings.LastIndexAny(s, `/\`)+1:]
	s = strings.ToLower(strings.TrimPrefix(strings.TrimPrefix(s, "="), "zf_"))
	return strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(s, ".exe"), ".cmd"), ".jar")
}

// EmitRun adds the effect of running a command.
func (t *Trace) EmitRun(c *Command) {
	text := JoinArgs(c.Argv)
	e := effect.Effect{Kind: effect.Run, Command: t.withTilde(text), Span: c.Span, Inert: isInert(c.Name)}
	if seen, hasData := withoutData(c); hasData {
		text, e.Data, e.Forms = seen, true, []string{seen}
	}
	if c.Name != c.Argv[0].Text {
		e.Forms = append(e.Forms, c.Name+strings.TrimPrefix(text, c.Argv[0].Text))
	}
	c.Run = len(t.Effects)
	t.Emit(e)
}

// withTilde replaces the placeholder for an unknown home folder with ~.
func (t *Trace) withTilde(text string) string {
	if t.Env.Home != someHome {
		return text
	}
	return strings.ReplaceAll(text, someHome, "~")
}

// Mark adds an event to the effect of running the command c. This method takes a single event, because several hundred
// places in the code call it. A list of events at each of these places would make the hook program 8 KB larger.
func (t *Trace) Mark(c *Command, reason string, event effect.Event) { t.MarkAll(c, reason, event) }

// MarkAll adds events to the effect of running the command c.
func (t *Trace) MarkAll(c *Command, reason string, events ...effect.Event) {
	if c.Run < len(t.Effects) {
		t.Effects[c.Run].NoteAll(reason, events...)
	}
}

// JoinArgs returns the text of a command without its quotes. It cuts off the end of a long text.
func JoinArgs(argv []Value) string {
	if len(argv) == 1 {
		return argv[0].Text
	}
	size := 0
	for i := range argv {
		size += 1 + len(argv[i].Text)
	}
	var b strings.Builder
	b.Grow(min(size, 4<<10))
	for i, v := range argv {
		if i > 0 {
			b.WriteByte(' ')
		}
		if b.Len() > 4096 {
			b.WriteString("…")
			break
		}
		b.WriteString(v.Text)
	}
	return b.String()
}

// isInert reports whether a command has no effect outside the shell. An example is "cd".
func isInert(name string) bool {
	return name == words.Among(name, "cd pushd popd true false : echo printf pwd test [ set export unset local declare "+
		"readonly typeset shift wait return exit break continue read let shopt umask alias unalias type hash jobs bg fg "+
		"dirs times getopts sleep")
}

// Handler is a function that analyzes a call of one program. It adds all effects of the call, except the effect of
// running the program. It returns the program's output.
type Handler func(t *Trace, c *Command) Flow

// SecretOperand is for programs without a handler. If an argument names a file with secrets, SecretOperand adds the
// effect of reading this file, because the program may read it.
func (t *Trace) SecretOperand(c *Command, v Value) Taint {
	text := v.Text
	if i := strings.IndexByte(text, '='); i >= 0 && strings.HasPrefix(text, "-") {
		text = text[i+1:]
	}
	text = strings.TrimPrefix(text, "@")
	if strings.HasPrefix(text, "-") || strings.ContainsAny(text, " \n") || !IsSecret(text) {
		return 0
	}
	if strings.ContainsAny(text, "*?[") && !v.Glob {
		return 0 // a pattern in quotes does not stand for files
	}
	v.Text = text
	t.Read(v, c.Scope, c.Span)
	return FromSecret
}

// RunInner analyzes the command that another command runs, as sudo does.
func (t *Trace) RunInner(c *Command, argv []Value) Flow {
	if len(argv) == 0 {
		return c.In
	}
	if t.Depth >= MaxDepth {
		t.Overflow("nests commands such as sudo deeper than 24 levels")
		return Unknown()
	}
	t.Depth++
	defer func() { t.Depth-- }()
	return t.Dispatch(argv, c.Span, c.Scope, Streams{In: c.In, Socket: c.Socket})
}

// RunAs analyzes a command as a call of another program with the given operands.
func (t *Trace) RunAs(c *Command, name string, operands []Value) Flow {
	inner := *c
	inner.Name, inner.Argv = name, append([]Value{{Text: name}, {Text: "--"}}, operands...)
	return t.Find(name)(t, &inner)
}

// RunPerl analyzes an expression that a command evaluates as Perl.
func (t *Trace) RunPerl(c *Command, expression Value) Flow {
	return t.RunInner(c, []Value{{Text: "perl"}, {Text: "-e"}, expression})
}

// FirstText returns the text of the first value, or "" if there is none.
func FirstText(vs []Value) string {
	if len(vs) == 0 {
		return ""
	}
	return vs[0].Text
}

// Joined joins the arguments into one text.
func Joined(args []Value) Value {
	v := Value{Text: JoinArgs(args)}
	for _, arg := range args {
		v.Partial = v.Partial || arg.Partial
		v.Taint |= arg.Taint
	}
	return v
}

// Streams holds the input of a command and the files to which its output goes.
type Streams struct {
	In Flow
	// Files lists the files to which standard output is written. The field "Appends" is set if the output is appended to
	// these files. The field "Diverted" is set if no output reaches the pipe.
	Files             []WrittenFile
	Appends, Diverted bool
	// Socket is set if a redirection connects the command to the network.
	Socket bool
}

// WrittenFile is a file to which output is written: its path as effects show it, and the value that names the file.
type WrittenFile struct {
	Path  string
	Value Value
}

// ArgAt returns the text of the i-th argument, or "" if there is none.
func ArgAt(argv []Value, i int) string {
	if i < len(argv) {
		return argv[i].Text
	}
	return ""
}
