package store

import (
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/guideline"
	"guardrails/internal/product"
	"guardrails/rules"
	"guardrails/store"
)

func bootstrapCommand(a *app.App) *cobra.Command {
	var f importFlags
	c := &cobra.Command{
		Use:   "bootstrap [DIR]",
		Short: "Import the project's Markdown rules as guidelines",
		Long: `Bootstrap reads the Markdown rules in .claude/rules, or in another folder, and imports them into the
store. The front matter of a rule says when the rule applies and what it allows; the text becomes the instruction.
Files that are not valid rules are named and skipped, and the exit code is then 1.

The guidelines are for this project or, with --all-projects, for all projects. Guidelines that are already
in the store stay as they are, unless --on-conflict says otherwise. Claude Code reads .claude/rules too: delete the
rules that are guidelines now, or the model reads them twice.`,
		Example: `  guardrails bootstrap --dry-run
  guardrails bootstrap`,
		Args: app.Args(0, 1, "name one folder"),
		RunE: func(c *cobra.Command, args []string) error { return runBootstrap(a, c, args, &f) },
	}
	f.add(c, string(store.SkipOnConflict))
	return c
}

func runBootstrap(a *app.App, c *cobra.Command, args []string, f *importFlags) error {
	if err := app.OneOf(c, "on-conflict", f.onConflict, conflictChoices()); err != nil {
		return err
	}
	dir := filepath.Join(a.ProjectRoot(a.Cwd), product.RulesFolder)
	if len(args) == 1 {
		dir = args[0]
	}
	guidelines, complete := readRules(a, dir)
	if len(guidelines) == 0 {
		return app.Failf("%s: %s contains no valid rule; name a folder with Markdown rules", c.CommandPath(), dir)
	}
	if err := importInto(a, c, guidelines, f); err != nil {
		return err
	}
	if !complete {
		return app.Exit(app.Failed)
	}
	return nil
}

// readRules reads the rules in a folder. It skips files that have a problem, and prints their problems. The result
// "complete" is false if readRules skipped a file.
func readRules(a *app.App, dir string) (guidelines []guideline.Guideline, complete bool) {
	loaded := rules.Load(dir)
	broken := map[string]bool{}
	for _, p := range loaded.Problems {
		broken[p.File] = true
		a.Note(p.Error())
	}
	kept := slices.DeleteFunc(loaded.Guidelines, func(s rules.Source) bool { return broken[s.Origin.File] })
	return (&rules.Loaded{Guidelines: kept}).Plain(), len(loaded.Problems) == 0
}
