// Package windows analyzes the programs of Windows, among them cmd.exe and powershell.exe.
package windows

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/powershell"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// Handler returns the handler of a shell or system program of Windows, or nil.
func Handler(name string) trace.Handler {
	switch name {
	case "pwsh", "powershell", "powershell_ise", "pwsh-preview":
		return powerShellProgram
	case "cmd":
		return cmdProgram
	case "reg":
		return regProgram
	case "net", "net1":
		return netProgram
	case words.Among(name, "sc schtasks vssadmin wevtutil bcdedit cipher wmic wbadmin netsh auditpol fsutil reagentc "+
		"manage-bde takeown icacls cacls setx attrib"):
		return systemProgram
	case "taskkill", "tskill":
		return taskKill
	case "certutil", "bitsadmin":
		return fetchProgram
	case words.Among(name, "mshta regsvr32 rundll32 wscript cscript msiexec installutil forfiles"):
		return loaderProgram
	case "robocopy", "xcopy":
		return copyProgram
	}
	return nil
}

// powerShellProgram analyzes a call of the program PowerShell.
func powerShellProgram(t *trace.Trace, c *trace.Command) trace.Flow {
	args := c.Args()
	for i := 0; i < len(args); i++ {
		name, ok := powershell.ProgramParameter(args[i].Text)
		rest := args[i+1:]
		switch {
		case !ok:
			if c.Name == "powershell" || isText(args[i]) {
				return powerText(t, c, trace.Joined(args[i:]))
			}
			return powerFile(t, c, args[i], rest)
		case name == "":
			return powerInput(t, c)
		case powershell.ShortFor(name, "command") || name == "commandwithargs" || name == "cwa":
			if len(rest) == 1 && rest[0].Text == "-" {
				return powerInput(t, c)
			}
			return powerText(t, c, trace.Joined(rest))
		case powershell.ShortFor(name, "encodedcommand") || name == "ec" || name == "enc":
			return powerEncoded(t, c, trace.Joined(rest))
		case powershell.ShortFor(name, "file"):
			if len(rest) > 0 && rest[0].Text != "-" {
				return powerFile(t, c, rest[0], rest[1:])
			}
			return powerInput(t, c)
		case name == "version" && len(rest) == 0 || name == "help" || name == "h" || name == "?":
			return trace.Flow{Taint: trace.FromProgram}
		case powerHasValue(name):
			i++
		}
	}
	return powerInput(t, c)
}

func isText(v trace.Value) bool { return strings.ContainsAny(v.Text, " ;|{") }

// powerHasValue reports whether a flag of PowerShell takes the next argument as its value.
func powerHasValue(name string) bool {
	for _, full := range [...]string{
		"executionpolicy", "ep", "ex", "windowstyle", "version", "workingdirectory", "wd", "inputformat", "outputformat",
		"configurationname", "psconsolefile", "settingsfile", "custompipename", "encodedarguments",
	} {
		if full == name || (len(name) > 1 || name == "w") && strings.HasPrefix(full, name) {
			return true
		}
	}
	return false
}

// powerInput analyzes a PowerShell process that reads commands from its input.
func powerInput(t *trace.Trace, c *trace.Command) trace.Flow {
	switch {
	case c.In.Taint.Has(trace.FromSocket):
		t.Mark(c, "connects a shell to the network", effect.ReverseShell)
	case c.In.Known && strings.TrimSpace(c.In.Text) == "":
		return trace.Flow{Taint: trace.FromShell}
	}
	dangerous := c.In.Taint.Has(trace.FromNetwork | trace.Decoded | trace.FromSocket | trace.FromProgram)
	if !c.In.Known && c.In.From() != "" && !dangerous {
		run := func(inner *trace.Command, text string) { powerText(t, inner, trace.Value{Text: text}) }
		if !t.InputScript(c, c.In.From(), run) {
			t.InputNotAnalyzed(c, c.In.From(), trace.Other)
		}
		return trace.Flow{Taint: trace.FromShell}
	}
	return powerText(t, c, trace.Value{Text: c.In.Text, Quality: trace.Quality{Partial: !c.In.Known, Taint: c.In.Taint}})
}

// powerText analyzes a text that a new PowerShell process runs.
func powerText(t *trace.Trace, c *trace.Command, v trace.Value) trace.Flow {
	if v.Partial && v.Text == "" {
		v.Text = "$(…)"
	}
	if text := strings.TrimSpace(v.Text); strings.HasPrefix(text, "{") && strings.HasSuffix(text, "}") {
		v.Text = text[1 : len(text)-1]
	}
	out := powershell.Evaluate(t, &trace.Scope{Cwd: c.Scope.Cwd, CwdUnknown: c.Scope.CwdUnknown}, v, c.Span)
	out.Taint |= trace.FromShell & c.In.Taint
	return out
}

func powerEncoded(t *trace.Trace, c *trace.Command, v trace.Value) trace.Flow {
	code := powershell.DecodeBase64(v)
	if !code.Partial {
		code.Text = powershell.FromUTF16(code.Text)
	}
	return powerText(t, c, code)
}

func powerFile(t *trace.Trace, c *trace.Command, v trace.Value, args []trace.Value) trace.Flow {
	return powershell.RunFile(t, &trace.Scope{Cwd: c.Scope.Cwd, CwdUnknown: c.Scope.CwdUnknown}, v, args, c.Span)
}

// regProgram analyzes reg, which changes the registry.
func regProgram(t *trace.Trace, c *trace.Command) trace.Flow {
	args := c.Args()
	if len(args) < 2 {
		return trace.Unknown()
	}
	switch verb := strings.ToLower(args[0].Text); verb {
	case words.Among(verb, "add delete import restore load copy"):
		powershell.Registry(t, args[1].Text, "changes", c.Span)
	case "save", "export":
		lower := strings.ToLower(args[1].Text)
		if strings.HasSuffix(lower, `\sam`) || strings.HasSuffix(lower, `\security`) || strings.HasSuffix(lower, `\system`) {
			t.Mark(c, "saves the part of the registry that contains the passwords", effect.SecretAccess)
		}
		if len(args) > 2 {
			t.Write(windowsPath(args[2]), c.Scope, c.Span)
		}
	}
	return trace.Unknown()
}

// windowsPath returns a path with slashes instead of backslashes.
func windowsPath(v trace.Value) trace.Value {
	v.Text = strings.ReplaceAll(v.Text, `\`, "/")
	if len(v.Text) == 2 && v.Text[1] == ':' {
		v.Text += "/"
	}
	v.Glob = v.Glob || strings.ContainsAny(v.Text, "*?")
	return v
}

// netProgram analyzes net, which manages accounts, shares and services.
func netProgram(t *trace.Trace, c *trace.Command) trace.Flow {
	o := parseOptions(c.Args())
	if len(o.operands) == 0 {
		return trace.Unknown()
	}
	switch verb := strings.ToLower(o.operands[0].Text); verb {
	case "user", "localgroup", "group", "accounts":
		if o.hasOption("add delete active") || verb == "user" && len(o.operands) > 2 {
			t.Mark(c, "changes the accounts of the machine", effect.PrivilegeGain)
		}
	case "stop", "pause":
		t.Mark(c, "stops a service of the system", effect.SystemControl)
	case "share":
		if len(c.Argv) > 2 {
			t.Mark(c, "shares a folder with the network", effect.PermissionOpen)
		}
	}
	return trace.Unknown()
}

// taskKill analyzes taskkill. It checks only the names of processes, because a process that is given by its number
// usually belongs to the user.
func taskKill(t *trace.Trace, c *trace.Command) trace.Flow {
	for _, v := range c.Args() {
		powershell.NoteKilled(t, c, v.Text)
	}
	return trace.Unknown()
}
