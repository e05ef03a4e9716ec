package tooluse

import "strings"

func (a *analyzer) gitRemote(g *gitCall) {
	for _, v := range g.rest {
		if script, ok := strings.CutPrefix(v.text, "ext::"); ok {
			a.mark(g.command, "lets git run a command as its transport", HiddenExecution)
			v.text = strings.ReplaceAll(script, "% ", " ")
			a.runText(g.command, v)
		}
	}
	for _, v := range g.o.values("upload-pack", "u", "exec", "template", "c", "config") {
		if key, val, ok := strings.Cut(v.text, "="); ok && (g.verb == "clone") {
			a.gitSetting(g.command, key, value{text: val}, false)
		} else if g.o.has("upload-pack") || g.verb == "fetch" && g.o.has("upload-pack") {
			a.runText(g.command, v)
		}
	}
	if g.verb == "clone" || g.verb == "fetch" {
		a.emit(Effect{Kind: Fetch, Host: gitHost(g.o.word(0)), Span: g.span})
	}
	if g.verb == "clone" && len(g.o.operands) > 1 {
		a.write(g.o.operands[1], g.sc, g.span)
	}
}

func gitHost(url string) string {
	if _, rest, ok := strings.Cut(url, "://"); ok {
		url = rest
	} else if i := strings.IndexByte(url, ':'); i < 0 {
		return ""
	}
	if i := strings.IndexByte(url, '@'); i >= 0 {
		url = url[i+1:]
	}
	if i := strings.IndexAny(url, "/:"); i >= 0 {
		url = url[:i]
	}
	return url
}
