package author

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/config"
	"guardrails/decide"
	"guardrails/internal/document"
	"guardrails/rules"
	"guardrails/rules/lint"
)

func lintCommand(a *app.App) *cobra.Command {
	var sources []string
	var strict bool
	c := &cobra.Command{
		Use:   "lint [FILE...]",
		Short: "Find mistakes in guideline files",
		Long: `Lint reads guideline files. It reports what is invalid, and what is valid but probably does not do
what its author meant: patterns that never match, guidelines that another guideline hides, lists that
exclude every tool.

The exit code is 1 if there are errors, or warnings with --strict.`,
		Example: `  guardrails lint guidelines.yaml
  guardrails lint -g pack:core --strict`,
		Args: app.Args(0, -1, "name guideline files"),
		RunE: func(_ *cobra.Command, args []string) error {
			return runLint(a, append(args, sources...), strict)
		},
		ValidArgsFunction: app.GuidelineFiles,
	}
	guidelineFlag(c, &sources)
	c.Flags().BoolVar(&strict, "strict", false, "fail on warnings too")
	return c
}

type lintReport struct {
	Problems document.Problems `json:"problems"`
	Findings []lint.Finding    `json:"findings"`
	// Exceptions lists those exceptions in the project's settings that can never allow a call.
	Exceptions []lint.DeadException `json:"exceptions,omitempty"`
	Errors     int                  `json:"errors"`
	Warnings   int                  `json:"warnings"`
}

func runLint(a *app.App, sources []string, strict bool) error {
	settings, err := a.Config()
	if err != nil {
		return err
	}
	loaded, err := readSources(a, settings, sources)
	if err != nil {
		return err
	}
	report := newLintReport(loaded)
	if len(sources) == 0 {
		if err := report.checkExceptions(a, settings); err != nil {
			return err
		}
	}
	if err := a.Answer(report, func(p *app.Printer) { printLintReport(p, report) }); err != nil {
		return err
	}
	if report.Errors > 0 || strict && report.Warnings > 0 {
		return app.Exit(app.Failed)
	}
	return nil
}

func newLintReport(l *rules.Loaded) *lintReport {
	r := &lintReport{Problems: document.Problems{}, Findings: []lint.Finding{}}
	r.Problems = append(r.Problems, l.Problems...)
	r.Errors = len(l.Problems)
	r.Findings = append(r.Findings, lint.Check(l, lint.Options{})...)
	for _, f := range r.Findings {
		if f.Severity == lint.Error {
			r.Errors++
		} else {
			r.Warnings++
		}
	}
	return r
}

// checkExceptions checks the project's exceptions against all guidelines that apply in the project.
func (r *lintReport) checkExceptions(a *app.App, settings *config.Config) error {
	if len(settings.Exceptions) == 0 || len(r.Problems) > 0 {
		return nil
	}
	all, _, err := a.Service().Guidelines(context.Background(), a.ProjectRoot(a.Cwd))
	if err != nil {
		return err
	}
	var list []decide.Exception
	for _, x := range settings.Exceptions {
		list = append(list, decide.Exception(x))
	}
	r.Exceptions = lint.CheckExceptions(all, list, a.Clock()())
	r.Warnings += len(r.Exceptions)
	return nil
}

func printLintReport(p *app.Printer, r *lintReport) {
	for _, problem := range r.Problems {
		p.Line("%s", problem.Error())
	}
	for _, f := range r.Findings {
		c := app.Yellow
		if f.Severity == lint.Error {
			c = app.Red
		}
		where := document.Problem{
			File: f.Origin.File, Line: f.Origin.Line, Path: f.ID, Message: f.Message, Remedy: f.Remedy,
		}
		p.Line("%s  %s", where.Error(), p.Paint(c, fmt.Sprintf("(%s, %s)", f.Severity, f.Rule)))
	}
	for i := range r.Exceptions {
		p.Line("%s: %s  %s", config.File, app.Flat(r.Exceptions[i].String()),
			p.Paint(app.Yellow, "(warning, dead-exception)"))
	}
	p.Line("%s, %s", app.Count(r.Errors, "error"), app.Count(r.Warnings, "warning"))
}
