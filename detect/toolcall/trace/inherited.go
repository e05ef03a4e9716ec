package trace

import (
	"strings"

	"guardrails/detect/toolcall/words"
	"guardrails/internal/product"
)

// maxInherited is the maximum length of a path that is taken from an environment variable.
const maxInherited = 4096

// Inherited is a method that returns the value of a variable that a shell inherits from the client. The value must be a
// path or the name of the user. A relative path must exist, or be a part of a path of the guard's settings. For other
// values, Inherited returns false, because they may be secrets. Secrets must not appear in reasons and records.
func (t *Trace) Inherited(name string) (value string, ok bool) {
	if t.Env.Variable == nil {
		return "", false
	}
	value = t.Env.Variable(name)
	if words.OneOf(name, "USER LOGNAME USERNAME UID EUID") {
		return value, value != "" && !strings.ContainsAny(value, "/*?[$ \n")
	}
	if value == "" || len(value) > maxInherited || strings.ContainsAny(value, ":\n*?[") {
		return value, false
	}
	return value, IsAbsolute(value) || t.isRelative(value)
}

// guardParts lists the parts of the paths of the guard's settings in a project.
const guardParts = ".claude settings.json settings.local.json hooks guardrails guardrails.yaml " + product.Settings + " " +
	product.LocalSettings + " " + product.HooksFolder + " " + product.GuidelinesFolder + " " + product.ConfigFile + " " + product.MCPFile

// isRelative reports whether a value is a relative path: a path that exists in the working folder, or a part of a path
// of the guard's settings. Any other value may be a secret.
func (t *Trace) isRelative(value string) bool {
	return words.OneOf(strings.Trim(value, "/"), guardParts) ||
		t.Env.Missing != nil && t.Spend(stepsOfFile) && !t.Env.Missing(t.Env.Cwd+"/"+value)
}

func (t *Trace) temporaryFolder() string {
	if folder, ok := t.Inherited("TMPDIR"); ok {
		return cleanPath(folder)
	}
	return "/tmp"
}

// Temporary returns the value that the variable TMPDIR, TMP or TEMP probably has.
func (t *Trace) Temporary() Value { return Value{Text: t.temporaryFolder()} }

// isTemporary reports whether a path is in the folder that TMPDIR names. It returns false if that folder is /tmp,
// contains the project, is or contains a home folder, or belongs to the system.
func (t *Trace) isTemporary(abs string) bool {
	folder := t.temporaryFolder()
	if folder == "/tmp" || t.containsProject(folder) || t.Env.isHome(folder) || isSystem(folder) {
		return false
	}
	rest, inside := Below(abs, folder)
	return inside && rest != "."
}
