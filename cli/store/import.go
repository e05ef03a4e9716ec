package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/guideline"
	"guardrails/service/guidelinefiles"
	"guardrails/store"
)

type importFlags struct {
	onConflict  string
	dryRun, all bool
}

func importCommand(a *app.App) *cobra.Command {
	var f importFlags
	c := &cobra.Command{
		Use:   "import FILE...",
		Short: "Import guidelines into the store, all or none",
		Long: `Import takes the guidelines of files, folders and packs (pack:NAME) into the store. If FILE is -,
import reads stdin. It imports all of the guidelines or none, and shows the outcome for each. --on-conflict says
what to do with a guideline that is already in the store:

  fail    refuse the whole import (default)
  skip    keep the guideline in the store
  update  replace its content, as a new version

The guidelines are for this project or, with --all-projects, for all projects.

With --all, the file is the output of "guardrails export --all": guidelines with their history, and the audit
with its hashes. Records that are already in the store are skipped, so you can repeat the import.`,
		Example: `  guardrails import new.yaml --dry-run
  guardrails import pack:core --on-conflict update
  guardrails import --all dump.jsonl`,
		Args:              app.Args(1, -1, "name guideline files"),
		ValidArgsFunction: app.GuidelineFiles,
		RunE:              func(c *cobra.Command, args []string) error { return runImport(a, c, args, &f) },
	}
	f.add(c, string(store.FailOnConflict))
	c.Flags().BoolVar(&f.all, "all", false, "import history and audit too, from the output of export --all")
	return c
}

func (f *importFlags) add(c *cobra.Command, onConflict string) {
	c.Flags().StringVar(&f.onConflict, "on-conflict", onConflict,
		"what to do with a guideline that is already in the store: "+strings.Join(conflictChoices(), ", "))
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "show what would happen to each guideline, and change nothing")
	addScope(c, "import the guidelines for all projects")
	app.CompleteFlag(c, "on-conflict", conflictChoices()...)
}

func conflictChoices() []string {
	return []string{string(store.FailOnConflict), string(store.SkipOnConflict), string(store.UpdateOnConflict)}
}

func runImport(a *app.App, c *cobra.Command, args []string, f *importFlags) error {
	if err := app.OneOf(c, "on-conflict", f.onConflict, conflictChoices()); err != nil {
		return err
	}
	if f.all {
		return loadDump(a, c, args, f)
	}
	guidelines, err := readSources(a, args)
	if err != nil {
		return err
	}
	return importInto(a, c, guidelines, f)
}

func readSources(a *app.App, sources []string) ([]guideline.Guideline, error) {
	if len(sources) == 1 && sources[0] == "-" {
		return readGuidelines(a, "-")
	}
	loaded, err := guidelinefiles.Load(sources...)
	if err != nil {
		return nil, err
	}
	if err := loaded.Problems.Err(); err != nil {
		return nil, err
	}
	if len(loaded.Guidelines) == 0 {
		return nil, app.Failf("%s: contains no guidelines; add one", strings.Join(sources, ", "))
	}
	return loaded.Plain(), nil
}

// importInto imports guidelines for the project or for all projects, or shows what would happen.
func importInto(a *app.App, c *cobra.Command, guidelines []guideline.Guideline, f *importFlags) error {
	for i := range guidelines {
		guidelines[i].TenantID, guidelines[i].ProjectID = "", ""
	}
	how := store.ImportOptions{OnConflict: store.OnConflict(f.onConflict), DryRun: f.dryRun}
	open, absent := changeStore, create
	if f.dryRun {
		open, absent = withStore, mayBeAbsent
	}
	return open(a, c, absent, func(ctx context.Context, s *projectStore) error {
		result, err := s.importAll(ctx, guidelines, how)
		if err != nil {
			return err
		}
		return answerImport(a, result, s)
	})
}

// importAll imports guidelines and returns the outcome for each guideline. If the store refuses a guideline, the
// outcome says this, and the error is nil.
func (s *projectStore) importAll(
	ctx context.Context, guidelines []guideline.Guideline, how store.ImportOptions,
) (*store.ImportResult, error) {
	if s == nil {
		return allCreated(guidelines), nil
	}
	result, err := s.Import(ctx, guidelines, how)
	if err != nil && result.Count(store.ItemFailed) == 0 {
		return nil, fmt.Errorf("nothing was imported: %w", err)
	}
	return &result, nil
}

// allCreated returns the outcome for an import into a store that does not exist yet.
func allCreated(guidelines []guideline.Guideline) *store.ImportResult {
	result := &store.ImportResult{Items: []store.ImportItem{}}
	for i := range guidelines {
		result.Items = append(result.Items,
			store.ImportItem{ID: guidelines[i].ID, Outcome: store.ItemCreated, Version: 1})
	}
	return result
}

// answerImport shows the outcome for each guideline. A refused guideline makes the command fail.
func answerImport(a *app.App, r *store.ImportResult, s *projectStore) error {
	if err := a.Answer(r, func(p *app.Printer) { printImport(p, r, s) }); err != nil {
		return err
	}
	if r.Count(store.ItemFailed) > 0 {
		return app.Exit(app.Failed)
	}
	return nil
}

func printImport(p *app.Printer, r *store.ImportResult, s *projectStore) {
	width := 0
	for i := range r.Items {
		width = max(width, len(r.Items[i].ID))
	}
	for i := range r.Items {
		item := &r.Items[i]
		detail := fmt.Sprintf("version %d", item.Version)
		if item.Outcome == store.ItemFailed {
			detail = app.Flat(item.Message)
		}
		p.Line("%s  %-*s  %s", p.Paint(outcomeColor(item.Outcome), fmt.Sprintf("%-9s", item.Outcome)), width, item.ID,
			detail)
	}
	p.Line("%s", importSummary(r, s))
}

func outcomeColor(o store.Outcome) app.Color {
	switch o {
	case store.ItemFailed:
		return app.Red
	case store.ItemCreated, store.ItemUpdated:
		return app.Green
	}
	return app.Plain
}

func importSummary(r *store.ImportResult, s *projectStore) string {
	var parts []string
	for _, o := range []store.Outcome{
		store.ItemCreated, store.ItemUpdated, store.ItemUnchanged, store.ItemSkipped, store.ItemFailed,
	} {
		if n := r.Count(o); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, o))
		}
	}
	text := app.Count(len(r.Items), "guideline")
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	if s != nil {
		text += ", for " + s.owner()
	}
	if !r.Applied {
		text += "; nothing was changed"
	}
	return text
}
