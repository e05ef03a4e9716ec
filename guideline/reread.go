package guideline

import (
	"strconv"
	"time"

	"guardrails/internal/document"
)

// Reread parses the encoding of a valid guideline. Hooks call it for every tool call, so it does not check for mistakes
// that Encode never makes, such as invalid patterns, wrong lengths and missing fields. The strings of the result share
// memory with the parameter "text".
func Reread(text string) (Guideline, error) {
	r := rereader{Scanner: document.ScanString(text, document.MaxDepth)}
	g := Guideline{Enabled: true, Priority: DefaultPriority}
	ok := r.Object(func(name string) bool { return r.guideline(&g, name) }) && r.End()
	if !ok {
		return Guideline{}, r.Err()
	}
	return g, nil
}

// The type "rereader" reads the values of a guideline. Each method reads one value, and returns false if it has the
// wrong type.
type rereader struct {
	document.Scanner
}

func (r *rereader) guideline(g *Guideline, name string) bool {
	switch name {
	case "id":
		return r.text(&g.ID)
	case "name":
		return r.text(&g.Name)
	case "description":
		return r.text(&g.Description)
	case "enabled":
		return r.boolean(&g.Enabled)
	case "locked":
		return r.boolean(&g.Locked)
	case "category":
		return r.text((*string)(&g.Category))
	case "priority":
		return r.number(&g.Priority)
	case "condition":
		return r.Object(func(name string) bool { return r.condition(&g.Condition, name) })
	case "action":
		return r.Object(func(name string) bool { return r.action(&g.Action, name) })
	case "metadata":
		return r.object(&g.Metadata)
	case "version":
		return r.number(&g.Version)
	case "created_at":
		return r.time(&g.CreatedAt)
	case "updated_at":
		return r.time(&g.UpdatedAt)
	case "created_by":
		return r.text(&g.CreatedBy)
	case "tenant_id":
		return r.text(&g.TenantID)
	case "project_id":
		return r.text(&g.ProjectID)
	}
	return r.unknown(name)
}

func (r *rereader) condition(c *Condition, name string) bool {
	switch name {
	case "agents":
		return r.texts(&c.Agents)
	case "domains":
		return r.texts(&c.Domains)
	case "actions":
		return r.texts(&c.Actions)
	case "paths":
		return r.texts(&c.Paths)
	case "events":
		return r.texts(&c.Events)
	case "gate_types":
		return r.texts(&c.GateTypes)
	case "custom":
		return r.object(&c.Custom)
	}
	return r.unknown(name)
}

func (r *rereader) action(a *Action, name string) bool {
	switch name {
	case "type":
		return r.text((*string)(&a.Type))
	case "instruction":
		return r.text(&a.Instruction)
	case "tools_allowed":
		return r.texts(&a.ToolsAllowed)
	case "tools_denied":
		return r.texts(&a.ToolsDenied)
	case "tools_asked":
		return r.texts(&a.ToolsAsked)
	case "gate_type":
		return r.text(&a.GateType)
	case "gate_threshold":
		return r.text((*string)(&a.GateThreshold))
	case "max_files":
		a.MaxFiles = new(int)
		return r.number(a.MaxFiles)
	case "require_tests":
		a.RequireTests = new(bool)
		return r.boolean(a.RequireTests)
	case "require_review":
		a.RequireReview = new(bool)
		return r.boolean(a.RequireReview)
	case "parameters":
		return r.object(&a.Parameters)
	}
	return r.unknown(name)
}

func (r *rereader) unknown(name string) bool {
	return r.Fail("has the unknown field "+document.Excerpt(name), "write it again with Encode")
}

func (r *rereader) text(into *string) (ok bool) {
	*into, ok = r.Text()
	return ok
}

func (r *rereader) texts(into *[]string) bool {
	// Most lists have at most 8 items.
	*into = make([]string, 0, 8)
	return r.List(func() bool {
		text, ok := r.Text()
		*into = append(*into, text)
		return ok
	})
}

func (r *rereader) boolean(into *bool) bool {
	value, ok := r.Value()
	if ok {
		*into, ok = value.(bool)
	}
	return ok || r.Fail("must be true or false", "write true or false")
}

func (r *rereader) number(into *int) bool {
	raw, ok := r.Raw()
	if !ok {
		return false
	}
	n, err := strconv.Atoi(raw)
	*into = n
	return err == nil || r.Fail("must be a whole number", "write a number")
}

func (r *rereader) object(into *map[string]any) bool {
	value, ok := r.Value()
	if ok {
		*into, ok = value.(map[string]any)
	}
	return ok || r.Fail("must be an object", "write an object")
}

func (r *rereader) time(into *time.Time) bool {
	text, ok := r.Text()
	if ok {
		*into, ok = document.ParseTime(text)
	}
	return ok || r.Fail("must be a time", "write it as 2026-01-31T12:00:00Z")
}
