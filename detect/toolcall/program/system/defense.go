package system

import (
	"slices"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// defenseHandler returns the handler of a program that can turn off firewalls, access control or logs. It returns nil
// for other programs.
func defenseHandler(name string) trace.Handler {
	const firewall, control, logs = "opens the firewall", "turns off access control", "deletes system logs"
	switch name {
	case words.Among(name, "iptables ip6tables iptables-legacy iptables-nft ebtables arptables"):
		return iptables
	case "iptables-restore", "ip6tables-restore":
		return program.Marks("replaces the firewall's rules", effect.DefenseOff)
	case "nft":
		return nft
	case "ufw":
		return ufw
	case "firewall-cmd":
		return program.MarksWith(firewall, effect.DefenseOff, firewallOrders)
	case "ipfw", "ipset", "csf", "shorewall", "shorewall6":
		return program.MarksWith(firewall, effect.DefenseOff, "flush destroy -x -f --disable --flush clear stop")
	case "pfctl":
		return program.MarksWith(firewall, effect.DefenseOff, "-d -F -Fa")
	case "setenforce":
		return program.MarksWith(control, effect.DefenseOff, "0 Permissive permissive")
	case "semanage":
		return program.MarksWith(control, effect.DefenseOff, "permissive")
	case "aa-disable", "aa-teardown", "aa-complain":
		return program.Marks(control, effect.DefenseOff)
	case "apparmor_parser":
		return program.MarksWith(control, effect.DefenseOff, flags.Abbreviates+"-R --remove")
	case "auditctl":
		return auditctl
	case "fail2ban-client":
		return program.MarksWith(control, effect.DefenseOff, "stop unban")
	case "spctl":
		return program.MarksWith(control, effect.DefenseOff, "--master-disable --global-disable --disable")
	case "csrutil", "fdesetup":
		return program.MarksWith(control, effect.DefenseOff, "disable clear")
	case "tccutil":
		return program.MarksWith(control, effect.DefenseOff, "reset")
	case "socketfilterfw":
		return program.MarksWith(firewall, effect.DefenseOff, "off")
	case "xattr":
		return quarantine
	case "defaults":
		return defaults
	case "history", "fc":
		return eraseHistory
	case "journalctl":
		return program.MarksWith(logs, effect.DefenseOff, flags.Abbreviates+"--vacuum* --rotate --flush")
	case "dmesg":
		return program.MarksWith(logs, effect.DefenseOff, flags.Abbreviates+"-C -c --clear --read-clear")
	}
	return nil
}

// firewallOrders lists the flags of firewall-cmd that turn the firewall off, or open the port of a database.
const firewallOrders = "--remove-* --set-default-zone=trusted --set-target=ACCEPT --panic-off " +
	"--add-source=0.0.0.0/0 --add-source=::/0 --add-port=1433/tcp --add-port=3306/tcp --add-port=5432/tcp " +
	"--add-port=6379/tcp --add-port=9200/tcp --add-port=27017/tcp --add-service=mysql --add-service=postgresql " +
	"--add-service=redis"

func iptables(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), flags.Abbreviates+"--delete t A I R N P E s d i o p j m g c table append insert replace "+
		"new-chain policy source destination in-interface out-interface protocol jump match goto")
	if o.Has("F flush X delete-chain D delete") {
		t.Mark(c, "removes firewall rules", effect.DefenseOff)
	}
	everything := o.Has("A append I insert") && trace.FirstText(o.Values("j jump")) == "ACCEPT" &&
		isEverything(o.Values("s source")) && isEverything(o.Values("d destination")) &&
		isEverything(o.Values("p protocol")) && !o.Has("i in-interface o out-interface m match")
	if o.Has("P policy") && o.Word(0) == "ACCEPT" || everything {
		t.Mark(c, "lets the firewall accept everything", effect.DefenseOff)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// isEverything reports whether a firewall rule applies to everything. Such a rule has no condition, or its condition is
// true for all addresses or protocols.
func isEverything(values []trace.Value) bool {
	return len(values) == 0 || words.OneOf(values[0].Text, "0.0.0.0/0 0/0 ::/0 any all")
}

func nft(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "f I file includepath")
	if o.Has("c check") {
		return trace.Flow{Taint: trace.FromProgram}
	}
	// In a call of nft, the statement follows the family, the table and the chain of the rule, as in "nft add rule inet
	// filter input accept".
	line := strings.ReplaceAll(trace.JoinAll(o.Operands), " ip saddr 0.0.0.0/0", "")
	statement := strings.Fields(line)
	at := slices.Index(statement, "accept")
	if strings.Contains(line, " rule ") && (at == 4 || at == 5) || strings.Contains(line, "policy accept") {
		t.Mark(c, "lets the firewall accept everything", effect.DefenseOff)
	}
	if o.Has("f file") {
		t.Mark(c, "replaces the firewall's rules", effect.DefenseOff)
	}
	return program.MarksWith("opens the firewall", effect.DefenseOff, "flush delete destroy")(t, c)
}

func ufw(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "")
	if o.Has("dry-run") {
		return trace.Nothing()
	}
	switch o.Word(0) {
	case "disable", "reset", "delete":
		t.Mark(c, "turns off the firewall or removes its rules", effect.DefenseOff)
	case "default":
		if o.Word(1) == "allow" {
			t.Mark(c, "lets the firewall accept everything", effect.DefenseOff)
		}
	}
	// A rule without a port or a protocol applies to all traffic, as in "ufw allow from any to any".
	line := strings.Fields(trace.JoinAll(o.Operands))
	if at := slices.Index(line, "allow"); at >= 0 && at+1 < len(line) && line[0] != "default" &&
		!slices.ContainsFunc(line[at+1:], func(word string) bool {
			return !words.OneOf(word, "in from to any 0.0.0.0/0 ::/0")
		}) {
		t.Mark(c, "lets the firewall accept everything", effect.DefenseOff)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

func auditctl(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "e")
	if o.Has("D d W") || trace.FirstText(o.Values("e")) == "0" {
		t.Mark(c, "turns off the audit log", effect.DefenseOff)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// quarantine() analyzes xattr, which can remove the quarantine mark of a download.
func quarantine(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "")
	if o.Has("c") || o.Has("d") && o.Word(0) == "com.apple.quarantine" {
		t.Mark(c, "removes the quarantine mark of a download, so that it runs unchecked", effect.DefenseOff)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// defaults() analyzes the macOS program "defaults", which changes settings. Some settings protect the user.
func defaults(t *trace.Trace, c *trace.Command) trace.Flow {
	if len(c.Argv) < 3 || c.Argv[1].Text != "write" && c.Argv[1].Text != "delete" {
		return trace.Flow{Taint: trace.FromProgram}
	}
	for _, v := range c.Argv[2:] {
		for _, word := range [...]string{"LSQuarantine", "com.apple.alf", "GKAutoRearm", "SoftwareUpdate", "loginwindow"} {
			if strings.Contains(v.Text, word) {
				t.Mark(c, "weakens a protection of the system ("+v.Text+")", effect.DefenseOff)
			}
		}
	}
	return trace.Nothing()
}

func eraseHistory(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "d p s")
	if c.Name == "history" && o.Has("c d") || c.Name == "fc" && o.Has("p") {
		t.Mark(c, "deletes the command history", effect.DefenseOff)
	}
	if c.Name == "history" {
		t.WriteAll(c, o.Values("a w"))
	}
	if o.Has("a w") {
		t.WriteAll(c, o.Operands)
	}
	return trace.Flow{Taint: trace.FromFile}
}
