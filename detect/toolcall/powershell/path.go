package powershell

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// path() returns a path in the form that trace.Place expects. The result has slashes instead of backslashes, has the
// home folder instead of ~, and does not begin with the name of a provider such as FileSystem::.
func (p *interpreter) path(v trace.Value) trace.Value {
	text := strings.ReplaceAll(v.Text, `\`, "/")
	if i := strings.Index(strings.ToLower(text), "filesystem::"); i >= 0 {
		text = text[i+len("filesystem::"):]
	}
	if text == "~" || strings.HasPrefix(text, "~/") {
		text = p.trace.Env.Home + text[1:]
	}
	if len(text) == 2 && text[1] == ':' && isAlpha(text[0]) {
		text += "/"
	}
	v.Text = text
	v.Glob = v.Glob || strings.ContainsAny(text, "*?")
	return v
}

// drive() is for a path on a drive that is not in the file system. It returns the name of the drive, such as
// "registry", "env" or "cert". It returns "" for the path of a file.
func drive(v trace.Value) string {
	lower := strings.ToLower(v.Text)
	lower = strings.TrimPrefix(lower, `microsoft.powershell.core\`)
	if rest, ok := strings.CutPrefix(lower, "registry::"); ok {
		lower = rest
	}
	if strings.HasPrefix(lower, "hkey_") || strings.HasPrefix(lower, `hklm\`) || strings.HasPrefix(lower, `hkcu\`) {
		return "registry"
	}
	name, _, ok := strings.Cut(lower, ":")
	if !ok || len(name) < 2 || strings.ContainsAny(name, `/\.$ `) {
		return ""
	}
	switch name {
	case words.Among(name, "hklm hkcu hkcr hku hkcc"):
		return "registry"
	case words.Among(name, "env function alias variable cert wsman"):
		return name
	}
	return ""
}

// read() adds the effect of reading a file. It returns the content of the file.
func (p *interpreter) read(v trace.Value, span effect.Span) objects {
	switch {
	case drive(v) == "env" && strings.Contains(v.Text, "*"):
		return unknownFrom(trace.FromEnviron)
	case drive(v) != "":
		return unknownFrom(0)
	}
	return fromFlow(p.trace.ContentOf(p.trace.Read(p.path(v), p.sc, span)))
}

// write() adds the effect of writing a file, and records the written content.
func (p *interpreter) write(v trace.Value, span effect.Span, data objects) {
	p.save(v, span, data, false)
}

// save() adds the effect of writing a file, and records the content that the command writes or appends.
func (p *interpreter) save(v trace.Value, span effect.Span, data objects, appends bool) {
	if p.changeDrive(v, data, "changes", span) || v.Text == "" {
		return
	}
	name := p.trace.Write(p.path(v), p.sc, span)
	if name == "" {
		return
	}
	content := data.flow()
	switch {
	case !content.Known && content.Taint == 0:
	case appends:
		p.trace.Append(name, content)
	default:
		p.trace.Remember(name, content)
	}
}

func (p *interpreter) remove(v trace.Value, span effect.Span, r trace.Removal) {
	if p.changeDrive(v, objects{}, "deletes", span) || v.Text == "" {
		return
	}
	p.trace.Remove(p.path(v), p.sc, span, r)
}

// changeDrive records a change in the registry, the environment or another drive that is not a file system. It reports
// whether the path is on such a drive.
func (p *interpreter) changeDrive(v trace.Value, data objects, verb string, span effect.Span) bool {
	switch drive(v) {
	case "":
		return false
	case "registry":
		Registry(p.trace, v.Text, verb, span)
	case "env":
		p.noteVariable(strings.Trim(v.Text[4:], `\/`), data.single(" "), span)
	}
	return true
}

// Registry adds the effect of changing a key of the Windows registry.
func Registry(t *trace.Trace, key, verb string, span effect.Span) {
	lower := strings.ToLower(strings.ReplaceAll(key, "/", `\`))
	event, what := effect.SystemChange, "belongs to the system"
	switch {
	case strings.Contains(lower, `\currentversion\run`), strings.Contains(lower, `\currentversion\policies\explorer\run`),
		strings.Contains(lower, `\winlogon`), strings.Contains(lower, `\image file execution options`),
		strings.Contains(lower, `\services\`), strings.Contains(lower, `\command processor`),
		strings.Contains(lower, `\environment`) && strings.Contains(lower, "hkcu"):
		event, what = effect.StartupChange, "controls what starts automatically"
	case strings.Contains(lower, "defender"), strings.Contains(lower, "firewall"),
		strings.Contains(lower, `\policies\system`), strings.Contains(lower, `\amsi`), strings.Contains(lower, `\eventlog`):
		event, what = effect.DefenseOff, "controls the system's defences"
	case strings.HasPrefix(lower, "hkcu"), strings.HasPrefix(lower, "registry::hkcu"),
		strings.Contains(lower, "hkey_current_user"):
		event, what = effect.OutsideWrite, "contains the user's settings"
	}
	t.Opaque(span, verb+" the registry key "+trace.Shorten(key)+", which "+what, event)
}
