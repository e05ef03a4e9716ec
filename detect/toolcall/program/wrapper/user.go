package wrapper

import (
	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
)

func privileged(t *trace.Trace, c *trace.Command) trace.Flow {
	t.Mark(c, "runs a command as another user ("+c.Name+")", effect.Privilege)
	const spec = flags.Abbreviates +
		"u g U p C h r t D R T user group prompt host chdir role type close-from chroot command-timeout " +
		"other-user"
	o, rest := flags.ParseLeading(c.Args(), spec)
	if c.Name == "gosu" || c.Name == "su-exec" {
		rest = rest[min(1, len(rest)):]
	}
	if !o.Has("E") && (!o.Has("preserve-env") || len(o.Values("preserve-env")) > 0) {
		withhold(c, environment)
	}
	rest = assign(t, c, rest)
	if o.Has("e edit") {
		for _, v := range rest {
			t.Write(v, c.Scope, c.Span)
		}
		return trace.Nothing()
	}
	if len(rest) == 0 {
		if o.Has("i s login shell") {
			t.Mark(c, "opens a root shell", effect.PrivilegeGain)
		}
		return trace.Unknown()
	}
	name := trace.ProgramName(rest[0].Text)
	if trace.IsShell(name) && len(rest) == 1 || name == "su" {
		t.Mark(c, "opens a root shell", effect.PrivilegeGain)
	}
	t.Privileged++
	defer func() { t.Privileged-- }()
	return t.RunInner(c, rest)
}

// switchUser analyzes su, which runs the command after -c or opens a shell.
func switchUser(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), flags.Abbreviates+"c s g G command shell group")
	if scripts := o.Values("c command"); len(scripts) > 0 {
		t.Mark(c, "runs a command as another user (su)", effect.Privilege)
		return t.RunText(c, scripts[0])
	}
	t.MarkAll(c, "opens another user's shell", effect.Privilege, effect.PrivilegeGain)
	return trace.Unknown()
}
