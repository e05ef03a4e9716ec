// Package system analyzes programs that change the operating system: processes, services, accounts, permissions, disks.
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

// Handler returns the handler of a program that changes the machine: its services, processes, accounts, permissions,
// defenses or boot loader. It returns nil for other programs.
func Handler(name string) trace.Handler {
	for _, group := range [...]func(string) trace.Handler{
		serviceHandler, processHandler, accountHandler, permissionHandler, defenseHandler, machineHandler, backupHandler,
		table.Handler,
	} {
		if h := group(name); h != nil {
			return h
		}
	}
	return nil
}

// machineHandler returns the handler of a program that changes the running machine as a whole, or nil.
func machineHandler(name string) trace.Handler {
	switch name {
	case "mount":
		return mount
	case "umount":
		return unmount
	case "swapoff":
		return program.MarksWith("turns off swapping", effect.SystemControl, flags.Abbreviates+"-a --all")
	case "sysctl":
		return sysctl
	case "modprobe", "insmod", "rmmod", "kexec":
		return kernelModule
	case "date":
		return date
	case "hwclock":
		return program.MarksWith(settings, effect.SystemControl, flags.Abbreviates+"--set -w --systohc")
	case "networksetup", "scutil":
		return program.MarksWith(settings, effect.SystemControl, "-set* --set")
	case words.Among(name, "grub-install update-grub grub-mkconfig efibootmgr bootctl lilo"):
		return program.MarksWith("changes how the machine starts", effect.SystemChange, "*")
	case "update-initramfs", "dracut", "mkinitcpio":
		return program.MarksWith("removes boot images of the machine", effect.SystemChange, "-d")
	case "nvram":
		return program.MarksWith("changes the firmware's settings", effect.SystemControl, "-c -d")
	case "stress", "stress-ng", "stressapptest":
		return program.Marks("puts the machine under full load", effect.ResourceExhaust)
	case "fallocate":
		return fallocate
	case "printenv":
		return printenv
	case "ssh-keygen":
		return makeKey
	}
	return nil
}

// The constant "settings" is the reason for an event of a call that changes the clock or the network.
const settings = "changes the settings of the running system"

// date() analyzes the program "date". With -f, it prints the lines of a file that are not dates.
func date(t *trace.Trace, c *trace.Command) trace.Flow {
	for _, v := range c.Args() {
		t.SecretOperand(c, v)
	}
	return program.MarksWith(settings, effect.SystemControl, flags.Abbreviates+"-s --set --set=")(t, c)
}

// kernelModule analyzes programs that load or remove a kernel module. With some flags, they only print.
func kernelModule(t *trace.Trace, c *trace.Command) trace.Flow {
	prints := flags.FirstOf(c.Args(), "-n --dry-run --show-depends -c --showconfig --version") != ""
	if !prints && len(c.Argv) > 1 {
		t.Mark(c, "changes the running kernel", effect.SystemControl)
	}
	return trace.Nothing()
}

func sysctl(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), flags.Abbreviates+"r B pattern")
	// The settings in the list below only allow programs to have more files, watches or mappings, until the machine starts
	// again.
	writes := o.Has("w write")
	changes := func(v trace.Value) bool {
		name, _, assigns := strings.Cut(v.Text, "=")
		return (assigns || writes) && name != words.Among(name, "vm.max_map_count fs.file-max fs.inotify.max_user_watches "+
			"fs.inotify.max_user_instances fs.inotify.max_queued_events net.core.somaxconn")
	}
	if slices.ContainsFunc(o.Operands, changes) {
		t.Mark(c, "changes a setting of the running kernel", effect.SystemControl)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// mount() marks mounts over folders of the system or the guard, and mounts of whole disks. It also marks mounts that
// give a container access to the host.
func mount(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "t o L U O types options source target")
	settings := trace.JoinAll(o.Values("o options"))
	if len(o.Operands) == 0 {
		return trace.Flow{Taint: trace.FromProgram}
	}
	source, target := t.Place(o.Operands[0], c.Scope), t.Place(o.Operands[len(o.Operands)-1], c.Scope)
	t.MarkReplaced(c, o.Operands[len(o.Operands)-1])
	if target.Guard || t.ContainsGuarded(&target) {
		t.Mark(c, "hides the content of "+target.Name+", which belongs to the guard", effect.GuardTamper)
	}
	if o.Has("bind B rbind R") || strings.Contains(settings, "bind") {
		if source.Zone == trace.System {
			t.Mark(c, "makes "+source.Name+" reachable at "+target.Name, effect.ContainerEscape)
		}
		return trace.Nothing()
	}
	switch {
	case strings.Contains(settings, "remount"), target.Zone == trace.System:
		t.Mark(c, "changes what is mounted at "+target.Name, effect.SystemControl)
	case source.Zone == trace.Device && program.IsDisk(source.Name):
		t.Mark(c, "mounts the disk "+source.Name, effect.SystemControl)
	case strings.Contains(settings, "release_agent"), trace.FirstText(o.Values("t")) == "cgroup":
		t.Mark(c, "mounts the control groups of the host", effect.ContainerEscape)
	}
	return trace.Nothing()
}

func unmount(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "t O types")
	if o.Has("a all") {
		t.Mark(c, "unmounts every file system", effect.SystemControl)
	}
	for _, v := range o.Operands {
		if p := t.Place(v, c.Scope); p.Zone == trace.System {
			t.Mark(c, "unmounts "+p.Name, effect.SystemControl)
		}
	}
	return trace.Nothing()
}

// The function fallocate analyzes the program fallocate, which creates a file of a given size. A huge file fills the
// disk.
func fallocate(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "l o length offset")
	for _, v := range o.Values("l length") {
		if isHuge(v.Text) {
			t.Mark(c, "creates a file of "+v.Text, effect.ResourceExhaust)
		}
	}
	for _, v := range o.Operands {
		t.Write(v, c.Scope, c.Span)
	}
	return trace.Nothing()
}

// isHuge reports whether a size such as 200G or 1T is at least about a hundred gigabytes.
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

// The function printenv analyzes the program printenv, which prints the environment or single variables. Some variables
// contain secrets.
func printenv(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "")
	if len(o.Operands) == 0 {
		return trace.Flow{Taint: trace.FromEnviron}
	}
	for _, v := range o.Operands {
		if trace.IsSecretVariable(v.Text) {
			t.Mark(c, "prints a secret ("+v.Text+")", effect.SecretAccess)
			return trace.Flow{Taint: trace.FromSecret}
		}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// makeKey analyzes ssh-keygen, which asks before it overwrites the file of an existing key.
func makeKey(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "f t b C N m I n V O R F P Y s z r w D")
	if o.Has("l R F y H B i e Q Y L A E K M G T D r k help h ?") {
		return trace.Flow{Taint: trace.FromProgram}
	}
	file := o.Values("f")
	if len(file) == 0 {
		if c.In.Text == "" && c.In.Taint == 0 {
			return trace.Flow{Taint: trace.FromProgram} // if nobody answers the question, ssh-keygen overwrites nothing
		}
		file = []trace.Value{{Text: t.Env.Home + "/.ssh/id_" + words.OrElse(trace.FirstText(o.Values("t")), "ed25519")}}
	}
	t.Write(file[0], c.Scope, c.Span)
	if o.Has("p") && o.Has("N") && trace.FirstText(o.Values("N")) == "" {
		t.Mark(c, "removes the passphrase of a private key", effect.PermissionOpen)
	}
	if !o.Has("p c s M I") {
		t.NoteNewKey(c.Scope)
	}
	return trace.Flow{Taint: trace.FromProgram}
}
