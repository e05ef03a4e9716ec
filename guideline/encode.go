package guideline

import (
	"errors"
	"time"

	"guardrails/internal/document"
)

// Encode returns the guideline in canonical JSON: fields in a fixed order, keys of maps sorted, defaults included, no
// trailing newline. Decoding and encoding it again gives the same bytes.
//
// Encode does not use encoding/json, because hooks link this package and would become an eighth larger.
func Encode(g *Guideline) ([]byte, error) {
	w := &writer{out: make([]byte, 0, 512)}
	w.guideline(g)
	if w.err != nil {
		return nil, w.err
	}
	return w.out, nil
}

// Parse reads one guideline from JSON.
func Parse(file string, text []byte) (Guideline, error) {
	n, problems := document.ParseJSON(file, text)
	if n == nil {
		return Guideline{}, problems
	}
	d := &document.Decoder{File: file, Problems: problems}
	g := Decode(d, n, "")
	return g, d.Problems.Err()
}

func (w *writer) guideline(g *Guideline) {
	w.open('{')
	w.text("id", g.ID)
	w.text("name", g.Name)
	w.text("description", g.Description)
	w.boolean("enabled", g.Enabled)
	if g.Locked {
		w.boolean("locked", true)
	}
	w.text("category", string(g.Category))
	w.number("priority", g.Priority)
	w.key("condition")
	w.condition(&g.Condition)
	w.key("action")
	w.action(&g.Action)
	w.optionalMap("metadata", g.Metadata)
	if g.Version != 0 {
		w.number("version", g.Version)
	}
	w.time("created_at", g.CreatedAt)
	w.time("updated_at", g.UpdatedAt)
	w.optional("created_by", g.CreatedBy)
	w.optional("tenant_id", g.TenantID)
	w.optional("project_id", g.ProjectID)
	w.close('}')
}

func (w *writer) condition(c *Condition) {
	w.open('{')
	w.list("agents", c.Agents)
	w.list("domains", c.Domains)
	w.list("actions", c.Actions)
	w.list("paths", c.Paths)
	w.list("events", c.Events)
	w.list("gate_types", c.GateTypes)
	w.optionalMap("custom", c.Custom)
	w.close('}')
}

func (w *writer) action(a *Action) {
	w.open('{')
	w.text("type", string(a.Type))
	w.optional("instruction", a.Instruction)
	w.list("tools_allowed", a.ToolsAllowed)
	w.list("tools_denied", a.ToolsDenied)
	w.list("tools_asked", a.ToolsAsked)
	w.optional("gate_type", a.GateType)
	w.optional("gate_threshold", string(a.GateThreshold))
	if a.MaxFiles != nil {
		w.number("max_files", *a.MaxFiles)
	}
	if a.RequireTests != nil {
		w.boolean("require_tests", *a.RequireTests)
	}
	if a.RequireReview != nil {
		w.boolean("require_review", *a.RequireReview)
	}
	w.optionalMap("parameters", a.Parameters)
	w.close('}')
}

var errYear = errors.New("a guideline has a time outside the years 0 to 9999")

func (w *writer) time(key string, t time.Time) {
	switch {
	case t.IsZero():
	case t.Year() < 0 || t.Year() > 9999:
		w.err = errYear
	default:
		w.text(key, t.Format(time.RFC3339Nano))
	}
}
