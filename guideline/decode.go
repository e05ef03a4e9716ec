package guideline

import (
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
			{Name: "gate_threshold", Read: optional(choice(d, &into.GateThreshold, Thresholds()))},
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
		d.Report(n, document.Join(at, "log"), document.Excerpt(Show(v))+" is not accepted", "use none, decisions or full")
	}
	if v, ok := a.Parameters["sample"]; ok {
		if f, isNumber := scalar(v).(float64); !isNumber || f < 0 || f > 1 {
			d.Report(n, document.Join(at, "sample"), document.Excerpt(Show(v))+" is not a share", "write a number from 0 to 1")
		}
	}
}
