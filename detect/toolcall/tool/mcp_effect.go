package tool

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/powershell"
	"guardrails/detect/toolcall/shell"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// foreignCommand analyses what a tool is given to run.
func foreignCommand(t *trace.Trace, f *foreignCall, text string, span effect.Span) {
	switch {
	case strings.Contains(f.tool, "powershell") || strings.Contains(f.tool, "pwsh") || strings.Contains(f.server, "powershell"):
		powershell.Run(t, text)
	case len(f.words) > 0 && !strings.ContainsAny(text, " ;|&\n"):
		t.Dispatch(append([]trace.Value{{Text: text}}, f.words...), span, f.sc, trace.Streams{In: trace.Nothing()})
	default:
		shell.Bash(t, text)
	}
}

// foreignCode analyses code in the language that the call's names speak of. Code for a web page stays in the page.
func foreignCode(t *trace.Trace, f *foreignCall, text string, span effect.Span) {
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
		powershell.Run(t, text)
		return
	case has("bash", "shell", "zsh", "terminal", "command", " sh"):
		shell.Bash(t, text)
		return
	default:
		t.Opaque(span, "runs code in a language that is not known")
		return
	}
	flag := "-e"
	if interpreter == "python3" {
		flag = "-c"
	}
	t.Dispatch([]trace.Value{{Text: interpreter}, {Text: flag}, {Text: text}}, span, f.sc, trace.Streams{In: trace.Nothing()})
}

// foreignAddress notes an address that is got or sent to.
func foreignAddress(t *trace.Trace, f *foreignCall, text string, span effect.Span) {
	if path, ok := fileURL(text); ok {
		foreignPath(t, f, rolePath, "uri", path, span)
		return
	}
	if !strings.Contains(text, "://") {
		return
	}
	kind := effect.Fetch
	if f.verbs.has(verbSend) {
		kind = effect.Send
	}
	t.Emit(effect.Effect{Kind: kind, Host: trace.UrlHost(text), Span: span})
}

// foreignPath notes what happens to a path by the tool's verbs and the part that the argument has in it.
func foreignPath(t *trace.Trace, f *foreignCall, use role, written, text string, span effect.Span) {
	if strings.HasPrefix(text, "file:") {
		text, _ = fileURL(text)
	} else if strings.Contains(text, "://") {
		foreignAddress(t, f, text, span)
		return
	}
	v, ok := pathArgument(t, written, text)
	if !ok || f.hosted && !trace.IsAbsolute(trace.Slashes(v.Text)) && !strings.HasPrefix(v.Text, "..") {
		return
	}
	switch {
	case use == roleTarget:
		t.Write(v, f.sc, span)
	case use == roleSource && f.verbs.has(verbMove):
		t.Remove(v, f.sc, span, trace.Removal{Moved: true, How: "moves away"})
	case use == roleSource:
		foreignRead(t, f, v, span)
	case f.verbs.has(verbRemove | verbTidy):
		tree := f.tree || strings.Contains(f.tool, "dir") || strings.Contains(f.tool, "folder") || strings.Contains(f.tool, "tree")
		t.Remove(v, f.sc, span, trace.Removal{Tree: tree, How: "deletes"})
	case f.verbs.has(verbWrite):
		t.Write(v, f.sc, span)
	case f.verbs.has(verbList) && !f.verbs.has(verbRead):
		effect := t.Place(v, f.sc).Effect(effect.Use, span)
		effect.Tree = true
		t.Emit(effect)
	default:
		p := foreignRead(t, f, v, span)
		if !f.verbs.has(onPath) && (p.Guard || p.Startup || p.Secret) {
			t.Write(v, f.sc, span)
		}
	}
}

// foreignRead notes a file that is read, and where the tool sends files, that it is sent.
func foreignRead(t *trace.Trace, f *foreignCall, v trace.Value, span effect.Span) trace.Place {
	p := t.Read(v, f.sc, span)
	if f.verbs.has(verbSend) && p.Secret {
		e := t.Emit(effect.Effect{Kind: effect.Send, Span: span})
		e.Note("sends "+p.Name+", which holds secrets", effect.SecretSend)
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
		if s[i] == '%' && i+2 < len(s) && words.IsHex(s[i+1]) && words.IsHex(s[i+2]) {
			b.WriteByte(words.HexValue(s[i+1])<<4 | words.HexValue(s[i+2]))
			i += 2
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
