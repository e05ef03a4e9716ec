package wrapper

import (
	"strings"

	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/self"
	"guardrails/detect/toolcall/shell"
	"guardrails/detect/toolcall/trace"
)

// envWrapper analyzes env: its flags, its assignments and the command that it runs. The value of -S is a whole command.
func envWrapper(t *trace.Trace, c *trace.Command) trace.Flow {
	o, rest := flags.ParseLeading(c.Args(), flags.Abbreviates+"u C S unset chdir split-string")
	if len(rest) > 0 && rest[0].Text == "-" {
		rest = rest[1:]
	}
	for _, v := range o.Values("u unset") {
		shell.MarkUnset(t, c, v.Text, "-u")
	}
	for _, v := range o.Values("C chdir") {
		runsIn(t, c, v.Text)
	}
	for _, v := range o.Values("S split-string") {
		return t.RunInner(c, append(flags.SplitWords(v.Text, v), rest...))
	}
	for ; len(rest) > 0; rest = rest[1:] {
		name, text, isAssign := strings.Cut(rest[0].Text, "=")
		if !isAssign {
			if c.Run < len(t.Effects) {
				t.Effects[c.Run].Inert = true
			}
			return t.RunInner(c, rest)
		}
		given := trace.Value{Text: text, Quality: trace.Quality{Partial: rest[0].Partial}}
		t.SensitiveVariable(c, name, given)
		if self.LocatesGuard(name) || trace.SkipsChecks(name, text) {
			c.Scope = c.Scope.Sub()
			c.Scope.Set(name, trace.Variable{Values: []trace.Value{given}})
		}
	}
	return trace.Flow{Taint: trace.FromEnviron}
}

// runsIn sets the folder in which the wrapped command runs.
func runsIn(t *trace.Trace, c *trace.Command, folder string) {
	c.Scope = c.Scope.Sub()
	if folder != "" {
		argv := []trace.Value{{Text: "cd"}, {Text: folder}}
		shell.ChangeDir(t, &trace.Command{Name: "cd", Argv: argv, Scope: c.Scope, Run: c.Run})
	}
}
