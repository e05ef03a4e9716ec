package store

import (
	"path/filepath"
	"slices"

	"guardrails/cli/app"
	"guardrails/internal/product"

	"github.com/spf13/cobra"

	"guardrails/guideline"
	"guardrails/rules"
	"guardrails/store"
)

func bootstrapCommand(a *app.App) *cobra.Command {
	var f importFlags
	c := &cobra.Command{
		Use:   "bootstrap [DIR]",
		Short: "Take the project's Markdown rules into the store as guidelines",
		Long: `Bootstrap reads the rules in .claude/rules, or in another folder, and takes them into the store: a rule's front matter
says when it holds and what it allows, its text is the instruction. A file that cannot be read as a rule is named and left
out, and the exit code is 1.

What is in the store already is left alone, unless --on-conflict says otherwise. Claude Code itself reads .claude/rules
too: remove the rules that are guidelines now, or the model reads them twice.`,
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
	items, whole := readRules(a, dir)
	if len(items) == 0 {
		return app.Failf("%s: %s holds no rule that can be read; name a folder of Markdown rules", c.CommandPath(), dir)
	}
	if err := importInto(a, c, items, f); err != nil {
		return err
	}
	if !whole {
		return app.Exit(app.Failed)
	}
	return nil
}

// readRules reads a folder of rules. Files with a problem are named and left out: a rule by half is not what its author
// wrote.
func readRules(a *app.App, dir string) (items []guideline.Guideline, whole bool) {
	loaded := rules.Load(dir)
	broken := map[string]bool{}
	for _, p := range loaded.Problems {
		broken[p.File] = true
		a.Note(p.Error())
	}
	kept := slices.DeleteFunc(loaded.Guidelines, func(s rules.Source) bool { return broken[s.Origin.File] })
	return (&rules.Loaded{Guidelines: kept}).Plain(), len(loaded.Problems) == 0
}
