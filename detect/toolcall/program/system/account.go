package system

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// accountHandler returns the handler of a program that changes user accounts or scheduled commands, or nil.
func accountHandler(name string) trace.Handler {
	switch name {
	case words.Among(name, "useradd adduser usermod groupadd addgroup groupmod chpasswd vipw vigr gpasswd chsh newusers "+
		"pwconv dscl sysadminctl dseditgroup"):
		return account
	case "passwd":
		return passwd
	case "userdel", "deluser", "groupdel", "delgroup":
		return program.Marks("deletes an account or group", effect.PrivilegeGain, effect.DestructiveOp)
	case "pw": // on FreeBSD
		return program.MarksWith("changes the accounts of the machine", effect.PrivilegeGain,
			"useradd usermod userdel groupadd groupmod groupdel lock unlock")
	case "systemsetup": // on macOS
		return program.MarksWith("lets others log in to this machine", effect.PrivilegeGain, "-setremotelogin -setremoteappleevents")
	case "visudo":
		return visudo
	case "setcap":
		return setcap
	case "crontab":
		return crontab
	}
	return nil
}

func account(t *trace.Trace, c *trace.Command) trace.Flow {
	if flags.AsksForHelp(c) || flags.FirstOf(c.Args(), "-read -list -search read list") != "" {
		return trace.Flow{Taint: trace.FromProgram}
	}
	t.Mark(c, "changes the accounts of the machine", effect.PrivilegeGain)
	return trace.Nothing()
}

func passwd(t *trace.Trace, c *trace.Command) trace.Flow {
	if !flags.AsksForHelp(c) && flags.FirstOf(c.Args(), "-S --status") == "" {
		t.Mark(c, "changes a password", effect.PrivilegeGain)
	}
	return trace.Nothing()
}

func visudo(t *trace.Trace, c *trace.Command) trace.Flow {
	if flags.FirstOf(c.Args(), "-c --check -cf") == "" {
		t.Mark(c, "changes who may become root", effect.PrivilegeGain)
	}
	return trace.Nothing()
}

func setcap(t *trace.Trace, c *trace.Command) trace.Flow {
	if len(c.Argv) > 1 && flags.FirstOf(c.Args(), "-r -v -h") == "" {
		t.Mark(c, "gives a program lasting capabilities", effect.PrivilegeGain)
	}
	return trace.Nothing()
}

// The function crontab analyzes the program crontab, which replaces the schedule of the user with a file or with its
// input.
func crontab(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "u")
	switch {
	case o.Has("l"):
		// The call may read the existing entries of the schedule and write them back, as in "crontab -l | crontab -". The
		// analysis ignores these entries, because the call has not created them.
		return trace.Flow{Known: true, Taint: trace.FromFile}
	case o.Has("r"):
		t.MarkAll(c, "deletes the whole schedule", effect.DestructiveOp, effect.StartupChange)
		return trace.Nothing()
	case o.Has("T V h help"):
		return trace.Nothing()
	}
	t.Mark(c, "changes what runs on a schedule", effect.StartupChange)
	in := c.In
	if len(o.Operands) > 0 && o.Word(0) != "-" {
		in = t.ReadFlow(o.Operands[0], c.Scope, c.Span)
	}
	if in.Taint.Has(trace.FromNetwork | trace.Decoded) {
		t.RunUnknown(c, in.Taint, "schedules "+in.From())
	}
	for line := range strings.Lines(in.Text) {
		if text := scheduled(line); text != "" {
			t.RunText(c, trace.Value{Text: text})
		}
	}
	return trace.Nothing()
}

// scheduled() returns the command in a line of a schedule, such as "*/5 * * * * command" or "@reboot command".
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
