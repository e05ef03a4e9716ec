package store

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/rules"
	"guardrails/service"
	"guardrails/store"
)

type exportFlags struct {
	category, format string
	all              bool
}

func exportCommand(a *app.App) *cobra.Command {
	var f exportFlags
	c := &cobra.Command{
		Use:   "export",
		Short: "Write the guidelines of the store, or its whole content, to stdout",
		Long: `Export writes a guideline file to stdout, with the guidelines of the store that are in force in this project:
the project's own guidelines, and those that are for all projects. With --all-projects, it writes only those that
are for all projects. You can keep the file in git, check it with lint and test, and import it again. The file
contains only the fields that an author writes, not versions and times.

With --all, export writes everything of the project's tenant as lines of JSON: guidelines with all versions,
and the audit with its hashes. Use it to move to another store; "guardrails import --all" restores all of it.
Redirect the output to a file outside of the project, because the audit contains commands and paths.`,
		Example: `  guardrails export
  guardrails export --category security --format json
  guardrails export --all`,
		Args: app.Args(0, 0, "it takes only flags and writes to stdout"),
		RunE: func(c *cobra.Command, _ []string) error { return runExport(a, c, &f) },
	}
	c.Flags().StringVar(&f.category, "category", "", "only guidelines of this `CATEGORY`")
	c.Flags().StringVar(&f.format, "format", "", "yaml or json (default yaml; json with -o json)")
	c.Flags().BoolVar(&f.all, "all", false, "write history and audit too, as lines of JSON")
	addScope(c, "write only the guidelines that are for all projects")
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
	if f.all && (f.category != "" || f.format != "" || forAll(c)) {
		return app.Usagef("%s: --all writes everything as lines of JSON; remove --category, --format and --all-projects",
			c.CommandPath())
	}
	return withStore(a, c, mustExist, func(ctx context.Context, s *projectStore) error {
		if f.all {
			return writeDump(a, ctx, s)
		}
		stored, err := s.stored(ctx, a, c)
		if err != nil {
			return err
		}
		return exportFile(a, f, authored(stored, guideline.Category(f.category)))
	})
}

// stored() returns guidelines of the store, ordered by id. These are the guidelines that are in force in the project
// or, with --all-projects, the guidelines that belong to all projects.
func (s *projectStore) stored(ctx context.Context, a *app.App, c *cobra.Command) (out []guideline.Guideline, err error) {
	if forAll(c) {
		set, err := s.All(ctx)
		return slices.DeleteFunc(set.Guidelines, func(g guideline.Guideline) bool { return g.ProjectID != "" }), err
	}
	all, err := inForce(a, c)
	for i := range all {
		if all[i].Origin.Kind == service.PlaceStore {
			out = append(out, all[i].Guideline)
		}
	}
	slices.SortFunc(out, func(x, y guideline.Guideline) int { return strings.Compare(x.ID, y.ID) })
	return out, err
}

// authored() returns the guidelines of a category, or all of them if the parameter "category" is empty. It removes the
// fields that the store adds.
func authored(all []guideline.Guideline, category guideline.Category) []guideline.Guideline {
	var out []guideline.Guideline
	for i := range all {
		if category != "" && all[i].Category != category {
			continue
		}
		g := all[i]
		g.Version, g.CreatedBy, g.TenantID, g.ProjectID = 0, "", "", ""
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
		a.Note(fmt.Sprintf("this output is too large for import, which reads at most %d MiB; "+
			"export one category at a time with --category, or use --all", document.MaxSize>>20))
	}
	return a.Print(text)
}

// writeDump writes all data of the tenant, one record after the other.
func writeDump(a *app.App, ctx context.Context, s *projectStore) error {
	out := bufio.NewWriterSize(a.Stdout, 1<<16)
	for record, err := range s.Dump(ctx) {
		if err != nil {
			return fmt.Errorf("the output is incomplete: %w", err)
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
