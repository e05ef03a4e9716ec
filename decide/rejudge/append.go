package rejudge

import (
	"strconv"

	"guardrails/detect/effect"
	"guardrails/internal/document"
)

// MaxSize is the largest size, in bytes, of the text of a call.
const MaxSize = 8 << 10

// A record can have one of these texts instead of the text of a call.
const (
	// Off says that the settings switch the recording off.
	Off = "off"
	// TooLarge says that the text would be larger than MaxSize.
	TooLarge = "too large"
	// Secret says that the call contains a password or a token.
	Secret = "secret"
	// Advice says that the record is about advice after a call, and not about a call.
	Advice = "advice"
)

// version is the version of the text. It changes when a field gets another meaning.
const version = "1"

// The text is a JSON object. Each field is a list of strings, or a list of objects of the same form. This form keeps
// the code that writes the text small. That matters because every hook contains the code.

// writer writes the fields of a text. It leaves out empty fields.
type writer struct {
	out  []byte
	call *effect.Analysis
	mask func(string) string
	// The field "masked" is set if the function mask() has changed a string.
	masked bool
}

// Append returns the text of a call. It returns TooLarge if the text would be larger than MaxSize, and Secret if the
// function mask() finds a secret. Replacing the secret in the text would not be enough, because the secret can appear
// again in another form, for example as part of a host name or a path.
func (n *Noted) Append(call *effect.Analysis, mask func(string) string) string {
	w := &writer{out: append(make([]byte, 0, 512), '{'), call: call, mask: mask}
	w.add("v", version)
	w.open("effects")
	for i := 0; i < len(call.Effects) && len(w.out) <= MaxSize; i++ {
		w.effect(&call.Effects[i])
	}
	w.close()
	w.noted(n)
	switch {
	case w.masked:
		return Secret
	case len(w.out) >= MaxSize:
		return TooLarge
	}
	return string(append(w.out, '}'))
}

func (w *writer) effect(e *effect.Effect) {
	w.next("{")
	for _, f := range [...]struct{ name, text string }{
		{"k", string(e.Kind)}, {"m", marks(e)}, {"p", e.Path}, {"c", commandOf(e)}, {"h", e.Host}, {"n", e.Name},
	} {
		w.add(f.name, f.text)
	}
	c := e.Commit
	if c == nil {
		c = &effect.CommitFacts{}
	}
	for _, f := range [...]struct {
		name  string
		texts []string
	}{
		{"f", e.Forms},
		{"i", e.Inside},
		{"r", e.Related},
		{"x", c.Files},
		{"y", c.Globs},
		{"v", document.Texts(e.Events)},
		{"s", []string{w.place(e.Span.Start), w.place(e.Span.End)}},
	} {
		w.add(f.name, f.texts...)
	}
	w.out = append(w.out, '}')
}

// commandOf returns the command of an effect. If the command contains data (such as a commit message), the effect may
// have other forms of the command. Patterns are compared with those forms, so commandOf returns "" in this case.
func commandOf(e *effect.Effect) string {
	if e.Data && len(e.Forms) > 0 {
		return ""
	}
	return e.Command
}

// marks() returns a letter for each property, such as Tree or Glob, that is set in an effect.
func marks(e *effect.Effect) string {
	out := lettersIf("tgudibr", e.Tree, e.Glob, e.Unknown, e.Data, e.Inert, e.Updates, e.Required)
	if c := e.Commit; c != nil {
		out += "C" + lettersIf("EKM", c.Elsewhere, c.Known, c.Merging)
	}
	return out
}

func lettersIf(letters string, set ...bool) string {
	var out []byte
	for i, is := range set {
		if is {
			out = append(out, letters[i])
		}
	}
	return string(out)
}

// place() returns how many starts and ends of spans are before a position. A span is the part of the call that causes
// an effect. The text contains this number instead of the position, because only the order of the spans matters.
func (w *writer) place(at int) string {
	n := 0
	for i := range w.call.Effects {
		span := &w.call.Effects[i].Span
		if span.Start < at {
			n++
		}
		if span.End < at {
			n++
		}
	}
	return strconv.Itoa(n)
}

func (w *writer) noted(n *Noted) {
	for i, task := range n.Layers {
		environment, _ := task.Metadata["environment"].(string)
		w.add(layer+strconv.Itoa(i), task.Agent, task.Domain, task.Action, environment)
	}
	_, east := n.facts.Now.Zone()
	headless := ""
	if n.facts.Headless != nil {
		headless = strconv.FormatBool(*n.facts.Headless)
	}
	w.add("host", n.facts.Project, n.facts.OS, n.facts.PermissionMode, headless, strconv.Itoa(east))
	for _, f := range n.asked {
		w.add(f.name, f.texts...)
	}
	w.add("m", lettersIf("ulo", n.Unconfirmed, n.leftOut, n.Unlooped))
}

func (w *writer) open(name string) {
	w.next(`"` + name + `":[`)
}

func (w *writer) close() { w.out = append(w.out, ']') }

// next() writes the beginning of a value. If the value is not the first one of an object or a list, next() writes a
// comma before the value.
func (w *writer) next(begin string) {
	if last := w.out[len(w.out)-1]; last != '{' && last != '[' {
		begin = "," + begin
	}
	w.out = append(w.out, begin...)
}

// add() writes a field. It writes nothing if there is no string, or only an empty string.
func (w *writer) add(name string, texts ...string) {
	if len(texts) == 0 || len(texts) == 1 && texts[0] == "" {
		return
	}
	w.open(name)
	for _, text := range texts {
		shown := w.mask(text)
		w.masked = w.masked || shown != text
		w.next("")
		w.out = document.AppendText(w.out, shown)
	}
	w.close()
}
