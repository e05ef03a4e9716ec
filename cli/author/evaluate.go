package author

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/decide/explain"
	"guardrails/evaluator"
	"guardrails/guideline"
)

func evaluateCommand(a *app.App) *cobra.Command {
	var f queryFlags
	var sources []string
	var explain bool
	c := &cobra.Command{
		Use:   "evaluate",
		Short: "Show which guidelines apply to a task",
		Long: `Evaluate shows which guidelines apply to a task, and their combined instruction, tools, gates and
limits. The flags describe the task: who acts, on what, on which paths, at which event.

If the condition of a guideline names a field that you do not give, the guideline does not apply. With
--unknown, you can say that a field is not known yet: guidelines that may still apply are then listed too,
with the part of their condition that cannot be compared yet.`,
		Example: `  guardrails evaluate --agent backend
  guardrails evaluate -g pack:roles --agent backend --action implement --path src/core/a.go
  guardrails evaluate --event commit --path contracts/api.json -o json
  guardrails evaluate --agent backend --unknown paths,event --explain
  echo '{"agent": "backend", "event": "merge"}' | guardrails evaluate --context -`,
		Args: app.Args(0, 0, "it takes only flags"),
		RunE: func(c *cobra.Command, _ []string) error {
			return runEvaluate(a, c, &f, sources, explain)
		},
	}
	guidelineFlag(c, &sources)
	f.add(a, c, &sources)
	c.Flags().BoolVar(&explain, "explain", false, "also say why each guideline applies or not")
	return c
}

func runEvaluate(a *app.App, c *cobra.Command, f *queryFlags, sources []string, explain bool) error {
	settings, err := a.Config()
	if err != nil {
		return err
	}
	query, err := f.query(a, c)
	if err != nil {
		return err
	}
	layers, err := compiled(a, c, settings, sources)
	if err != nil {
		return err
	}
	var parts []evaluator.Part
	for i := range layers {
		own := *query
		f.complete(a, c, layers[i].ownSettings(settings), &own.Context)
		parts = append(parts, evaluator.Part{Set: layers[i].Set, Query: &own})
	}
	last := parts[len(parts)-1].Query
	noteUnknownNames(a, parts, last)
	result := evaluator.EvaluateAll(parts)
	if explain {
		result.Explanation = evaluator.ExplainAll(parts)
	}
	return a.Answer(result, func(p *app.Printer) { printEvaluation(p, last, result) })
}

func printEvaluation(p *app.Printer, q *evaluator.Query, r *evaluator.Result) {
	verb := "apply"
	if r.Count == 1 {
		verb = "applies"
	}
	number := p.Paint(app.Bold, app.Count(r.Count, "guideline"))
	p.Line("%s %s to %s", number, verb, explain.Context(&q.Context, q.Unknown))
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

// printSummary prints the combined lists of tools, gates and limits.
func printSummary(p *app.Printer, r *evaluator.Result) {
	constraints := explain.Constraints(&r.Constraints)
	if len(r.ToolsAllowed)+len(r.ToolsDenied)+len(r.ToolsAsked)+len(r.GatesRequired)+len(constraints) == 0 {
		return
	}
	p.WriteByte('\n')
	p.Field("tools allowed", strings.Join(r.ToolsAllowed, "\n"))
	p.Field("tools denied", strings.Join(r.ToolsDenied, "\n"))
	p.Field("tools asked", strings.Join(r.ToolsAsked, "\n"))
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
	return app.Plain
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
