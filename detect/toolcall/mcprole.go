package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// foreignCommand analyses what a tool is given to run.
func (a *analyzer) foreignCommand(f *foreignCall, text string, span effect.Span) {
	switch {
	case strings.Contains(f.tool, "powershell") || strings.Contains(f.tool, "pwsh") || strings.Contains(f.server, "powershell"):
		a.powershell(text)
	case len(f.words) > 0 && !strings.ContainsAny(text, " ;|&\n"):
		a.dispatch(append([]value{{text: text}}, f.words...), span, f.sc, streams{in: nothing()})
	default:
		a.bash(text)
	}
}

// foreignCode analyses code in the language that the call's names speak of. Code for a web page stays in the page.
func (a *analyzer) foreignCode(f *foreignCall, text string, span effect.Span) {
	language := f.server + " " + f.tool
	for _, name := range [...]string{"language", "lang", "runtime", "interpreter"} {
		language += " " + strings.ToLower(strings.Join(f.texts(name), " "))
	}
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(language, w) {
				return true
			}
		}
		return false
	}
	var interpreter string
	switch {
	case has("browser", "playwright", "puppeteer", "chrome", "devtools"):
		return
	case has("python", "jupyter", "notebook", "ide "):
		interpreter = "python3"
	case has("node", "javascript", "typescript"):
		interpreter = "node"
	case has("ruby"):
		interpreter = "ruby"
	case has("powershell", "pwsh"):
		a.powershell(text)
		return
	case has("bash", "shell", "zsh", "terminal", "command", " sh"):
		a.bash(text)
		return
	default:
		a.opaque(span, "runs code in a language that is not known")
		return
	}
	flag := "-e"
	if interpreter == "python3" {
		flag = "-c"
	}
	a.dispatch([]value{{text: interpreter}, {text: flag}, {text: text}}, span, f.sc, streams{in: nothing()})
}

// foreignAddress notes an address that is got or sent to.
func (a *analyzer) foreignAddress(f *foreignCall, text string, span effect.Span) {
	if path, ok := fileURL(text); ok {
		a.foreignPath(f, rolePath, "uri", path, span)
		return
	}
	if !strings.Contains(text, "://") {
		return
	}
	kind := effect.Fetch
	if f.verbs.has(verbSend) {
		kind = effect.Send
	}
	a.emit(effect.Effect{Kind: kind, Host: urlHost(text), Span: span})
}

// foreignPath notes what happens to a path by the tool's verbs and the part that the argument has in it.
func (a *analyzer) foreignPath(f *foreignCall, use role, written, text string, span effect.Span) {
	if strings.HasPrefix(text, "file:") {
		text, _ = fileURL(text)
	} else if strings.Contains(text, "://") {
		a.foreignAddress(f, text, span)
		return
	}
	v, ok := a.pathArgument(written, text)
	if !ok || f.hosted && !isAbsolute(slashes(v.text)) && !strings.HasPrefix(v.text, "..") {
		return
	}
	switch {
	case use == roleTarget:
		a.write(v, f.sc, span)
	case use == roleSource && f.verbs.has(verbMove):
		a.remove(v, f.sc, span, removal{moved: true, how: "moves away"})
	case use == roleSource:
		a.foreignRead(f, v, span)
	case f.verbs.has(verbRemove | verbTidy):
		tree := f.tree || strings.Contains(f.tool, "dir") || strings.Contains(f.tool, "folder") || strings.Contains(f.tool, "tree")
		a.remove(v, f.sc, span, removal{tree: tree, how: "deletes"})
	case f.verbs.has(verbWrite):
		a.write(v, f.sc, span)
	case f.verbs.has(verbList) && !f.verbs.has(verbRead):
		effect := a.place(v, f.sc).effect(effect.Use, span)
		effect.Tree = true
		a.emit(effect)
	default:
		p := a.foreignRead(f, v, span)
		if !f.verbs.has(onPath) && (p.guard || p.startup || p.secret) {
			a.write(v, f.sc, span)
		}
	}
}

// foreignRead notes a file that is read, and where the tool sends files, that it is sent.
func (a *analyzer) foreignRead(f *foreignCall, v value, span effect.Span) place {
	p := a.read(v, f.sc, span)
	if f.verbs.has(verbSend) && p.secret {
		e := a.emit(effect.Effect{Kind: effect.Send, Span: span})
		e.Note("sends "+p.name+", which holds secrets", effect.SecretSend)
	}
	return p
}

// fileURL is the path of a file's address, with %2F and its kind read.
func fileURL(url string) (string, bool) {
	if len(url) < 5 || !strings.EqualFold(url[:5], "file:") {
		return "", false
	}
	path := url[5:]
	if rest, ok := strings.CutPrefix(path, "//"); ok {
		path = rest
		if i := strings.IndexByte(rest, '/'); i > 0 {
			path = rest[i:]
		}
	}
	if len(path) > 3 && path[0] == '/' && path[2] == ':' {
		path = path[1:]
	}
	return unescapePercent(path), true
}

func unescapePercent(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]) {
			b.WriteByte(hexValue(s[i+1])<<4 | hexValue(s[i+2]))
			i += 2
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func hexValue(c byte) byte {
	switch {
	case c >= 'a':
		return c - 'a' + 10
	case c >= 'A':
		return c - 'A' + 10
	}
	return c - '0'
}
