package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// serviceHandler knows what stops the machine or its services, and what starts by itself.
func serviceHandler(name string) handler {
	switch name {
	case among(name, "shutdown reboot halt poweroff telinit"):
		return stopMachine
	case "init":
		return runLevel
	case "systemctl":
		return systemctl
	case "service", "rc-service", "initctl":
		return service
	case "launchctl":
		return launchctl
	case "update-rc.d", "chkconfig", "rc-update":
		return bootService
	case "loginctl":
		return marksWith("ends the sessions of users", effect.SystemControl, "kill-*", "terminate-*")
	}
	return nil
}

func stopMachine(a *analyzer, c *command) flow {
	if firstOf(c.args(), "-c", "--help", "--version", "--show") == "" {
		a.mark(c, "stops or restarts the machine", effect.SystemControl)
	}
	return nothing()
}

func runLevel(a *analyzer, c *command) flow {
	if len(c.argv) > 1 && len(c.argv[1].text) == 1 {
		a.mark(c, "stops or restarts the machine", effect.SystemControl)
	}
	return nothing()
}

func systemctl(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "H M n o p s t P host machine lines output property signal type state root kill-who kill-whom job-mode")
	units := o.operands[min(1, len(o.operands)):]
	switch verb := o.word(0); verb {
	case among(verb, "stop kill mask disable isolate"):
		a.stopServices(c, verb, units)
	case among(verb, "poweroff reboot halt suspend hibernate kexec rescue emergency soft-reboot exit hybrid-sleep"):
		a.mark(c, "stops or restarts the machine", effect.SystemControl)
	case "set-environment", "import-environment", "unset-environment":
		a.setsVariables(c, units)
	case among(verb, "enable reenable edit link add-wants add-requires set-default preset"):
		a.mark(c, "changes what the machine starts by itself", effect.StartupChange)
	}
	return flow{taint: fromProgram}
}

func (a *analyzer) stopServices(c *command, verb string, units []value) {
	a.mark(c, "stops services: "+verb+" "+orElse(joinAll(units), "all"), effect.SystemControl)
	for _, v := range units {
		a.stopsNamed(c, v.text)
	}
}

// stopsNamed adds what it means that a service or process of this name ends.
func (a *analyzer) stopsNamed(c *command, name string) {
	switch kind := programKind(name); kind {
	case guardProgram:
		a.mark(c, "stops "+name+", which belongs to the guard", effect.GuardTamper)
	case defenseProgram:
		a.mark(c, "stops "+name+", which protects the system", effect.DefenseOff)
	}
}

func service(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "")
	name, verb := o.word(0), o.word(1)
	if c.name == "initctl" {
		name, verb = verb, name
	}
	if verb == "stop" {
		a.stopServices(c, verb, []value{{text: name}})
	}
	return flow{taint: fromProgram}
}

func launchctl(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "")
	switch o.word(0) {
	case "setenv", "unsetenv":
		a.setsVariables(c, o.operands[1:])
	case "load", "bootstrap", "enable", "submit":
		a.mark(c, "changes what the machine starts by itself", effect.StartupChange)
	case "unload", "bootout", "remove", "disable", "kill", "stop", "reboot":
		a.stopServices(c, o.word(0), o.operands[1:])
	}
	return flow{taint: fromProgram}
}

func bootService(a *analyzer, c *command) flow {
	if firstOf(c.args(), "--list", "-l", "show", "status") == "" && len(c.argv) > 2 {
		a.mark(c, "changes what the machine starts by itself", effect.StartupChange)
	}
	return flow{taint: fromProgram}
}

// programKinds tell whose process it is.
const (
	ownProgram = iota
	systemProgram
	defenseProgram
	guardProgram
)

// programKind says by its name whom a process or service belongs to.
func programKind(name string) int {
	name = strings.ToLower(strings.TrimSuffix(name, ".service"))
	name = strings.Trim(name[strings.LastIndexByte(name, '/')+1:], "^$")
	if strings.Contains(name, "guardrails") || strings.Contains(name, "claude") {
		return guardProgram
	}
	switch name {
	case among(name, "firewalld ufw iptables nftables auditd apparmor fail2ban rsyslog rsyslogd syslog syslogd syslog-ng "+
		"systemd-journald clamav-daemon clamd falcon-sensor crowdstrike ossec wazuh-agent osqueryd selinux "+
		"falco"):
		return defenseProgram
	case among(name, "systemd init sshd ssh dockerd docker containerd xorg x xwayland launchd gdm gdm3 gnome-shell kwin "+
		"lightdm sddm dbus-daemon dbus networkmanager systemd-logind systemd-networkd systemd-resolved "+
		"kubelet windowserver loginwindow explorer lsass csrss cron crond udevd systemd-udevd login getty"):
		return systemProgram
	}
	return ownProgram
}
