package tools

import (
	"fmt"
	"math"
	"slices"

	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/service"
	"guardrails/store"
)

// DecodeDecision reads the arguments of LogDecision. The error has the type document.Problems.
func DecodeDecision(text []byte) (service.Decision, error) {
	var out service.Decision
	err := decode(text, func(d *document.Decoder) []document.Spec {
		return []document.Spec{
			{Name: "guideline_id", Required: true, Read: func(n *document.Node, at string) { out.GuidelineID = id(d, n, at) }},
			{Name: "context", Required: true, Read: func(n *document.Node, at string) {
				out.Context = reportedContext(d, n, at)
			}},
			{Name: "result", Required: true, Read: func(n *document.Node, at string) {
				out.Result = d.Choice(n, at, service.DecisionResults())
			}},
			{Name: "reason", Required: true, Read: func(n *document.Node, at string) { out.Reason = bounded(d, n, at) }},
			{Name: "user_response", Read: optional(func(n *document.Node, at string) { out.UserResponse = bounded(d, n, at) })},
			{Name: "project", Read: optional(func(n *document.Node, at string) { out.Project = d.Text(n, at) })},
			{Name: "project_id", Read: optional(func(n *document.Node, at string) { out.ProjectID = guideline.DecodeProjectID(d, n, at) })},
		}
	})
	return out, err
}

// These constants are the default and the largest number of guidelines on a page of List. Pages are small, because a
// model has to read them.
const (
	DefaultListSize = 50
	MaxListSize     = 200
)

// DecodeList reads the arguments of List. The error has the type document.Problems.
func DecodeList(text []byte) (service.ListQuery, error) {
	out := service.ListQuery{Paging: store.Paging{Size: DefaultListSize}}
	err := decode(text, func(d *document.Decoder) []document.Spec {
		return []document.Spec{
			{Name: "category", Read: optional(func(n *document.Node, at string) { out.Category = category(d, n, at) })},
			{Name: "agent", Read: optional(func(n *document.Node, at string) { out.Agent = d.Text(n, at) })},
			{Name: "enabled", Read: optional(func(n *document.Node, at string) {
				enabled := d.Bool(n, at)
				out.Enabled = &enabled
			})},
			{Name: "text", Read: optional(func(n *document.Node, at string) { out.Text = d.Text(n, at) })},
			{Name: "page", Read: optional(func(n *document.Node, at string) { out.Page = d.Int(n, at, 1, math.MaxInt32) })},
			{Name: "cursor", Read: optional(func(n *document.Node, at string) { out.Cursor = d.String(n, at, false) })},
			{Name: "page_size", Read: optional(func(n *document.Node, at string) { out.Size = d.Int(n, at, 1, MaxListSize) })},
			{Name: "project", Read: optional(func(n *document.Node, at string) { out.Project = d.Text(n, at) })},
			{Name: "project_id", Read: optional(func(n *document.Node, at string) { out.ProjectID = guideline.DecodeProjectID(d, n, at) })},
		}
	})
	return out, err
}

// DecodeGet reads the arguments of Get. The error has the type document.Problems.
func DecodeGet(text []byte) (service.Lookup, error) {
	var out service.Lookup
	err := decode(text, func(d *document.Decoder) []document.Spec {
		return []document.Spec{
			{Name: "id", Required: true, Read: func(n *document.Node, at string) { out.ID = id(d, n, at) }},
			{Name: "project", Read: optional(func(n *document.Node, at string) { out.Project = d.Text(n, at) })},
			{Name: "project_id", Read: optional(func(n *document.Node, at string) { out.ProjectID = guideline.DecodeProjectID(d, n, at) })},
		}
	})
	return out, err
}

// DecodeExplain reads the arguments of Explain. They are the arguments of GetContext that describe a task.
// The error has the type document.Problems.
func DecodeExplain(text []byte) (service.Request, error) {
	r, err := DecodeRequest(text)
	if err != nil {
		return service.Request{}, err
	}
	for name, given := range map[string]bool{
		"hook": r.Hook, "definitions": r.Definitions, "choice": r.Choice != "",
		"environment": r.Environment != nil, "typed": r.Typed != "", "agent_id": r.AgentID != "", "calls": r.Calls != "",
		"answer": r.Answer != "", "again": r.Again, "display": r.Display != "",
	} {
		if given {
			return service.Request{}, document.Problems{{Path: name, Message: "is not an argument of this tool", Remedy: "remove it"}}
		}
	}
	return r, nil
}

// decode() parses a JSON object. The result of specs() says how to read the fields of the object.
func decode(text []byte, specs func(*document.Decoder) []document.Spec) error {
	n, problems := document.ParseJSON("", text)
	if n == nil {
		return problems.Numbered()
	}
	d := &document.Decoder{Problems: problems}
	d.Object(n, "", specs(d))
	return d.Problems.Numbered().Err()
}

// reportedContext reads the task that a caller describes. It ignores unknown fields.
func reportedContext(d *document.Decoder, n *document.Node, at string) guideline.Context {
	if n.Kind != document.Object {
		d.Report(n, at, fmt.Sprintf("is %s where an object is expected", n.Kind), "write an object")
		return guideline.Context{}
	}
	task := &document.Node{Kind: document.Object, Line: n.Line}
	known := slices.Concat(guideline.FieldNames(), []string{"tenant_id", "session_id"})
	for _, f := range n.Fields {
		if slices.Contains(known, f.Name) && f.Value.Kind != document.Null {
			task.Add(f.Name, f.Line, f.Value)
		}
	}
	c, _ := guideline.DecodeContext(d, task, at)
	return c
}

func id(d *document.Decoder, n *document.Node, at string) string {
	text := d.Text(n, at)
	if n.Kind == document.String && !guideline.ValidID(text) {
		d.Report(n, at, document.Excerpt(text)+" is not the id of a guideline", "write it as guardrails_list shows it")
	}
	return text
}

func category(d *document.Decoder, n *document.Node, at string) guideline.Category {
	var known []string
	for _, c := range guideline.Categories() {
		known = append(known, string(c))
	}
	return guideline.Category(d.Choice(n, at, known))
}

// maxReason is the largest size, in bytes, of a text about a decision.
const maxReason = 4000

func bounded(d *document.Decoder, n *document.Node, at string) string {
	text := d.Text(n, at)
	if len(text) > maxReason {
		d.Report(n, at, fmt.Sprintf("is %d bytes long", len(text)), fmt.Sprintf("write at most %d bytes", maxReason))
	}
	return text
}
