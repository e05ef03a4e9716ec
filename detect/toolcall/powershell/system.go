package powershell

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
	"guardrails/internal/product"
)

func systemHandler(name string) func(*call) objects {
	if events, reason := systemEvents(name); reason != "" {
		return func(c *call) objects {
			o := c.params()
			if !o.isOn("whatif") {
				c.p.trace.MarkAll(c.inner, reason, events...)
			}
			return unknownFrom(0)
		}
	}
	switch name {
	case "set-mppreference", "add-mppreference":
		return (*call).setScanner
	case "set-netfirewallprofile", "set-executionpolicy":
		return (*call).setDefence
	case "get-process":
		return (*call).getProcess
	case "stop-process":
		return (*call).stopProcess
	case "add-type", "import-module":
		return (*call).loadCode
	case "get-clipboard", "read-host", "get-credential":
		return func(*call) objects { return unknownFrom(trace.FromProgram) }
	}
	return nil
}

// systemEvents returns the events that a cmdlet has with any arguments, and the reason for these events.
func systemEvents(name string) ([]effect.Event, string) {
	switch name {
	case "stop-computer", "restart-computer", "suspend-computer":
		return []effect.Event{effect.SystemControl}, "stops or restarts the machine"
	case "stop-service", "suspend-service", "remove-service", "set-service":
		return []effect.Event{effect.SystemControl}, "stops or changes a service of the system"
	case words.Among(name, "format-volume clear-disk initialize-disk remove-partition set-disk new-partition "+
		"reset-physicaldisk remove-virtualdisk remove-storagepool resize-partition dismount-diskimage-all"):
		return []effect.Event{effect.DeviceWrite, effect.DestructiveOp}, "formats, wipes or partitions a disk"
	case words.Among(name, "new-localuser add-localgroupmember set-localuser enable-localuser remove-localuser new-aduser "+
		"add-adgroupmember set-adaccountpassword"):
		return []effect.Event{effect.PrivilegeGain}, "changes the accounts of the machine"
	case words.Among(name, "register-scheduledtask new-service register-scheduledjob set-scheduledtask "+
		"enable-scheduledtask register-wmievent set-wmiinstance"):
		return []effect.Event{effect.StartupChange}, "makes something run automatically later"
	case "clear-recyclebin":
		return []effect.Event{effect.DestructiveOp, effect.OutsideDelete}, "empties the recycle bin"
	case words.Among(name, "clear-eventlog remove-eventlog limit-eventlog clear-history disable-psremotinglog "+
		"uninstall-windowsdefender remove-mppreference"):
		return []effect.Event{effect.DefenseOff}, "erases logs or switches logging off"
	case words.Among(name, "disable-netfirewallrule remove-netfirewallrule new-netfirewallrule disable-bitlocker "+
		"set-smbserverconfiguration disable-windowsdefender"):
		return []effect.Event{effect.DefenseOff}, "changes the system's defences"
	case words.Among(name, "remove-computer rename-computer add-computer uninstall-windowsfeature "+
		"disable-windowsoptionalfeature set-date set-timezone"):
		return []effect.Event{effect.SystemChange}, "changes the system"
	case "disable-computerrestore", "remove-wbbackupset", "remove-wbpolicy":
		return []effect.Event{effect.DefenseOff, effect.DestructiveOp}, "removes the means to restore the system"
	case "publish-module", "publish-script", "publish-psresource":
		return []effect.Event{effect.Publish}, "publishes a package"
	case "remove-ciminstance", "remove-wmiobject":
		return []effect.Event{effect.SystemChange, effect.DestructiveOp}, "deletes objects of the system, such as shadow copies"
	case "export-pfxcertificate":
		return []effect.Event{effect.SecretAccess}, "exports a private key"
	case "enable-psremoting":
		return []effect.Event{effect.DefenseOff}, "opens the machine to remote commands"
	}
	if isCloudGrant(name) {
		return []effect.Event{effect.PrivilegeGain, effect.DevopsInvoked}, "gives rights in a cloud or in a directory service"
	}
	if isCloudRemoval(name) {
		return []effect.Event{effect.DestructiveOp, effect.DevopsInvoked}, "deletes a resource that cannot be restored"
	}
	return nil, ""
}

// isCloudGrant reports whether a cmdlet such as New-AzRoleAssignment gives rights to an account or a group.
func isCloudGrant(name string) bool {
	verb, noun, _ := strings.Cut(name, "-")
	if !words.OneOf(verb, "new add grant set register") {
		return false
	}
	for _, ending := range [...]string{
		"roleassignment", "rolemember", "groupmember", "accesspolicy", "rolepolicy", "userpolicy", "grouppolicy",
	} {
		if strings.HasSuffix(noun, ending) {
			return true
		}
	}
	return false
}

// isCloudRemoval reports whether a cmdlet such as Remove-AzVM deletes a virtual machine, a database, or a resource of a
// cloud or of a directory. Removing a context or an account of Azure only signs the user out.
func isCloudRemoval(name string) bool {
	noun, ok := strings.CutPrefix(name, "remove-")
	if !ok || noun == "azcontext" || noun == "azaccount" || strings.HasSuffix(noun, "member") || strings.HasSuffix(noun, "tag") ||
		strings.HasSuffix(noun, "permission") {
		return false
	}
	if noun == "vm" || noun == "sqldatabase" {
		return true
	}
	for _, cloud := range [...]string{
		"az", "s3", "ec2", "ad", "rds", "ddb", "eks", "gce", "gcs", "mg", "cfn", "r53", "iam", "efs", "ecs", "dba", "mailbox",
		"unifiedgroup", "spo", "pnp", "team",
	} {
		if strings.HasPrefix(noun, cloud) {
			return true
		}
	}
	return false
}

// setScanner analyzes a change of the virus scanner's settings.
func (c *call) setScanner() objects {
	for _, n := range c.params().named {
		value := n.arg.single("").Text
		off := strings.HasPrefix(n.name, "disable") && !strings.Contains(value, "false") && value != "0"
		if off || strings.HasPrefix(n.name, "exclusion") || strings.HasPrefix(n.name, "mapsreporting") {
			c.mark("weakens the virus scanner", effect.DefenseOff)
		}
	}
	return objects{}
}

// setDefence analyzes Set-ExecutionPolicy and Set-NetFirewallProfile. A policy for the current process adds no event,
// because the policy ends together with the process.
func (c *call) setDefence() objects {
	o := c.params()
	if c.name == "set-netfirewallprofile" {
		if on, ok := o.value("enabled"); ok && strings.Contains(strings.ToLower(on.single("").Text), "false") {
			c.mark("switches the firewall off", effect.DefenseOff)
		}
		return objects{}
	}
	scope, _ := o.value("scope")
	policy := strings.ToLower(o.valueAt(0, "executionpolicy").single("").Text)
	if strings.EqualFold(scope.single("").Text, "process") || policy == "restricted" || policy == "allsigned" {
		return objects{}
	}
	c.mark("allows every script to run", effect.DefenseOff)
	return objects{}
}

// getProcess returns the names of processes in the arguments of the call. If there are no names, the result is unknown.
func (c *call) getProcess() objects {
	o := c.params()
	if names := o.valueAt(0, "name processname").values; len(names) > 0 {
		return objects{values: names}
	}
	return unknownObject()
}

// stopProcess analyzes Stop-Process. It adds events only for processes that the system or the guard needs.
func (c *call) stopProcess() objects {
	o := c.params()
	names := append(append([]trace.Value{}, o.valueAt(0, "name processname inputobject").values...), c.in.values...)
	for _, v := range names {
		NoteKilled(c.p.trace, c.inner, v.Text)
	}
	return objects{}
}

// NoteKilled is for a command that kills a process. It adds an event to the command if the system or the guard needs
// this process.
func NoteKilled(t *trace.Trace, c *trace.Command, name string) {
	switch name = strings.TrimSuffix(strings.ToLower(name), ".exe"); name {
	case words.Among(name, "* explorer lsass csrss winlogon services svchost wininit smss system msmpeng sense sshd "+
		"dockerd systemd init launchd"):
		t.Mark(c, "kills "+name+", which the system needs", effect.SystemControl)
	default:
		if strings.HasPrefix(name, product.CLI) || name == "claude" || mayBeName(name, product.CLI) || mayBeName(name, "claude") {
			t.Mark(c, "kills "+name+", which the guard needs", effect.GuardTamper)
		}
	}
}

// mayBeName reports whether a pattern may match a name that begins with the name of a program. The pattern has a * at
// its beginning, at its end, or at both.
func mayBeName(pattern, name string) bool {
	start := strings.TrimRight(pattern, "*?")
	text := strings.TrimLeft(start, "*?")
	return text != start && text != "" && strings.Contains(name, text) || start != pattern && start != "" && strings.HasPrefix(name, start)
}

// loadCode analyzes Add-Type and Import-Module. It does not analyze the loaded code. It only checks where the code
// comes from.
func (c *call) loadCode() objects {
	o := c.params()
	arg := o.valueAt(0, "typedefinition path name memberdefinition assemblyname")
	if t := arg.taint(); t.Has(trace.FromNetwork | trace.Decoded | trace.FromSocket) {
		c.p.runUnknown(t, c.span, "loads code")
	}
	return unknownFrom(0)
}

// otherCmdlet analyzes a cmdlet that has no handler, including the blocks among its arguments.
func (c *call) otherCmdlet() objects {
	if strings.HasPrefix(c.name, "get-") || strings.HasPrefix(c.name, "test-") ||
		strings.HasPrefix(c.name, "format-") || strings.HasPrefix(c.name, "measure-") {
		for _, arg := range c.args {
			if arg.isCode {
				c.p.child(arg.block, c.in)
			}
		}
		return unknownFrom(trace.FromProgram | c.in.taint())
	}
	t := c.in.taint()
	for _, arg := range c.args {
		t |= arg.taint()
		if arg.isCode && !c.p.trace.Full {
			c.p.child(arg.block, c.in)
		}
	}
	return unknownFrom(t | trace.FromProgram)
}
