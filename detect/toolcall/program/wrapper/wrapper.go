// Package wrapper analyzes programs that run another command from their arguments, such as env, sudo, xargs and tmux.
package wrapper

import (
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// Handler returns the handler of a program that runs another command from its arguments, or nil.
func Handler(name string) trace.Handler {
	switch name {
	case "env":
		return envWrapper
	case words.Among(name, "sudo doas pkexec gosu su-exec runuser please"):
		return privileged
	case "su":
		return switchUser
	case "zargs":
		return zargs
	case "xargs", "parallel":
		return xargs
	case "exec":
		return execBuiltin
	case "watch":
		return watch
	case "mispipe":
		return func(t *trace.Trace, c *trace.Command) trace.Flow {
			t.RunTexts(c, c.Args())
			return trace.Nothing()
		}
	case "flock":
		return flock
	case "entr", "nodemon":
		return Transparent("", 0)
	case "gdb", "lldb":
		return debugger
	case "bwrap":
		return bubblewrap
	case words.Among(name, "aws-vault direnv dotenv dotenv-cli infisical chamber"):
		return secretRunner
	case "start-stop-daemon":
		return daemon
	case "script":
		return typescript
	case "tmux", "screen", "zellij":
		return multiplexer
	}
	if spec, operands, ok := specOf(name); ok {
		return Transparent(spec, operands)
	}
	return nil
}

// execBuiltin analyzes exec, a builtin of the shell. The builtin replaces the shell with a command, or only changes
// redirections.
func execBuiltin(t *trace.Trace, c *trace.Command) trace.Flow {
	command := flags.SkipLeading(c.Args(), "a")
	if len(command) == 0 {
		return trace.Nothing()
	}
	return t.RunInner(c, command)
}

// watch() analyzes the program "watch", which runs a command repeatedly. The program joins its arguments and passes
// them to a shell.
func watch(t *trace.Trace, c *trace.Command) trace.Flow {
	rest := flags.SkipLeading(c.Args(), flags.Abbreviates+"n interval")
	if len(rest) == 1 {
		return t.RunText(c, rest[0])
	}
	return t.RunInner(c, rest)
}

// daemon() analyzes start-stop-daemon. A flag names the program that start-stop-daemon starts. The arguments of the
// program follow --.
func daemon(t *trace.Trace, c *trace.Command) trace.Flow {
	rest, _ := flags.AfterDashes(c.Args())
	for i, v := range c.Args() {
		if words.OneOf(v.Text, "-x --exec -a --startas") && i+1 < len(c.Args()) {
			t.RunInner(c, append([]trace.Value{c.Args()[i+1]}, rest...))
		}
	}
	return trace.Nothing()
}
