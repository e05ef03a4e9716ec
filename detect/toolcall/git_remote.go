package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

func (a *analyzer) gitRemote(g *gitCall) {
	for _, v := range g.rest {
		if script, ok := strings.CutPrefix(v.text, "ext::"); ok {
			a.mark(g.command, "lets git run a command as its transport", effect.HiddenExecution)
			v.text = strings.ReplaceAll(script, "% ", `\ `) // a space inside an argument
			a.runText(g.command, v)
		}
	}
	for _, v := range g.o.values("upload-pack exec") {
		a.runText(g.command, v)
	}
	if v := g.o.values("template"); g.verb == "init" && len(v) > 0 && v[0].text != "" {
		a.mark(g.command, "takes hooks from "+v[0].text+", which git runs by itself later", effect.StartupChange)
	}
	if g.verb == "clone" || g.verb == "fetch" {
		a.emit(effect.Effect{Kind: effect.Fetch, Host: gitHost(g.o.word(0)), Span: g.span})
	}
	if g.verb == "clone" {
		a.gitClone(g)
	}
}

// gitClone looks at what a clone makes and at the settings that it starts with.
func (a *analyzer) gitClone(g *gitCall) {
	for _, v := range g.o.values("u") {
		a.runText(g.command, v)
	}
	for _, v := range g.o.values("c config") {
		key, text, _ := strings.Cut(v.text, "=")
		a.gitSetting(g.command, key, value{text: text, quality: quality{partial: v.partial}}, false)
	}
	if len(g.o.operands) > 1 {
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
