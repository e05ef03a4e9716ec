package author

import (
	"strings"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/config"
	"guardrails/detect/toolcall"
	"guardrails/evaluator"
	"guardrails/rules"
	"guardrails/rules/cases"
	"guardrails/service/guidelinefiles"
)

func testCommand(a *app.App) *cobra.Command {
	var sources []string
	var filter string
	c := &cobra.Command{
		Use:   "test [FILE...]",
		Short: "Run the cases of guideline files",
		Long: `Test runs the cases of guideline files. A case says which guidelines it expects to match in a
context, or which decision it expects for a tool call. Test shows each failed case with the actual result. If
a case fails, the exit code is 3.

The guidelines come from the files, and from -g if the cases are in a separate file. Without files and -g, test
uses the files of the project. Cases give the same result on every computer: they see no project, no home folder
and no settings.`,
		Example: `  guardrails test guidelines.yaml
  guardrails test pack:core
  guardrails test -g pack:core cases.yaml --run push`,
		Args: app.Args(0, -1, "name guideline files"),
		RunE: func(_ *cobra.Command, args []string) error {
			return runTest(a, args, sources, filter)
		},
		ValidArgsFunction: app.GuidelineFiles,
	}
	guidelineFlag(c, &sources)
	c.Flags().StringVar(&filter, "run", "", "run only the cases whose name contains this `text`")
	return c
}

type testReport struct {
	Passed int          `json:"passed"`
	Failed int          `json:"failed"`
	Cases  []testedCase `json:"cases"`
}

type testedCase struct {
	Name     string   `json:"name"`
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Passed   bool     `json:"passed"`
	Failures []string `json:"failures,omitempty"`
}

func runTest(a *app.App, files, sources []string, filter string) error {
	settings, err := a.Config()
	if err != nil {
		return err
	}
	set, list, err := testCases(a, settings, files, sources)
	if err != nil {
		return err
	}
	if list = named(list, filter); len(list) == 0 {
		remedy := "add cases to a guideline file"
		if filter != "" {
			remedy += ", or change --run"
		}
		return app.Failf("guardrails test: there are no cases to run; %s", remedy)
	}
	report := newTestReport(cases.Run(set, &toolcall.Env{}, list))
	if err := a.Answer(report, func(p *app.Printer) { printTestReport(p, report) }); err != nil {
		return err
	}
	if report.Failed > 0 {
		return app.Exit(app.Refused)
	}
	return nil
}

// testCases returns guidelines and test cases. The guidelines come from files and sources. The test cases come from
// files or, if the parameter "files" is empty, from sources.
func testCases(a *app.App, settings *config.Config, files, sources []string) (*evaluator.Set, []rules.Case, error) {
	tested := files
	if len(tested) == 0 {
		tested, sources = sources, nil
	}
	loaded, err := load(a, settings, append(tested, sources...))
	if err != nil {
		return nil, nil, err
	}
	list := loaded.Cases
	if len(sources) > 0 {
		own, err := load(a, settings, tested)
		if err != nil {
			return nil, nil, err
		}
		list = own.Cases
	}
	fromPacks, err := packCases(tested)
	if err != nil {
		return nil, nil, err
	}
	set, err := evaluator.Compile(loaded.Plain())
	return set, append(list, fromPacks...), err
}

func packCases(sources []string) ([]rules.Case, error) {
	var out []rules.Case
	for _, source := range sources {
		name, isPack := strings.CutPrefix(source, guidelinefiles.PackPrefix)
		if !isPack {
			continue
		}
		loaded, err := rules.PackCases(name)
		if err != nil {
			return nil, app.Failf("%s: %v", source, err)
		}
		if err := loaded.Problems.Err(); err != nil {
			return nil, err
		}
		out = append(out, loaded.Cases...)
	}
	return out, nil
}

func named(list []rules.Case, filter string) []rules.Case {
	var out []rules.Case
	for _, c := range list {
		if strings.Contains(c.Name, filter) {
			out = append(out, c)
		}
	}
	return out
}

func newTestReport(results []cases.Result) *testReport {
	r := &testReport{Cases: []testedCase{}}
	for _, result := range results {
		if result.Passed {
			r.Passed++
		} else {
			r.Failed++
		}
		r.Cases = append(r.Cases, testedCase{
			Name: result.Case.Name, File: result.Case.Origin.File, Line: result.Case.Origin.Line,
			Passed: result.Passed, Failures: result.Failures,
		})
	}
	return r
}

func printTestReport(p *app.Printer, r *testReport) {
	for _, c := range r.Cases {
		if !c.Passed {
			p.Line("%s:%d: %s: %s", c.File, c.Line, p.Paint(app.Red, app.Flat(c.Name)),
				app.Flat(strings.Join(c.Failures, "; ")))
		}
	}
	p.Line("%d passed, %d failed", r.Passed, r.Failed)
}
