package system

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// serviceHandler returns the handler of a program that stops the machine or its services, or that changes what starts
// automatically. It returns nil for other programs.
func serviceHandler(name string) trace.Handler {
	switch name {
	case words.Among(name, "shutdown reboot halt poweroff telinit"):
		return stopMachine
	case "init":
		return runLevel
	case "update-rc.d", "chkconfig", "rc-update":
		return bootService
	}
	return nil
}

func stopMachine(t *trace.Trace, c *trace.Command) trace.Flow {
	if flags.FirstOf(c.Args(), "-c --help --version --show") == "" {
		t.Mark(c, "stops or restarts the machine", effect.SystemControl)
	}
	return trace.Nothing()
}

func runLevel(t *trace.Trace, c *trace.Command) trace.Flow {
	if len(c.Argv) > 1 && len(c.Argv[1].Text) == 1 {
		t.Mark(c, "stops or restarts the machine", effect.SystemControl)
	}
	return trace.Nothing()
}

// stopOrder analyzes a subcommand that stops services. The names of the services follow the subcommand.
func stopOrder(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	stopServices(t, c, o.Word(0), o.Operands[1:])
	return trace.Flow{Taint: trace.FromProgram}
}

// stopNamed analyzes a call that stops a service. The first word names the service, as in "service nginx stop".
func stopNamed(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	stopServices(t, c, o.Word(1), o.Operands[:1])
	return trace.Flow{Taint: trace.FromProgram}
}

// environment() analyzes a call that sets environment variables for programs that start later.
func environment(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	t.SetsVariables(c, o.Operands[1:])
	return trace.Flow{Taint: trace.FromProgram}
}

func stopServices(t *trace.Trace, c *trace.Command, verb string, units []trace.Value) {
	t.Mark(c, "stops services: "+verb+" "+words.OrElse(trace.JoinAll(units), "all"), effect.SystemControl)
	for _, v := range units {
		markStopped(t, c, v.Text)
	}
}

// markStopped marks the command if the stopped service or process belongs to the guard or protects the system.
func markStopped(t *trace.Trace, c *trace.Command, name string) {
	switch kind := programKind(name); kind {
	case guardProgram:
		t.Mark(c, "stops "+name+", which belongs to the guard", effect.GuardTamper)
	case defenseProgram:
		t.Mark(c, "stops "+name+", which protects the system", effect.DefenseOff)
	}
}

func bootService(t *trace.Trace, c *trace.Command) trace.Flow {
	if flags.FirstOf(c.Args(), "--list -l show status") == "" && len(c.Argv) > 2 {
		t.Mark(c, "changes what the machine starts automatically", effect.StartupChange)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// The kinds of services and processes.
const (
	ownProgram     = iota // a program of the user
	systemProgram         // a program that the system needs
	defenseProgram        // a program that protects the system
	guardProgram          // a program of the guard
)

// programKind returns the kind of the service or process with this name.
func programKind(name string) int {
	name = strings.ToLower(strings.TrimSuffix(name, ".service"))
	name = strings.Trim(name[strings.LastIndexByte(name, '/')+1:], "^$")
	if strings.Contains(name, "guardrails") || strings.Contains(name, "claude") {
		return guardProgram
	}
	switch name {
	case words.Among(name, "firewalld ufw iptables nftables auditd apparmor fail2ban rsyslog rsyslogd syslog syslogd "+
		"syslog-ng systemd-journald clamav-daemon clamd falcon-sensor crowdstrike ossec wazuh-agent osqueryd selinux "+
		"falco"):
		return defenseProgram
	case words.Among(name, "systemd init sshd ssh dockerd docker containerd xorg x xwayland launchd gdm gdm3 gnome-shell "+
		"kwin lightdm sddm dbus-daemon dbus networkmanager systemd-logind systemd-networkd systemd-resolved "+
		"kubelet windowserver loginwindow explorer lsass csrss cron crond udevd systemd-udevd login getty"):
		return systemProgram
	}
	return ownProgram
}
