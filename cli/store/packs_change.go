package store

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/rules"
	"guardrails/service/packcopies"
	"guardrails/store"
)

func packsDiffCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "diff [ID...]",
		Short: "Show what was changed in guidelines of packs",
		Long: `Diff shows the pack guidelines that somebody changed in the store, or only those with the given ids. For each
changed field, it shows three values: the pack's old value, yours, and the installed pack's new value.`,
		Example: `  guardrails packs diff
  guardrails packs diff security-history`,
		Args: app.Args(0, -1, "name guidelines"),
		RunE: func(c *cobra.Command, args []string) error { return diffPacks(a, c, args) },
	}
}

func diffPacks(a *app.App, c *cobra.Command, ids []string) error {
	return withStore(a, c, mayBeAbsent, func(ctx context.Context, s *projectStore) error {
		copies := &packcopies.Copies{}
		if s != nil {
			var err error
			if copies, err = packcopies.Compare(ctx, s.TenantStore); err != nil {
				return err
			}
		}
		changed, err := selectCopies(copies.Changed, ids)
		if err != nil {
			return app.Failf("%s: %v", c.CommandPath(), err)
		}
		return a.Answer(changed, func(p *app.Printer) { printCopies(p, changed) })
	})
}

// selectCopies returns the changed guidelines with the given ids. If no ids are given, it returns all changed
// guidelines.
func selectCopies(changed []packcopies.Copy, ids []string) ([]packcopies.Copy, error) {
	for _, id := range ids {
		if !slices.ContainsFunc(changed, func(c packcopies.Copy) bool { return c.ID == id }) {
			return nil, packcopies.NotChanged(id)
		}
	}
	out := []packcopies.Copy{}
	for i := range changed {
		if len(ids) == 0 || slices.Contains(ids, changed[i].ID) {
			out = append(out, changed[i])
		}
	}
	return out, nil
}

func printCopies(p *app.Printer, changed []packcopies.Copy) {
	for i := range changed {
		c := &changed[i]
		p.Line("%s of %s: %s", p.Paint(app.Bold, c.ID), c.Pack, c.Text())
		for _, f := range c.Fields {
			p.Line("  %s", f.Field)
			if c.Base > 0 {
				p.Line("    old    %s", fullText(f.Old))
			}
			p.Line("    yours  %s", fullText(f.Yours))
			p.Line("    new    %s", fullText(f.New))
		}
	}
	if len(changed) == 0 {
		p.Line("nobody changed a guideline of a pack in the store")
	}
}

// fullText returns the whole value of a field, even if it is long.
func fullText(value []byte) string {
	if len(value) == 0 {
		return "(none)"
	}
	return app.Flat(string(value))
}

func packsUpdateCommand(a *app.App) *cobra.Command {
	var take []string
	var dryRun bool
	c := &cobra.Command{
		Use:   "update",
		Short: "Update the store's copies of guidelines from the installed packs",
		Long: `Update looks at the copies of pack guidelines in the store. Copies that nobody changed get the text
of the installed pack; this text applies even before the update. Guidelines that somebody changed stay as they are.
With --take, the guidelines that you name also get the text of the pack, and are switched on; the history keeps
the earlier text. --take replaces changed guidelines of this project or, with --all-projects, changed guidelines
for all projects.`,
		Example: `  guardrails packs update --dry-run
  guardrails packs update --take security-history`,
		Args: app.Args(0, 0, "it takes only flags"),
		RunE: func(c *cobra.Command, _ []string) error { return updatePacks(a, c, take, dryRun) },
	}
	c.Flags().StringSliceVar(&take, "take", nil,
		"take the pack's text for the guideline `ID`, even if somebody changed the guideline (repeatable)")
	addScope(c, "take the pack's text for all projects")
	c.Flags().BoolVar(&dryRun, "dry-run", false, "show what would change, and change nothing")
	return c
}

func updatePacks(a *app.App, c *cobra.Command, take []string, dryRun bool) error {
	return changeStore(a, c, mustExist, func(ctx context.Context, s *projectStore) error {
		update, err := packcopies.Update(ctx, s.TenantStore, take, dryRun)
		if err != nil {
			return err
		}
		return a.Answer(update, func(p *app.Printer) { printUpdate(p, update) })
	})
}

// takeFromPack copies a guideline into the store. The guideline comes from a pack that the project uses. If the store
// already has the guideline, takeFromPack does nothing.
func (s *projectStore) takeFromPack(ctx context.Context, a *app.App, id string) error {
	if _, err := s.Get(ctx, id); store.CodeOf(err) != store.NotFound {
		return err
	}
	settings, err := a.Config()
	if err != nil {
		return err
	}
	newest, isPacks := rules.KnownPackTexts().Current(id)
	if !isPacks || newest.Withdrawn() || packLayers(a, settings)[newest.Pack] == nil {
		return nil
	}
	_, err = packcopies.Take(ctx, s.TenantStore, id)
	return err
}

func printUpdate(p *app.Printer, u *packcopies.Updated) {
	line := func(label string, ids []string) {
		if len(ids) > 0 {
			p.Line("%-8s %s", p.Paint(app.Bold, label), strings.Join(ids, ", "))
		}
	}
	line("renewed", u.Renewed)
	line("taken", u.Taken)
	line("removed", u.Removed)
	for i := range u.Kept {
		p.Line("%-8s %s: %s", p.Paint(app.Bold, "kept"), u.Kept[i].ID, u.Kept[i].Text())
	}
	if len(u.Renewed)+len(u.Taken)+len(u.Removed)+len(u.Kept) == 0 {
		p.Line("there is nothing to update")
	}
}
