package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// powerSystemCmdlet finds the cmdlets that change the system itself.
func powerSystemCmdlet(name string) func(*powerCall) powerData {
	if event, reason := systemCmdlet(name); reason != "" {
		return func(c *powerCall) powerData {
			o := c.params()
			if !o.has("whatif") {
				c.mark(reason, event...)
			}
			return unknownWith(0)
		}
	}
	switch name {
	case "set-mppreference", "add-mppreference":
		return (*powerCall).scannerSetting
	case "set-netfirewallprofile", "set-executionpolicy":
		return (*powerCall).defenceSetting
	case "stop-process":
		return (*powerCall).stopProcess
	case "add-type", "import-module":
		return (*powerCall).loadCode
	case "get-clipboard", "read-host", "get-credential":
		return func(*powerCall) powerData { return unknownWith(fromProgram) }
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
	case among(name, "format-volume clear-disk initialize-disk remove-partition set-disk new-partition reset-physicaldisk "+
		"remove-virtualdisk remove-storagepool resize-partition dismount-diskimage-all"):
		return []effect.Event{effect.DeviceWrite, effect.DestructiveOp}, "formats, wipes or partitions a disk"
	case among(name, "new-localuser add-localgroupmember set-localuser enable-localuser remove-localuser new-aduser "+
		"add-adgroupmember set-adaccountpassword"):
		return []effect.Event{effect.PrivilegeGain}, "changes the accounts of the machine"
	case among(name, "register-scheduledtask new-service register-scheduledjob set-scheduledtask enable-scheduledtask "+
		"register-wmievent set-wmiinstance"):
		return []effect.Event{effect.StartupChange}, "makes something run by itself later"
	case "clear-recyclebin":
		return []effect.Event{effect.DestructiveOp, effect.OutsideDelete}, "empties the recycle bin"
	case among(name, "clear-eventlog remove-eventlog limit-eventlog clear-history disable-psremotinglog "+
		"uninstall-windowsdefender remove-mppreference"):
		return []effect.Event{effect.DefenseOff}, "erases records or switches them off"
	case among(name, "disable-netfirewallrule remove-netfirewallrule new-netfirewallrule disable-bitlocker "+
		"set-smbserverconfiguration disable-windowsdefender"):
		return []effect.Event{effect.DefenseOff}, "changes how the system defends itself"
	case among(name, "remove-computer rename-computer add-computer uninstall-windowsfeature disable-windowsoptionalfeature "+
		"set-date set-timezone"):
		return []effect.Event{effect.SystemChange}, "changes the system"
	case "disable-computerrestore", "remove-wbbackupset", "remove-wbpolicy":
		return []effect.Event{effect.DefenseOff, effect.DestructiveOp}, "takes away the means to restore the system"
	case among(name, "remove-vm remove-azresourcegroup remove-azvm remove-s3bucket remove-ec2instance remove-aduser "+
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
func (c *powerCall) scannerSetting() powerData {
	for _, n := range c.params().named {
		off := strings.HasPrefix(n.name, "disable") && !strings.Contains(n.arg.single("").text, "false") && n.arg.single("").text != "0"
		if off || strings.HasPrefix(n.name, "exclusion") || strings.HasPrefix(n.name, "mapsreporting") {
			c.mark("switches the virus scanner off, or makes it look away", effect.DefenseOff)
		}
	}
	return powerData{}
}

// defenceSetting is Set-ExecutionPolicy and the firewall's profile. A policy for the running process only goes away
// with it and is everyday.
func (c *powerCall) defenceSetting() powerData {
	o := c.params()
	if c.name == "set-netfirewallprofile" {
		if on, ok := o.value("enabled"); ok && strings.Contains(strings.ToLower(on.single("").text), "false") {
			c.mark("switches the firewall off", effect.DefenseOff)
		}
		return powerData{}
	}
	scope, _ := o.value("scope")
	policy := strings.ToLower(o.take(0, "executionpolicy").single("").text)
	if strings.EqualFold(scope.single("").text, "process") || policy == "restricted" || policy == "allsigned" {
		return powerData{}
	}
	c.mark("lets every script run", effect.DefenseOff)
	return powerData{}
}

// stopProcess kills processes; only those that the system or the guard needs matter.
func (c *powerCall) stopProcess() powerData {
	o := c.params()
	names := append(append([]value{}, o.take(0, "name processname inputobject").list...), c.in.list...)
	for _, v := range names {
		c.p.a.noteKilled(c.inner, v.text)
	}
	return powerData{}
}

// noteKilled judges the name of a process that is killed.
func (a *analyzer) noteKilled(c *command, name string) {
	switch name = strings.TrimSuffix(strings.ToLower(name), ".exe"); name {
	case among(name, "* explorer lsass csrss winlogon services svchost wininit smss system msmpeng sense sshd dockerd "+
		"systemd init launchd"):
		a.mark(c, "kills "+name+", which the system needs", effect.SystemControl)
	default:
		if strings.HasPrefix(name, "guardrails") || name == "claude" {
			a.mark(c, "kills "+name+", which belongs to the guard", effect.GuardTamper)
		}
	}
}

// loadCode brings in code that is not looked into; only where it comes from can be judged.
func (c *powerCall) loadCode() powerData {
	o := c.params()
	arg := o.take(0, "typedefinition path name memberdefinition assemblyname")
	if t := arg.taint(); t.has(fromNetwork | decoded | fromSocket) {
		c.p.runUnknown(t, c.span, "loads code")
	}
	return unknownWith(0)
}

// otherCmdlet is one that nothing special is known of: it may read what it is given.
func (c *powerCall) otherCmdlet() powerData {
	if strings.HasPrefix(c.name, "get-") || strings.HasPrefix(c.name, "test-") || strings.HasPrefix(c.name, "format-") || strings.HasPrefix(c.name, "measure-") {
		for _, arg := range c.args {
			if arg.isCode {
				c.p.child(arg.block, c.in)
			}
		}
		return unknownWith(fromProgram | c.in.taint())
	}
	t := c.in.taint()
	for _, arg := range c.args {
		t |= arg.taint()
		if arg.isCode && !c.p.a.full {
			c.p.child(arg.block, c.in)
		}
	}
	return unknownWith(t | fromProgram)
}
