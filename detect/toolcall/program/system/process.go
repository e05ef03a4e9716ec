package system

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/self"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// processHandler returns the handler of a program that lists or kills processes, or nil. Developers often kill their
// own servers. So the handler marks only calls that kill other processes.
func processHandler(name string) trace.Handler {
	switch name {
	case "kill":
		return kill
	case "pkill", "killall", "skill":
		return killByName
	case "killall5":
		return program.Marks("kills every process", effect.SystemControl)
	case words.Among(name, "pgrep pidof ps top htop lsof"):
		return listProcesses
	case words.Among(name, "fuser ss kill-port kill-port-process killport cross-port-killer fkill tcpkill"):
		return killByPort
	}
	return nil
}

// listProcesses analyzes programs that print process numbers. In "ps auxe", without a hyphen, e adds the environment.
func listProcesses(t *trace.Trace, c *trace.Command) trace.Flow {
	if first := trace.ArgAt(c.Argv, 1); c.Name == "ps" && strings.Contains(first, "e") && strings.Trim(first, "aexufwTrvjlhkOSXmcNAnp") == "" {
		t.Mark(c, "prints the environment of all processes, which holds secrets", effect.SecretAccess)
		return trace.Flow{Taint: trace.FromProgram | trace.FromEnviron}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// killByPort analyzes programs that kill the processes or connections of a port or a file. The programs fuser and ss
// kill something only if the call has a flag such as -k (fuser) or -K (ss). Without such a flag, they print a list.
func killByPort(t *trace.Trace, c *trace.Command) trace.Flow {
	lists := c.Name == "fuser" || c.Name == "ss"
	if !lists || flags.FirstOf(c.Args(), flags.Abbreviates+"-k -K -km -mk --kill") != "" {
		for _, v := range c.Args() {
			p := t.Place(v, c.Scope)
			if strings.HasPrefix(v.Text, "/") && p.Zone == trace.System {
				t.Mark(c, "kills every process that uses "+p.Name, effect.SystemControl)
			}
			if strings.Contains(v.Text, self.OwnPort) || p.Guard || self.IsSocket(v.Text) {
				stopServer(t, c)
			}
		}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

func kill(t *trace.Trace, c *trace.Command) trace.Flow {
	for _, v := range killTargets(c.Args()) {
		switch v.Text {
		case "-1":
			t.Mark(c, "kills every process", effect.SystemControl)
		case "1":
			t.Mark(c, "kills process 1, which stops the system", effect.SystemControl)
		}
		if v.Partial {
			killFound(t, c)
		}
	}
	return trace.Nothing()
}

// Attaches is a function for programs that take control of other processes. It marks a program that takes control of a
// process of the guard, such as "gdb -p $(pidof NAME)".
func Attaches(t *trace.Trace, c *trace.Command) {
	if !words.OneOf(c.Name, "gdb lldb dlv rr frida reptyr criu cpulimit injcode gcore") {
		return
	}
	for _, v := range c.Args() {
		if v.Partial {
			killFound(t, c)
		}
	}
}

// killTargets returns the arguments of kill without the signal. In "kill -9 -1", -9 is the signal and -1 is a target.
func killTargets(args []trace.Value) []trace.Value {
	if len(args) == 0 {
		return nil
	}
	switch first := args[0].Text; {
	case first == "-l" || first == "-L" || first == "--list":
		return nil
	case first == "-s" || first == "--signal" || first == "-n":
		args = args[min(2, len(args)):]
	case strings.HasPrefix(first, "-") && first != "--":
		args = args[1:]
	}
	if len(args) > 0 && args[0].Text == "--" {
		args = args[1:]
	}
	return args
}

// killFound judges commands such as "kill $(pgrep NAME)" and "kill $(lsof -t -i :PORT)". It looks at the arguments of
// the program that finds the process. The effect of that program is one of the few effects before the effect of kill.
func killFound(t *trace.Trace, c *trace.Command) {
	for i := c.Run - 1; i >= 0 && i >= c.Run-4; i-- {
		e := &t.Effects[i]
		program, rest, _ := strings.Cut(e.Command, " ")
		program = trace.ProgramName(program)
		if e.Kind != effect.Run {
			continue
		}
		list := strings.Fields(rest)
		for _, word := range list {
			if strings.Contains(word, "/") && t.Place(trace.Value{Text: word}, c.Scope).Guard {
				stopServer(t, c)
			}
		}
		if program == "pgrep" {
			o := flags.Parse(flags.SplitWords(rest, trace.Value{}), killValues)
			if users := o.Values("u U uid euid"); len(users) > 0 && !o.Has(narrowing) &&
				(len(o.Operands) == 0 || words.OneOf(o.Word(0), ". , ;")) { // a separator comes after -d
				t.Mark(c, "kills every process of "+users[0].Text, effect.SystemControl)
			}
		}
		switch program {
		case "pgrep", "pidof", "grep", "rg", "awk":
			// as in awk '/[p]attern/{print $2}'
			for _, word := range strings.Fields(words.Replace(rest, "{", " ", "&", " ")) {
				word = strings.Trim(word, `'"/!`)
				if self.MayMatchGuard(word) {
					stopServer(t, c)
				}
				word = words.Replace(word, "[", "", "]", "")
				killName(t, c, strings.TrimSuffix(word, "/cli.js")) // as in claude-code/cli.js
			}
		case "lsof", "fuser", "ss", "netstat":
			if strings.Contains(rest, self.OwnPort) {
				stopServer(t, c)
			}
		}
	}
}

func stopServer(t *trace.Trace, c *trace.Command) {
	t.Mark(c, "stops or debugs the guard's server", effect.GuardTamper)
}

// isSignal reports whether an argument such as -STOP names a signal. The arguments -9 and -U1000 are not names of
// signals.
func isSignal(arg string) bool {
	return len(arg) > 3 && arg[0] == '-' && isCapital(arg[1]) && isCapital(arg[2])
}

func isCapital(c byte) bool { return c >= 'A' && c <= 'Z' }

// The constant "narrowing" lists the flags of pkill and killall that select only some of a user's processes.
const narrowing = "t terminal g pgroup G group P parent F pidfile s session n newest o oldest O older y older-than " +
	"younger-than ns r runstates"

// The constant "killValues" lists the flags of pkill, killall and pgrep that take a name or a number.
const killValues = flags.Abbreviates + "s u U g G P t F o y signal user uid euid group pidfile parent " +
	"older-than younger-than ns"

func killByName(t *trace.Trace, c *trace.Command) trace.Flow {
	args := c.Args()
	if len(args) > 0 && isSignal(args[0].Text) {
		args = args[1:]
	}
	o := flags.Parse(args, killValues)
	if o.HasWhole("l L list V version help") {
		return trace.Nothing()
	}
	users := o.Values("u U user uid euid")
	if len(users) > 0 && len(o.Operands) == 0 || trace.FirstText(users) == "root" {
		which := "kills every process of "
		if len(o.Operands) > 0 || o.Has(narrowing) {
			which = "kills processes of "
		}
		t.Mark(c, which+trace.FirstText(users), effect.SystemControl)
	}
	for _, v := range o.Values("P parent") {
		if v.Partial {
			killFound(t, c)
		} else if v.Text == "1" || v.Text == "0" {
			t.Mark(c, "kills every process that runs without a terminal", effect.SystemControl)
		}
	}
	for _, v := range o.Operands {
		killName(t, c, v.Text)
		if self.MayMatchGuard(v.Text) {
			t.Mark(c, "stops the processes that "+v.Text+" matches, which may include the guard", effect.GuardTamper)
		}
	}
	return trace.Nothing()
}

func killName(t *trace.Trace, c *trace.Command, name string) {
	switch {
	case name == "." || name == ".*" || name == "*":
		t.Mark(c, "kills every process", effect.SystemControl)
	case programKind(name) == systemProgram:
		t.Mark(c, "kills "+name+", which the system needs", effect.SystemControl)
	default:
		markStopped(t, c, name)
	}
}
