package tool

import (
	"strconv"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/internal/document"
)

type toolCall struct {
	name string
	args []document.Member
	sc   *trace.Scope
}

// texts() returns the different string values of the argument with this name. There can be several, because a JSON
// object can contain the same name more than once.
func (c *toolCall) texts(name string) []string {
	var out []string
	var seen map[string]bool
	for _, m := range c.args {
		if m.Name != name {
			continue
		}
		s, ok := document.Text(m.Raw)
		if !ok || seen[s] {
			continue
		}
		if out = append(out, s); seen == nil {
			seen = map[string]bool{}
		}
		seen[s] = true
	}
	return out
}

func (c *toolCall) has(name string) bool {
	for _, m := range c.args {
		if m.Name == name {
			return true
		}
	}
	return false
}

func (c *toolCall) isTrue(name string) bool {
	for _, m := range c.args {
		if m.Name == name && string(m.Raw) == "true" {
			return true
		}
	}
	return false
}

// toolSpan returns the span (offsets and text) for the effects of an argument. The offsets refer to the text of the
// argument.
func toolSpan(name, text string) effect.Span {
	return effect.Span{End: len(text), Text: trace.Shorten(name + ": " + text)}
}

// hasNonText reports whether one of the values of an argument is not a string. If the call has the argument more than
// once, the client may use any of the values.
func (c *toolCall) hasNonText(name string) bool {
	for _, m := range c.args {
		if m.Name == name && !document.IsText(m.Raw) {
			return true
		}
	}
	return false
}

// pathArgument returns the path in an argument. It expands ~ as the client does. It returns false if the path is empty
// or too long.
func pathArgument(t *trace.Trace, name, text string) (trace.Value, bool) {
	if len(text) > maxPathSize {
		t.Opaque(toolSpan(name, text), "has a "+name+" of "+strconv.Itoa(len(text))+" bytes", effect.TooLarge)
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
