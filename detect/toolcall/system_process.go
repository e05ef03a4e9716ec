package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// processHandler knows what ends processes. One's own servers are ended every day, so only what reaches further
// is told.
func processHandler(name string) handler {
	switch name {
	case "kill":
		return kill
	case "pkill", "killall", "skill":
		return killByName
	case "killall5":
		return marks("ends every process", effect.SystemControl)
	case among(name, "pgrep pidof ps top htop lsof fuser"):
		return listProcesses
	}
	return nil
}

// listProcesses prints numbers that kill may be given; fuser -k ends what it finds.
func listProcesses(a *analyzer, c *command) flow {
	if c.name == "fuser" && firstOf(c.args(), "-k", "-km", "-mk", "--kill") != "" {
		for _, v := range c.args() {
			if p := a.place(v, c.sc); strings.HasPrefix(v.text, "/") && p.zone == system {
				a.mark(c, "ends every process that uses "+p.name, effect.SystemControl)
			}
			if strings.Contains(v.text, ownPort) {
				a.mark(c, "stops the guard's server", effect.GuardTamper)
			}
		}
	}
	return flow{taint: fromProgram}
}

func kill(a *analyzer, c *command) flow {
	for _, v := range killTargets(c.args()) {
		switch v.text {
		case "-1":
			a.mark(c, "ends every process", effect.SystemControl)
		case "1":
			a.mark(c, "ends the first process, and with it the system", effect.SystemControl)
		}
		if v.partial {
			a.killFound(c)
		}
	}
	return nothing()
}

// killTargets are the processes that kill is given, without the signal: in kill -9 -1, -9 is one and -1 is not.
func killTargets(args []value) []value {
	if len(args) == 0 {
		return nil
	}
	switch first := args[0].text; {
	case first == "-l" || first == "-L" || first == "--list":
		return nil
	case first == "-s" || first == "--signal" || first == "-n":
		args = args[min(2, len(args)):]
	case strings.HasPrefix(first, "-") && first != "--":
		args = args[1:]
	}
	if len(args) > 0 && args[0].text == "--" {
		args = args[1:]
	}
	return args
}

// killFound judges kill $(pgrep name) by the name that was looked for: its run stands right before kill's own.
func (a *analyzer) killFound(c *command) {
	for i := c.run - 1; i >= 0 && i >= c.run-4; i-- {
		e := &a.effects[i]
		program, rest, _ := strings.Cut(e.Command, " ")
		if e.Kind != effect.Run {
			continue
		}
		switch programName(program) {
		case "pgrep", "pidof", "grep", "rg", "awk":
			for word := range strings.FieldsSeq(rest) {
				a.killName(c, strings.Trim(word, `'"[]/`))
			}
		case "lsof", "fuser", "ss", "netstat":
			if strings.Contains(rest, ownPort) {
				a.mark(c, "stops the guard's server", effect.GuardTamper)
			}
		}
	}
}

func killByName(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "s u U g G P t F o y signal user uid euid group pidfile parent older-than younger-than ns")
	if o.has("l L list V version help") {
		return nothing()
	}
	users := o.values("u U user uid euid")
	if len(users) > 0 && len(o.operands) == 0 || firstText(users) == "root" {
		a.mark(c, "ends every process of "+firstText(users), effect.SystemControl)
	}
	for _, v := range o.operands {
		a.killName(c, v.text)
		if meansGuard(v.text) {
			a.mark(c, "stops what "+v.text+" stands for, and the guard with it", effect.GuardTamper)
		}
	}
	return nothing()
}

func (a *analyzer) killName(c *command, name string) {
	switch {
	case name == "." || name == ".*" || name == "*":
		a.mark(c, "ends every process", effect.SystemControl)
	case programKind(name) == systemProgram:
		a.mark(c, "ends "+name+", which the system needs", effect.SystemControl)
	default:
		a.stopsNamed(c, name)
	}
}
