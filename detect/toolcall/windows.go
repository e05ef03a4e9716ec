package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// windowsHandler knows the shells and the system programs of Windows.
func windowsHandler(name string) handler {
	switch name {
	case "pwsh", "powershell", "powershell_ise", "pwsh-preview":
		return powerShellProgram
	case "cmd":
		return cmdProgram
	case "reg":
		return regProgram
	case "net", "net1":
		return netProgram
	case among(name, "sc schtasks vssadmin wevtutil bcdedit cipher wmic wbadmin netsh auditpol fsutil reagentc manage-bde "+
		"takeown icacls cacls setx attrib"):
		return windowsSystem
	case "taskkill", "tskill":
		return taskKill
	case "certutil", "bitsadmin":
		return windowsFetch
	case among(name, "mshta regsvr32 rundll32 wscript cscript msiexec installutil forfiles"):
		return windowsLoader
	case "robocopy", "xcopy":
		return windowsCopy
	}
	return nil
}

// powerShellProgram is PowerShell started as a program.
func powerShellProgram(a *analyzer, c *command) flow {
	args := c.args()
	for i := 0; i < len(args); i++ {
		text := strings.ToLower(args[i].text)
		if strings.HasPrefix(text, "/") && len(text) > 1 {
			text = "-" + text[1:]
		}
		name := strings.TrimPrefix(strings.TrimPrefix(text, "-"), "-")
		rest := args[i+1:]
		switch {
		case !strings.HasPrefix(text, "-"):
			if c.name == "powershell" || args[i].isText() {
				return a.powerText(c, joined(args[i:]))
			}
			return a.powerFile(c, args[i])
		case name == "":
			return a.powerInput(c)
		case shortFor(name, "command") || name == "commandwithargs" || name == "cwa":
			if len(rest) == 1 && rest[0].text == "-" {
				return a.powerInput(c)
			}
			return a.powerText(c, joined(rest))
		case shortFor(name, "encodedcommand") || name == "ec" || name == "enc":
			return a.powerEncoded(c, joined(rest))
		case shortFor(name, "file"):
			if len(rest) > 0 && rest[0].text != "-" {
				return a.powerFile(c, rest[0])
			}
			return a.powerInput(c)
		case name == "version" && len(rest) == 0 || name == "help" || name == "h" || name == "?":
			return flow{taint: fromProgram}
		case powerHasValue(name):
			i++
		}
	}
	return a.powerInput(c)
}

// isText reports whether an argument looks like a command and not like a file's name.
func (v value) isText() bool { return strings.ContainsAny(v.text, " ;|{") }

// powerHasValue reports whether a flag of the program takes the next argument.
func powerHasValue(name string) bool {
	for _, full := range [...]string{"executionpolicy", "ep", "ex", "windowstyle", "version", "workingdirectory", "wd", "inputformat", "outputformat", "configurationname", "psconsolefile", "settingsfile", "custompipename", "encodedarguments"} {
		if full == name || (len(name) > 1 || name == "w") && strings.HasPrefix(full, name) {
			return true
		}
	}
	return false
}

func (a *analyzer) powerInput(c *command) flow {
	switch {
	case c.in.taint.has(fromSocket):
		a.mark(c, "connects a shell to the network", effect.ReverseShell)
	case c.in.known && strings.TrimSpace(c.in.text) == "":
		return flow{taint: fromShell}
	}
	if !c.in.known && c.in.from() != "" && !c.in.taint.has(fromNetwork|decoded|fromSocket|fromProgram) {
		a.opaque(c.span, "runs the content of "+c.in.from()+", which is not looked into")
		return flow{taint: fromShell}
	}
	return a.powerText(c, value{text: c.in.text, quality: quality{partial: !c.in.known, taint: c.in.taint}})
}

// powerText runs a text in a PowerShell of its own.
func (a *analyzer) powerText(c *command, v value) flow {
	p := a.newPowerShell(&scope{cwd: c.sc.cwd, cwdUnknown: c.sc.cwdUnknown})
	if v.partial && v.text == "" {
		v.text = "$(…)"
	}
	if text := strings.TrimSpace(v.text); strings.HasPrefix(text, "{") && strings.HasSuffix(text, "}") {
		v.text = text[1 : len(text)-1]
	}
	out := p.evaluate(v, c.span).flow()
	out.taint |= fromShell & c.in.taint
	return out
}

func (a *analyzer) powerEncoded(c *command, v value) flow {
	code := decodeBase64(v)
	if !code.partial {
		code.text = fromUTF16(code.text)
	}
	return a.powerText(c, code)
}

func (a *analyzer) powerFile(c *command, v value) flow {
	p := a.newPowerShell(&scope{cwd: c.sc.cwd, cwdUnknown: c.sc.cwdUnknown})
	return p.scriptFile(v, &powerCall{p: p, span: c.span}).flow()
}

// regProgram changes the registry.
func regProgram(a *analyzer, c *command) flow {
	args := c.args()
	if len(args) < 2 {
		return unknown()
	}
	switch verb := strings.ToLower(args[0].text); verb {
	case among(verb, "add delete import restore load copy"):
		a.registry(args[1].text, "changes", c.span)
	case "save", "export":
		lower := strings.ToLower(args[1].text)
		if strings.HasSuffix(lower, `\sam`) || strings.HasSuffix(lower, `\security`) || strings.HasSuffix(lower, `\system`) {
			a.mark(c, "saves the part of the registry that holds the passwords", effect.SecretAccess)
		}
		if len(args) > 2 {
			a.write(windowsPath(args[2]), c.sc, c.span)
		}
	}
	return unknown()
}

// windowsPath is a path with its backslashes as slashes.
func windowsPath(v value) value {
	v.text = strings.ReplaceAll(v.text, `\`, "/")
	if len(v.text) == 2 && v.text[1] == ':' {
		v.text += "/"
	}
	v.glob = v.glob || strings.ContainsAny(v.text, "*?")
	return v
}

// netProgram manages accounts, shares and services.
func netProgram(a *analyzer, c *command) flow {
	args := c.args()
	if len(args) == 0 {
		return unknown()
	}
	changes := false
	for _, v := range args[1:] {
		text := strings.ToLower(v.text)
		changes = changes || strings.HasPrefix(text, "/add") || strings.HasPrefix(text, "/delete") || strings.HasPrefix(text, "/active")
	}
	switch strings.ToLower(args[0].text) {
	case "user", "localgroup", "group", "accounts":
		if changes || strings.EqualFold(args[0].text, "user") && len(args) > 2 && !strings.HasPrefix(args[2].text, "/") {
			a.mark(c, "changes the accounts of the machine", effect.PrivilegeGain)
		}
	case "stop", "pause":
		a.mark(c, "stops a service of the system", effect.SystemControl)
	case "share":
		if len(args) > 1 {
			a.mark(c, "shares a folder with the network", effect.PermissionOpen)
		}
	}
	return unknown()
}

// taskKill kills processes by name; those with a number are one's own.
func taskKill(a *analyzer, c *command) flow {
	for _, v := range c.args() {
		a.noteKilled(c, v.text)
	}
	return unknown()
}
