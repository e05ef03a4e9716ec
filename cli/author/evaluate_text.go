package author

import (
	"fmt"
	"strings"

	"guardrails/cli/app"
	"guardrails/decide/explain"
	"guardrails/evaluator"
	"guardrails/guideline"
)

func printEvaluation(p *app.Printer, q *evaluator.Query, r *evaluator.Result) {
	verb := "hold"
	if r.Count == 1 {
		verb = "holds"
	}
	p.Line("%s %s for %s", p.Paint(app.Bold, app.Count(r.Count, "guideline")), verb, explain.Context(&q.Context, q.Unknown))
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
	constraints := explain.Constraints(&r.Constraints)
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
			p.Line("      %s", explain.Field(&f))
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
		parts = append(parts, "metadata match "+explain.Compact(c.Custom))
	}
	return strings.Join(parts, " and ")
}
