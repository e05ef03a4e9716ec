package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// privileged is sudo and its kind.
func privileged(a *analyzer, c *command) flow {
	a.mark(c, c.name+" runs a command as another user", effect.Privilege)
	const withValue = "u g U p C h r t D R T user group prompt host chdir role type close-from chroot command-timeout other-user"
	start := a.innerStart(c, withValue)
	o := parseOptions(c.argv[1:start], withValue)
	if c.name == "gosu" || c.name == "su-exec" {
		start = min(start+1, len(c.argv))
	}
	for start < len(c.argv) && strings.Contains(c.argv[start].text, "=") && !strings.Contains(c.argv[start].text, "/") {
		start++
	}
	if o.has("e edit") {
		for _, v := range c.argv[start:] {
			a.write(v, c.sc, c.span)
		}
		return nothing()
	}
	if start == len(c.argv) {
		if o.has("i s login shell") {
			a.mark(c, "opens a root shell", effect.PrivilegeGain)
		}
		return unknown()
	}
	if isShell(programName(c.argv[start].text)) && start+1 == len(c.argv) || programName(c.argv[start].text) == "su" {
		a.mark(c, "opens a root shell", effect.PrivilegeGain)
	}
	a.privileged++
	defer func() { a.privileged-- }()
	return a.again(c, c.argv[start:])
}

// switchUser is su: with -c it runs a command, without one it opens a shell.
func switchUser(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "c s g G command shell group")
	if scripts := o.values("c command"); len(scripts) > 0 {
		a.mark(c, "su runs a command as another user", effect.Privilege)
		return a.runText(c, scripts[0])
	}
	a.mark(c, "opens another user's shell", effect.Privilege, effect.PrivilegeGain)
	return unknown()
}
