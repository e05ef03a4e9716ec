package guideline

import (
	"strings"

	"guardrails/internal/document"
)

// Context describes a task. Guidelines are evaluated against it.
type Context struct {
	Agent     string         `json:"agent"`
	Domain    string         `json:"domain,omitempty"`
	Action    string         `json:"action,omitempty"`
	Paths     []string       `json:"paths,omitempty"`
	Event     string         `json:"event,omitempty"`
	GateType  string         `json:"gate_type,omitempty"`
	TenantID  string         `json:"tenant_id,omitempty"`
	SessionID string         `json:"session_id,omitempty"`
	Metadata  map[string]any `json:"metadata,omitempty"`
}

// Fields is a set of context fields.
type Fields uint8

// The context fields that conditions can use.
const (
	FieldAgent Fields = 1 << iota
	FieldDomain
	FieldAction
	FieldPaths
	FieldEvent
	FieldGateType
	FieldMetadata
)

// FieldNames returns the names of the fields in the order of their bits.
func FieldNames() []string {
	return []string{"agent", "domain", "action", "paths", "event", "gate_type", "metadata"}
}

// ParseFields returns the set of the named fields. If a name is not a field, the second result is the first such name.
func ParseFields(names []string) (Fields, string) {
	var set Fields
	for _, name := range names {
		bit := fieldBit(name)
		if bit == 0 {
			return 0, name
		}
		set |= bit
	}
	return set, ""
}

func fieldBit(name string) Fields {
	for i, known := range FieldNames() {
		if name == known {
			return 1 << i
		}
	}
	return 0
}

// Names returns the names of the fields in the set.
func (f Fields) Names() []string {
	var out []string
	for i, name := range FieldNames() {
		if f&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	return out
}

// Has reports whether the set contains a field.
func (f Fields) Has(field Fields) bool { return f&field != 0 }

// DecodeContext decodes a context and the list of its unknown fields. The document has the form of the arguments of
// guardrails_get_context.
func DecodeContext(d *document.Decoder, n *document.Node, path string) (Context, Fields) {
	var c Context
	var unknown Fields
	d.Fields(n, path, ContextFields(), func(name string, n *node, at string) { DecodeContextField(d, name, n, at, &c, &unknown) })
	return c, unknown
}

// ContextFields returns the fields that DecodeContext reads.
func ContextFields() []document.Spec {
	return []document.Spec{
		{Name: "agent"},
		{Name: "domain"},
		{Name: "action"},
		{Name: "paths"},
		{Name: "event"},
		{Name: "gate_type"},
		{Name: "metadata"},
		{Name: "tenant_id"},
		{Name: "session_id"},
		{Name: "unknown"},
	}
}

// DecodeContextField reads one of the fields that ContextFields lists. Use it for a document that has other fields as
// well.
func DecodeContextField(d *document.Decoder, name string, n *document.Node, at string, c *Context, unknown *Fields) {
	if n.Kind == document.Null {
		return
	}
	switch name {
	case "paths":
		c.Paths = d.Strings(n, at)
	case "metadata":
		c.Metadata = d.Map(n, at)
	case "unknown":
		*unknown = decodeFields(d, n, at)
	default:
		if into := c.text(name); into != nil {
			*into = d.String(n, at, false)
		}
	}
}

// text() returns a pointer to the string field with the given name, or nil.
func (c *Context) text(name string) *string {
	switch name {
	case "agent":
		return &c.Agent
	case "domain":
		return &c.Domain
	case "action":
		return &c.Action
	case "event":
		return &c.Event
	case "gate_type":
		return &c.GateType
	case "tenant_id":
		return &c.TenantID
	case "session_id":
		return &c.SessionID
	}
	return nil
}

func decodeFields(d *document.Decoder, n *node, path string) Fields {
	var set Fields
	d.StringsWhere(n, path, func(name string) (message, remedy string) {
		bit := fieldBit(name)
		if bit == 0 {
			return document.Excerpt(name) + " is not a field of a context", "use one of " + strings.Join(FieldNames(), ", ")
		}
		set |= bit
		return "", ""
	})
	return set
}
