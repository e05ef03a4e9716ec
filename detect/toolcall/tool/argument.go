package tool

import (
	"slices"
	"strconv"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/internal/document"
)

// toolCall is a call of a tool with its arguments.
type toolCall struct {
	name string
	args []document.Member
	sc   *trace.Scope
}

// texts returns the distinct string values of an argument. There can be several if the JSON object repeats the name.
func (c *toolCall) texts(name string) []string {
	var out []string
	for _, m := range c.args {
		if m.Name != name {
			continue
		}
		if s, ok := document.Text(m.Raw); ok && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// has reports whether the call has an argument.
func (c *toolCall) has(name string) bool {
	for _, m := range c.args {
		if m.Name == name {
			return true
		}
	}
	return false
}

// isTrue reports whether an argument of the call is true.
func (c *toolCall) isTrue(name string) bool {
	for _, m := range c.args {
		if m.Name == name && string(m.Raw) == "true" {
			return true
		}
	}
	return false
}

// toolSpan returns the span of the effects of an argument. Its offsets refer to the argument's own text.
func toolSpan(name, text string) effect.Span {
	return effect.Span{End: len(text), Text: trace.Shorten(name + ": " + text)}
}

// hasNonText reports whether a value of an argument is not a string. If the name is repeated, the client may use any of
// its values.
func (c *toolCall) hasNonText(name string) bool {
	for _, m := range c.args {
		if m.Name == name && !document.IsText(m.Raw) {
			return true
		}
	}
	return false
}

// pathArgument returns the value of an argument that is a path, with ~ expanded as the client does. It returns false
// for an empty or oversized path.
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
