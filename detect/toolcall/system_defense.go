package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// defenseHandler knows what switches firewalls, access control and records off.
func defenseHandler(name string) handler {
	const firewall, control, records = "opens the firewall", "switches access control off", "erases records"
	switch name {
	case among(name, "iptables ip6tables iptables-legacy iptables-nft ebtables"):
		return iptables
	case "iptables-restore", "ip6tables-restore":
		return marks("replaces the firewall's rules", effect.DefenseOff)
	case "nft":
		return marksWith(firewall, effect.DefenseOff, "flush", "delete", "destroy")
	case "ufw":
		return ufw
	case "firewall-cmd":
		return marksWith(firewall, effect.DefenseOff, "--remove-*", "--set-default-zone=trusted", "--set-target=ACCEPT", "--panic-off")
	case "pfctl":
		return marksWith(firewall, effect.DefenseOff, "-d", "-F", "-Fa")
	case "setenforce":
		return marksWith(control, effect.DefenseOff, "0", "Permissive", "permissive")
	case "aa-disable", "aa-teardown", "aa-complain":
		return marks(control, effect.DefenseOff)
	case "apparmor_parser":
		return marksWith(control, effect.DefenseOff, "-R", "--remove")
	case "auditctl":
		return auditctl
	case "fail2ban-client":
		return marksWith(control, effect.DefenseOff, "stop", "unban")
	case "spctl":
		return marksWith(control, effect.DefenseOff, "--master-disable", "--global-disable", "--disable")
	case "csrutil", "fdesetup":
		return marksWith(control, effect.DefenseOff, "disable", "clear")
	case "tccutil":
		return marksWith(control, effect.DefenseOff, "reset")
	case "socketfilterfw":
		return marksWith(firewall, effect.DefenseOff, "off")
	case "xattr":
		return quarantine
	case "defaults":
		return defaults
	case "history", "fc":
		return eraseHistory
	case "journalctl":
		return marksWith(records, effect.DefenseOff, "--vacuum*", "--rotate", "--flush")
	case "dmesg":
		return marksWith(records, effect.DefenseOff, "-C", "-c", "--clear", "--read-clear")
	}
	return nil
}

func iptables(a *analyzer, c *command) flow {
	args := c.args()
	for i, v := range args {
		switch v.text {
		case among(v.text, "-F --flush -X --delete-chain -D --delete"):
			a.mark(c, "takes rules of the firewall away", effect.DefenseOff)
		case "-P", "--policy":
			if argAt(args, i+2) == "ACCEPT" {
				a.mark(c, "lets the firewall accept everything", effect.DefenseOff)
			}
		}
	}
	return flow{taint: fromProgram}
}

func ufw(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "")
	if o.has("dry-run") {
		return nothing()
	}
	switch o.word(0) {
	case "disable", "reset", "delete":
		a.mark(c, "takes the firewall down", effect.DefenseOff)
	case "default":
		if o.word(1) == "allow" {
			a.mark(c, "lets the firewall accept everything", effect.DefenseOff)
		}
	}
	return flow{taint: fromProgram}
}

func auditctl(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "e")
	if o.has("D d W") || firstText(o.values("e")) == "0" {
		a.mark(c, "switches the audit log off", effect.DefenseOff)
	}
	return flow{taint: fromProgram}
}

// quarantine is xattr, which can take the mark of a download away.
func quarantine(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "")
	if o.has("c") || o.has("d") && o.word(0) == "com.apple.quarantine" {
		a.mark(c, "takes the mark of a download away, so that it runs unchecked", effect.DefenseOff)
	}
	return flow{taint: fromProgram}
}

// defaults changes the settings of macOS; a few of them guard the user.
func defaults(a *analyzer, c *command) flow {
	if len(c.argv) < 3 || c.argv[1].text != "write" && c.argv[1].text != "delete" {
		return flow{taint: fromProgram}
	}
	for _, v := range c.argv[2:] {
		for _, word := range [...]string{"LSQuarantine", "com.apple.alf", "GKAutoRearm", "SoftwareUpdate", "loginwindow"} {
			if strings.Contains(v.text, word) {
				a.mark(c, "weakens a protection of the system ("+v.text+")", effect.DefenseOff)
			}
		}
	}
	return nothing()
}

func eraseHistory(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "d a n r w p s")
	if c.name == "history" && o.has("c d") || c.name == "fc" && o.has("p") {
		a.mark(c, "erases the record of commands", effect.DefenseOff)
	}
	return flow{taint: fromFile}
}
