package wrapper

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/shell"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// specOf returns the spec of a program that only changes how another command runs. A spec describes the flags of a
// program. The result "operands" is the number of operands before the other command, such as a duration, a mask or
// a new root. For any other program, specOf returns false.
func specOf(name string) (spec string, operands int, ok bool) {
	const gnu = flags.Abbreviates
	switch name {
	case words.Among(name, "command builtin nohup setsid unbuffer dbus-run-session catchsegv noglob nocorrect then do firejail "+
		"valgrind linux32 linux64 x86_64 i386 busybox toybox with-contenv"):
		return "", 0, true
	case "time":
		return gnu + "o f output format", 0, true
	case "nice":
		return gnu + "n adjustment", 0, true
	case "ionice":
		return gnu + "c n p class classdata", 0, true
	case "timeout", "gtimeout":
		return gnu + "s k signal kill-after", 1, true
	case "stdbuf":
		return gnu + "i o e input output error", 0, true
	case "unshare":
		return gnu + "S G R w l setuid setgid root wd map-user map-group map-users map-groups propagation setgroups " +
			"load-interp", 0, true
	case "chroot":
		return gnu + "u g G userspec groups", 1, true
	case "nsenter":
		return gnu + "t S G target setuid setgid", 0, true
	case "taskset":
		return gnu + "p pid", 1, true
	case "chrt":
		return gnu + "T P D p sched-runtime sched-period sched-deadline pid", 1, true
	case "numactl":
		return gnu + "i w p P m N C interleave weighted-interleave preferred preferred-many membind cpunodebind physcpubind",
			0, true
	case "prlimit":
		return gnu + "p o pid output", 0, true
	case "cpulimit":
		return gnu + "c l p e P cpu limit pid exe path", 0, true
	case "systemd-run", "systemd-inhibit":
		return gnu + "C E H M p u capsule description gid host machine mode nice on-active on-boot on-calendar property " +
			"service-type setenv slice uid unit what who why working-directory", 0, true
	case "setarch", "arch":
		return "d e -arch", 0, true
	case "strace":
		return gnu + "a b e o p s u E I O P S U X output trace attach string-limit user env", 0, true
	case "ltrace":
		return gnu + "a A D e F l n o p s u w x X output", 0, true
	case "perf":
		return "C D F G I c e m o p r t x output event pid repeat freq count cpu", 1, true
	case "rlwrap":
		return "b B C D f g H l M O P q s S t w z", 0, true
	case "chpst":
		return "b c d e f l L m n o p r s t u U", 0, true
	case "softlimit":
		return "a c d f l m o p r s t", 0, true
	case "caffeinate":
		return "t w", 0, true
	case "faketime":
		return "p", 1, true
	case "fakeroot":
		return gnu + "b i l s faked lib", 0, true
	case "xvfb-run":
		return gnu + "e f n p s w auth-file error-file server-args server-num xauth-protocol wait", 0, true
	case "proxychains", "proxychains4":
		return "f", 0, true
	case "torsocks":
		return gnu + "a p P u address pass port user", 0, true
	case "dumb-init", "tini":
		return "e p r rewrite", 0, true
	case words.Among(name, "ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-linux.so.2 ld.so ld-musl-x86_64.so.1 "+
		"ld-musl-aarch64.so.1"):
		return "argv0 audit glibc-hwcaps-mask glibc-hwcaps-prepend inhibit-rpath library-path preload", 0, true
	}
	return "", 0, false
}

// Transparent returns the handler of a wrapper that only changes how a command runs. The handler skips the arguments of
// the wrapper and analyzes the command after them.
func Transparent(spec string, operands int) trace.Handler {
	return func(t *trace.Trace, c *trace.Command) trace.Flow {
		args := c.Args()
		if c.Name == "setarch" && len(args) > 0 && !strings.HasPrefix(args[0].Text, "-") {
			args = args[1:] // the architecture
		}
		o, rest := flags.ParseLeading(args, spec)
		if c.Name == "command" && o.Has("v V") {
			return shell.WhichOutput(rest)
		}
		markWrapper(t, c)
		rest = rest[min(operands, len(rest)):]
		if c.Name == "perf" {
			o, rest = flags.ParseLeading(rest, spec)
		}
		if words.OneOf(c.Name, "time strace ltrace perf") {
			t.WriteAll(c, o.Values("o output"))
		}
		return t.RunInner(c, rest)
	}
}

// markWrapper adds the events of the wrapper itself to the command. A wrapper such as time or nice does no harm, so the
// effect of the wrapper becomes inert. This means that allow lists need not contain the wrapper.
func markWrapper(t *trace.Trace, c *trace.Command) {
	switch c.Name {
	case "nsenter", "chroot":
		t.Mark(c, "leaves the container or enters another root with "+c.Name, effect.ContainerEscape)
	case words.Among(c.Name, "command builtin nohup time nice ionice timeout gtimeout stdbuf setsid caffeinate unbuffer"):
		if c.Run < len(t.Effects) {
			t.Effects[c.Run].Inert = true
		}
	}
}

// bubblewrap analyzes bwrap, whose flags take up to three values each. A spec cannot describe such flags.
func bubblewrap(t *trace.Trace, c *trace.Command) trace.Flow {
	args := c.Args()
	for len(args) > 0 && strings.HasPrefix(args[0].Text, "--") {
		name := args[0].Text[2:]
		values := 0
		switch name {
		case words.Among(name, "bind bind-try dev-bind dev-bind-try ro-bind ro-bind-try symlink setenv chmod file bind-data "+
			"ro-bind-data bind-fd ro-bind-fd"):
			values = 2
		case "overlay":
			values = 3
		case words.Among(name, "args argv0 userns userns2 pidns uid gid hostname chdir unsetenv lock-file sync-fd exec-label "+
			"file-label proc dev tmpfs mqueue dir remount-ro overlay-src tmp-overlay ro-overlay seccomp add-seccomp-fd "+
			"block-fd userns-block-fd info-fd json-status-fd cap-add cap-drop perms size"):
			values = 1
		}
		args = args[min(1+values, len(args)):]
	}
	return t.RunInner(c, args)
}
