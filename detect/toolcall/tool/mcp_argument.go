package tool

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/program/database"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
	"guardrails/internal/document"
)

// wordList returns the words of a command that is a list or a text. It expands ~ in the items of a list, because the
// tool may run the command in a shell.
func wordList(t *trace.Trace, raw []byte) []trace.Value {
	var out []trace.Value
	items, err := document.Members(raw)
	if text, ok := document.Text(raw); err != nil && ok {
		for _, word := range strings.Fields(text) {
			out = append(out, trace.Value{Text: word})
		}
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

// foreignArguments analyzes arguments, including arguments in lists and objects. Each item of a list counts as an
// argument that has the name of the list.
func foreignArguments(t *trace.Trace, f *foreignCall, list []document.Member, outer string, depth int) {
	if depth >= maxArgumentDepth {
		t.Opaque(effect.Span{}, "has arguments nested deeper than 12 levels, which were not analyzed", effect.TooLarge)
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
			if inner, err := document.Members([]byte(text)); err == nil && name == words.Among(name, inputNames) {
				foreignArguments(t, f, inner, name, depth+1)
			}
			continue
		}
		if inner, err := document.Members(m.Raw); err == nil {
			foreignList(t, f, name, m.Raw, inner)
			foreignArguments(t, f, inner, name, depth+1)
		}
	}
}

// foreignList analyzes a list or an object as a whole. A list may be the words of a command. The keys of an object may
// be the names of files.
func foreignList(t *trace.Trace, f *foreignCall, name string, raw []byte, inner []document.Member) {
	switch {
	case roleOf(name, f.verbs) == roleCommand && name != "commands" && name != "cmds" && !isObject(raw):
		if list := wordList(t, raw); len(list) > 1 {
			foreignWords(t, f, list)
		}
	case name == words.Among(name, "exec argv run shell entrypoint tokens words") && !isObject(raw):
		if list := wordList(t, raw); len(list) > 1 && t.Find(trace.ProgramName(list[0].Text)) != nil {
			foreignWords(t, f, list)
		}
	case name == "args" && strings.Contains(f.server, "redis") && !isObject(raw):
		foreignWords(t, f, append([]trace.Value{{Text: "redis-cli"}}, wordList(t, raw)...))
	case isObject(raw) && f.namesFiles(name, inner):
		for _, m := range inner {
			foreignText(t, f, "file", "file", m.Name)
		}
	}
}

// plainName returns the name of an argument in lower case and without separators. So filePath and file_path become the
// same name.
func plainName(name string) string {
	name = strings.ToLower(name)
	if strings.ContainsAny(name, "_-. ") {
		name = words.Replace(name, "_", "", "-", "", ".", "", " ", "")
	}
	return name
}

// foreignText analyzes one argument that is a string. The parameter "name" is the plain name of the argument. The
// parameter "written" is the name as the call spells it.
func foreignText(t *trace.Trace, f *foreignCall, name, written, text string) {
	r := f.roleOfArgument(t, name, text)
	if r == roleData || text == "" {
		return
	}
	if r == roleSQL && !strings.HasPrefix(name, "sql") && !f.isDatabase() && (f.verbs != 0 || name[0] == 'q') {
		return
	}
	f.checked++
	if f.checked > maxArguments {
		t.Overflow("has more than 64 arguments that name files, commands or addresses")
		return
	}
	if written == "" {
		written = name
	}
	span := toolSpan(written, text)
	switch r {
	case roleCommand:
		foreignCommand(t, f, text, span)
	case roleCode:
		foreignCode(t, f, text, span)
	case roleSQL:
		database.SQL(t, &trace.Command{Run: f.effect, Span: span, Scope: f.sc}, text)
	case rolePatch:
		patchTargets(t, f, text, span)
	case roleAddress:
		foreignAddress(t, f, text, span)
	default:
		foreignPath(t, f, r, written, text, span)
	}
}
