package store

import (
	"context"
	"fmt"

	"guardrails/cli/app"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"guardrails/guideline"
	"guardrails/store"
)

// listFlags say which guidelines are listed, and how.
type listFlags struct {
	store.ListQuery
	category, sort, order string
	enabled               bool
}

func listCommand(a *app.App) *cobra.Command {
	var f listFlags
	c := &cobra.Command{
		Use:   "list",
		Short: "List the guidelines in the store",
		Long: `List shows the guidelines that the store has for the project's tenant, the highest priority first. Those of packs and
files are in force beside them: "guardrails evaluate" says what holds for a task.

A guideline is listed when it passes every filter. --agent, --domain, --action and --event look at what its condition
names, --search for words in its name and description.`,
		Example: `  guardrails list
  guardrails list --category security --enabled=false
  guardrails list --search 'tests commit' --sort updated -o json`,
		Args: app.Args(0, 0, "it takes flags only"),
		RunE: func(c *cobra.Command, _ []string) error { return runList(a, c, &f) },
	}
	f.add(c)
	return c
}

func (f *listFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.category, "category", "", "only those of a `CATEGORY`")
	flags.BoolVar(&f.enabled, "enabled", false, "only those that are on; with =false those that are off")
	flags.StringVar(&f.Agent, "agent", "", "only those for an `AGENT`")
	flags.StringVar(&f.Domain, "domain", "", "only those for a `DOMAIN`")
	flags.StringVar(&f.Action, "action", "", "only those for an `ACTION`")
	flags.StringVar(&f.Event, "event", "", "only those for an `EVENT`")
	flags.StringVar(&f.Tag, "tag", "", "only those with a `TAG` in metadata.tags")
	flags.StringVar(&f.Search, "search", "", "only those with all these `WORDS`")
	flags.StringVar(&f.sort, "sort", "", "sort by priority, name, category or updated")
	flags.StringVar(&f.order, "order", "", "asc or desc (default: the highest priority, the newest, or a to z)")
	addPaging(flags, &f.Paging)
	app.CompleteFlag(c, "category", categoryNames()...)
	app.CompleteFlag(c, "event", app.Events()...)
	app.CompleteFlag(c, "sort", string(store.ByPriority), string(store.ByName), string(store.ByCategory), string(store.ByUpdated))
	app.CompleteFlag(c, "order", string(store.Ascending), string(store.Descending))
}

func addPaging(flags *pflag.FlagSet, p *store.Paging) {
	flags.IntVar(&p.Page, "page", 1, "which page to show: `N`")
	flags.IntVar(&p.Size, "page-size", store.DefaultPageSize, fmt.Sprintf("how many a page has: `N`, at most %d", store.MaxPageSize))
}

func categoryNames() []string {
	var names []string
	for _, c := range guideline.Categories() {
		names = append(names, string(c))
	}
	return names
}

// query is what the flags ask for; what the store does not know it refuses with what it does.
func (f *listFlags) query(c *cobra.Command) store.ListQuery {
	q := f.ListQuery
	q.Category, q.Sort, q.Order = guideline.Category(f.category), store.Sort(f.sort), store.Order(f.order)
	if c.Flags().Changed("enabled") {
		q.Enabled = &f.enabled
	}
	return q
}

// guidelinePage is a page of guidelines, as the REST API gives it.
type guidelinePage struct {
	Guidelines []guideline.Guideline `json:"guidelines"`
	pageNumbers
}

// pageNumbers say which page of how much something is.
type pageNumbers struct {
	Total    int `json:"total"`
	Page     int `json:"page"`
	PageSize int `json:"page_size"`
}

func numbers[T any](p *store.Page[T]) pageNumbers { return pageNumbers{p.Total, p.Page, p.Size} }

func runList(a *app.App, c *cobra.Command, f *listFlags) error {
	if err := app.OneOf(c, "category", f.category, categoryNames()); err != nil {
		return err
	}
	q, err := f.query(c).WithDefaults()
	if err != nil {
		return app.Usagef("%s: %v", c.CommandPath(), err)
	}
	return atStore(a, c, mustExist, func(ctx context.Context, b *book) error {
		page, err := b.List(ctx, q)
		if err != nil {
			return err
		}
		answer := guidelinePage{append([]guideline.Guideline{}, page.Items...), numbers(&page)}
		return a.Answer(answer, func(p *app.Printer) { printGuidelines(p, &answer) })
	})
}

func printGuidelines(p *app.Printer, page *guidelinePage) {
	width := 0
	for i := range page.Guidelines {
		width = max(width, len(page.Guidelines[i].ID))
	}
	for i := range page.Guidelines {
		g := &page.Guidelines[i]
		state, shade := "on ", app.Green
		if !g.Enabled {
			state, shade = "off", app.Yellow
		}
		p.Line("%4d  %s  %-*s  %-19s  v%-3d  %s", g.Priority, p.Paint(shade, state), width, g.ID, g.Category, g.Version, app.Flat(g.Name))
	}
	printPages(p, page.pageNumbers, "guideline")
}

// pages says how much there is, and which part of it is shown.
func printPages(p *app.Printer, n pageNumbers, noun string) {
	p.Line("%s", pageText(n, app.Count(n.Total, noun)))
}

func pageText(n pageNumbers, total string) string {
	if n.Total <= n.PageSize && n.Page == 1 {
		return total
	}
	return fmt.Sprintf("%s, page %d of %d", total, n.Page, max(1, (n.Total+n.PageSize-1)/n.PageSize))
}
