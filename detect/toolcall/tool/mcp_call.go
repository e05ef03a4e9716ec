package tool

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/self"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
	"guardrails/internal/document"
	"guardrails/internal/product"
)

// inputNames lists the usual names of an argument that contains the arguments of another call.
const inputNames = "args arguments params parameters input toolinput payload request json"

// innerCall analyzes the call that a tool such as call_tool makes, or the calls in a list. The arguments of such a tool
// contain the name and the arguments of another tool.
func (f *foreignCall) innerCall(t *trace.Trace, args []document.Member) {
	var name, method, server string
	var input []byte
	calls := strings.Contains(f.tool, "tool") || strings.Contains(f.tool, "call")
	for _, m := range args {
		text, isText := document.Text(m.Raw)
		switch plain := plainName(m.Name); {
		case isText && plain == words.Among(plain, "tool toolname toolslug name"):
			name, calls = text, calls || plain != "name"
		case isText && plain == "method":
			method = text
		case isText && plain == words.Among(plain, "server servername"):
			server = text
		case isObject(m.Raw) && plain == words.Among(plain, inputNames):
			input = m.Raw
		case isText && isObject([]byte(text)) && plain == words.Among(plain, inputNames):
			input = []byte(text)
		case !isText && plain == words.Among(plain, "tools calls toolcalls") && !isObject(m.Raw):
			f.innerCalls(t, m.Raw)
		case !isText && plain == words.Among(plain, "operations ops actions edits requests batch") && !isObject(m.Raw):
			f.operations(t, m.Raw)
		}
	}
	if name == "" && server != "" {
		name = method
	}
	looks := words.InName(f.tool, "get list describe search find") && !words.InName(f.tool, "call run execute invoke use")
	explains := f.server == product.MCPServer && f.tool == words.Among(f.tool, self.OnlyReads)
	if name == "" || input == nil || !calls && server == "" || looks || explains || t.Full {
		return
	}
	for _, between := range [...]string{".", "__"} {
		if first, rest, ok := strings.Cut(name, between); ok && !strings.HasPrefix(name, "mcp__") {
			server, name = first, rest
		}
	}
	if server != "" {
		name = "mcp__" + server + "__" + name
	}
	Analyze(t, name, input)
}

func (f *foreignCall) innerCalls(t *trace.Trace, list []byte) {
	items, _ := document.Members(list)
	for _, item := range items {
		if call, err := document.Members(item.Raw); err == nil {
			f.innerCall(t, call)
		}
	}
}

// operations() takes a list of operations and analyzes those that remove or move something. It treats each operation
// like a call of a tool with the name of the operation: {"op": "delete", "path": "src"}.
func (f *foreignCall) operations(t *trace.Trace, list []byte) {
	items, _ := document.Members(list)
	for _, item := range items {
		fields, _ := document.Members(item.Raw)
		for _, field := range fields {
			order, isText := document.Text(field.Raw)
			named := isText && words.OneOf(plainName(field.Name), "op operation action type method kind command")
			var verbs toolVerb
			for _, word := range nameWords(order) {
				verbs |= verbOf(word)
			}
			if named && verbs.has(verbRemove|verbMove) && isObject(item.Raw) && !t.Full {
				Analyze(t, "mcp__"+f.server+"__"+order, item.Raw)
			}
		}
	}
}

// foreignAgent analyzes a call that gives a prompt to another agent. It treats the call like a command that starts this
// agent.
func foreignAgent(t *trace.Trace, f *foreignCall) {
	for _, name := range [...]string{strings.ReplaceAll(f.tool, "_", "-"), f.server} {
		if !f.has("prompt") || self.Handler(name) == nil {
			continue
		}
		argv := []trace.Value{{Text: name}, {Text: "-p"}, {Text: strings.Join(f.texts("prompt"), "\n")}}
		for _, m := range f.args {
			if string(m.Raw) == "true" {
				argv = append(argv, trace.Value{Text: "--" + strings.ReplaceAll(m.Name, "_", "-")})
			}
		}
		t.Dispatch(argv, effect.Span{Text: trace.Shorten(f.name)}, f.sc, trace.Streams{In: trace.Nothing()})
		return
	}
}
