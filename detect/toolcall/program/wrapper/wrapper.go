// Package wrapper analyzes programs that run another command from their arguments: env, sudo, xargs, find, tmux.
package wrapper

import (
	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/shell"
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
	case "xargs", "parallel":
		return xargs
	case "find", "fd", "fdfind":
		return find
	case "exec":
		return execBuiltin
	case "watch":
		return watch
	case "flock":
		return flock
	case "entr", "nodemon":
		return Transparent("")
	case words.Among(name, "aws-vault direnv dotenv infisical chamber"):
		return secretRunner
	case "script":
		return typescript
	case "tmux", "screen", "zellij":
		return multiplexer
	}
	if spec, ok := transparentFlags(name); ok {
		return Transparent(spec)
	}
	return nil
}

// transparentFlags returns the spec of a program that only changes how a command runs, and false for any other program.
func transparentFlags(name string) (string, bool) {
	switch name {
	case words.Among(name, "command builtin nohup setsid unbuffer caffeinate faketime dbus-run-session catchsegv "+
		"fakeroot noglob nocorrect then do"):
		return "", true
	case "time":
		return flags.Abbreviates + "o f output format", true
	case "nice":
		return flags.Abbreviates + "n adjustment", true
	case "ionice":
		return flags.Abbreviates + "c n p class classdata", true
	case "timeout", "gtimeout":
		return flags.Abbreviates + "s k signal kill-after", true
	case "stdbuf":
		return flags.Abbreviates + "i o e input output error", true
	case "unshare":
		return flags.Abbreviates + "S G R w l setuid setgid root wd map-user map-group map-users map-groups propagation setgroups " +
			"load-interp", true
	case words.Among(name, "chrt taskset numactl cpulimit prlimit systemd-run systemd-inhibit firejail bwrap strace "+
		"ltrace gdb valgrind perf rlwrap chpst softlimit setarch arch linux32 linux64 x86_64 i386"):
		return "p c m n o e u g M C D E S", true
	case words.Among(name, "chroot nsenter busybox toybox proxychains proxychains4 torsocks with-contenv xvfb-run "+
		"dumb-init tini ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-linux.so.2 ld.so ld-musl-x86_64.so.1 "+
		"ld-musl-aarch64.so.1"):
		return "w timeout t target n s f", true
	}
	return "", false
}

// Transparent returns the handler of a wrapper that only changes how a command runs. The handler skips the arguments of
// the wrapper and analyzes the rest.
func Transparent(spec string) trace.Handler {
	return func(t *trace.Trace, c *trace.Command) trace.Flow {
		if c.Name == "command" {
			if o, rest := flags.ParseLeading(c.Args(), spec); o.Has("v V") {
				return shell.WhichOutput(rest)
			}
		}
		markWrapper(t, c)
		wrapperOutput(t, c, spec)
		return t.RunInner(c, inner(c, spec))
	}
}

// wrapperOutput adds the file that time or strace writes to.
func wrapperOutput(t *trace.Trace, c *trace.Command, spec string) {
	if !words.OneOf(c.Name, "time", "strace", "ltrace", "perf", "valgrind") {
		return
	}
	o, _ := flags.ParseLeading(c.Args(), spec)
	for _, v := range o.Values("o output") {
		t.Write(v, c.Scope, c.Span)
	}
}

// markWrapper marks the command with the events of the wrapper itself.
func markWrapper(t *trace.Trace, c *trace.Command) {
	switch c.Name {
	case "nsenter", "chroot":
		t.Mark(c, c.Name+" leaves the container or enters another root", effect.ContainerEscape)
	case words.Among(c.Name, "command builtin nohup time nice ionice timeout gtimeout stdbuf setsid caffeinate unbuffer"):
		if c.Run < len(t.Effects) {
			t.Effects[c.Run].Inert = true
		}
	}
}

// inner returns the command that a wrapper runs: its arguments without its flags and leading operands.
func inner(c *trace.Command, spec string) []trace.Value {
	rest := flags.SkipLeading(c.Args(), spec)
	return rest[min(leadingOperands(c), len(rest)):]
}

// leadingOperands returns the number of operands before the inner command: a duration, a mask, a new root.
func leadingOperands(c *trace.Command) int {
	switch c.Name {
	case words.Among(c.Name, "timeout gtimeout chroot faketime taskset chrt setarch chpst"):
		return 1
	case "perf":
		return 1
	}
	return 0
}

// execBuiltin analyzes the shell builtin exec, which replaces the shell with a command or only changes redirections.
func execBuiltin(t *trace.Trace, c *trace.Command) trace.Flow {
	command := inner(c, "a")
	if len(command) == 0 {
		return trace.Nothing()
	}
	return t.RunInner(c, command)
}

// watch analyzes watch, which runs a command repeatedly. It joins its arguments and passes them to a shell.
func watch(t *trace.Trace, c *trace.Command) trace.Flow {
	rest := inner(c, flags.Abbreviates+"n interval")
	if len(rest) == 1 {
		return t.RunText(c, rest[0])
	}
	return t.RunInner(c, rest)
}
