package tool

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/powershell"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/program/files"
	"guardrails/detect/toolcall/self"
	"guardrails/detect/toolcall/shell"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

func foreignCommand(t *trace.Trace, f *foreignCall, text string, span effect.Span) {
	if self.SpeaksToGuard(text) {
		t.Effects[f.effect].Note(self.AnswersForPerson, effect.GuardTamper)
	}
	switch {
	case strings.Contains(f.tool, "powershell"), strings.Contains(f.tool, "pwsh"),
		strings.Contains(f.server, "powershell"):
		powershell.Run(t, text)
	case len(f.words) > 0 && !strings.ContainsAny(text, " ;|&\n"):
		t.Dispatch(append([]trace.Value{{Text: text}}, f.words...), span, f.sc, trace.Streams{In: trace.Nothing()})
	default:
		if first, _, more := strings.Cut(text, " "); more && f.programOfName() != "" && t.Find(trace.ProgramName(first)) == nil {
			text = f.programOfName() + " " + text // the name of the tool says which program runs
		}
		shell.Bash(t, text)
	}
}

// foreignCode analyzes an argument that is code. The name of the server or the tool, or an argument such as "language",
// shows the language. Code for a browser runs in a web page, so it is analyzed only if it sends a request.
func foreignCode(t *trace.Trace, f *foreignCall, text string, span effect.Span) {
	language := " " + f.server + " " + f.tool
	for _, name := range [...]string{"language", "lang", "runtime", "interpreter"} {
		language += " " + strings.ToLower(strings.Join(f.texts(name), " "))
	}
	var interpreter string
	magic, rest, _ := strings.Cut(text, "\n")
	switch {
	case words.HasPart(language, "browser|playwright|puppeteer|chrome|devtools") && !strings.Contains(language, "run_code"):
		f.notePageSecret(t, text)
		if !strings.Contains(text, "fetch(") {
			return
		}
		interpreter = "node" // a request from a web page has the same effect
	case words.HasPart(language, "applescript|osascript"):
		interpreter = "osascript"
	case strings.HasPrefix(magic, "%%") && words.InName(magic, "bash sh zsh script system sx"):
		shell.Bash(t, rest)
		return
	case strings.Contains(language, "rails"):
		shell.Bash(t, "rails runner "+words.Quote(text))
		return
	case words.HasPart(language, "laravel|artisan|tinker"):
		shell.Bash(t, "artisan tinker --execute "+words.Quote(text))
		return
	case words.HasPart(language, "elixir|tidewave"):
		interpreter = "elixir"
	case words.HasPart(language, "python|jupyter|notebook|ide "):
		interpreter = "python3"
	case words.HasPart(language, "node|javascript|typescript|playwright"):
		interpreter = "node"
	case strings.Contains(language, "ruby"):
		interpreter = "ruby"
	case words.HasPart(language, "powershell|pwsh"):
		powershell.Run(t, text)
		return
	case words.HasPart(language, "bash|shell|zsh|terminal|command| sh"), beginsWithProgram(t, text) && !isForInterpreter(text):
		shell.Bash(t, text)
		return
	case strings.Contains(text, "require("), strings.Contains(text, ` from "`), strings.Contains(text, " from '"):
		interpreter = "node"
	case strings.Contains(text, "import "):
		interpreter = "python3"
	default:
		t.Unanalyzed(span, "runs code in an unknown language")
		return
	}
	flag := "-e"
	if interpreter == "python3" {
		flag = "-c"
	}
	argv := []trace.Value{{Text: interpreter}, {Text: flag}, {Text: text}}
	t.Dispatch(argv, span, f.sc, trace.Streams{In: trace.Nothing()})
}

// beginsWithProgram reports whether a text looks like a shell command.
func beginsWithProgram(t *trace.Trace, text string) bool {
	program, _, ok := strings.Cut(text, " ")
	return ok && t.Find(program) != nil
}

// isForInterpreter reports whether a text looks like a line of Python or JavaScript.
func isForInterpreter(text string) bool {
	return strings.Contains(text, "(") && (strings.HasPrefix(text, "import ") || strings.HasPrefix(text, "from ") ||
		strings.Contains(text, "require("))
}

// foreignAddress adds a download from a URL or an upload to a URL. A URL with the scheme "file" counts as a path.
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
	program.NoteMetadata(t.Emit(effect.Effect{Kind: kind, Host: trace.URLHost(text), Span: span}))
	for _, name := range [...]string{"method", "httpmethod", "verb"} {
		method := strings.Join(f.texts(name), "")
		if strings.EqualFold(method, "DELETE") {
			shell.Bash(t, "curl -X DELETE '"+text+"'")
		} else {
			self.MarkServerRequest(t, &trace.Command{Span: span}, method, text, "", false)
		}
	}
}

// foreignPath adds the effects on a path. The effects depend on the verbs of the tool and on the role of the argument.
func foreignPath(t *trace.Trace, f *foreignCall, r role, written, text string, span effect.Span) {
	if strings.HasPrefix(text, "file:") {
		text, _ = fileURL(text)
	} else if strings.Contains(text, "://") {
		foreignAddress(t, f, text, span)
		return
	}
	v, ok := pathArgument(t, written, text)
	if inside, joined := pathArgument(t, written, f.folder+"/"+text); joined && f.folder != "" {
		if p := t.Place(inside, f.sc); p.Guard || p.Startup || p.Secret {
			v = inside
		}
	}
	if !ok || f.hosted && !trace.IsAbsolute(trace.Slashes(v.Text)) && !strings.HasPrefix(v.Text, "..") {
		return
	}
	p := t.Place(v, f.sc)
	if f.verbs.has(verbSend) && f.verbs.has(verbWrite) && p.Secret {
		foreignRead(t, f, v, span)
	}
	switch {
	case r == roleTarget, r == rolePath && f.verbs.has(verbWrite) && f.verbs.has(verbCopy):
		f.put(t, v, span)
	case r == roleSource && f.verbs.has(verbMove):
		moveAway(t, f, v, span)
	case r == roleSource:
		foreignRead(t, f, v, span)
	case f.verbs.has(verbRemove | verbTidy):
		tree := f.tree || words.HasPart(f.tool, "dir|folder|tree")
		t.Remove(v, f.sc, span, trace.Removal{Tree: tree, How: "deletes"})
	case f.verbs.has(verbWrite):
		t.Write(v, f.sc, span)
	case f.verbs.has(verbList) && !f.verbs.has(verbRead) && (!p.Secret || !strings.Contains(f.tool, "search")):
		effect := p.Effect(effect.Use, span)
		effect.Tree = true
		t.Emit(effect)
	default:
		foreignRead(t, f, v, span)
		if !f.verbs.has(onPath) && (p.Guard || p.Startup || p.Secret) {
			t.Write(v, f.sc, span)
		}
	}
}

// put() adds the effect of a call that moves, copies or unpacks something to a path, which may be a folder. If the source
// is not known, or is an archive, the call writes any file in that folder.
func (f *foreignCall) put(t *trace.Trace, to trace.Value, span effect.Span) {
	source := trace.Value{Text: f.source}
	if f.source == "" || f.verbs.has(verbWrite) {
		source.Text = "."
	}
	files.Put(t, &trace.Command{Run: f.effect, Span: span, Scope: f.sc}, []trace.Value{source}, to, true)
}

// moveAway adds the effect of a call that moves a file to the call's target.
func moveAway(t *trace.Trace, f *foreignCall, v trace.Value, span effect.Span) {
	from := t.Remove(v, f.sc, span, trace.Removal{Moved: true, How: "moves away"})
	if to, ok := pathArgument(t, "target", f.target); ok && t.LeavesProject(&from, to, f.sc) {
		reason := "moves " + from.Name + " out of the project into a temporary folder"
		t.Effects[f.effect].Note(reason, effect.DestructiveOp)
	}
}

// foreignRead adds the effect of reading a file. If the tool sends files and the file holds secrets, it also adds the
// event for sending a secret.
func foreignRead(t *trace.Trace, f *foreignCall, v trace.Value, span effect.Span) {
	p := t.Read(v, f.sc, span)
	if f.verbs.has(verbSend) && p.Secret {
		e := t.Emit(effect.Effect{Kind: effect.Send, Span: span})
		e.Note("sends "+p.Name+", which holds secrets", effect.SecretSend)
	}
}

// fileURL returns the path in a URL with the scheme "file", with percent escapes decoded. It returns false for any
// other URL.
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
	return words.UnescapePercent(path), true
}
