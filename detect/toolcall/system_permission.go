package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// permissionHandler knows what changes the permissions and owners of files.
func permissionHandler(name string) handler {
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

// chmod is told when it opens a file to everyone, reaches beyond the project, or sets a bit that gives privilege.
func chmod(a *analyzer, c *command) flow {
	mode, targets, recursive := chmodArgs(c.args())
	if setsID(mode) {
		a.mark(c, "makes a program run as its owner for everyone ("+mode+")", effect.PrivilegeGain)
	}
	open, closed := opensToAll(mode), closesToOwner(mode)
	for _, v := range targets {
		p := a.place(v, c.sc)
		a.permissionNames(c, &p, closed || open && recursive)
		switch {
		case p.zone == system && !isLocalProgram(p.abs), p.zone == device:
			a.mark(c, "changes the permissions of "+p.name+", which belongs to the system", effect.PermissionOpen)
		case recursive && (p.zone == outside || p.zone == root && closed):
			a.mark(c, "changes the permissions of everything in "+p.name, effect.PermissionOpen)
		case p.secret && readableByAll(mode):
			a.mark(c, "lets everyone read "+p.name+", which holds secrets", effect.PermissionOpen)
		case open && (p.secret || p.zone == outside || p.zone == system):
			a.mark(c, "opens "+p.name+" to everyone", effect.PermissionOpen)
		case open && recursive && p.zone != scratch && !isRegenerable(p.name):
			a.mark(c, "opens everything in "+p.name+" to everyone", effect.PermissionOpen)
		}
	}
	return nothing()
}

// isLocalProgram reports whether a path is where people install programs of their own.
func isLocalProgram(abs string) bool {
	for _, dir := range [...]string{"/usr/local/bin", "/usr/local/lib", "/usr/local/share", "/usr/local/sbin"} {
		if rel, ok := Below(abs, dir); ok && rel != "." && rel != "*" {
			return true
		}
	}
	return false
}

// permissionNames adds what it means that this product's files lose their permissions; deep is set when what lies below
// is concerned too.
func (a *analyzer) permissionNames(c *command, p *place, deep bool) {
	if p.guard || isGuardFolder(p.name) || deep && a.holdsGuarded(p) {
		a.mark(c, "changes the permissions of "+p.name+", which belongs to the guard", effect.GuardTamper)
	}
	if strings.Contains(p.name, ".git/hooks/") && len(c.argv) > 1 && strings.HasPrefix(c.argv[1].text, "-x") {
		a.mark(c, "switches the hook "+p.name+" off", effect.DefenseOff)
	}
}

// chmodArgs sorts chmod's arguments; a mode may look like a flag: chmod -x file.
func chmodArgs(args []value) (mode string, targets []value, recursive bool) {
	for i, v := range args {
		switch {
		case v.text == "--":
			continue
		case v.text == "--recursive":
			recursive = true
		case strings.HasPrefix(v.text, "--reference"):
			mode = "as"
		case strings.HasPrefix(v.text, "--"):
		case mode == "" && strings.HasPrefix(v.text, "-") && strings.Trim(v.text[1:], "rwxXst") == "":
			mode = v.text
		case strings.HasPrefix(v.text, "-") && i+1 <= len(args) && strings.Trim(v.text[1:], "Rvcf") == "":
			recursive = recursive || strings.Contains(v.text, "R")
		case mode == "":
			mode = v.text
		default:
			targets = append(targets, v)
		}
	}
	return mode, targets, recursive
}

func isOctal(mode string) bool { return mode != "" && strings.Trim(mode, "01234567") == "" }

// setsID reports whether a mode sets the bits that let a program run as its owner or group.
func setsID(mode string) bool {
	if isOctal(mode) {
		return len(mode) >= 4 && (mode[len(mode)-4]-'0')&6 != 0
	}
	for clause := range strings.SplitSeq(mode, ",") {
		if i := strings.IndexAny(clause, "+="); i >= 0 && strings.Contains(clause[i:], "s") {
			return true
		}
	}
	return false
}

// opensToAll reports whether a mode lets everyone write.
func opensToAll(mode string) bool {
	if isOctal(mode) {
		last := mode[len(mode)-1] - '0'
		return last&2 != 0
	}
	for clause := range strings.SplitSeq(mode, ",") {
		i := strings.IndexAny(clause, "+=")
		if i > 0 && strings.ContainsAny(clause[:i], "oa") && strings.Contains(clause[i:], "w") {
			return true
		}
	}
	return false
}

// readableByAll reports whether a mode lets everyone read.
func readableByAll(mode string) bool {
	if isOctal(mode) {
		return (mode[len(mode)-1]-'0')&4 != 0
	}
	i := strings.IndexAny(mode, "+=")
	return i >= 0 && (i == 0 || strings.ContainsAny(mode[:i], "oa")) && strings.Contains(mode[i:], "r")
}

// closesToOwner reports whether a mode takes reading away from the owner.
func closesToOwner(mode string) bool {
	if isOctal(mode) {
		return len(mode) < 3 || (mode[len(mode)-3]-'0')&4 == 0
	}
	who, what, ok := strings.Cut(mode, "-")
	return ok && strings.Contains(what, "r") && (who == "" || strings.ContainsAny(who, "ua"))
}

func chown(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "from reference")
	recursive := o.has("R recursive")
	targets := o.operands
	if !o.has("reference") {
		targets = targets[min(1, len(targets)):]
	}
	for _, v := range targets {
		p := a.place(v, c.sc)
		a.permissionNames(c, &p, recursive && len(o.operands) > 0 && !takesBack(o.operands[0].text))
		// Taking back a folder of one's own home after a stray sudo is everyday work.
		if recursive && p.zone == outside && strings.HasPrefix(p.name, "~/") {
			if p.secret {
				a.mark(c, "changes the owner of "+p.name+", which holds secrets", effect.PermissionOpen)
			}
			continue
		}
		switch {
		case p.zone == system && (recursive || !isLocalProgram(p.abs)), p.zone == device, recursive && p.zone == outside:
			a.mark(c, "changes the owner of "+p.name, effect.PermissionOpen)
		}
	}
	return nothing()
}

// takesBack reports whether an owner is the user at work, as far as the command shows: $USER, $(whoami).
func takesBack(owner string) bool {
	return strings.HasPrefix(owner, "$USER") || strings.HasPrefix(owner, "$(id") || strings.HasPrefix(owner, "$(whoami") || strings.HasPrefix(owner, "$LOGNAME")
}

func fileFlags(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "p v")
	for _, v := range o.operands {
		p := a.place(v, c.sc)
		a.permissionNames(c, &p, o.has("R"))
		if p.zone == system || p.zone == outside {
			a.mark(c, "changes the protection of "+p.name, effect.PermissionOpen)
		}
	}
	return nothing()
}

func setfacl(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "m M x X modify remove set restore")
	for _, v := range o.operands {
		p := a.place(v, c.sc)
		a.permissionNames(c, &p, o.has("R recursive"))
		if p.zone == system || p.zone == outside && o.has("R recursive") {
			a.mark(c, "changes the access to "+p.name, effect.PermissionOpen)
		}
	}
	return nothing()
}
