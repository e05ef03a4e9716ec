package tooluse

import "strings"

// wrapperHandler knows the programs that run another command given as their arguments.
func wrapperHandler(name string) handler {
	switch name {
	case "env":
		return envWrapper
	case "sudo", "doas", "pkexec", "gosu", "su-exec", "runuser", "please":
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
	case "entr", "nodemon":
		return wrapped("")
	case "aws-vault", "direnv", "dotenv", "infisical", "chamber":
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
	case "command", "builtin", "nohup", "setsid", "unbuffer", "caffeinate", "faketime", "dbus-run-session", "catchsegv", "fakeroot", "noglob", "nocorrect", "then", "do":
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
	case "chrt", "taskset", "numactl", "cpulimit", "prlimit", "systemd-run", "systemd-inhibit", "firejail", "bwrap", "unshare", "strace", "ltrace", "gdb", "valgrind", "perf", "rlwrap", "chpst", "softlimit", "setarch", "arch":
		return "p c m n o e u g M C D E S", true
	case "chroot", "nsenter", "busybox", "toybox", "proxychains", "proxychains4", "torsocks", "flock", "with-contenv", "xvfb-run", "dumb-init", "tini":
		return "w timeout t target n s f", true
	}
	return "", false
}

// wrapped is the handler of a transparent wrapper: it skips the wrapper's own arguments and runs the rest.
func wrapped(withValue string) handler {
	return func(a *analyzer, c *command) flow {
		if c.name == "command" && len(c.argv) > 1 && (c.argv[1].text == "-v" || c.argv[1].text == "-V") {
			return whichOutput(c, c.argv[2:])
		}
		a.onWrapper(c)
		return a.again(c, c.argv[a.innerStart(c, withValue):])
	}
}

// onWrapper adds what a wrapper means by itself.
func (a *analyzer) onWrapper(c *command) {
	switch c.name {
	case "nsenter", "chroot":
		a.mark(c, c.name+" leaves the container or enters another root", ContainerEscape)
	case "command", "builtin", "nohup", "time", "nice", "ionice", "timeout", "gtimeout", "stdbuf", "setsid", "caffeinate", "unbuffer":
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
	case "timeout", "gtimeout", "chroot", "flock", "faketime", "taskset", "chrt", "setarch", "chpst":
		return 1
	case "perf":
		return 1
	}
	return 0
}

// envWrapper skips the assignments that env makes; -S holds a whole command in one argument.
func envWrapper(a *analyzer, c *command) flow {
	for i := 1; i < len(c.argv); i++ {
		text := c.argv[i].text
		name, val, isAssign := strings.Cut(text, "=")
		split, isSplit := strings.CutPrefix(text, "--split-string=")
		switch {
		case text == "-S" || text == "--split-string" || isSplit || strings.HasPrefix(text, "-S"):
			rest := c.argv[i+1:]
			switch {
			case isSplit:
			case len(text) > 2 && text[1] == 'S':
				split = text[2:]
			case len(rest) > 0:
				split, rest = rest[0].text, rest[1:]
			}
			return a.again(c, append(splitWords(split, c.argv[i]), rest...))
		case text == "-u" || text == "-C" || text == "--unset" || text == "--chdir":
			i++
			a.unset(c, argAt(c.argv, i), text)
		case strings.HasPrefix(text, "--unset="):
			a.unset(c, val, "-u")
		case text == "--" || text == "-" || strings.HasPrefix(text, "-"):
		case isAssign:
			a.sensitiveVariable(c, name, value{text: val, partial: c.argv[i].partial})
		default:
			if c.run < len(a.effects) {
				a.effects[c.run].Inert = true
			}
			return a.again(c, c.argv[i:])
		}
	}
	return flow{taint: fromEnviron}
}

func argAt(argv []value, i int) string {
	if i < len(argv) {
		return argv[i].text
	}
	return ""
}

func splitWords(text string, at value) []value {
	var out []value
	for _, w := range strings.Fields(text) {
		v := at
		v.text = strings.Trim(w, `'"`)
		out = append(out, v)
	}
	return out
}

// unset notes that a variable which the guard depends on is taken away.
func (a *analyzer) unset(c *command, name, flag string) {
	if flag != "-C" && flag != "--chdir" && (isGuardVariable(name) || strings.Contains(c.span.Text, "GUARDRAILS")) {
		a.mark(c, "takes away "+name+", which the guard depends on", GuardTamper)
	}
	if isHistoryVariable(name) && flag == "" {
		a.mark(c, "stops the shell from recording commands", DefenseOff)
	}
}

// privileged is sudo and its kind.
func privileged(a *analyzer, c *command) flow {
	a.mark(c, c.name+" runs a command as another user", Privilege)
	const withValue = "u g U p C h r t D R T user group prompt host chdir role type close-from chroot command-timeout other-user"
	start := a.innerStart(c, withValue)
	o := parseOptions(c.argv[1:start], withValue)
	if c.name == "gosu" || c.name == "su-exec" {
		start = min(start+1, len(c.argv))
	}
	for start < len(c.argv) && strings.Contains(c.argv[start].text, "=") && !strings.Contains(c.argv[start].text, "/") {
		start++
	}
	if o.has("e", "edit") {
		for _, v := range c.argv[start:] {
			a.write(v, c.sc, c.span)
		}
		return nothing
	}
	if start == len(c.argv) {
		if o.has("i", "s", "login", "shell") {
			a.mark(c, "opens a root shell", PrivilegeGain)
		}
		return unknown
	}
	if isShell(programName(c.argv[start].text)) && start+1 == len(c.argv) || programName(c.argv[start].text) == "su" {
		a.mark(c, "opens a root shell", PrivilegeGain)
	}
	a.privileged++
	defer func() { a.privileged-- }()
	return a.again(c, c.argv[start:])
}

// switchUser is su: with -c it runs a command, without one it opens a shell.
func switchUser(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "c s g G command shell group")
	if scripts := o.values("c", "command"); len(scripts) > 0 {
		a.mark(c, "su runs a command as another user", Privilege)
		return a.runText(c, scripts[0])
	}
	a.mark(c, "opens another user's shell", Privilege, PrivilegeGain)
	return unknown
}

// execBuiltin replaces the shell by a command, or only redirects.
func execBuiltin(a *analyzer, c *command) flow {
	start := a.innerStart(c, "a")
	if start == len(c.argv) {
		return nothing
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

// xargs runs a command with operands that come from its input.
func xargs(a *analyzer, c *command) flow {
	const withValue = "I i n P L l s d E a R j J S max-args max-procs replace delimiter arg-file max-lines jobs"
	start := a.innerStart(c, withValue)
	inner := append([]value{}, c.argv[start:]...)
	if len(inner) == 0 {
		return flow{taint: c.in.taint}
	}
	o := parseOptions(c.argv[1:start], withValue)
	marker := "{}"
	if vs := o.values("I", "i", "replace"); len(vs) > 0 {
		marker = vs[0].text
	}
	args := inputWords(c.in)
	placed := false
	for i := range inner {
		if strings.Contains(inner[i].text, marker) {
			placed = true
		}
	}
	if placed {
		inner = substitute(inner, marker, args)
	} else {
		inner = append(inner, args...)
	}
	return a.dispatch(inner, c.span, c.sc, streams{in: nothing})
}

// inputWords are the words that a stream delivers: known ones, or one that stands for all.
func inputWords(in flow) []value {
	if !in.known {
		return []value{{text: "$(input)", partial: true, taint: in.taint}}
	}
	var out []value
	for _, w := range strings.FieldsFunc(in.text, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == 0 }) {
		if len(out) == maxFields {
			break
		}
		out = append(out, value{text: w, taint: in.taint, glob: strings.ContainsAny(w, "*?[")})
	}
	return out
}

func substitute(argv []value, marker string, with []value) []value {
	first := value{text: "$(input)", partial: true}
	if len(with) > 0 {
		first = with[0]
	}
	out := make([]value, 0, len(argv)+len(with))
	for _, v := range argv {
		switch {
		case v.text == marker:
			out = append(out, with...)
		case strings.Contains(v.text, marker):
			v.text = strings.ReplaceAll(v.text, marker, first.text)
			v.partial = v.partial || first.partial
			out = append(out, v)
		default:
			out = append(out, v)
		}
	}
	return out
}
