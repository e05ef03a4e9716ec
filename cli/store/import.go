package store

import (
	"context"
	"fmt"
	"strings"

	"guardrails/cli/app"
	"guardrails/service/files"

	"github.com/spf13/cobra"

	"guardrails/guideline"
	"guardrails/store"
)

// importFlags say how guidelines are taken in.
type importFlags struct {
	onConflict  string
	dryRun, all bool
}

func importCommand(a *app.App) *cobra.Command {
	var f importFlags
	c := &cobra.Command{
		Use:   "import FILE...",
		Short: "Take guidelines into the store, all or none",
		Long: `Import takes the guidelines of files, folders and packs (pack:NAME) into the store; - is stdin. It takes all of them or
none, and says of each what became of it. --on-conflict says what is done with an id that is there already:

  fail    refuse the import (default)
  skip    leave what is there
  update  give it the new content, as a new version

With --all the file is what "guardrails export --all" wrote: guidelines with their history, and the audit with its hashes.
What is there already stays as it is, so that a move can be made in two steps.`,
		Example: `  guardrails import new.yaml --dry-run
  guardrails import pack:core --on-conflict update
  guardrails import --all dump.jsonl`,
		Args:              app.Args(1, -1, "name guideline files"),
		ValidArgsFunction: app.GuidelineFiles,
		RunE:              func(c *cobra.Command, args []string) error { return runImport(a, c, args, &f) },
	}
	f.add(c, string(store.FailOnConflict))
	c.Flags().BoolVar(&f.all, "all", false, "take in everything of a tenant: what export --all wrote")
	return c
}

func (f *importFlags) add(c *cobra.Command, onConflict string) {
	c.Flags().StringVar(&f.onConflict, "on-conflict", onConflict, "what to do with an id that is there: "+strings.Join(conflictChoices(), ", "))
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "show what would become of each guideline, and change nothing")
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
	items, err := importItems(a, args)
	if err != nil {
		return err
	}
	return importInto(a, c, items, f)
}

// importItems reads what is to be taken in.
func importItems(a *app.App, sources []string) ([]guideline.Guideline, error) {
	if len(sources) == 1 && sources[0] == "-" {
		return readGuidelines(a, "-")
	}
	loaded, err := files.Load(sources...)
	if err != nil {
		return nil, err
	}
	if err := loaded.Problems.Err(); err != nil {
		return nil, err
	}
	if len(loaded.Guidelines) == 0 {
		return nil, app.Failf("%s: holds no guidelines; write one", strings.Join(sources, ", "))
	}
	return loaded.Plain(), nil
}

// importInto takes guidelines into the store, or says what would become of them.
func importInto(a *app.App, c *cobra.Command, items []guideline.Guideline, f *importFlags) error {
	for i := range items {
		items[i].TenantID = "" // they are taken into the project's tenant
	}
	how := store.ImportOptions{OnConflict: store.OnConflict(f.onConflict), DryRun: f.dryRun}
	open, absent := changeStore, create
	if f.dryRun {
		open, absent = atStore, mayBeAbsent
	}
	return open(a, c, absent, func(ctx context.Context, b *book) error {
		result, err := b.imported(ctx, items, how)
		if err != nil {
			return err
		}
		return importAnswer(a, result)
	})
}

// imported is what became of each item; items that failed are no error.
func (b *book) imported(ctx context.Context, items []guideline.Guideline, how store.ImportOptions) (*store.ImportResult, error) {
	if b == nil {
		return allCreated(items), nil
	}
	result, err := b.Import(ctx, items, how)
	if err != nil && result.Count(store.ItemFailed) == 0 {
		return nil, fmt.Errorf("nothing was imported: %w", err)
	}
	return &result, nil
}

// allCreated is what would become of items where there is no store yet.
func allCreated(items []guideline.Guideline) *store.ImportResult {
	result := &store.ImportResult{Items: []store.ImportItem{}}
	for i := range items {
		result.Items = append(result.Items, store.ImportItem{ID: items[i].ID, Outcome: store.ItemCreated, Version: 1})
	}
	return result
}
