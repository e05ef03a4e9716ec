package tool

import (
	"strconv"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/internal/document"
)

// toolCall is a call of one of the client's tools with its arguments.
type toolCall struct {
	name string
	args []document.Member
	sc   *trace.Scope
}

// texts are the different values of an argument that are text. A name that stands twice has more than one.
func (t *toolCall) texts(name string) []string {
	var out []string
	for _, m := range t.args {
		if m.Name != name {
			continue
		}
		if s, ok := document.Text(m.Raw); ok && !Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func Contains(list []string, s string) bool {
	for _, have := range list {
		if have == s {
			return true
		}
	}
	return false
}

func (t *toolCall) given(name string) bool {
	for _, m := range t.args {
		if m.Name == name {
			return true
		}
	}
	return false
}

func (t *toolCall) isTrue(name string) bool {
	for _, m := range t.args {
		if m.Name == name && string(m.Raw) == "true" {
			return true
		}
	}
	return false
}

// toolSpan is where an argument's effects come from. Start and end count in the argument's own text.
func toolSpan(name, text string) effect.Span {
	return effect.Span{End: len(text), Text: trace.Shorten(name + ": " + text)}
}

// hides reports whether an argument stands there and is no text: a second one may be what the client goes by.
func (t *toolCall) hides(name string) bool {
	for _, m := range t.args {
		if m.Name != name {
			continue
		}
		if !document.IsText(m.Raw) {
			return true
		}
	}
	return false
}

// pathArgument makes a value of a path that a tool is given; the client expands ~ there too.
func pathArgument(t *trace.Trace, name, text string) (trace.Value, bool) {
	if len(text) > maxPathSize {
		t.Opaque(toolSpan(name, text), "is given a "+name+" of "+strconv.Itoa(len(text))+" bytes", effect.TooLarge)
		return trace.Value{}, false
	}
	if text == "" {
		return trace.Value{}, false
	}
	if text == "~" || strings.HasPrefix(text, "~/") || strings.HasPrefix(text, `~\`) {
		text = t.Env.Home + "/" + strings.TrimLeft(text[1:], `/\`)
	}
	return trace.Value{Text: text}, true
}
