package trace

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/words"
)

// ReadFlow adds the effect of reading a file and returns its content.
func (t *Trace) ReadFlow(v Value, sc *Scope, span effect.Span) Flow {
	if v.Pipe != nil {
		return *v.Pipe
	}
	p := t.Read(v, sc, span)
	return t.ContentOf(p)
}

// NamesInput reports whether a path stands for the standard input of a command.
func NamesInput(path string) bool { return words.OneOf(path, "/dev/stdin /dev/fd/0 /proc/self/fd/0") }

// ContentOf returns the content of a file. The content is known only if the call itself has written the file. A glob
// may match a file that the call has written. In this case, the result has the taints of that file.
func (t *Trace) ContentOf(p Place) Flow {
	if f, ok := t.Content[p.Name]; ok {
		f.File = PathOfFlow(p.Name)
		return f
	}
	if p.Abs == "/dev/null" {
		return Flow{Known: true}
	}
	f := Flow{Taint: FromFile, File: PathOfFlow(p.Name)}
	if p.Abs == "/dev/zero" || p.Abs == "/dev/urandom" || p.Abs == "/dev/random" {
		f.Taint |= Endless
	}
	if p.Secret {
		f.Taint |= FromSecret
	}
	if p.Program {
		f.Taint |= fromGuard
	}
	if p.Glob && len(t.Content) > 0 {
		for _, path := range t.Matches(&p) {
			if written, ok := t.Content[t.placeOf(path).Name]; ok {
				f.Taint |= written.Taint | FromProgram
			}
		}
	}
	return f
}

// RunTexts analyzes several texts that a command runs in a shell.
func (t *Trace) RunTexts(c *Command, texts []Value) {
	for _, v := range texts {
		t.RunText(c, v)
	}
}

// RunText analyzes a text that a command runs in a shell. It returns the output of the text.
func (t *Trace) RunText(c *Command, v Value) Flow {
	run := func(inner *Command, text string) { t.RunText(inner, Value{Text: text}) }
	if file, ok := FileOf(v); ok && t.InputScript(c, file, run) {
		return Unknown()
	}
	if t.RunLines(c, v) {
		return Unknown()
	}
	if v.Partial {
		t.RunUnknown(c, v.Taint, "runs "+Shorten(v.Text)+", part of which is unknown")
		if KnownPrefix(v.Text) || strings.ContainsAny(v.Text, " ;") {
			return t.Inside(c.Span, func() Flow { return t.Shell(v.Text, c.Scope.Sub(), c.In) })
		}
		return Flow{Taint: v.Taint | FromProgram}
	}
	return t.Inside(c.Span, func() Flow { return t.Shell(v.Text, c.Scope.Sub(), c.In) })
}

// RunLines is for a value that a loop reads from a file, as in "while read x; do sh -c "$x"; done < y". It analyzes the
// lines of the file as commands. It returns false for any other value.
func (t *Trace) RunLines(c *Command, v Value) bool {
	return v.Partial && v.Taint == FromFile && !c.In.Known && c.In.Taint == FromFile && c.In.From() != "" &&
		strings.HasPrefix(v.Text, "$") && !strings.ContainsAny(v.Text, " ;\n/") &&
		t.InputScript(c, c.In.From(), func(inner *Command, text string) { t.RunText(inner, Value{Text: text}) })
}

// TextOfFile returns a text that stands for the unknown content of a file. The text has the form of a substitution that
// prints the file.
func TextOfFile(path string) string { return "$(<" + path + ")" }

// FileOf returns the path of a file if the value is the content of that file, as in "$(cat x.sh)". It returns false for
// any other value.
func FileOf(v Value) (string, bool) {
	path, ok := strings.CutPrefix(v.Text, "$(<")
	path, whole := strings.CutSuffix(path, ")")
	return path, ok && whole && v.Partial && !strings.Contains(path, "$")
}

// RunUnknown adds an opaque effect for running unknown code. The events of this effect depend on the origin of the
// code.
func (t *Trace) RunUnknown(c *Command, taint Taint, reason string) {
	switch {
	case taint.Has(FromSocket):
		t.Opaque(c.Span, "runs what comes in over a connection", effect.ReverseShell)
	case taint.Has(FromNetwork):
		t.Opaque(c.Span, "runs a download that nobody has reviewed", effect.PipeToShell)
	case taint.Has(Decoded):
		t.Opaque(c.Span, "runs decoded text", effect.HiddenExecution)
	case taint.Has(FromProgram | FromSecret | FromEnviron):
		t.Opaque(c.Span, reason, effect.OpaqueExecution)
	default:
		t.Unanalyzed(c.Span, reason)
	}
}

// RunForeign adds an opaque effect if a command runs code that was downloaded or decoded.
func (t *Trace) RunForeign(c *Command, f Flow) {
	if f.Taint.Has(FromNetwork | FromSocket | Decoded) {
		t.RunUnknown(c, f.Taint, "")
	}
}

// RunContent analyzes a command that runs the content of a file. The call itself has written this file.
func (t *Trace) RunContent(c *Command, f Flow) {
	switch {
	case f.Known:
		t.Inside(c.Span, func() Flow { return t.Shell(f.Text, c.Scope.Sub(), Nothing()) })
	case f.IsTemplate():
		t.RunText(c, Value{Text: f.Text, Quality: Quality{Partial: true, Taint: f.Taint}})
	default:
		t.RunWritten(c, f)
	}
}

// RunWritten adds an opaque effect for running a file whose content is unknown. The call itself has written this file.
// Nobody can have reviewed the file, so a person must approve the call.
func (t *Trace) RunWritten(c *Command, f Flow) {
	t.RunUnknown(c, f.Taint|FromProgram, "runs "+f.From()+", which the same command has written")
}

// IsTemplate reports whether the text of a flow is known except for some parts, such as the values of variables.
func (f Flow) IsTemplate() bool { return !f.Known && f.Text != "" && KnownPrefix(f.Text) }

// InputScript analyzes a script on disk that a shell or another interpreter reads from its input. It returns false if
// the script cannot be read. The parameter "file" is the path of the script as effects show it.
func (t *Trace) InputScript(c *Command, file string, analyze func(inner *Command, text string)) bool {
	if t.Env.Script == nil || strings.Contains(file, "$") {
		return false
	}
	p := t.placeOf(file)
	return t.FromDisk(c, &p, analyze)
}

// placeOf returns the place of a path. The parameter "file" is the path as effects show it.
func (t *Trace) placeOf(file string) Place {
	if rest, ok := strings.CutPrefix(file, "~/"); ok {
		file = t.Env.Home + "/" + rest
	}
	return t.Place(Value{Text: file}, &Scope{Cwd: t.Env.Root})
}

// Remember records the content that the call writes to a file. If the content comes unchanged from another file on
// disk, the written file is recorded as a copy of that file.
func (t *Trace) Remember(path string, content Flow) {
	t.NoteReplaced(path, content)
	t.RememberPart(path, content)
}

// RememberPart does the same as Remember, but for a file that may still contain its old content after the call.
func (t *Trace) RememberPart(path string, content Flow) {
	t.markWritten(path, content)
	if from := content.From(); !content.Known && content.Taint == FromFile && from != "" && from != path {
		root := &Scope{Cwd: t.Env.Root}
		t.Forget(path)
		t.NoteCopy(Value{Text: from}, Value{Text: path}, root)
		return
	}
	if t.Content == nil {
		t.Content = map[string]Flow{}
	}
	if len(t.Content) < 64 {
		t.WroteSettings = t.WroteSettings || strings.Contains(path, ".config.") || strings.Contains(path, "rc.")
		content.File = PathOfFlow(path)
		t.Content[path] = content
	}
}

// maxScript is the maximum size in bytes of a file after the call has appended text to it. The content of larger files
// is not kept.
const maxScript = 64 << 10

// Append records the content that the call adds to the end of a file. If the call has not written the file before,
// Append reads the beginning of the file from the disk.
func (t *Trace) Append(path string, added Flow) {
	before, written := t.Content[path]
	if !written {
		before = t.OnDisk(Flow{Taint: FromFile, File: PathOfFlow(path)}, maxScript)
		before.Taint, before.Known = 0, true // a file that cannot be read is treated as a new file
	}
	if before.Known && before.Text == "" {
		t.RememberPart(path, added)
		return
	}
	added = t.OnDisk(added, maxScript)
	all := Flow{Taint: before.Taint | added.Taint}
	if before.Known && (added.Known || added.Text != "") && len(before.Text)+len(added.Text) < maxScript &&
		t.Spend((len(before.Text)+len(added.Text))/bytesOfJoin) {
		all.Text, all.Known = before.Text+added.Text, added.Known
	}
	t.RememberPart(path, all)
}

// Forget removes what is known about the content of a file.
func (t *Trace) Forget(path string) { delete(t.Content, path) }

// MaxOnDisk is the maximum size in bytes of a patch or a list of containers that is read from the disk.
const MaxOnDisk = 1 << 20

// OnDisk is for a flow that comes from a file. It adds the text of this file to the flow. It returns the flow unchanged
// if the call itself has written the file. It also returns the flow unchanged if the file cannot be read, holds
// secrets, or has more bytes than the parameter "limit" allows.
func (t *Trace) OnDisk(f Flow, limit int64) Flow {
	file := f.From()
	if f.Known || file == "" || f.Taint != FromFile || t.Env.Script == nil || strings.Contains(file, "$") {
		return f
	}
	p := t.placeOf(file)
	if _, written := t.Content[p.Name]; written || p.Glob || p.Abs == "" || p.Secret {
		return f
	}
	text, ok := t.Env.Script(p.Abs, limit)
	t.Spend(stepsOfFile + len(text)/bytesOfStep)
	if ok {
		f.Text, f.Known = string(text), true
	}
	return f
}
