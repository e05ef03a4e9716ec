package store

import (
	"bufio"
	"context"
	"fmt"
	"time"

	"guardrails/cli/app"

	"github.com/spf13/cobra"

	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/rules"
	"guardrails/store"
)

// exportFlags say what is written.
type exportFlags struct {
	category, format string
	all              bool
}

func exportCommand(a *app.App) *cobra.Command {
	var f exportFlags
	c := &cobra.Command{
		Use:   "export",
		Short: "Write the guidelines of the store, or everything in it",
		Long: `Export writes the guidelines of the store to stdout as a guideline file, which can be kept in git, checked with lint and
test, and taken in again by import. It has what a person writes, and no versions and times.

With --all it writes everything of the project's tenant, a line of JSON each: guidelines with every version, and the audit
with its hashes. That is how to move to another store: "guardrails import --all" loses nothing of it. Redirect it into a
file outside of the project; what stands in the audit is not for everybody.`,
		Example: `  guardrails export
  guardrails export --category security --format json
  guardrails export --all`,
		Args: app.Args(0, 0, "it takes flags only, and writes to stdout"),
		RunE: func(c *cobra.Command, _ []string) error { return runExport(a, c, &f) },
	}
	c.Flags().StringVar(&f.category, "category", "", "only those of a `CATEGORY`")
	c.Flags().StringVar(&f.format, "format", "", "yaml or json (default: yaml, with -o json json)")
	c.Flags().BoolVar(&f.all, "all", false, "write history and audit too, to move to another store")
	app.CompleteFlag(c, "category", categoryNames()...)
	app.CompleteFlag(c, "format", exportFormats()...)
	return c
}

func exportFormats() []string { return []string{"yaml", string(app.JSON)} }

func runExport(a *app.App, c *cobra.Command, f *exportFlags) error {
	if err := app.OneOf(c, "category", f.category, categoryNames()); err != nil {
		return err
	}
	if err := app.OneOf(c, "format", f.format, exportFormats()); err != nil {
		return err
	}
	if f.all && (f.category != "" || f.format != "") {
		return app.Usagef("%s: --all is everything, in lines of JSON; drop --category and --format", c.CommandPath())
	}
	return atStore(a, c, mustExist, func(ctx context.Context, b *book) error {
		if f.all {
			return writeDump(a, ctx, b)
		}
		set, err := b.All(ctx)
		if err != nil {
			return err
		}
		return exportFile(a, f, written(set.Guidelines, guideline.Category(f.category)))
	})
}

// written is what people wrote of the guidelines of a category, or of all.
func written(all []guideline.Guideline, category guideline.Category) []guideline.Guideline {
	var out []guideline.Guideline
	for i := range all {
		if category != "" && all[i].Category != category {
			continue
		}
		g := all[i]
		g.Version, g.CreatedBy, g.TenantID = 0, "", ""
		g.CreatedAt, g.UpdatedAt = time.Time{}, time.Time{}
		out = append(out, g)
	}
	return out
}

func exportFile(a *app.App, f *exportFlags, guidelines []guideline.Guideline) error {
	write := rules.YAMLSet
	if f.format == string(app.JSON) || f.format == "" && a.Format == app.JSON {
		write = rules.EncodePack
	}
	text, err := write(guidelines)
	if err != nil {
		return err
	}
	if len(text) > document.MaxSize {
		a.Note(fmt.Sprintf("this is larger than import takes from one file (%d MiB); export it by --category, or with --all", document.MaxSize>>20))
	}
	return a.Print(text)
}

// dump writes everything of the tenant as it comes.
func writeDump(a *app.App, ctx context.Context, b *book) error {
	out := bufio.NewWriterSize(a.Stdout, 1<<16)
	for record, err := range b.Dump(ctx) {
		if err != nil {
			return fmt.Errorf("what was written is not everything: %w", err)
		}
		line, err := store.EncodeRecord(record)
		if err != nil {
			return err
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return app.WriteError(err)
		}
	}
	return app.WriteError(out.Flush())
}
