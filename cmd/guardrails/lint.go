package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"guardrails/internal/document"
	"guardrails/rules"
	"guardrails/rules/lint"
)

func (a *app) lintCommand() *cobra.Command {
	var sources []string
	var strict bool
	c := &cobra.Command{
		Use:   "lint [FILE...]",
		Short: "Find what is wrong with guideline files",
		Long: `Lint reads guideline files and reports what cannot be read, and what can but does not do what its author meant:
patterns that never match, guidelines that another one shadows, lists that lock every tool out.

Errors end with exit code 1; warnings do so with --strict.`,
		Example: `  guardrails lint guidelines.yaml
  guardrails lint -g pack:core --strict`,
		Args: arguments(0, -1, "name guideline files"),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.lint(append(args, sources...), strict)
		},
		ValidArgsFunction: guidelineFiles,
	}
	a.guidelineFlag(c, &sources)
	c.Flags().BoolVar(&strict, "strict", false, "let warnings fail too")
	return c
}

func guidelineFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return packSources(), cobra.ShellCompDirectiveDefault
}

// lintReport is everything that lint finds.
type lintReport struct {
	Problems document.Problems `json:"problems"`
	Findings []lint.Finding    `json:"findings"`
	Errors   int               `json:"errors"`
	Warnings int               `json:"warnings"`
}

func (a *app) lint(sources []string, strict bool) error {
	settings, err := a.config()
	if err != nil {
		return err
	}
	loaded, err := a.readSources(settings, sources)
	if err != nil {
		return err
	}
	report := newLintReport(loaded)
	if err := a.answer(report, func(p *printer) { p.lintReport(report) }); err != nil {
		return err
	}
	if report.Errors > 0 || strict && report.Warnings > 0 {
		return &outcome{code: failed}
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

func (p *printer) lintReport(r *lintReport) {
	for _, problem := range r.Problems {
		p.line("%s", problem.Error())
	}
	for _, f := range r.Findings {
		c := yellow
		if f.Severity == lint.Error {
			c = red
		}
		where := document.Problem{File: f.Origin.File, Line: f.Origin.Line, Path: f.ID, Message: f.Message, Remedy: f.Remedy}
		p.line("%s  %s", where.Error(), p.paint(c, fmt.Sprintf("(%s, %s)", f.Severity, f.Rule)))
	}
	p.line("%s, %s", count(r.Errors, "error"), count(r.Warnings, "warning"))
}
