package trace

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/words"
)

// JoinAll returns the texts of the arguments, separated by blanks.
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
	// Run is the index of the command's own effect.
	Run int
	// Socket is set if a redirection connects the command to the network.
	Socket bool
}

// Args returns the arguments after the program's name.
func (c *Command) Args() []Value { return c.Argv[1:] }

// CountCommand counts a command and reports whether the limit allows another one.
func (t *Trace) CountCommand() bool {
	t.Commands++
	if t.Commands > MaxCommands {
		t.Overflow("has more than 10,000 commands")
	}
	return !t.Full
}

// ProgramName returns a program's name without its folder and Windows extension, in lower case, because some file
// systems ignore case. In zsh, =rm is the path of rm and zf_rm is a builtin that does the same.
func ProgramName(s string) string {
	s = s[strings.LastIndexAny(s, `/\`)+1:]
	s = strings.ToLower(strings.TrimPrefix(strings.TrimPrefix(s, "="), "zf_"))
	return strings.TrimSuffix(strings.TrimSuffix(s, ".exe"), ".cmd")
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

// withTilde replaces the placeholder of an unknown home directory with ~.
func (t *Trace) withTilde(text string) string {
	if t.Env.Home != someHome {
		return text
	}
	return strings.ReplaceAll(text, someHome, "~")
}

// Mark adds events to the command's own effect.
func (t *Trace) Mark(c *Command, reason string, events ...effect.Event) {
	if c.Run < len(t.Effects) {
		t.Effects[c.Run].Note(reason, events...)
	}
}

// JoinArgs returns the text of a command without its quotes. A long text is cut.
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

// isInert reports whether a command only affects the shell itself.
func isInert(name string) bool {
	return name == words.Among(name, "cd pushd popd true false : echo printf pwd test [ set export unset local declare "+
		"readonly typeset shift wait return exit break continue read let shopt umask alias unalias type hash jobs bg fg "+
		"dirs times getopts sleep")
}

// Handler analyzes a call of one program: it adds the effects beyond running it, and returns its output.
type Handler func(t *Trace, c *Command) Flow

// SecretOperand adds a read of an argument that names a file with secrets. It assumes that an unknown program reads
// such a file.
func (t *Trace) SecretOperand(c *Command, v Value) Taint {
	text := v.Text
	if i := strings.IndexByte(text, '='); i >= 0 && strings.HasPrefix(text, "-") {
		text = text[i+1:]
	}
	text = strings.TrimPrefix(text, "@")
	if strings.HasPrefix(text, "-") || strings.ContainsAny(text, " \n") || !IsSecret(text) {
		return 0
	}
	v.Text = text
	t.Read(v, c.Scope, c.Span)
	return FromSecret
}

// RunInner analyzes the command that a wrapper runs.
func (t *Trace) RunInner(c *Command, argv []Value) Flow {
	if len(argv) == 0 {
		return c.In
	}
	if t.Depth >= MaxDepth {
		t.Overflow("has wrappers inside wrappers deeper than 24 levels")
		return Unknown()
	}
	t.Depth++
	defer func() { t.Depth-- }()
	return t.Dispatch(argv, c.Span, c.Scope, Streams{In: c.In, Socket: c.Socket})
}

// FirstText returns the text of the first value, or "".
func FirstText(vs []Value) string {
	if len(vs) == 0 {
		return ""
	}
	return vs[0].Text
}

// Joined returns the arguments as one text.
func Joined(args []Value) Value {
	v := Value{Text: JoinArgs(args)}
	for _, arg := range args {
		v.Partial = v.Partial || arg.Partial
		v.Taint |= arg.Taint
	}
	return v
}

// Streams are the input of a command and the destination of its output.
type Streams struct {
	In Flow
	// Files are the paths that standard output is written to. Diverted is set if the output does not reach the
	// pipe.
	Files    []string
	Diverted bool
	// Socket is set if a redirection connects to the network.
	Socket bool
}

// ArgAt returns the text of the i-th argument, or "".
func ArgAt(argv []Value, i int) string {
	if i < len(argv) {
		return argv[i].Text
	}
	return ""
}
