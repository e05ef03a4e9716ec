package wrapper

import (
	"slices"
	"strings"

	"guardrails/detect/toolcall/flags"
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
		withhold(c, v.Text)
	}
	leading := c.Args()[:len(c.Args())-len(rest)]
	if o.Has("i ignore-environment") || slices.ContainsFunc(leading, func(v trace.Value) bool { return v.Text == "-" }) {
		withhold(c, environment)
	}
	for _, v := range o.Values("C chdir") {
		runsIn(t, c, v.Text)
	}
	for _, v := range o.Values("S split-string") {
		return t.RunInner(c, append(flags.SplitWords(v.Text, v), rest...))
	}
	if rest = assign(t, c, rest); len(rest) == 0 {
		return trace.Flow{Taint: trace.FromEnviron}
	}
	if c.Run < len(t.Effects) {
		t.Effects[c.Run].Inert = true
	}
	return t.RunInner(c, rest)
}

// assign() sets the variables in a call such as "env A=1 B=2 COMMAND". It returns the arguments after these
// assignments.
func assign(t *trace.Trace, c *trace.Command, list []trace.Value) []trace.Value {
	for ; len(list) > 0; list = list[1:] {
		name, text, ok := strings.Cut(list[0].Text, "=")
		if !ok || strings.Contains(name, "/") {
			break
		}
		if trace.IsHistoryVariable(name) && len(list) > 1 && trace.RunsNoShell(list[1:]) {
			continue
		}
		c.Scope = c.Scope.Sub()
		t.SetVariable(name, []trace.Value{{Text: text, Quality: list[0].Quality}}, c.Scope, c.Span)
		c.Scope.Export(name, true)
	}
	return list
}

// The constant "environment" lists endings of names. A variable whose name has such an ending chooses an
// environment or a database.
const environment = "_ENV DATABASE_URL DATABASE _MODULE"

// withhold() removes variables from the environment of the wrapped command. It removes each variable whose name has one
// of the endings.
func withhold(c *trace.Command, endings string) {
	c.Scope = c.Scope.Sub()
	c.Scope.Vars.Changes(trace.Table[trace.Variable]{}, func(name string, _ trace.Variable) {
		for ending := range strings.FieldsSeq(endings) {
			if strings.HasSuffix(name, ending) {
				c.Scope.Export(name, false)
			}
		}
	})
}

// runsIn sets the folder in which the wrapped command runs.
func runsIn(t *trace.Trace, c *trace.Command, folder string) {
	c.Scope = c.Scope.Sub()
	if folder != "" {
		argv := []trace.Value{{Text: "cd"}, {Text: folder}}
		shell.ChangeDir(t, &trace.Command{Name: "cd", Argv: argv, Scope: c.Scope, Run: c.Run})
	}
}
