package wrapper

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
)

// privileged analyzes sudo and similar programs.
func privileged(t *trace.Trace, c *trace.Command) trace.Flow {
	t.Mark(c, c.Name+" runs a command as another user", effect.Privilege)
	const withValue = "u g U p C h r t D R T user group prompt host chdir role type close-from chroot command-timeout " +
		"other-user"
	start := innerStart(c, withValue)
	o := flags.Parse(c.Argv[1:start], withValue)
	if c.Name == "gosu" || c.Name == "su-exec" {
		start = min(start+1, len(c.Argv))
	}
	for start < len(c.Argv) && strings.Contains(c.Argv[start].Text, "=") && !strings.Contains(c.Argv[start].Text, "/") {
		start++
	}
	if o.Has("e edit") {
		for _, v := range c.Argv[start:] {
			t.Write(v, c.Scope, c.Span)
		}
		return trace.Nothing()
	}
	if start == len(c.Argv) {
		if o.Has("i s login shell") {
			t.Mark(c, "opens a root shell", effect.PrivilegeGain)
		}
		return trace.Unknown()
	}
	name := trace.ProgramName(c.Argv[start].Text)
	if trace.IsShell(name) && start+1 == len(c.Argv) || name == "su" {
		t.Mark(c, "opens a root shell", effect.PrivilegeGain)
	}
	t.Privileged++
	defer func() { t.Privileged-- }()
	return t.RunInner(c, c.Argv[start:])
}

// switchUser analyzes su, which runs the command after -c or opens a shell.
func switchUser(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "c s g G command shell group")
	if scripts := o.Values("c command"); len(scripts) > 0 {
		t.Mark(c, "su runs a command as another user", effect.Privilege)
		return t.RunText(c, scripts[0])
	}
	t.Mark(c, "opens another user's shell", effect.Privilege, effect.PrivilegeGain)
	return trace.Unknown()
}
