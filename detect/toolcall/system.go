package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// systemHandler knows the programs that change the machine: its services, processes, accounts, permissions and guards.
func systemHandler(name string) handler {
	for _, group := range [...]func(string) handler{serviceHandler, processHandler, accountHandler, permissionHandler, defenseHandler, machineHandler, linkHandler, backupHandler} {
		if h := group(name); h != nil {
			return h
		}
	}
	return nil
}

// marks is the handler of a program every use of which means the same, unless it is asked for help.
func marks(reason string, events ...effect.Event) handler {
	return func(a *analyzer, c *command) flow {
		if !asksForHelp(c) {
			a.mark(c, reason, events...)
		}
		return flow{taint: fromProgram}
	}
}

// marksWith is the handler of a program that means something only with one of the words as an argument. A word ending
// in = or * stands for every argument that begins so.
func marksWith(reason string, event effect.Event, words ...string) handler {
	return func(a *analyzer, c *command) flow {
		if word := firstOf(c.args(), words...); word != "" && !asksForHelp(c) {
			a.mark(c, reason+" ("+c.name+" "+word+")", event)
		}
		return flow{taint: fromProgram}
	}
}

// firstOf is the first argument that is one of the words.
func firstOf(args []value, words ...string) string {
	for _, v := range args {
		for _, w := range words {
			prefix, open := strings.CutSuffix(w, "*")
			if v.text == w || (open || strings.HasSuffix(w, "=")) && strings.HasPrefix(v.text, prefix) {
				return v.text
			}
		}
	}
	return ""
}

func asksForHelp(c *command) bool {
	return len(c.argv) == 2 && (c.argv[1].text == "--help" || c.argv[1].text == "-h" || c.argv[1].text == "--version" || c.argv[1].text == "help")
}

// machineHandler knows what changes the running machine as a whole.
func machineHandler(name string) handler {
	const settings = "changes the settings of the running system"
	switch name {
	case "mount":
		return mount
	case "umount":
		return unmount
	case "swapoff":
		return marksWith("turns swapping off", effect.SystemControl, "-a", "--all")
	case "sysctl":
		return sysctl
	case "modprobe", "insmod", "rmmod", "kexec":
		return kernelModule
	case "timedatectl":
		return marksWith(settings, effect.SystemControl, "set-*")
	case "date":
		return marksWith(settings, effect.SystemControl, "-s", "--set", "--set=")
	case "hwclock":
		return marksWith(settings, effect.SystemControl, "--set", "-w", "--systohc")
	case "hostnamectl":
		return marksWith(settings, effect.SystemControl, "set-*", "hostname")
	case "networksetup", "scutil":
		return marksWith(settings, effect.SystemControl, "-set*", "--set")
	case "nvram":
		return marksWith("changes the firmware's settings", effect.SystemControl, "-c", "-d")
	case "stress", "stress-ng", "stressapptest":
		return marks("loads the machine to its limits", effect.ResourceExhaust)
	case "fallocate":
		return fallocate
	case "printenv":
		return printenv
	}
	return nil
}

// kernelModule loads or removes a part of the kernel, but for the flags that only show.
func kernelModule(a *analyzer, c *command) flow {
	if firstOf(c.args(), "-n", "--dry-run", "--show-depends", "-c", "--showconfig", "--version") == "" && len(c.argv) > 1 {
		a.mark(c, "changes the running kernel", effect.SystemControl)
	}
	return nothing()
}

func sysctl(a *analyzer, c *command) flow {
	for _, v := range c.args() {
		if v.text == "-w" || v.text == "--write" || !strings.HasPrefix(v.text, "-") && strings.Contains(v.text, "=") {
			a.mark(c, "changes a setting of the running kernel", effect.SystemControl)
			break
		}
	}
	return flow{taint: fromProgram}
}

// mount is harmless on a folder made for it; over the system's folders, or of the whole disk, it is not.
func mount(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "t o L U O types options source target")
	settings := joinAll(o.values("o options"))
	if len(o.operands) == 0 {
		return flow{taint: fromProgram}
	}
	source, target := a.place(o.operands[0], c.sc), a.place(o.operands[len(o.operands)-1], c.sc)
	a.markReplaced(c, o.operands[len(o.operands)-1])
	if target.guard || a.holdsGuarded(&target) {
		a.mark(c, "hides what is in "+target.name+", which belongs to the guard", effect.GuardTamper)
	}
	if o.has("bind B rbind R") || strings.Contains(settings, "bind") {
		if source.zone == system {
			a.mark(c, "makes "+source.name+" reachable at "+target.name, effect.ContainerEscape)
		}
		return nothing()
	}
	switch {
	case strings.Contains(settings, "remount"), target.zone == system:
		a.mark(c, "changes what is mounted at "+target.name, effect.SystemControl)
	case source.zone == device && isDisk(source.name):
		a.mark(c, "mounts the disk "+source.name, effect.SystemControl)
	case strings.Contains(settings, "release_agent"), firstText(o.values("t")) == "cgroup":
		a.mark(c, "mounts the control groups of the host", effect.ContainerEscape)
	}
	return nothing()
}

// isDisk tells whole disks and partitions from loop devices and the like.
func isDisk(path string) bool {
	for _, prefix := range [...]string{"/dev/sd", "/dev/nvme", "/dev/vd", "/dev/xvd", "/dev/hd", "/dev/disk", "/dev/mapper", "/dev/md", "/dev/mmcblk", "/dev/rdisk", "/dev/dm-"} {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}

func unmount(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "t O types")
	if o.has("a all") {
		a.mark(c, "unmounts every file system", effect.SystemControl)
	}
	for _, v := range o.operands {
		if p := a.place(v, c.sc); p.zone == system {
			a.mark(c, "unmounts "+p.name, effect.SystemControl)
		}
	}
	return nothing()
}

// fallocate fills the disk when it is asked for more than a project ever needs.
func fallocate(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "l o length offset")
	for _, v := range o.values("l length") {
		if isHuge(v.text) {
			a.mark(c, "makes a file of "+v.text, effect.ResourceExhaust)
		}
	}
	for _, v := range o.operands {
		a.write(v, c.sc, c.span)
	}
	return nothing()
}

// isHuge reports whether a size such as 200G or 1T is a hundred gigabytes or more.
func isHuge(size string) bool {
	digits := strings.TrimRight(size, "iBbKkMmGgTtPpEe")
	switch unit := strings.ToUpper(size[len(digits):]); {
	case digits == "" || strings.Trim(digits, "0123456789") != "":
		return false
	case strings.HasPrefix(unit, "T"), strings.HasPrefix(unit, "P"), strings.HasPrefix(unit, "E"):
		return true
	case strings.HasPrefix(unit, "G"):
		return len(digits) >= 3
	case strings.HasPrefix(unit, "M"):
		return len(digits) >= 6
	default:
		return len(digits) >= 12
	}
}

// printenv prints the environment or single variables, some of which are secrets by their names.
func printenv(_ *analyzer, c *command) flow {
	o := parseOptions(c.args(), "")
	if len(o.operands) == 0 {
		return flow{taint: fromEnviron}
	}
	for _, v := range o.operands {
		if soundsSecret(v.text) {
			return flow{taint: fromSecret}
		}
	}
	return flow{taint: fromProgram}
}

// soundsSecret reports whether a variable's name says that it holds a secret.
func soundsSecret(name string) bool {
	name = strings.ToUpper(name)
	for _, word := range [...]string{"SECRET", "TOKEN", "PASSWORD", "PASSWD", "API_KEY", "APIKEY", "PRIVATE_KEY", "ACCESS_KEY", "CREDENTIAL"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}
