package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// accountHandler knows what changes accounts, and what runs on a schedule.
func accountHandler(name string) handler {
	switch name {
	case among(name, "useradd adduser usermod groupadd addgroup groupmod chpasswd vipw vigr gpasswd chsh newusers pwconv "+
		"dscl sysadminctl dseditgroup"):
		return account
	case "passwd":
		return passwd
	case "userdel", "deluser", "groupdel", "delgroup":
		return marks("deletes an account", effect.PrivilegeGain, effect.DestructiveOp)
	case "visudo":
		return visudo
	case "setcap":
		return setcap
	case "crontab":
		return crontab
	}
	return nil
}

func account(a *analyzer, c *command) flow {
	if asksForHelp(c) || firstOf(c.args(), "-read", "-list", "-search", "read", "list") != "" {
		return flow{taint: fromProgram}
	}
	a.mark(c, "changes the accounts of the machine", effect.PrivilegeGain)
	return nothing()
}

func passwd(a *analyzer, c *command) flow {
	if !asksForHelp(c) && firstOf(c.args(), "-S", "--status") == "" {
		a.mark(c, "changes a password", effect.PrivilegeGain)
	}
	return nothing()
}

func visudo(a *analyzer, c *command) flow {
	if firstOf(c.args(), "-c", "--check", "-cf") == "" {
		a.mark(c, "changes who may become root", effect.PrivilegeGain)
	}
	return nothing()
}

func setcap(a *analyzer, c *command) flow {
	if len(c.argv) > 1 && firstOf(c.args(), "-r", "-v", "-h") == "" {
		a.mark(c, "gives a program capabilities that last", effect.PrivilegeGain)
	}
	return nothing()
}

// crontab replaces the user's schedule by a file or its input.
func crontab(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "u")
	switch {
	case o.has("l"):
		// What stands in the schedule already is none of this call's doing: nothing of it is new when it is written back.
		return flow{known: true, taint: fromFile}
	case o.has("r"):
		a.mark(c, "deletes the whole schedule", effect.DestructiveOp, effect.StartupChange)
		return nothing()
	case o.has("T V h help"):
		return nothing()
	}
	a.mark(c, "changes what runs on a schedule", effect.StartupChange)
	in := c.in
	if len(o.operands) > 0 && o.word(0) != "-" {
		in = a.readFlow(o.operands[0], c.sc, c.span)
	}
	if in.taint.has(fromNetwork | decoded) {
		a.runUnknown(c, in.taint, "schedules "+in.from())
	}
	for line := range strings.Lines(in.text) {
		if text := scheduled(line); text != "" {
			a.runText(c, value{text: text})
		}
	}
	return nothing()
}

// scheduled is the command of a line such as "*/5 * * * * command" or "@reboot command".
func scheduled(line string) string {
	line = strings.TrimSpace(line)
	fields := 5
	switch {
	case strings.HasPrefix(line, "#"):
		return ""
	case strings.HasPrefix(line, "@"):
		fields = 1
	}
	for range fields {
		_, rest, ok := strings.Cut(line, " ")
		if !ok {
			return ""
		}
		line = strings.TrimLeft(rest, " \t")
	}
	return line
}
