package store

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"guardrails/cli/app"
	"guardrails/guideline"
	"guardrails/store"
)

// listFlags say which guidelines to list, and in which order.
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
		Long: `List shows the guidelines in the store of the project's tenant, the highest priority first. The
guidelines of packs and files apply too, but are not listed: "guardrails evaluate" shows everything that
applies to a task.

A guideline is listed if it matches all filters. --agent, --domain, --action and --event compare with its
condition; --search looks for words in its name and description.`,
		Example: `  guardrails list
  guardrails list --category security --enabled=false
  guardrails list --search 'tests commit' --sort updated -o json`,
		Args: app.Args(0, 0, "it takes only flags"),
		RunE: func(c *cobra.Command, _ []string) error { return runList(a, c, &f) },
	}
	f.add(c)
	return c
}

func (f *listFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.category, "category", "", "only guidelines of this `CATEGORY`")
	flags.BoolVar(&f.enabled, "enabled", false, "only guidelines that are on; with --enabled=false those that are off")
	flags.StringVar(&f.Agent, "agent", "", "only guidelines for this `AGENT`")
	flags.StringVar(&f.Domain, "domain", "", "only guidelines for this `DOMAIN`")
	flags.StringVar(&f.Action, "action", "", "only guidelines for this `ACTION`")
	flags.StringVar(&f.Event, "event", "", "only guidelines for this `EVENT`")
	flags.StringVar(&f.Tag, "tag", "", "only guidelines with this `TAG` in metadata.tags")
	flags.StringVar(&f.Search, "search", "", "only guidelines with all of these `WORDS`")
	flags.StringVar(&f.sort, "sort", "", "sort by priority, name, category or updated")
	flags.StringVar(&f.order, "order", "",
		"asc or desc (default: the highest priority first, the newest first, or a to z)")
	addPaging(flags, &f.Paging)
	app.CompleteFlag(c, "category", categoryNames()...)
	app.CompleteFlag(c, "event", app.Events()...)
	app.CompleteFlag(c, "sort", string(store.ByPriority), string(store.ByName), string(store.ByCategory),
		string(store.ByUpdated))
	app.CompleteFlag(c, "order", string(store.Ascending), string(store.Descending))
}

func addPaging(flags *pflag.FlagSet, p *store.Paging) {
	flags.IntVar(&p.Page, "page", 1, "show page `N`")
	flags.IntVar(&p.Size, "page-size", store.DefaultPageSize,
		fmt.Sprintf("show `N` guidelines per page, at most %d", store.MaxPageSize))
}

func categoryNames() []string {
	var names []string
	for _, c := range guideline.Categories() {
		names = append(names, string(c))
	}
	return names
}

// query returns the query that the flags describe. The store rejects unknown values.
func (f *listFlags) query(c *cobra.Command) store.ListQuery {
	q := f.ListQuery
	q.Category, q.Sort, q.Order = guideline.Category(f.category), store.Sort(f.sort), store.Order(f.order)
	if c.Flags().Changed("enabled") {
		q.Enabled = &f.enabled
	}
	return q
}

// guidelinePage is a page of guidelines. It has the form that the REST API uses.
type guidelinePage struct {
	Guidelines []guideline.Guideline `json:"guidelines"`
	pageNumbers
}

// pageNumbers has the number and the size of a page, and the total number of items.
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
	return withStore(a, c, mustExist, func(ctx context.Context, s *projectStore) error {
		page, err := s.List(ctx, q)
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
		p.Line("%4d  %s  %-*s  %-19s  v%-3d  %s", g.Priority, p.Paint(shade, state), width, g.ID, g.Category,
			g.Version, app.Flat(g.Name))
	}
	printPages(p, page.pageNumbers, "guideline")
}

// printPages prints the total, and which page is shown.
func printPages(p *app.Printer, n pageNumbers, noun string) {
	p.Line("%s", pageText(n, app.Count(n.Total, noun)))
}

func pageText(n pageNumbers, total string) string {
	if n.Total <= n.PageSize && n.Page == 1 {
		return total
	}
	return fmt.Sprintf("%s, page %d of %d", total, n.Page, max(1, (n.Total+n.PageSize-1)/n.PageSize))
}
