package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// windowsSystem judges the programs that manage Windows by the words of the call.
func windowsSystem(a *analyzer, c *command) flow {
	line := " " + strings.ToLower(joinAll(c.args())) + " "
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(line, w) {
				return true
			}
		}
		return false
	}
	switch c.name {
	case "icacls", "cacls", "takeown", "attrib":
		a.windowsRights(c, has(" /t ", " /r ", " /s "), has("everyone", "*s-1-1-0"))
	case "setx":
		if args := c.args(); len(args) > 0 {
			a.sensitiveVariable(c, strings.ToUpper(args[0].text), value{})
		}
		if has(" /m ") {
			a.mark(c, "changes the environment of every user", effect.SystemChange)
		}
	case "wmic":
		a.wmic(c, has)
	case "sc", "schtasks":
		a.windowsService(c, has)
	default:
		if event, reason := windowsMeaning(c.name, has); reason != "" {
			a.mark(c, reason, event...)
		}
	}
	return unknown()
}

func windowsMeaning(name string, has func(...string) bool) ([]effect.Event, string) {
	switch name {
	case "vssadmin", "wbadmin":
		if has(" delete ", "resize") {
			return []effect.Event{effect.DefenseOff, effect.DestructiveOp}, "deletes the copies from which files can be restored"
		}
	case "wevtutil":
		if has(" cl ", "clear-log", " sl ") {
			return []effect.Event{effect.DefenseOff}, "erases the event log"
		}
	case "auditpol":
		if has("/clear", "/remove", ":disable") {
			return []effect.Event{effect.DefenseOff}, "switches the audit log off"
		}
	case "bcdedit", "reagentc":
		if has("/set", "/delete", "/disable", "/import", "/create") {
			return []effect.Event{effect.DefenseOff, effect.SystemChange}, "changes how the machine starts or is restored"
		}
	case "cipher":
		if has("/w") {
			return []effect.Event{effect.DestructiveOp}, "wipes what was deleted"
		}
	case "fsutil":
		if has("deletejournal", "setzerodata", "repair set") {
			return []effect.Event{effect.DefenseOff, effect.DestructiveOp}, "deletes the file system's journal or overwrites data"
		}
	case "manage-bde":
		if has("-off", "-disable", "-forcerecovery") {
			return []effect.Event{effect.DefenseOff}, "switches the disk's encryption off"
		}
	case "netsh":
		if has("state off", "opmode disable", "mode=disable", "firewall delete", "firewall reset", "firewall set", "firewall add") {
			return []effect.Event{effect.DefenseOff}, "changes the firewall"
		}
		if has("portproxy add") {
			return []effect.Event{effect.SystemChange}, "forwards a port of the machine"
		}
	}
	return nil, ""
}

func (a *analyzer) windowsService(c *command, has func(...string) bool) {
	switch {
	case c.name == "schtasks" && has("/create", "/change"):
		a.mark(c, "makes something run by itself later", effect.StartupChange)
		for i, v := range c.args() {
			if strings.EqualFold(v.text, "/tr") && i+2 < len(c.argv) {
				a.again(c, windowsWords(c.argv[i+2]))
			}
		}
	case c.name == "schtasks" && has("/delete"):
		a.mark(c, "deletes a scheduled task", effect.SystemControl)
	case c.name == "sc" && has(" create "):
		a.mark(c, "makes a service that is started by itself", effect.StartupChange)
	case c.name == "sc" && has(" stop ", " delete ", " config ", " failure ", " sdset "):
		a.mark(c, "stops or changes a service of the system", effect.SystemControl)
	}
}

func (a *analyzer) wmic(c *command, has func(...string) bool) {
	switch {
	case has("shadowcopy") && has("delete"):
		a.mark(c, "deletes the copies from which files can be restored", effect.DefenseOff, effect.DestructiveOp)
	case has("call create"):
		line := joinAll(c.args())
		_, text, _ := strings.Cut(strings.ToLower(line), "create")
		text = strings.Trim(line[len(line)-len(text):], ` "'`)
		if words := windowsWords(value{text: text}); len(words) > 0 {
			a.again(c, words)
		}
	case has("useraccount") && has("set", "create"):
		a.mark(c, "changes the accounts of the machine", effect.PrivilegeGain)
	case has("uninstall"):
		a.mark(c, "removes a program of the system", effect.SystemChange)
	}
}

// windowsRights judges a change of owners and permissions by the place that it is about.
func (a *analyzer) windowsRights(c *command, tree, everyone bool) {
	for _, v := range c.args() {
		if strings.HasPrefix(v.text, "/") || strings.HasPrefix(v.text, "+") || strings.HasPrefix(v.text, "-") || strings.Contains(v.text, ":") && !strings.Contains(v.text, `:\`) {
			continue
		}
		p := a.place(windowsPath(v), c.sc)
		if c.name == "attrib" {
			continue
		}
		if p.zone == system || p.zone == outside && tree || everyone && tree || p.secret && everyone {
			a.mark(c, "changes who may use "+p.name, effect.PermissionOpen)
		}
	}
}

// windowsFetch is certutil and bitsadmin, which download files on the side.
func windowsFetch(a *analyzer, c *command) flow {
	args := c.args()
	line := strings.ToLower(joinAll(args))
	for i, v := range args {
		if !strings.Contains(v.text, "://") {
			continue
		}
		a.download(c, urlHost(v.text))
		if i+1 < len(args) {
			a.saved(c, windowsPath(args[i+1]))
		}
		return unknown()
	}
	if strings.Contains(line, "-decode") || strings.Contains(line, "/decode") {
		if n := len(args); n >= 3 {
			a.read(windowsPath(args[n-2]), c.sc, c.span)
			if name := a.write(windowsPath(args[n-1]), c.sc, c.span); name != "" {
				a.remember(name, flow{taint: decoded})
			}
		}
	}
	return unknown()
}

// windowsLoader is a program that runs the script or library it is given, from an address too.
func windowsLoader(a *analyzer, c *command) flow {
	for i, v := range c.args() {
		lower := strings.ToLower(v.text)
		switch {
		case strings.Contains(lower, "http://") || strings.Contains(lower, "https://"):
			a.opaque(c.span, "runs a download that nobody has looked at", effect.PipeToShell)
			return unknown()
		case strings.HasPrefix(lower, "javascript:") || strings.HasPrefix(lower, "vbscript:"):
			a.opaque(c.span, "runs code that is hidden in an address", effect.HiddenExecution)
			return unknown()
		case c.name == "forfiles" && lower == "/c" && i+2 < len(c.argv):
			return a.again(c, windowsWords(c.argv[i+2]))
		}
	}
	if len(c.argv) > 1 {
		a.runFile(c, windowsPath(c.argv[len(c.argv)-1]), nil)
	}
	return unknown()
}

// windowsCopy is robocopy and xcopy. Mirroring deletes what the source does not have.
func windowsCopy(a *analyzer, c *command) flow {
	var places []value
	mirror, moves := false, false
	for _, v := range c.args() {
		switch lower := strings.ToLower(v.text); {
		case lower == "/mir" || lower == "/purge":
			mirror = true
		case lower == "/move" || lower == "/mov":
			moves = true
		case lower == "/l":
			return unknown()
		case !strings.HasPrefix(v.text, "/"):
			places = append(places, windowsPath(v))
		}
	}
	if len(places) < 2 {
		return unknown()
	}
	if moves {
		a.remove(places[0], c.sc, c.span, removal{tree: true, moved: true, how: "moves away"})
	} else {
		a.read(places[0], c.sc, c.span)
	}
	a.write(places[1], c.sc, c.span)
	if mirror {
		a.remove(places[1], c.sc, c.span, removal{tree: true, how: "overwrites"})
	}
	return unknown()
}
