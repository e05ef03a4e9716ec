package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"guardrails/guideline"
	"guardrails/service"
	"guardrails/store"
)

// importFlags say how guidelines are taken in.
type importFlags struct {
	onConflict  string
	dryRun, all bool
}

func (a *app) importCommand() *cobra.Command {
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
		Args:              arguments(1, -1, "name guideline files"),
		ValidArgsFunction: guidelineFiles,
		RunE:              func(c *cobra.Command, args []string) error { return a.runImport(c, args, &f) },
	}
	f.add(c, string(store.FailOnConflict))
	c.Flags().BoolVar(&f.all, "all", false, "take in everything of a tenant: what export --all wrote")
	return c
}

func (f *importFlags) add(c *cobra.Command, onConflict string) {
	c.Flags().StringVar(&f.onConflict, "on-conflict", onConflict, "what to do with an id that is there: "+strings.Join(conflictChoices(), ", "))
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "show what would become of each guideline, and change nothing")
	completeFlag(c, "on-conflict", conflictChoices()...)
}

func conflictChoices() []string {
	return []string{string(store.FailOnConflict), string(store.SkipOnConflict), string(store.UpdateOnConflict)}
}

func (a *app) runImport(c *cobra.Command, args []string, f *importFlags) error {
	if err := oneOf(c, "on-conflict", f.onConflict, conflictChoices()); err != nil {
		return err
	}
	if f.all {
		return a.loadDump(c, args, f)
	}
	items, err := a.importItems(args)
	if err != nil {
		return err
	}
	return a.importInto(c, items, f)
}

// importItems reads what is to be taken in.
func (a *app) importItems(sources []string) ([]guideline.Guideline, error) {
	if len(sources) == 1 && sources[0] == "-" {
		return a.readGuidelines("-")
	}
	loaded, err := service.Load(sources...)
	if err != nil {
		return nil, err
	}
	if err := loaded.Problems.Err(); err != nil {
		return nil, err
	}
	if len(loaded.Guidelines) == 0 {
		return nil, failure("%s: holds no guidelines; write one", strings.Join(sources, ", "))
	}
	return loaded.Plain(), nil
}

// importInto takes guidelines into the store, or says what would become of them.
func (a *app) importInto(c *cobra.Command, items []guideline.Guideline, f *importFlags) error {
	for i := range items {
		items[i].TenantID = "" // they are taken into the project's tenant
	}
	how := store.ImportOptions{OnConflict: store.OnConflict(f.onConflict), DryRun: f.dryRun}
	open, absent := a.changeStore, isMade
	if f.dryRun {
		open, absent = a.atStore, isEmpty
	}
	return open(c, absent, func(ctx context.Context, b *book) error {
		result, err := b.imported(ctx, items, how)
		if err != nil {
			return err
		}
		return a.importAnswer(result)
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
