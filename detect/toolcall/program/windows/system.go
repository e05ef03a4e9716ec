package windows

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/program/files"
	"guardrails/detect/toolcall/shell"
	"guardrails/detect/toolcall/trace"
)

// systemProgram analyzes programs that manage Windows. It derives the events from the words of the call.
func systemProgram(t *trace.Trace, c *trace.Command) trace.Flow {
	line := " " + strings.ToLower(trace.JoinAll(c.Args())) + " "
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(line, w) {
				return true
			}
		}
		return false
	}
	switch c.Name {
	case "attrib":
	case "icacls", "cacls", "takeown":
		changeRights(t, c, has("everyone", "*s-1-1-0"))
	case "setx":
		if args := c.Args(); len(args) > 0 {
			t.SensitiveVariable(c, strings.ToUpper(args[0].Text), trace.Value{})
		}
		if has(" /m ") {
			t.Mark(c, "changes the environment variables of every user", effect.SystemChange)
		}
	case "wmic":
		wmic(t, c, has)
	case "sc", "schtasks":
		serviceProgram(t, c, has)
	default:
		if event, reason := systemMeaning(c.Name, has); reason != "" {
			t.MarkAll(c, reason, event...)
		}
	}
	return trace.Unknown()
}

// systemMeaning returns the events of a call and the reason for them. The reason is empty if the call changes nothing
// important.
func systemMeaning(name string, has func(...string) bool) ([]effect.Event, string) {
	switch name {
	case "vssadmin", "wbadmin":
		if has(" delete ", "resize") {
			return []effect.Event{effect.DefenseOff, effect.DestructiveOp}, "deletes or limits backups and shadow copies"
		}
	case "wevtutil":
		if has(" cl ", "clear-log", " sl ") {
			return []effect.Event{effect.DefenseOff}, "clears or changes the event log"
		}
	case "auditpol":
		if has("/clear", "/remove", ":disable") {
			return []effect.Event{effect.DefenseOff}, "turns off the audit log"
		}
	case "bcdedit", "reagentc":
		if has("/set", "/delete", "/disable", "/import", "/create") {
			return []effect.Event{effect.DefenseOff, effect.SystemChange}, "changes how the machine starts or is restored"
		}
	case "cipher":
		if has("/w") {
			return []effect.Event{effect.DestructiveOp}, "wipes deleted files, so that they cannot be recovered"
		}
	case "fsutil":
		if has("deletejournal", "setzerodata", "repair set") {
			events := []effect.Event{effect.DefenseOff, effect.DestructiveOp}
			return events, "deletes the file system's journal or overwrites data"
		}
	case "manage-bde":
		if has("-off", "-disable", "-forcerecovery") {
			return []effect.Event{effect.DefenseOff}, "turns off disk encryption"
		}
	case "netsh":
		if has("state off", "opmode disable", "mode=disable",
			"firewall delete", "firewall reset", "firewall set", "firewall add") {
			return []effect.Event{effect.DefenseOff}, "changes the firewall"
		}
		if has("portproxy add") {
			return []effect.Event{effect.SystemChange}, "forwards a port of the machine"
		}
	}
	return nil, ""
}

func serviceProgram(t *trace.Trace, c *trace.Command, has func(...string) bool) {
	switch {
	case c.Name == "schtasks" && has("/create", "/change"):
		t.Mark(c, "schedules a task", effect.StartupChange)
		if v, ok := valueOf(c.Args(), "/tr"); ok {
			t.RunInner(c, flags.WindowsWords(v))
		}
	case c.Name == "schtasks" && has("/delete"):
		t.Mark(c, "deletes a scheduled task", effect.SystemControl)
	case c.Name == "sc" && has(" create "):
		t.Mark(c, "creates a service that starts automatically", effect.StartupChange)
	case c.Name == "sc" && has(" stop ", " delete ", " config ", " failure ", " sdset "):
		t.Mark(c, "stops or changes a service of the system", effect.SystemControl)
	}
}

func wmic(t *trace.Trace, c *trace.Command, has func(...string) bool) {
	switch {
	case has("shadowcopy") && has("delete"):
		t.MarkAll(c, "deletes shadow copies", effect.DefenseOff, effect.DestructiveOp)
	case has("call create"):
		line := trace.JoinAll(c.Args())
		_, text, _ := strings.Cut(strings.ToLower(line), "create")
		text = strings.Trim(line[len(line)-len(text):], ` "'`)
		if words := flags.WindowsWords(trace.Value{Text: text}); len(words) > 0 {
			t.RunInner(c, words)
		}
	case has("useraccount") && has("set", "create"):
		t.Mark(c, "changes the accounts of the machine", effect.PrivilegeGain)
	case has("uninstall"):
		t.Mark(c, "uninstalls a program", effect.SystemChange)
	}
}

// changeRights judges a change of owners or permissions. The events depend on the file or folder that is changed.
func changeRights(t *trace.Trace, c *trace.Command, everyone bool) {
	o := parseOptions(c.Args())
	tree := o.hasOption("t r s")
	for _, v := range o.operands {
		isGrant := strings.Contains(v.Text, ":") && !strings.Contains(v.Text, ":/")
		if isGrant || strings.HasPrefix(v.Text, "+") || strings.HasPrefix(v.Text, "-") {
			continue
		}
		p := t.Place(v, c.Scope)
		if p.Zone == trace.System || p.Zone == trace.Outside && tree || everyone && tree || p.Secret && everyone {
			t.Mark(c, "changes who can access "+p.Name, effect.PermissionOpen)
		}
	}
}

// fetchProgram analyzes certutil and bitsadmin, which can download and decode files.
func fetchProgram(t *trace.Trace, c *trace.Command) trace.Flow {
	args := c.Args()
	line := strings.ToLower(trace.JoinAll(args))
	for i, v := range args {
		if !strings.Contains(v.Text, "://") {
			continue
		}
		program.Download(t, c, trace.URLHost(v.Text))
		if i+1 < len(args) {
			program.Saved(t, c, windowsPath(args[i+1]))
		}
		return trace.Unknown()
	}
	if strings.Contains(line, "-decode") || strings.Contains(line, "/decode") {
		if n := len(args); n >= 3 {
			t.Read(windowsPath(args[n-2]), c.Scope, c.Span)
			if name := t.Write(windowsPath(args[n-1]), c.Scope, c.Span); name != "" {
				t.Remember(name, trace.Flow{Taint: trace.Decoded})
			}
		}
	}
	return trace.Unknown()
}

// loaderProgram analyzes programs that run a script or library from a file or an address.
func loaderProgram(t *trace.Trace, c *trace.Command) trace.Flow {
	for _, v := range c.Args() {
		lower := strings.ToLower(v.Text)
		switch {
		case strings.Contains(lower, "http://") || strings.Contains(lower, "https://"):
			t.Opaque(c.Span, "runs a download that nobody has reviewed", effect.PipeToShell)
			return trace.Unknown()
		case strings.HasPrefix(lower, "javascript:") || strings.HasPrefix(lower, "vbscript:"):
			t.Opaque(c.Span, "runs code that is written in a URL", effect.HiddenExecution)
			return trace.Unknown()
		}
	}
	if v, ok := valueOf(c.Args(), "/c"); ok && c.Name == "forfiles" {
		return t.RunInner(c, flags.WindowsWords(v))
	}
	if len(c.Argv) > 1 {
		shell.RunFile(t, c, windowsPath(c.Argv[len(c.Argv)-1]), nil)
	}
	return trace.Unknown()
}

// copyProgram analyzes robocopy and xcopy. With /mir, files that are missing in the source are deleted in the target.
func copyProgram(t *trace.Trace, c *trace.Command) trace.Flow {
	o := parseOptions(c.Args())
	if o.hasOption("l") || len(o.operands) < 2 {
		return trace.Unknown()
	}
	from, to := o.operands[0], o.operands[1]
	if o.hasOption("move mov") {
		t.Remove(from, c.Scope, c.Span, trace.Removal{Tree: true, Moved: true, How: "moves away"})
	} else {
		t.Read(from, c.Scope, c.Span)
	}
	from.Text += "/." // everything in the folder is copied
	files.Put(t, c, []trace.Value{from}, to, true)
	if o.hasOption("mir purge") {
		t.Remove(to, c.Scope, c.Span, trace.Removal{Tree: true, How: "overwrites"})
	}
	return trace.Unknown()
}
