package tool

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/program/database"
	"guardrails/detect/toolcall/trace"
	"guardrails/internal/document"
)

// wordList are the words of a command in a list. Whoever takes them may give them to a shell, so that ~ is the home
// folder.
func wordList(t *trace.Trace, raw []byte) []trace.Value {
	var out []trace.Value
	items, err := document.Members(raw)
	if err != nil {
		return nil
	}
	for _, item := range items {
		if text, ok := document.Text(item.Raw); ok && item.Name == "" {
			if v, isPath := pathArgument(t, "args", text); isPath {
				text = v.Text
			}
			out = append(out, trace.Value{Text: text})
		}
	}
	return out
}

// foreignArguments looks at arguments, also inside lists and objects. The name of a list is the name of its items.
func foreignArguments(t *trace.Trace, f *foreignCall, list []document.Member, outer string, depth int) {
	if depth >= maxArgumentDepth {
		t.Opaque(effect.Span{}, f.name+" has arguments nested deeper than 12 levels, which were not looked at", effect.TooLarge)
		return
	}
	for _, m := range list {
		if t.Full {
			return
		}
		name := plainName(m.Name)
		if m.Name == "" {
			name = outer
		}
		if text, ok := document.Text(m.Raw); ok {
			foreignText(t, f, name, m.Name, text)
			continue
		}
		if inner, err := document.Members(m.Raw); err == nil {
			foreignList(t, f, name, m.Raw, inner)
			foreignArguments(t, f, inner, name, depth+1)
		}
	}
}

// foreignList looks at what only the whole of a list or an object says: the words of one command, or files by name.
func foreignList(t *trace.Trace, f *foreignCall, name string, raw []byte, inner []document.Member) {
	switch {
	case (name == "command" || name == "cmd") && roleOf(name, f.verbs) == roleCommand && !isObject(raw):
		if words := wordList(t, raw); len(words) > 1 {
			foreignWords(t, f, words)
		}
	case isObject(raw) && f.namesFiles(name, inner):
		for _, m := range inner {
			foreignText(t, f, "file", "file", m.Name)
		}
	}
}

// plainName is an argument's name in lower case without separators: filePath and file_path are one.
func plainName(name string) string {
	name = strings.ToLower(name)
	if strings.ContainsAny(name, "_-. ") {
		name = strings.NewReplacer("_", "", "-", "", ".", "", " ", "").Replace(name)
	}
	return name
}

// foreignText looks at one argument that is text.
func foreignText(t *trace.Trace, f *foreignCall, name, written, text string) {
	use := f.guess(name, text)
	if use == roleData || text == "" {
		return
	}
	if use == roleSQL && name != "sql" && !f.isDatabase() {
		return
	}
	f.seen++
	if f.seen > maxArguments {
		t.Overflow("has more than 64 arguments that name files, commands or addresses")
		return
	}
	if written == "" {
		written = name
	}
	span := toolSpan(written, text)
	switch use {
	case roleCommand:
		foreignCommand(t, f, text, span)
	case roleCode:
		foreignCode(t, f, text, span)
	case roleSQL:
		database.SQL(t, &trace.Command{Run: f.use, Span: span, Scope: f.sc}, text)
	case rolePatch:
		patchTargets(t, f, text, span)
	case roleAddress:
		foreignAddress(t, f, text, span)
	default:
		foreignPath(t, f, use, written, text, span)
	}
}
