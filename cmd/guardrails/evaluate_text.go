package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"guardrails/evaluator"
	"guardrails/guideline"
)

func (p *printer) evaluation(q *evaluator.Query, r *evaluator.Result) {
	verb := "hold"
	if r.Count == 1 {
		verb = "holds"
	}
	p.line("%s %s for %s", p.paint(bold, count(r.Count, "guideline")), verb, contextText(&q.Context, q.Unknown))
	for i := range r.Guidelines {
		p.applied(&r.Guidelines[i])
	}
	p.summary(r)
	if r.CombinedInstruction != "" {
		p.line("\n%s", r.CombinedInstruction)
	}
	if r.Explanation != nil {
		p.explanation(r.Explanation)
	}
}

// summary is what the guidelines say together about tools, gates and constraints.
func (p *printer) summary(r *evaluator.Result) {
	constraints := constraintTexts(&r.Constraints)
	if len(r.ToolsAllowed)+len(r.ToolsDenied)+len(r.GatesRequired)+len(constraints) == 0 {
		return
	}
	p.WriteByte('\n')
	p.field("tools allowed", strings.Join(r.ToolsAllowed, "\n"))
	p.field("tools denied", strings.Join(r.ToolsDenied, "\n"))
	for _, g := range r.GatesRequired {
		p.field("gate", fmt.Sprintf("%s, %s (%s)", g.GateType, g.Threshold, g.GuidelineID))
	}
	p.field("constraints", strings.Join(constraints, ", "))
}

func (p *printer) applied(g *evaluator.Applied) {
	p.line("  %4d  %s  %s", g.Priority, p.paint(bold, g.ID), flat(g.Name))
	if len(g.MatchedFields) > 0 {
		p.line("        matched: %s", strings.Join(g.MatchedFields, ", "))
	}
	if g.Residual != nil {
		p.line("        %s", p.paint(yellow, "if "+conditionText(g.Residual)))
	}
}

func (p *printer) explanation(e *evaluator.Explanation) {
	p.line("\n%s", p.paint(bold, "why"))
	for i := range e.Guidelines {
		g := &e.Guidelines[i]
		p.line("  %s  %s", g.ID, p.paint(outcomeColor(g.Outcome), string(g.Outcome)))
		for _, f := range g.Fields {
			p.line("      %s", fieldText(&f))
		}
		for _, o := range g.Overridden {
			p.line("      overridden by %s: %s; %s", o.By, o.What, o.Reason)
		}
	}
}

func outcomeColor(o evaluator.Outcome) color {
	switch o {
	case evaluator.Matched:
		return green
	case evaluator.Residual:
		return yellow
	}
	return ""
}

// fieldText says of one condition field what it asks for and what it got.
func fieldText(f *evaluator.ExplainedField) string {
	wanted := flat(strings.Join(f.Wanted, " or "))
	switch f.Outcome {
	case evaluator.Matched:
		return fmt.Sprintf("%s: %s is matched by %s", f.Field, gotText(f.Got), flat(f.Hit))
	case evaluator.NotMatched:
		return fmt.Sprintf("%s: %s, but it asks for %s", f.Field, gotText(f.Got), wanted)
	case evaluator.Unknown:
		return fmt.Sprintf("%s: unknown; it asks for %s", f.Field, wanted)
	default:
		return fmt.Sprintf("%s: not given; it asks for %s", f.Field, wanted)
	}
}

func gotText(got any) string {
	if list, ok := got.([]string); ok {
		return flat(strings.Join(list, ", "))
	}
	if s, ok := got.(string); ok {
		return flat(s)
	}
	return compact(got)
}

// compact is a value as JSON on one line.
func compact(value any) string {
	encoded, err := json.Marshal(value)
	if err != nil {
		return flat(fmt.Sprint(value))
	}
	return flat(string(encoded))
}

// contextText is a context as a person would say it.
func contextText(c *guideline.Context, unknown guideline.Fields) string {
	var parts []string
	add := func(field guideline.Fields, name, value string) {
		switch {
		case unknown.Has(field):
			parts = append(parts, "unknown "+name)
		case value != "":
			parts = append(parts, name+" "+flat(value))
		}
	}
	add(guideline.FieldAgent, "agent", c.Agent)
	add(guideline.FieldDomain, "domain", c.Domain)
	add(guideline.FieldAction, "action", c.Action)
	add(guideline.FieldPaths, "paths", strings.Join(c.Paths, " "))
	add(guideline.FieldEvent, "event", c.Event)
	add(guideline.FieldGateType, "gate type", c.GateType)
	add(0, "tenant", c.TenantID)
	if len(parts) == 0 {
		return "a context that says nothing"
	}
	return strings.Join(parts, ", ")
}

func conditionText(c *guideline.Condition) string {
	var parts []string
	add := func(name string, values []string) {
		if len(values) > 0 {
			parts = append(parts, name+" "+strings.Join(values, " or "))
		}
	}
	add("agent is", c.Agents)
	add("domain is", c.Domains)
	add("action is", c.Actions)
	add("paths match", c.Paths)
	add("event is", c.Events)
	add("gate type is", c.GateTypes)
	if len(c.Custom) > 0 {
		parts = append(parts, "metadata match "+compact(c.Custom))
	}
	return strings.Join(parts, " and ")
}

func constraintTexts(c *evaluator.Constraints) []string {
	var out []string
	if c.MaxFiles != nil {
		out = append(out, fmt.Sprintf("max_files %d", *c.MaxFiles))
	}
	if c.RequireTests != nil {
		out = append(out, fmt.Sprintf("require_tests %t", *c.RequireTests))
	}
	if c.RequireReview != nil {
		out = append(out, fmt.Sprintf("require_review %t", *c.RequireReview))
	}
	return out
}
