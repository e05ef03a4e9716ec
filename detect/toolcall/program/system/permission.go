package system

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
)

// permissionHandler returns the handler of a program that changes the permissions or owners of files, or nil.
func permissionHandler(name string) trace.Handler {
	switch name {
	case "chmod":
		return chmod
	case "chown", "chgrp", "lchown":
		return chown
	case "chattr", "chflags":
		return fileFlags
	case "setfacl":
		return setfacl
	}
	return nil
}

// chmod() marks changes that open files to everyone, change files outside the project, or let a program run with its
// owner's rights.
func chmod(t *trace.Trace, c *trace.Command) trace.Flow {
	mode, targets, recursive := chmodArgs(c.Args())
	if program.SetsID(mode) {
		t.Mark(c, "makes a program run with its owner's or group's rights for everyone ("+mode+")", effect.PrivilegeGain)
	}
	open, closed := opensToAll(mode), closesToOwner(mode)
	for _, v := range targets {
		p := t.Place(v, c.Scope)
		markProtected(t, c, &p, mode, closed || open && recursive)
		switch {
		case p.Zone == trace.System && !isLocalProgram(p.Abs), p.Zone == trace.Device:
			t.Mark(c, "changes the permissions of "+p.Name+", which belongs to the system", effect.PermissionOpen)
		case recursive && (p.Zone == trace.Outside || p.Zone == trace.Root && closed):
			t.Mark(c, "changes the permissions of everything in "+p.Name, effect.PermissionOpen)
		case p.Secret && readableByAll(mode):
			t.Mark(c, "lets everyone read "+p.Name+", which holds secrets", effect.PermissionOpen)
		case open && (p.Secret || p.Zone == trace.Outside || p.Zone == trace.System):
			t.Mark(c, "gives everyone access to "+p.Name, effect.PermissionOpen)
		case open && recursive && p.Zone != trace.Scratch && !trace.IsRegenerable(p.Name):
			t.Mark(c, "gives everyone access to everything in "+p.Name, effect.PermissionOpen)
		}
	}
	return trace.Nothing()
}

// isLocalProgram reports whether a path is in a folder where users install their own programs.
func isLocalProgram(abs string) bool {
	for _, dir := range [...]string{"/usr/local/bin", "/usr/local/lib", "/usr/local/share", "/usr/local/sbin"} {
		if rel, ok := trace.Below(abs, dir); ok && rel != "." && rel != "*" {
			return true
		}
	}
	return false
}

// markProtected marks the command if it changes the permissions of the guard's files. It also marks the command if it
// takes away the right to run a git hook. The parameter "mode" has the form that chmod accepts, such as -x or 755. If
// the parameter "deep" is set, the change also affects everything in the folder p.
func markProtected(t *trace.Trace, c *trace.Command, p *trace.Place, mode string, deep bool) {
	if p.Guard || trace.IsGuardFolder(p.Name) || deep && t.ContainsGuarded(p) {
		t.Mark(c, "changes the permissions of "+p.Name+", which belongs to the guard", effect.GuardTamper)
	}
	hook := trace.IsGitHook(p.Name) || strings.Contains(p.Name, ".git/hooks/")
	if hook && takesExecution(mode) {
		t.MarkAll(c, "turns off the hook "+p.Name, effect.DefenseOff, effect.SkipChecks)
	}
}

// takesExecution reports whether a mode of chmod removes the right to run a file. For a mode such as -x, it does not
// matter which users lose the right. For a mode in digits, it returns true only if the owner loses the right.
func takesExecution(mode string) bool {
	who, _, minus := strings.Cut(mode, "-")
	if minus {
		return strings.Contains(mode[len(who):], "x") && strings.Trim(who, "augo") == ""
	}
	digits := strings.TrimLeft(mode, "0")
	return mode != "" && strings.Trim(mode, "01234567") == "" && (len(digits) < 3 || (digits[len(digits)-3]-'0')&1 == 0)
}

// chmodArgs parses the arguments of chmod. The mode may look like a flag, as in "chmod -x file".
func chmodArgs(args []trace.Value) (mode string, targets []trace.Value, recursive bool) {
	var long []trace.Value
	for _, v := range args {
		switch {
		case v.Text == "--":
		case strings.HasPrefix(v.Text, "--"):
			long = append(long, v)
		case mode == "" && strings.HasPrefix(v.Text, "-") && strings.Trim(v.Text[1:], "rwxXst") == "":
			mode = v.Text
		case strings.HasPrefix(v.Text, "-") && strings.Trim(v.Text[1:], "Rvcf") == "":
			recursive = recursive || strings.Contains(v.Text, "R")
		default:
			targets = append(targets, v)
		}
	}
	o := flags.Parse(long, flags.Abbreviates)
	recursive = recursive || o.Has("recursive")
	switch {
	case o.Has("reference"):
		mode = "as"
	case mode == "" && len(targets) > 0:
		mode, targets = targets[0].Text, targets[1:]
	}
	return mode, targets, recursive
}

// opensToAll reports whether a mode lets everyone write.
func opensToAll(mode string) bool {
	if program.IsOctal(mode) {
		last := mode[len(mode)-1] - '0'
		return last&2 != 0
	}
	for _, clause := range strings.Split(mode, ",") {
		i := strings.IndexAny(clause, "+=")
		if i > 0 && strings.ContainsAny(clause[:i], "oa") && strings.Contains(clause[i:], "w") {
			return true
		}
	}
	return false
}

// readableByAll reports whether a mode lets everyone read.
func readableByAll(mode string) bool {
	if program.IsOctal(mode) {
		return (mode[len(mode)-1]-'0')&4 != 0
	}
	i := strings.IndexAny(mode, "+=")
	return i >= 0 && (i == 0 || strings.ContainsAny(mode[:i], "oa")) && strings.Contains(mode[i:], "r")
}

// closesToOwner reports whether a mode stops the owner from reading.
func closesToOwner(mode string) bool {
	if program.IsOctal(mode) {
		return len(mode) < 3 || (mode[len(mode)-3]-'0')&4 == 0
	}
	who, what, ok := strings.Cut(mode, "-")
	return ok && strings.Contains(what, "r") && (who == "" || strings.ContainsAny(who, "ua"))
}

func chown(t *trace.Trace, c *trace.Command) trace.Flow {
	mode, _, _ := chmodArgs(c.Args())
	o := flags.Parse(c.Args(), flags.Abbreviates+"from reference")
	recursive := o.Has("R recursive")
	targets := o.Operands
	if !o.Has("reference") {
		targets = targets[min(1, len(targets)):]
	}
	for _, v := range targets {
		p := t.Place(v, c.Scope)
		markProtected(t, c, &p, mode, recursive && len(o.Operands) > 0 && !isCurrentUser(o.Operands[0].Text))
		// If users have used sudo by mistake, they often make themselves the owner of a folder in their home again.
		if recursive && p.Zone == trace.Outside && strings.HasPrefix(p.Name, "~/") {
			if p.Secret {
				t.Mark(c, "changes the owner of "+p.Name+", which holds secrets", effect.PermissionOpen)
			}
			continue
		}
		isSystem := p.Zone == trace.System && (recursive || !isLocalProgram(p.Abs))
		if isSystem || p.Zone == trace.Device || recursive && p.Zone == trace.Outside {
			t.Mark(c, "changes the owner of "+p.Name, effect.PermissionOpen)
		}
	}
	return trace.Nothing()
}

// isCurrentUser reports whether an owner is clearly the current user, such as $USER or $(whoami).
func isCurrentUser(owner string) bool {
	return strings.HasPrefix(owner, "$USER") || strings.HasPrefix(owner, "$(id") ||
		strings.HasPrefix(owner, "$(whoami") || strings.HasPrefix(owner, "$LOGNAME")
}

// fileFlags analyzes chattr and chflags.
func fileFlags(t *trace.Trace, c *trace.Command) trace.Flow {
	mode, _, _ := chmodArgs(c.Args())
	o := flags.Parse(c.Args(), "p v")
	deep := o.Has("R")
	for _, v := range o.Operands {
		p := t.Place(v, c.Scope)
		markProtected(t, c, &p, mode, deep)
		if p.Zone == trace.System || p.Zone == trace.Outside {
			t.Mark(c, "changes the protection of "+p.Name, effect.PermissionOpen)
		}
	}
	return trace.Nothing()
}

func setfacl(t *trace.Trace, c *trace.Command) trace.Flow {
	mode, _, _ := chmodArgs(c.Args())
	o := flags.Parse(c.Args(), flags.Abbreviates+"m M x X modify remove set restore")
	deep := o.Has("R recursive")
	for _, v := range o.Operands {
		p := t.Place(v, c.Scope)
		markProtected(t, c, &p, mode, deep)
		if p.Zone == trace.System || p.Zone == trace.Outside && o.Has("R recursive") {
			t.Mark(c, "changes the access to "+p.Name, effect.PermissionOpen)
		}
	}
	return trace.Nothing()
}
