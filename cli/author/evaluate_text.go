package author

import (
	"encoding/json"
	"fmt"
	"strings"

	"guardrails/cli/app"
	"guardrails/evaluator"
	"guardrails/guideline"
)

func printEvaluation(p *app.Printer, q *evaluator.Query, r *evaluator.Result) {
	verb := "hold"
	if r.Count == 1 {
		verb = "holds"
	}
	p.Line("%s %s for %s", p.Paint(app.Bold, app.Count(r.Count, "guideline")), verb, contextText(&q.Context, q.Unknown))
	for i := range r.Guidelines {
		printApplied(p, &r.Guidelines[i])
	}
	printSummary(p, r)
	if r.CombinedInstruction != "" {
		p.Line("\n%s", r.CombinedInstruction)
	}
	if r.Explanation != nil {
		printExplanation(p, r.Explanation)
	}
}

// summary is what the guidelines say together about tools, gates and constraints.
func printSummary(p *app.Printer, r *evaluator.Result) {
	constraints := constraintTexts(&r.Constraints)
	if len(r.ToolsAllowed)+len(r.ToolsDenied)+len(r.GatesRequired)+len(constraints) == 0 {
		return
	}
	p.WriteByte('\n')
	p.Field("tools allowed", strings.Join(r.ToolsAllowed, "\n"))
	p.Field("tools denied", strings.Join(r.ToolsDenied, "\n"))
	for _, g := range r.GatesRequired {
		p.Field("gate", fmt.Sprintf("%s, %s (%s)", g.GateType, g.Threshold, g.GuidelineID))
	}
	p.Field("constraints", strings.Join(constraints, ", "))
}

func printApplied(p *app.Printer, g *evaluator.Applied) {
	p.Line("  %4d  %s  %s", g.Priority, p.Paint(app.Bold, g.ID), app.Flat(g.Name))
	if len(g.MatchedFields) > 0 {
		p.Line("        matched: %s", strings.Join(g.MatchedFields, ", "))
	}
	if g.Residual != nil {
		p.Line("        %s", p.Paint(app.Yellow, "if "+conditionText(g.Residual)))
	}
}

func printExplanation(p *app.Printer, e *evaluator.Explanation) {
	p.Line("\n%s", p.Paint(app.Bold, "why"))
	for i := range e.Guidelines {
		g := &e.Guidelines[i]
		p.Line("  %s  %s", g.ID, p.Paint(outcomeColor(g.Outcome), string(g.Outcome)))
		for _, f := range g.Fields {
			p.Line("      %s", fieldText(&f))
		}
		for _, o := range g.Overridden {
			p.Line("      overridden by %s: %s; %s", o.By, o.What, o.Reason)
		}
	}
}

func outcomeColor(o evaluator.Outcome) app.Color {
	switch o {
	case evaluator.Matched:
		return app.Green
	case evaluator.Residual:
		return app.Yellow
	}
	return ""
}

// fieldText says of one condition field what it asks for and what it got.
func fieldText(f *evaluator.ExplainedField) string {
	wanted := app.Flat(strings.Join(f.Wanted, " or "))
	switch f.Outcome {
	case evaluator.Matched:
		return fmt.Sprintf("%s: %s is matched by %s", f.Field, gotText(f.Got), app.Flat(f.Hit))
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
		return app.Flat(strings.Join(list, ", "))
	}
	if s, ok := got.(string); ok {
		return app.Flat(s)
	}
	return compact(got)
}

// compact is a value as JSON on one line.
func compact(value any) string {
	encoded, err := json.Marshal(value)
	if err != nil {
		return app.Flat(fmt.Sprint(value))
	}
	return app.Flat(string(encoded))
}

// contextText is a context as a person would say it.
func contextText(c *guideline.Context, unknown guideline.Fields) string {
	var parts []string
	add := func(field guideline.Fields, name, value string) {
		switch {
		case unknown.Has(field):
			parts = append(parts, "unknown "+name)
		case value != "":
			parts = append(parts, name+" "+app.Flat(value))
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
