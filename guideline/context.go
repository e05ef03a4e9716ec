package guideline

import (
	"strings"

	"guardrails/guideline/document"
)

// Context is the task that guidelines are evaluated against.
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

// The context fields that a condition can ask for.
const (
	FieldAgent Fields = 1 << iota
	FieldDomain
	FieldAction
	FieldPaths
	FieldEvent
	FieldGateType
	FieldMetadata
)

// FieldNames lists the context fields that a caller may call unknown, in the order of their bits.
func FieldNames() []string {
	return []string{"agent", "domain", "action", "paths", "event", "gate_type", "metadata"}
}

// ParseFields turns names into a set; the second result is the first name that is no field.
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

// Names lists the fields of the set.
func (f Fields) Names() []string {
	var out []string
	for i, name := range FieldNames() {
		if f&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	return out
}

// Has reports whether the set has the field.
func (f Fields) Has(field Fields) bool { return f&field != 0 }

// DecodeContext reads a context and the fields it calls unknown from a document of the shape of
// guardrails_get_context's arguments.
func DecodeContext(d *document.Decoder, n *document.Node, path string) (Context, Fields) {
	var c Context
	var unknown Fields
	text := func(into *string) reader {
		return optional(func(n *node, at string) { *into = d.String(n, at, false) })
	}
	d.Object(n, path, []document.Spec{
		{Name: "agent", Read: text(&c.Agent)},
		{Name: "domain", Read: text(&c.Domain)},
		{Name: "action", Read: text(&c.Action)},
		{Name: "paths", Read: optional(func(n *node, at string) { c.Paths = d.Strings(n, at) })},
		{Name: "event", Read: text(&c.Event)},
		{Name: "gate_type", Read: text(&c.GateType)},
		{Name: "tenant_id", Read: text(&c.TenantID)},
		{Name: "session_id", Read: text(&c.SessionID)},
		{Name: "metadata", Read: optional(func(n *node, at string) { c.Metadata = d.Map(n, at) })},
		{Name: "unknown", Read: optional(func(n *node, at string) { unknown = decodeFields(d, n, at) })},
	})
	return c, unknown
}

func decodeFields(d *document.Decoder, n *node, path string) Fields {
	var set Fields
	d.StringsWhere(n, path, func(name string) (message, remedy string) {
		bit := fieldBit(name)
		if bit == 0 {
			return document.Excerpt(name) + " is no field of a context", "use " + strings.Join(FieldNames(), ", ")
		}
		set |= bit
		return "", ""
	})
	return set
}
