package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// path makes a value fit to be placed: with slashes, a home directory and no provider's name.
func (p *powerShell) path(v value) value {
	text := strings.ReplaceAll(v.text, `\`, "/")
	if i := strings.Index(strings.ToLower(text), "filesystem::"); i >= 0 {
		text = text[i+len("filesystem::"):]
	}
	if text == "~" || strings.HasPrefix(text, "~/") {
		text = p.a.env.Home + text[1:]
	}
	if len(text) == 2 && text[1] == ':' && isAlpha(text[0]) {
		text += "/"
	}
	v.text = text
	v.glob = v.glob || strings.ContainsAny(text, "*?")
	return v
}

// drive is the provider of a path that is no file's: hklm, env, cert; it is empty for files.
func drive(v value) string {
	lower := strings.ToLower(v.text)
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
	case among(name, "hklm hkcu hkcr hku hkcc"):
		return "registry"
	case among(name, "env function alias variable cert wsman"):
		return name
	}
	return ""
}

func (p *powerShell) read(v value, span effect.Span) powerData {
	switch {
	case drive(v) == "env" && strings.Contains(v.text, "*"):
		return unknownWith(fromEnviron)
	case drive(v) != "":
		return unknownWith(0)
	}
	return fromFlow(p.a.contentOf(p.a.read(p.path(v), p.sc, span)))
}

func (p *powerShell) write(v value, span effect.Span, data powerData) {
	if p.elsewhere(v, data, "changes", span) || v.text == "" {
		return
	}
	name := p.a.write(p.path(v), p.sc, span)
	if name == "" {
		return
	}
	content := data.flow()
	if content.known || content.taint != 0 {
		p.a.remember(name, content)
	}
}

func (p *powerShell) remove(v value, span effect.Span, r removal) {
	if p.elsewhere(v, powerData{}, "deletes", span) || v.text == "" {
		return
	}
	p.a.remove(p.path(v), p.sc, span, r)
}

// elsewhere handles what is written to the registry, the environment and other places that look like folders.
func (p *powerShell) elsewhere(v value, data powerData, verb string, span effect.Span) bool {
	switch drive(v) {
	case "":
		return false
	case "registry":
		p.a.registry(v.text, verb, span)
	case "env":
		p.environ(strings.Trim(v.text[4:], `\/`), data.single(" "), span)
	}
	return true
}

// registry notes a change of the Windows registry.
func (a *analyzer) registry(key, verb string, span effect.Span) {
	lower := strings.ToLower(strings.ReplaceAll(key, "/", `\`))
	event, what := effect.SystemChange, "belongs to the system"
	switch {
	case strings.Contains(lower, `\currentversion\run`), strings.Contains(lower, `\currentversion\policies\explorer\run`), strings.Contains(lower, `\winlogon`), strings.Contains(lower, `\image file execution options`), strings.Contains(lower, `\services\`), strings.Contains(lower, `\command processor`), strings.Contains(lower, `\environment`) && strings.Contains(lower, "hkcu"):
		event, what = effect.StartupChange, "says what is run by itself"
	case strings.Contains(lower, "defender"), strings.Contains(lower, "firewall"), strings.Contains(lower, `\policies\system`), strings.Contains(lower, `\amsi`), strings.Contains(lower, `\eventlog`):
		event, what = effect.DefenseOff, "says how the system defends itself"
	case strings.HasPrefix(lower, "hkcu"), strings.HasPrefix(lower, "registry::hkcu"), strings.Contains(lower, "hkey_current_user"):
		event, what = effect.OutsideWrite, "holds the user's settings"
	}
	a.opaque(span, verb+" "+shorten(key)+" in the registry, which "+what, event)
}
