package powershell

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// powerSystemCmdlet finds the cmdlets that change the system itself.
func powerSystemCmdlet(name string) func(*PowerCall) powerData {
	if event, reason := systemCmdlet(name); reason != "" {
		return func(c *PowerCall) powerData {
			o := c.params()
			if !o.has("whatif") {
				c.mark(reason, event...)
			}
			return unknownWith(0)
		}
	}
	switch name {
	case "set-mppreference", "add-mppreference":
		return (*PowerCall).scannerSetting
	case "set-netfirewallprofile", "set-executionpolicy":
		return (*PowerCall).defenceSetting
	case "stop-process":
		return (*PowerCall).stopProcess
	case "add-type", "import-module":
		return (*PowerCall).loadCode
	case "get-clipboard", "read-host", "get-credential":
		return func(*PowerCall) powerData { return unknownWith(trace.FromProgram) }
	}
	return nil
}

// systemCmdlet says what a cmdlet means whatever it is given.
func systemCmdlet(name string) ([]effect.Event, string) {
	switch name {
	case "stop-computer", "restart-computer", "suspend-computer":
		return []effect.Event{effect.SystemControl}, "stops or restarts the machine"
	case "stop-service", "suspend-service", "remove-service", "set-service":
		return []effect.Event{effect.SystemControl}, "stops or changes a service of the system"
	case words.Among(name, "format-volume clear-disk initialize-disk remove-partition set-disk new-partition reset-physicaldisk "+
		"remove-virtualdisk remove-storagepool resize-partition dismount-diskimage-all"):
		return []effect.Event{effect.DeviceWrite, effect.DestructiveOp}, "formats, wipes or partitions a disk"
	case words.Among(name, "new-localuser add-localgroupmember set-localuser enable-localuser remove-localuser new-aduser "+
		"add-adgroupmember set-adaccountpassword"):
		return []effect.Event{effect.PrivilegeGain}, "changes the accounts of the machine"
	case words.Among(name, "register-scheduledtask new-service register-scheduledjob set-scheduledtask enable-scheduledtask "+
		"register-wmievent set-wmiinstance"):
		return []effect.Event{effect.StartupChange}, "makes something run by itself later"
	case "clear-recyclebin":
		return []effect.Event{effect.DestructiveOp, effect.OutsideDelete}, "empties the recycle bin"
	case words.Among(name, "clear-eventlog remove-eventlog limit-eventlog clear-history disable-psremotinglog "+
		"uninstall-windowsdefender remove-mppreference"):
		return []effect.Event{effect.DefenseOff}, "erases records or switches them off"
	case words.Among(name, "disable-netfirewallrule remove-netfirewallrule new-netfirewallrule disable-bitlocker "+
		"set-smbserverconfiguration disable-windowsdefender"):
		return []effect.Event{effect.DefenseOff}, "changes how the system defends itself"
	case words.Among(name, "remove-computer rename-computer add-computer uninstall-windowsfeature disable-windowsoptionalfeature "+
		"set-date set-timezone"):
		return []effect.Event{effect.SystemChange}, "changes the system"
	case "disable-computerrestore", "remove-wbbackupset", "remove-wbpolicy":
		return []effect.Event{effect.DefenseOff, effect.DestructiveOp}, "takes away the means to restore the system"
	case words.Among(name, "remove-vm remove-azresourcegroup remove-azvm remove-s3bucket remove-ec2instance remove-aduser "+
		"remove-adgroup remove-sqldatabase remove-azsqldatabase remove-azstorageaccount remove-azkeyvault"):
		return []effect.Event{effect.DestructiveOp, effect.DevopsInvoked}, "deletes a resource that cannot be made again"
	case "publish-module", "publish-script", "publish-psresource":
		return []effect.Event{effect.Publish}, "publishes a package"
	case "enable-psremoting":
		return []effect.Event{effect.DefenseOff}, "opens the machine for remote commands"
	}
	return nil, ""
}

// scannerSetting is a change of the virus scanner's settings.
func (c *PowerCall) scannerSetting() powerData {
	for _, n := range c.params().named {
		off := strings.HasPrefix(n.name, "disable") && !strings.Contains(n.arg.single("").Text, "false") && n.arg.single("").Text != "0"
		if off || strings.HasPrefix(n.name, "exclusion") || strings.HasPrefix(n.name, "mapsreporting") {
			c.mark("switches the virus scanner off, or makes it look away", effect.DefenseOff)
		}
	}
	return powerData{}
}

// defenceSetting is Set-ExecutionPolicy and the firewall's profile. A policy for the running process only goes away
// with it and is everyday.
func (c *PowerCall) defenceSetting() powerData {
	o := c.params()
	if c.name == "set-netfirewallprofile" {
		if on, ok := o.value("enabled"); ok && strings.Contains(strings.ToLower(on.single("").Text), "false") {
			c.mark("switches the firewall off", effect.DefenseOff)
		}
		return powerData{}
	}
	scope, _ := o.value("scope")
	policy := strings.ToLower(o.take(0, "executionpolicy").single("").Text)
	if strings.EqualFold(scope.single("").Text, "process") || policy == "restricted" || policy == "allsigned" {
		return powerData{}
	}
	c.mark("lets every script run", effect.DefenseOff)
	return powerData{}
}

// stopProcess kills processes; only those that the system or the guard needs matter.
func (c *PowerCall) stopProcess() powerData {
	o := c.params()
	names := append(append([]trace.Value{}, o.take(0, "name processname inputobject").list...), c.in.list...)
	for _, v := range names {
		NoteKilled(c.P.trace, c.inner, v.Text)
	}
	return powerData{}
}

// NoteKilled judges the name of a process that is killed.
func NoteKilled(t *trace.Trace, c *trace.Command, name string) {
	switch name = strings.TrimSuffix(strings.ToLower(name), ".exe"); name {
	case words.Among(name, "* explorer lsass csrss winlogon services svchost wininit smss system msmpeng sense sshd dockerd "+
		"systemd init launchd"):
		t.Mark(c, "kills "+name+", which the system needs", effect.SystemControl)
	default:
		if strings.HasPrefix(name, "guardrails") || name == "claude" {
			t.Mark(c, "kills "+name+", which belongs to the guard", effect.GuardTamper)
		}
	}
}

// loadCode brings in code that is not looked into; only where it comes from can be judged.
func (c *PowerCall) loadCode() powerData {
	o := c.params()
	arg := o.take(0, "typedefinition path name memberdefinition assemblyname")
	if t := arg.taint(); t.Has(trace.FromNetwork | trace.Decoded | trace.FromSocket) {
		c.P.runUnknown(t, c.Span, "loads code")
	}
	return unknownWith(0)
}

// otherCmdlet is one that nothing special is known of: it may read what it is given.
func (c *PowerCall) otherCmdlet() powerData {
	if strings.HasPrefix(c.name, "get-") || strings.HasPrefix(c.name, "test-") || strings.HasPrefix(c.name, "format-") || strings.HasPrefix(c.name, "measure-") {
		for _, arg := range c.args {
			if arg.isCode {
				c.P.child(arg.block, c.in)
			}
		}
		return unknownWith(trace.FromProgram | c.in.taint())
	}
	t := c.in.taint()
	for _, arg := range c.args {
		t |= arg.taint()
		if arg.isCode && !c.P.trace.Full {
			c.P.child(arg.block, c.in)
		}
	}
	return unknownWith(t | trace.FromProgram)
}
