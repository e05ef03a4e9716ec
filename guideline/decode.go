package guideline

import (
	"guardrails/internal/document"
)

type node = document.Node

// Decode decodes one guideline and adds all problems to d.
func Decode(d *document.Decoder, n *document.Node, path string) Guideline {
	return decoder{d}.guideline(n, path)
}

// DecodeCondition decodes one condition and adds all problems to d.
func DecodeCondition(d *document.Decoder, n *document.Node, path string) (c Condition) {
	decoder{d}.condition(&c, n, path)
	return c
}

func (d decoder) guideline(n *document.Node, path string) Guideline {
	g := Guideline{Enabled: true, Priority: DefaultPriority}
	d.Fields(n, path, []document.Spec{
		{Name: "id", Required: true},
		{Name: "name", Required: true},
		{Name: "description"},
		{Name: "enabled"},
		{Name: "locked"},
		{Name: "category", Required: true},
		{Name: "priority"},
		{Name: "condition"},
		{Name: "action", Required: true},
		{Name: "metadata"},
		{Name: "version"},
		{Name: "created_at"},
		{Name: "updated_at"},
		{Name: "created_by"},
		{Name: "tenant_id"},
		{Name: "project_id"},
	}, func(name string, n *node, at string) { d.field(&g, name, n, at) })
	return g
}

// The type "decoder" reads the values of a guideline. Its methods take the name of a field, because a closure for each
// field would cost hooks an allocation.
type decoder struct {
	*document.Decoder
}

func (d decoder) field(g *Guideline, name string, n *node, at string) {
	switch name {
	case "id":
		d.id(&g.ID, n, at)
	case "name":
		d.text(&g.Name, n, at, 1, MaxNameLength)
	case "description":
		d.lines(&g.Description, n, at, MaxDescription)
	case "enabled":
		d.boolean(&g.Enabled, n, at)
	case "locked":
		d.boolean(&g.Locked, n, at)
	case "category":
		choice(d, &g.Category, n, at, Categories())
	case "priority":
		d.number(&g.Priority, n, at, MaxPriority)
	case "condition":
		d.condition(&g.Condition, n, at)
	case "action":
		d.action(&g.Action, n, at)
	case "metadata":
		d.free(&g.Metadata, n, at)
	default:
		d.origin(g, name, n, at)
	}
}

// origin() reads the fields that the store fills in.
func (d decoder) origin(g *Guideline, name string, n *node, at string) {
	switch name {
	case "version":
		d.number(&g.Version, n, at, 1<<31-1)
	case "created_at":
		d.time(&g.CreatedAt, n, at)
	case "updated_at":
		d.time(&g.UpdatedAt, n, at)
	case "created_by":
		d.text(&g.CreatedBy, n, at, 0, MaxNameLength)
	case "tenant_id":
		d.text(&g.TenantID, n, at, 0, MaxIDLength)
	case "project_id":
		d.text(&g.ProjectID, n, at, 0, MaxProjectID)
	}
}

func (d decoder) condition(c *Condition, n *node, path string) {
	if n.Kind == document.Null {
		return
	}
	d.Fields(n, path, []document.Spec{
		{Name: "agents"},
		{Name: "domains"},
		{Name: "actions"},
		{Name: "paths"},
		{Name: "events"},
		{Name: "gate_types"},
		{Name: "custom"},
	}, func(name string, n *node, at string) {
		switch name {
		case "agents":
			d.checked(&c.Agents, n, at, word)
		case "domains":
			d.checked(&c.Domains, n, at, word)
		case "actions":
			d.checked(&c.Actions, n, at, word)
		case "paths":
			d.checked(&c.Paths, n, at, glob)
		case "events":
			d.checked(&c.Events, n, at, word)
		case "gate_types":
			d.checked(&c.GateTypes, n, at, word)
		case "custom":
			d.free(&c.Custom, n, at)
		}
	})
}

func (d decoder) action(a *Action, n *node, path string) {
	if d.Fields(n, path, []document.Spec{
		{Name: "type", Required: true},
		{Name: "instruction"},
		{Name: "tools_allowed"},
		{Name: "tools_denied"},
		{Name: "tools_asked"},
		{Name: "gate_type"},
		{Name: "gate_threshold"},
		{Name: "max_files"},
		{Name: "require_tests"},
		{Name: "require_review"},
		{Name: "parameters"},
	}, func(name string, n *node, at string) { d.actionField(a, name, n, at) }) {
		d.checkGate(n, path, a)
		d.checkTelemetry(n, path, a)
	}
}

func (d decoder) actionField(a *Action, name string, n *node, at string) {
	switch name {
	case "type":
		choice(d, &a.Type, n, at, ActionTypes())
	case "instruction":
		d.lines(&a.Instruction, n, at, MaxInstruction)
	case "tools_allowed":
		d.checked(&a.ToolsAllowed, n, at, toolPattern)
	case "tools_denied":
		d.checked(&a.ToolsDenied, n, at, toolPattern)
	case "tools_asked":
		d.checked(&a.ToolsAsked, n, at, toolPattern)
	case "gate_type":
		d.text(&a.GateType, n, at, 0, MaxNameLength)
	case "gate_threshold":
		if n.Kind != document.Null {
			choice(d, &a.GateThreshold, n, at, Thresholds())
		}
	case "max_files":
		if n.Kind != document.Null {
			a.MaxFiles = new(int)
			d.number(a.MaxFiles, n, at, 1<<31-1)
		}
	case "require_tests":
		d.flag(&a.RequireTests, n, at)
	case "require_review":
		d.flag(&a.RequireReview, n, at)
	case "parameters":
		d.free(&a.Parameters, n, at)
	}
}

// checkGate reports a problem if an action has a gate but no gate_type, which is the gate's name.
func (d decoder) checkGate(n *node, path string, a *Action) {
	if a.Type == HITLGate && a.GateType == "" {
		d.Report(n, document.Join(path, "gate_type"), "is missing", "name the gate")
	}
	if a.GateThreshold != "" && a.GateType == "" && a.Type != HITLGate {
		d.Report(n, document.Join(path, "gate_type"), "is missing, but gate_threshold is set",
			"name the gate or remove the threshold")
	}
	if len(a.ToolsAsked) > 0 && a.GateType == "" && a.Type != HITLGate {
		d.Report(n, document.Join(path, "gate_type"), "is missing, but tools_asked is set",
			"name the gate or remove tools_asked")
	}
}

func (d decoder) checkTelemetry(n *node, path string, a *Action) {
	if a.Type != Telemetry {
		return
	}
	at := document.Join(path, "parameters")
	if v, ok := a.Parameters["log"]; ok && v != "none" && v != "decisions" && v != "full" {
		d.Report(n, document.Join(at, "log"), document.Excerpt(Show(v))+" is not accepted", `use "none", "decisions" or "full"`)
	}
	if v, ok := a.Parameters["sample"]; ok {
		if f, isNumber := scalar(v).(float64); !isNumber || f < 0 || f > 1 {
			d.Report(n, document.Join(at, "sample"), document.Excerpt(Show(v))+" is not a number from 0 to 1",
				"write a number such as 0.1")
		}
	}
}
