package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
)

// Handler returns the handler of a shell, or of another program or builtin that runs text in a shell. It returns nil
// for any other name.
func Handler(name string) trace.Handler {
	if trace.IsShell(name) {
		return shell
	}
	switch name {
	case "eval":
		return eval
	case "source", ".":
		return source
	case "trap":
		return trap
	case "at", "batch":
		return runLater
	}
	return nil
}

// shell() analyzes what a shell runs: the text of the option -c, a script file, or the standard input.
func shell(t *trace.Trace, c *trace.Command) trace.Flow {
	if c.Name == "fish" {
		startFish(t, c)
	}
	outer := t.Zsh
	t.Zsh = c.Name == "zsh"
	defer func() { t.Zsh = outer }()
	o := parseOptions(c.Args())
	if o.isOn('i') {
		startup(t, c, &o)
	}
	if command, ok := o.command(); ok {
		checks := c.Name == "bash" && o.isOn('n') && strings.Trim(trace.JoinAll(o.given), "-nc \n") == ""
		if len(command) == 0 || checks {
			return trace.Nothing()
		}
		outer := c.Scope
		inner := outer.Sub()
		inner.Args = append([]trace.Value{}, command[min(2, len(command)):]...)
		if len(command) > 1 {
			inner.Set("0", trace.Variable{Values: command[1:2]})
		}
		c.Scope = inner
		defer func() { c.Scope = outer }()
		return t.RunText(c, command[0])
	}
	if o.hasLong("--version") || o.hasLong("--help") ||
		o.isOn('n') && flags.FirstOf(c.Args(), "+n") == "" && c.Name != "nu" && c.Name != "xonsh" {
		return trace.Nothing()
	}
	if len(o.operands) > 0 && !o.isOn('s') && o.operands[0].Text != "/dev/stdin" {
		return RunFile(t, c, o.operands[0], o.operands[1:])
	}
	if c.In.Taint.Has(trace.FromSocket) {
		t.Mark(c, "connects a shell to the network", effect.ReverseShell)
	}
	if t.Privileged > 0 && c.In.Known && c.In.Text == "" {
		t.Mark(c, "opens a root shell", effect.PrivilegeGain)
	}
	out := RunStream(t, c, c.In)
	out.Taint |= trace.FromShell
	return out
}

// startup() analyzes the file that an interactive shell reads when it starts: the value of --rcfile or --init-file, or
// of the variable ENV, or the usual file in a home folder that the call has chosen.
func startup(t *trace.Trace, c *trace.Command, o *options) {
	file := c.Scope.Vars.Get("ENV").Scalar()
	for i, v := range o.given[:max(0, len(o.given)-1)] {
		if v.Text == "--rcfile" || v.Text == "--init-file" {
			file = o.given[i+1]
		}
	}
	if home, changed := c.Scope.Vars.Find("HOME"); changed && file.Text == "" {
		file = home.Scalar()
		file.Text += "/." + c.Name + "rc"
	}
	if file.Text != "" && file.Text != "/dev/null" {
		RunFile(t, c, file, nil)
	}
}

// startFish analyzes the commands in the options -C and --init-command of fish, and removes these options from the
// arguments. Fish runs such commands before anything else.
func startFish(t *trace.Trace, c *trace.Command) {
	var rest []trace.Value
	args := c.Args()
	for i := 0; i < len(args); i++ {
		v := args[i]
		text, attached := strings.CutPrefix(v.Text, "--init-command=")
		switch {
		case attached:
			v.Text = text
			t.RunText(c, v)
		case (v.Text == "-C" || v.Text == "--init-command") && i+1 < len(args):
			i++
			t.RunText(c, args[i])
		default:
			rest = append(rest, v)
		}
	}
	c.Argv = append([]trace.Value{c.Argv[0]}, rest...)
}

// RunStream analyzes the script that a shell gets as its input.
func RunStream(t *trace.Trace, c *trace.Command, in trace.Flow) trace.Flow {
	switch {
	case in.Known && strings.TrimSpace(in.Text) == "":
		return trace.Flow{Taint: trace.FromShell}
	case in.Known:
		if in.Taint.Has(trace.Decoded) {
			t.Opaque(c.Span, "runs decoded text", effect.HiddenExecution)
		}
		return t.Inside(c.Span, func() trace.Flow { return t.Shell(in.Text, c.Scope.Sub(), trace.Nothing()) })
	case in.From() != "" && !in.Taint.Has(trace.FromNetwork|trace.Decoded|trace.FromSocket|trace.FromProgram):
		if t.InputScript(c, in.From(), func(_ *trace.Command, text string) { t.RunText(c, trace.Value{Text: text}) }) {
			break
		}
		t.InputNotAnalyzed(c, in.From(), trace.Other)
	default:
		t.RunUnknown(c, in.Taint|trace.FromProgram, "runs the output of another program")
	}
	return trace.Flow{Taint: in.Taint | trace.FromShell}
}

// RunFile analyzes a command that runs a script file. The text of the script is known if the same call has written the
// file, or if the file is on disk.
func RunFile(t *trace.Trace, c *trace.Command, v trace.Value, args []trace.Value) trace.Flow {
	if v.Pipe != nil {
		return RunStream(t, c, *v.Pipe)
	}
	p := t.Place(v, c.Scope)
	if p.Secret && c.Name != "source" && c.Name != "." && flags.FirstOf(c.Args(), "-x -v") != "" {
		t.Read(v, c.Scope, c.Span) // the shell prints the lines of the file
	}
	if f, ok := t.Content[p.Name]; ok {
		sc := c.Scope
		c.Scope = sc.Sub()
		c.Scope.Args = append([]trace.Value{}, args...)
		t.RunContent(c, f)
		c.Scope = sc
		return trace.Unknown()
	}
	if trace.IsSocket(v.Text) {
		t.Opaque(c.Span, "runs what comes in over a connection", effect.ReverseShell)
		return trace.Unknown()
	}
	if program.IsTestProgram(p.Name) {
		t.MarkTest(c)
	}
	if Script(t, c, &p, v.Text, args) {
		return trace.Unknown()
	}
	if runMatches(t, c, &p, args) {
		return trace.Unknown()
	}
	t.NotAnalyzed(c, &p, trace.Other)
	return trace.Unknown()
}

// runMatches analyzes the scripts that a glob such as d*.sh matches. It returns false if the glob matches no script.
func runMatches(t *trace.Trace, c *trace.Command, p *trace.Place, args []trace.Value) bool {
	if !p.Glob || p.Partial {
		return false
	}
	names := t.Matches(p)
	for _, name := range names {
		RunFile(t, c, trace.Value{Text: name}, args)
	}
	return len(names) > 0
}

// eval() joins the arguments of "eval" with spaces, and analyzes the result as commands of the current shell.
func eval(t *trace.Trace, c *trace.Command) trace.Flow {
	args := c.Args()
	if len(args) > 0 && args[0].Text == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return trace.Nothing()
	}
	v := trace.Value{Text: trace.JoinArgs(args)}
	for _, arg := range args {
		v.Partial = v.Partial || arg.Partial
		v.Taint |= arg.Taint
	}
	if v.Taint.Has(trace.FromArgument) {
		defer t.Scripts.LeaveAll()()
	}
	if !v.Partial {
		if v.Taint.Has(trace.Decoded) {
			t.Opaque(c.Span, "runs decoded text", effect.HiddenExecution)
		}
		return t.Inside(c.Span, func() trace.Flow { return t.Shell(v.Text, c.Scope, c.In) })
	}
	if file, ok := trace.FileOf(v); ok && t.InputScript(c, file, func(_ *trace.Command, text string) {
		t.Inside(c.Span, func() trace.Flow { return t.Shell(text, c.Scope, c.In) })
	}) {
		return trace.Unknown()
	}
	if v.Taint.Has(trace.FromNetwork|trace.Decoded|trace.FromSocket) || !SetsUpShell(t, c) {
		t.RunUnknown(c, v.Taint|trace.FromProgram, "evaluates "+trace.Shorten(v.Text)+", part of which is unknown")
	} else {
		t.Unanalyzed(c.Span, EvaluatesSetup)
	}
	return trace.Unknown()
}

// EvaluatesSetup is an effect's reason. The effect is a command that evaluates code for setting up a shell. SetsUpShell
// recognizes such commands.
const EvaluatesSetup = "evaluates shell setup code that a program prints"

// SetsUpShell reports whether a command such as eval "$(ssh-agent -s)" loads a tool into the shell in a usual way. It
// looks at the effects of the substitution, such as $(ssh-agent -s). These effects are next to the command's own effect
// in the trace.
func SetsUpShell(t *trace.Trace, c *trace.Command) bool {
	for i := len(t.Effects) - 1; i >= 0 && i >= c.Run-3; i-- {
		e := &t.Effects[i]
		if e.Kind != effect.Run || i == c.Run {
			continue
		}
		program, rest, _ := strings.Cut(e.Command, " ")
		switch trace.ProgramName(program) {
		case "ssh-agent", "direnv", "pyenv", "rbenv", "nodenv", "goenv", "jenv", "brew", "starship", "zoxide", "mise", "asdf",
			"fnm", "conda", "mamba", "micromamba", "opam", "dircolors", "minikube", "docker-machine", "keychain", "thefuck",
			"luarocks", "register-python-argcomplete", "gpg-agent", "resize", "atuin", "mcfly", "rtx", "volta", "hub", "gh",
			"kubectl", "helm", "poetry", "uv":
			return !strings.Contains(rest, "run ")
		}
		return false
	}
	return false
}

// source() analyzes a file that the current shell runs with "source".
func source(t *trace.Trace, c *trace.Command) trace.Flow {
	args := flags.SkipLeading(c.Args(), "p")
	if len(args) == 0 {
		return trace.Nothing()
	}
	v, args := args[0], args[1:]
	if content, ok := knownSource(t, c, v); ok {
		return t.Inside(c.Span, func() trace.Flow { return t.Shell(content.Text, c.Scope, trace.Nothing()) })
	}
	if v.Pipe == nil && v.Text != "/dev/stdin" && followSourced(t, c, v, args) {
		return trace.Unknown()
	}
	if p := t.Place(v, c.Scope); p.Secret {
		c.Scope.Secrets, t.Sourced = true, c.Run+1
		if c.Scope.Traces {
			t.Mark(c, "prints "+p.Name+", which holds secrets, while the shell runs it (set -x)", effect.SecretAccess)
		}
	}
	// A script that activates a virtual environment does not change the variables that other scripts use.
	if !strings.HasSuffix(v.Text, "bin/activate") {
		defer c.Scope.ForgetAll()
	}
	if v.Pipe != nil {
		if SetsUpShell(t, c) && !v.Taint.Has(trace.FromNetwork|trace.Decoded|trace.FromSocket) {
			t.Unanalyzed(c.Span, "loads shell setup code that a program prints")
			return trace.Unknown()
		}
		return RunStream(t, c, *v.Pipe)
	}
	if v.Text == "/dev/stdin" {
		return RunStream(t, c, c.In)
	}
	return RunFile(t, c, v, args)
}

// knownSource returns the text of the file that "source" reads. It returns false if the text is unknown, or if the text
// was encoded to hide it.
func knownSource(t *trace.Trace, c *trace.Command, v trace.Value) (trace.Flow, bool) {
	content, ok := t.Content[t.Place(v, c.Scope).Name]
	switch {
	case v.Pipe != nil:
		content, ok = *v.Pipe, true
	case v.Text == "/dev/stdin":
		content, ok = c.In, true
	}
	return content, ok && content.Known && !content.Taint.Has(trace.Decoded)
}

// The function trap analyzes a command that the shell runs later, when it gets a signal or ends. If a command for the
// end of the shell uses variables, the values at the end count. So such a command is analyzed after the other commands
// of the script. If the script has already set all these variables, the command is also analyzed now, because the
// script may end before their values change. Any other command is analyzed only now.
func trap(t *trace.Trace, c *trace.Command) trace.Flow {
	o, args := flags.ParseLeading(c.Args(), "")
	if len(o.Flags) == 0 && len(args) > 1 && args[0].Text != "-" && args[0].Text != "" {
		atEnd := len(args) == 2 && (strings.EqualFold(args[1].Text, "EXIT") || args[1].Text == "0")
		if !atEnd || !usesUnset(args[0].Text, c.Scope) {
			t.RunText(c, args[0])
		}
		if !atEnd || strings.IndexByte(args[0].Text, '$') < 0 {
			return trace.Nothing()
		}
		c.Scope.Traps = append(slices.Clip(c.Scope.Traps), trace.Trap{Command: c, Text: args[0]})
	}
	return trace.Nothing()
}

// usesUnset reports whether a text uses a variable that the script has not set yet.
func usesUnset(text string, sc *trace.Scope) bool {
	for name := range trace.VariablesIn(text) {
		if _, set := sc.Vars.Find(name); !set && name != "" {
			return true
		}
	}
	return false
}

// runLater analyzes the commands that the program "at" or "batch" runs later. With -l or -c, the program only shows
// such commands.
func runLater(t *trace.Trace, c *trace.Command) trace.Flow {
	if flags.FirstOf(c.Args(), "-l -c") != "" {
		return trace.Flow{Taint: trace.FromProgram}
	}
	t.Mark(c, "schedules commands for later", effect.StartupChange)
	if c.In.Known {
		RunStream(t, c, c.In)
	}
	return trace.Nothing()
}

// Script analyzes a script on disk that runs in a new shell. It returns false if the script cannot be read.
func Script(t *trace.Trace, c *trace.Command, p *trace.Place, name string, args []trace.Value) bool {
	return t.FromDisk(c, p, func(inner *trace.Command, text string) {
		sc := c.Scope.Sub()
		sc.Funcs, sc.Aliases = trace.Table[*syntax.Stmt]{}, trace.Table[string]{}
		sc.Args = append([]trace.Value{}, args...)
		for i := range sc.Args {
			sc.Args[i].Taint |= trace.FromArgument
		}
		setScriptName(sc, name)
		t.Inside(c.Span, func() trace.Flow { return t.Shell(text, sc, inner.In) })
	})
}

func setScriptName(sc *trace.Scope, name string) {
	self := trace.Variable{Values: []trace.Value{{Text: name}}}
	sc.Set("0", self)
	sc.Set("BASH_SOURCE", self)
}

// followSourced analyzes a script on disk that runs in the current shell. It returns false if the script cannot be
// read.
func followSourced(t *trace.Trace, c *trace.Command, v trace.Value, args []trace.Value) bool {
	p := t.Place(v, c.Scope)
	return t.FromDisk(c, &p, func(_ *trace.Command, text string) {
		before := c.Scope.Save("BASH_SOURCE")
		c.Scope.Set("BASH_SOURCE", trace.Variable{Values: []trace.Value{{Text: v.Text}}})
		if len(args) > 0 {
			outer := c.Scope.Args
			c.Scope.Args = append([]trace.Value{}, args...)
			defer func() { c.Scope.Args = outer }()
		}
		t.Inside(c.Span, func() trace.Flow { return t.Shell(text, c.Scope, trace.Nothing()) })
		c.Scope.Restore(before)
	})
}
