package toolcall

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/internal/document"
)

// wordList are the words of a command in a list. Whoever takes them may give them to a shell, so that ~ is the home
// folder.
func (a *analyzer) wordList(raw []byte) []value {
	var out []value
	items, err := document.Members(raw)
	if err != nil {
		return nil
	}
	for _, item := range items {
		if text, ok := document.Text(item.Raw); ok && item.Name == "" {
			if v, isPath := a.pathArgument("args", text); isPath {
				text = v.text
			}
			out = append(out, value{text: text})
		}
	}
	return out
}

// foreignArguments looks at arguments, also inside lists and objects. The name of a list is the name of its items.
func (a *analyzer) foreignArguments(f *foreignCall, list []document.Member, outer string, depth int) {
	if depth >= maxArgumentDepth {
		a.opaque(effect.Span{}, f.name+" has arguments nested deeper than 12 levels, which were not looked at", effect.TooLarge)
		return
	}
	for _, m := range list {
		if a.full {
			return
		}
		name := plainName(m.Name)
		if m.Name == "" {
			name = outer
		}
		if text, ok := document.Text(m.Raw); ok {
			a.foreignText(f, name, m.Name, text)
			continue
		}
		if inner, err := document.Members(m.Raw); err == nil {
			a.foreignList(f, name, m.Raw, inner)
			a.foreignArguments(f, inner, name, depth+1)
		}
	}
}

// foreignList looks at what only the whole of a list or an object says: the words of one command, or files by name.
func (a *analyzer) foreignList(f *foreignCall, name string, raw []byte, inner []document.Member) {
	switch {
	case (name == "command" || name == "cmd") && roleOf(name, f.verbs) == roleCommand && !isObject(raw):
		if words := a.wordList(raw); len(words) > 1 {
			a.foreignWords(f, words)
		}
	case isObject(raw) && f.namesFiles(name, inner):
		for _, m := range inner {
			a.foreignText(f, "file", "file", m.Name)
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
func (a *analyzer) foreignText(f *foreignCall, name, written, text string) {
	use := f.guess(name, text)
	if use == roleData || text == "" {
		return
	}
	if use == roleSQL && name != "sql" && !f.isDatabase() {
		return
	}
	f.seen++
	if f.seen > maxArguments {
		a.overflow("has more than 64 arguments that name files, commands or addresses")
		return
	}
	if written == "" {
		written = name
	}
	span := toolSpan(written, text)
	switch use {
	case roleCommand:
		a.foreignCommand(f, text, span)
	case roleCode:
		a.foreignCode(f, text, span)
	case roleSQL:
		a.sql(&command{run: f.use, span: span, sc: f.sc}, text)
	case rolePatch:
		a.patchTargets(f, text, span)
	case roleAddress:
		a.foreignAddress(f, text, span)
	default:
		a.foreignPath(f, use, written, text, span)
	}
}
