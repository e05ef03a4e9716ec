package wrapper

import (
	"strings"

	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/self"
	"guardrails/detect/toolcall/shell"
	"guardrails/detect/toolcall/trace"
)

// envWrapper analyzes env: its assignments, its flags and the command that it runs. -S contains a command in one
// argument.
func envWrapper(t *trace.Trace, c *trace.Command) trace.Flow {
	for i := 1; i < len(c.Argv); i++ {
		text := c.Argv[i].Text
		name, val, isAssign := strings.Cut(text, "=")
		split, isSplit := strings.CutPrefix(text, "--split-string=")
		switch {
		case text == "-S" || text == "--split-string" || isSplit || strings.HasPrefix(text, "-S"):
			rest := c.Argv[i+1:]
			switch {
			case isSplit:
			case len(text) > 2 && text[1] == 'S':
				split = text[2:]
			case len(rest) > 0:
				split, rest = rest[0].Text, rest[1:]
			}
			return t.RunInner(c, append(flags.SplitWords(split, c.Argv[i]), rest...))
		case text == "-u" || text == "--unset":
			i++
			shell.MarkUnset(t, c, trace.ArgAt(c.Argv, i), text)
		case text == "-C" || text == "--chdir":
			i++
			runsIn(t, c, trace.ArgAt(c.Argv, i))
		case strings.HasPrefix(text, "--chdir="):
			runsIn(t, c, val)
		case strings.HasPrefix(text, "--unset="):
			shell.MarkUnset(t, c, val, "-u")
		case text == "--" || text == "-" || strings.HasPrefix(text, "-"):
		case isAssign:
			given := trace.Value{Text: val, Quality: trace.Quality{Partial: c.Argv[i].Partial}}
			t.SensitiveVariable(c, name, given)
			if self.LocatesGuard(name) {
				c.Scope = c.Scope.Sub()
				c.Scope.Set(name, trace.Variable{Values: []trace.Value{given}})
			}
		default:
			if c.Run < len(t.Effects) {
				t.Effects[c.Run].Inert = true
			}
			return t.RunInner(c, c.Argv[i:])
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
