package guideline

import (
	"errors"
	"time"

	"guardrails/internal/document"
)

// Encode is the guideline in canonical JSON: fields in a fixed order, keys of free maps sorted, defaults written out,
// no trailing newline. Decoding and encoding again gives the same bytes.
//
// It is written by hand and gives what encoding/json gives: the hooks link this package, and encoding/json would be an
// eighth of what they load.
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
	return parse(new(document.Reader), file, string(text), false)
}

// Reread reads a guideline that Encode wrote of a valid one: whether its patterns are valid is left to who compiles them.
// Its texts are parts of the one that is given.
func Reread(r *document.Reader, file, text string) (Guideline, error) {
	return parse(r, file, text, true)
}

func parse(r *document.Reader, file, text string, trusting bool) (Guideline, error) {
	n, problems := r.Read(file, text)
	if n == nil {
		return Guideline{}, problems
	}
	d := &document.Decoder{File: file, Problems: problems}
	g := decode(decoder{d, trusting}, n, "")
	return g, d.Problems.Err()
}

func (w *writer) guideline(g *Guideline) {
	w.open('{')
	w.text("id", g.ID)
	w.text("name", g.Name)
	w.text("description", g.Description)
	w.boolean("enabled", g.Enabled)
	w.text("category", string(g.Category))
	w.number("priority", g.Priority)
	w.key("condition")
	w.condition(&g.Condition)
	w.key("action")
	w.action(&g.Action)
	w.free("metadata", g.Metadata)
	if g.Version != 0 {
		w.number("version", g.Version)
	}
	w.time("created_at", g.CreatedAt)
	w.time("updated_at", g.UpdatedAt)
	w.given("created_by", g.CreatedBy)
	w.given("tenant_id", g.TenantID)
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
	w.free("custom", c.Custom)
	w.close('}')
}

func (w *writer) action(a *Action) {
	w.open('{')
	w.text("type", string(a.Type))
	w.given("instruction", a.Instruction)
	w.list("tools_allowed", a.ToolsAllowed)
	w.list("tools_denied", a.ToolsDenied)
	w.given("gate_type", a.GateType)
	w.given("gate_threshold", string(a.GateThreshold))
	if a.MaxFiles != nil {
		w.number("max_files", *a.MaxFiles)
	}
	if a.RequireTests != nil {
		w.boolean("require_tests", *a.RequireTests)
	}
	if a.RequireReview != nil {
		w.boolean("require_review", *a.RequireReview)
	}
	w.free("parameters", a.Parameters)
	w.close('}')
}

var errYear = errors.New("a guideline's time is outside of the years 0 to 9999")

func (w *writer) time(key string, t time.Time) {
	switch {
	case t.IsZero():
	case t.Year() < 0 || t.Year() > 9999:
		w.err = errYear
	default:
		w.text(key, t.Format(time.RFC3339Nano))
	}
}
