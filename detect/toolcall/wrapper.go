package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// wrapperHandler knows the programs that run another command given as their arguments.
func wrapperHandler(name string) handler {
	switch name {
	case "env":
		return envWrapper
	case among(name, "sudo doas pkexec gosu su-exec runuser please"):
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
		return wrapped("")
	case among(name, "aws-vault direnv dotenv infisical chamber"):
		return secretRunner
	case "script":
		return typescript
	case "tmux", "screen", "zellij":
		return multiplexer
	}
	if flags, ok := transparentFlags(name); ok {
		return wrapped(flags)
	}
	return nil
}

// transparentFlags lists the flags with values of the programs that only change how a command runs.
func transparentFlags(name string) (string, bool) {
	switch name {
	case among(name, "command builtin nohup setsid unbuffer caffeinate faketime dbus-run-session catchsegv fakeroot noglob "+
		"nocorrect then do"):
		return "", true
	case "time":
		return "o f output format", true
	case "nice":
		return "n adjustment", true
	case "ionice":
		return "c n p class classdata", true
	case "timeout", "gtimeout":
		return "s k signal kill-after", true
	case "stdbuf":
		return "i o e input output error", true
	case "unshare":
		return "S G R w l setuid setgid root wd map-user map-group map-users map-groups propagation setgroups load-interp", true
	case among(name, "chrt taskset numactl cpulimit prlimit systemd-run systemd-inhibit firejail bwrap strace ltrace gdb "+
		"valgrind perf rlwrap chpst softlimit setarch arch linux32 linux64 x86_64 i386"):
		return "p c m n o e u g M C D E S", true
	case among(name, "chroot nsenter busybox toybox proxychains proxychains4 torsocks with-contenv xvfb-run dumb-init tini "+
		"ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-linux.so.2 ld.so ld-musl-x86_64.so.1 "+
		"ld-musl-aarch64.so.1"):
		return "w timeout t target n s f", true
	}
	return "", false
}

// wrapped is the handler of a transparent wrapper: it skips the wrapper's own arguments and runs the rest.
func wrapped(withValue string) handler {
	return func(a *analyzer, c *command) flow {
		if c.name == "command" && len(c.argv) > 1 && (c.argv[1].text == "-v" || c.argv[1].text == "-V") {
			return whichOutput(c.argv[2:])
		}
		a.onWrapper(c)
		a.wrapperOutput(c, withValue)
		return a.again(c, c.argv[a.innerStart(c, withValue):])
	}
}

// wrapperOutput notes the file that time or strace writes beside the command that it runs.
func (a *analyzer) wrapperOutput(c *command, withValue string) {
	if !oneOf(c.name, "time", "strace", "ltrace", "perf", "valgrind") {
		return
	}
	o, _ := leadingOptions(c.args(), withValue)
	for _, v := range o.values("o output") {
		a.write(v, c.sc, c.span)
	}
}

// onWrapper adds what a wrapper means by itself.
func (a *analyzer) onWrapper(c *command) {
	switch c.name {
	case "nsenter", "chroot":
		a.mark(c, c.name+" leaves the container or enters another root", effect.ContainerEscape)
	case among(c.name, "command builtin nohup time nice ionice timeout gtimeout stdbuf setsid caffeinate unbuffer"):
		if c.run < len(a.effects) {
			a.effects[c.run].Inert = true
		}
	}
}

// innerStart is the index in argv at which the inner command begins.
func (a *analyzer) innerStart(c *command, withValue string) int {
	i := 1
	for i < len(c.argv) {
		text := c.argv[i].text
		if text == "--" {
			i++
			break
		}
		if !strings.HasPrefix(text, "-") || text == "-" {
			break
		}
		i += 1 + flagValue(text, withValue)
	}
	return min(i+leading(c), len(c.argv))
}

// flagValue is 1 when the flag takes its value from the next argument.
func flagValue(text, withValue string) int {
	name := strings.TrimLeft(text, "-")
	if strings.Contains(name, "=") {
		return 0
	}
	if strings.HasPrefix(text, "--") {
		return btoi(takesValue(withValue, name))
	}
	return btoi(name != "" && takesValue(withValue, name[len(name)-1:]))
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// leading counts the operands that stand before the inner command: a duration, a lock file, a new root.
func leading(c *command) int {
	switch c.name {
	case among(c.name, "timeout gtimeout chroot faketime taskset chrt setarch chpst"):
		return 1
	case "perf":
		return 1
	}
	return 0
}

// execBuiltin replaces the shell by a command, or only redirects.
func execBuiltin(a *analyzer, c *command) flow {
	start := a.innerStart(c, "a")
	if start == len(c.argv) {
		return nothing()
	}
	return a.again(c, c.argv[start:])
}

// watch gives its arguments, joined, to a shell.
func watch(a *analyzer, c *command) flow {
	rest := c.argv[a.innerStart(c, "n interval"):]
	if len(rest) == 1 {
		return a.runText(c, rest[0])
	}
	return a.again(c, rest)
}
