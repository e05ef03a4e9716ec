package guideline

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"guardrails/guideline/document"
)

type (
	node   = document.Node
	reader = func(n *node, path string)
)

// Decode reads one guideline out of a document's tree; whatever is wrong with it is collected in d.
func Decode(d *document.Decoder, n *document.Node, path string) Guideline {
	g := Guideline{Enabled: true, Priority: DefaultPriority}
	r := decoder{d}
	d.Object(n, path, []document.Spec{
		{Name: "id", Required: true, Read: r.id(&g.ID)},
		{Name: "name", Required: true, Read: r.text(&g.Name, 1, MaxNameLength, false)},
		{Name: "description", Read: r.text(&g.Description, 0, MaxDescription, true)},
		{Name: "enabled", Read: r.boolean(&g.Enabled)},
		{Name: "category", Required: true, Read: choice(r, &g.Category, Categories())},
		{Name: "priority", Read: r.number(&g.Priority, 0, MaxPriority)},
		{Name: "condition", Read: r.condition(&g.Condition)},
		{Name: "action", Required: true, Read: r.action(&g.Action)},
		{Name: "metadata", Read: r.free(&g.Metadata)},
		{Name: "version", Read: r.number(&g.Version, 0, 1<<31-1)},
		{Name: "created_at", Read: r.time(&g.CreatedAt)},
		{Name: "updated_at", Read: r.time(&g.UpdatedAt)},
		{Name: "created_by", Read: r.text(&g.CreatedBy, 0, MaxNameLength, false)},
		{Name: "tenant_id", Read: r.text(&g.TenantID, 0, MaxIDLength, false)},
	})
	return g
}

type decoder struct{ *document.Decoder }

func (d decoder) condition(into *Condition) reader {
	return func(n *node, path string) {
		if n.Kind == document.Null {
			return
		}
		d.Object(n, path, []document.Spec{
			{Name: "agents", Read: d.list(&into.Agents)},
			{Name: "domains", Read: d.list(&into.Domains)},
			{Name: "actions", Read: d.list(&into.Actions)},
			{Name: "paths", Read: d.globs(&into.Paths)},
			{Name: "events", Read: d.list(&into.Events)},
			{Name: "gate_types", Read: d.list(&into.GateTypes)},
			{Name: "custom", Read: d.free(&into.Custom)},
		})
	}
}

func (d decoder) action(into *Action) reader {
	return func(n *node, path string) {
		if !d.Object(n, path, []document.Spec{
			{Name: "type", Required: true, Read: choice(d, &into.Type, ActionTypes())},
			{Name: "instruction", Read: d.text(&into.Instruction, 0, MaxInstruction, true)},
			{Name: "tools_allowed", Read: d.patterns(&into.ToolsAllowed)},
			{Name: "tools_denied", Read: d.patterns(&into.ToolsDenied)},
			{Name: "gate_type", Read: d.text(&into.GateType, 0, MaxNameLength, false)},
			{Name: "gate_threshold", Read: choice(d, &into.GateThreshold, Thresholds())},
			{Name: "max_files", Read: pointer(&into.MaxFiles, func(v *int) reader { return d.number(v, 0, 1<<31-1) })},
			{Name: "require_tests", Read: pointer(&into.RequireTests, d.boolean)},
			{Name: "require_review", Read: pointer(&into.RequireReview, d.boolean)},
			{Name: "parameters", Read: d.free(&into.Parameters)},
		}) {
			return
		}
		d.checkGate(n, path, into)
		d.checkTelemetry(n, path, into)
	}
}

// checkGate finds a gate that could never be asked: the type is what people, rules and the audit know it by.
func (d decoder) checkGate(n *node, path string, a *Action) {
	if a.Type == HITLGate && a.GateType == "" {
		d.Report(n, document.Join(path, "gate_type"), "is missing", "name the gate that a person is asked for")
	}
	if a.GateThreshold != "" && a.GateType == "" && a.Type != HITLGate {
		d.Report(n, document.Join(path, "gate_type"), "is missing beside gate_threshold", "name the gate or remove the threshold")
	}
}

func (d decoder) checkTelemetry(n *node, path string, a *Action) {
	if a.Type != Telemetry {
		return
	}
	at := document.Join(path, "parameters")
	if v, ok := a.Parameters["log"]; ok && v != "none" && v != "decisions" && v != "full" {
		d.Report(n, document.Join(at, "log"), fmt.Sprintf("%v is not accepted", v), "use none, decisions or full")
	}
	if v, ok := a.Parameters["sample"]; ok {
		if f, isNumber := asFloat(v); !isNumber || f < 0 || f > 1 {
			d.Report(n, document.Join(at, "sample"), fmt.Sprintf("%v is not a share", v), "write a number from 0 to 1")
		}
	}
}

func (d decoder) id(into *string) reader {
	return func(n *node, path string) {
		before := len(d.Problems)
		s := d.String(n, path, false)
		if len(d.Problems) > before {
			return
		}
		if !ValidID(s) {
			d.Report(n, path, fmt.Sprintf("%q is not an id", s),
				"use a-z, 0-9, dot, underscore and hyphen, beginning with a letter or digit, at most 128 characters")
			return
		}
		*into = s
	}
}

// ValidID reports whether s is a slug that can name a guideline.
func ValidID(s string) bool {
	if s == "" || len(s) > MaxIDLength {
		return false
	}
	for i := range len(s) {
		c := s[i]
		alnum := c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
		if !alnum && (i == 0 || strings.IndexByte("._-", c) < 0) {
			return false
		}
	}
	return true
}

func (d decoder) text(into *string, low, high int, multiline bool) reader {
	return func(n *node, path string) {
		if n.Kind == document.Null && low == 0 {
			return
		}
		before := len(d.Problems)
		s := d.String(n, path, multiline)
		if len(d.Problems) > before {
			return
		}
		switch size := utf8.RuneCountInString(s); {
		case size < low:
			d.Report(n, path, "is empty", "write a value")
		case size > high:
			d.Report(n, path, fmt.Sprintf("has %d characters, more than %d", size, high), "shorten it")
		default:
			*into = s
		}
	}
}

func (d decoder) boolean(into *bool) reader {
	return func(n *node, path string) {
		if n.Kind != document.Null {
			*into = d.Bool(n, path)
		}
	}
}

func (d decoder) number(into *int, low, high int) reader {
	return func(n *node, path string) {
		if n.Kind != document.Null {
			*into = d.Int(n, path, low, high)
		}
	}
}

// pointer reads a value that may be unset: an explicit null leaves it so.
func pointer[T any](into **T, read func(*T) reader) reader {
	return func(n *node, path string) {
		if n.Kind == document.Null {
			return
		}
		*into = new(T)
		read(*into)(n, path)
	}
}

func choice[T ~string](d decoder, into *T, choices []T) reader {
	return func(n *node, path string) {
		names := make([]string, len(choices))
		for i, c := range choices {
			names[i] = string(c)
		}
		*into = T(d.Choice(n, path, names))
	}
}

func (d decoder) list(into *[]string) reader {
	return func(n *node, path string) {
		if n.Kind != document.Null {
			*into = d.Strings(n, path)
		}
	}
}

func (d decoder) globs(into *[]string) reader {
	return d.checked(into, func(s string) error { _, err := CompileGlob(s); return err })
}

func (d decoder) patterns(into *[]string) reader {
	return d.checked(into, func(s string) error { _, err := CompileToolPattern(s); return err })
}

// checked reads a list of pattern strings and reports each that does not compile at its own place.
func (d decoder) checked(into *[]string, check func(string) error) reader {
	return func(n *node, path string) {
		if n.Kind == document.Null {
			return
		}
		*into = d.Strings(n, path)
		for i, item := range n.Items {
			if item.Kind != document.String || item.Text == "" {
				continue
			}
			if err := check(item.Text); err != nil {
				message, remedy, _ := strings.Cut(err.Error(), "; ")
				d.Report(item, document.Index(path, i), message, remedy)
			}
		}
	}
}

func (d decoder) free(into *map[string]any) reader {
	return func(n *node, path string) {
		if n.Kind != document.Null {
			*into = d.Map(n, path)
		}
	}
}

func (d decoder) time(into *time.Time) reader {
	return func(n *node, path string) {
		if n.Kind == document.Null {
			return
		}
		s := d.String(n, path, false)
		t, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			d.Report(n, path, fmt.Sprintf("%q is not a time", s), "write it as 2026-01-31T12:00:00Z")
			return
		}
		*into = t.UTC()
	}
}
