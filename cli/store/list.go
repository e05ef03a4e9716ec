package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"guardrails/cli/app"
	"guardrails/guideline"
	"guardrails/service"
	"guardrails/store"
)

// listFlags are the flags that select and sort the guidelines of a list.
type listFlags struct {
	store.ListQuery
	category, sort, order string
	enabled, stored       bool
}

func listCommand(a *app.App) *cobra.Command {
	var f listFlags
	c := &cobra.Command{
		Use:   "list",
		Short: "List the guidelines in force, or those in the store",
		Long: `List shows all guidelines of the project and of the layers above it, the highest priority first, with the
place where each of them is defined: a file with its line, a pack, or the store. A guideline in the store
belongs to this project or to all projects. If several definitions have the same id, only one applies; the list
also shows the definitions that do not apply. Guidelines that are off are listed too.

With --store, it lists the guidelines in the store: those for all projects, and those of each project.

A guideline is listed if it matches all filters. --agent, --domain, --action and --event are compared with its
condition; --search looks for words in its name and description.`,
		Example: `  guardrails list
  guardrails list --category security --enabled=false
  guardrails list --search 'tests commit' --sort name -o json
  guardrails list --store`,
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
		"asc or desc (the default depends on --sort: highest priority first, newest first, or a to z)")
	flags.BoolVar(&f.stored, "store", false, "list all guidelines in the store: both those for all projects and those "+
		"of each project")
	addPaging(flags, &f.Paging, "guidelines")
	app.CompleteFlag(c, "category", categoryNames()...)
	app.CompleteFlag(c, "event", app.Events()...)
	app.CompleteFlag(c, "sort", string(store.ByPriority), string(store.ByName), string(store.ByCategory),
		string(store.ByUpdated))
	app.CompleteFlag(c, "order", string(store.Ascending), string(store.Descending))
}

// addPaging adds the flags that select a page. The parameter "items" is the plural of what the list contains.
func addPaging(flags *pflag.FlagSet, p *store.Paging, items string) {
	flags.IntVar(&p.Page, "page", 1, "show page `N`")
	flags.IntVar(&p.Size, "page-size", store.DefaultPageSize,
		fmt.Sprintf("show `N` %s per page, at most %d", items, store.MaxPageSize))
	flags.StringVar(&p.Cursor, "cursor", "",
		"continue after an earlier page: give the next_cursor of its JSON as `CURSOR`, with the same filters")
}

// checkPaging checks the flags for paging. If there is a cursor, it first removes the default page number.
func checkPaging(c *cobra.Command, p *store.Paging) error {
	if p.Cursor != "" && !c.Flags().Changed("page") {
		p.Page = 0
	}
	if _, err := p.WithDefaults(); err != nil {
		return app.Usagef("%s: %v", c.CommandPath(), err)
	}
	return nil
}

func categoryNames() []string {
	var names []string
	for _, c := range guideline.Categories() {
		names = append(names, string(c))
	}
	return names
}

// query() returns the query that the flags describe. The store rejects unknown values.
func (f *listFlags) query(c *cobra.Command) store.ListQuery {
	q := f.ListQuery
	q.Category, q.Sort, q.Order = guideline.Category(f.category), store.Sort(f.sort), store.Order(f.order)
	if c.Flags().Changed("enabled") {
		q.Enabled = &f.enabled
	}
	return q
}

type guidelinePage struct {
	Guidelines []placed `json:"guidelines"`
	pageNumbers
}

// The type "placed" is a guideline and the place where it is defined.
type placed struct {
	guideline.Guideline
	Origin service.Place   `json:"origin"`
	Hides  []service.Place `json:"hides,omitempty"`
}

type pageNumbers struct {
	Total    int    `json:"total"`
	Page     int    `json:"page"`
	PageSize int    `json:"page_size"`
	Next     string `json:"next_cursor,omitempty"`
}

func numbers[T any](p *store.Page[T]) pageNumbers {
	return pageNumbers{p.Total, p.Page, p.Size, p.Next}
}

func runList(a *app.App, c *cobra.Command, f *listFlags) error {
	if err := app.OneOf(c, "category", f.category, categoryNames()); err != nil {
		return err
	}
	if err := checkPaging(c, &f.Paging); err != nil {
		return err
	}
	q, err := f.query(c).WithDefaults()
	if err != nil {
		return app.Usagef("%s: %v", c.CommandPath(), err)
	}
	page := listInForce
	if f.stored {
		page = listStored
	}
	answer, err := page(a, c, &q)
	if err != nil {
		return err
	}
	return a.Answer(answer, func(p *app.Printer) { printGuidelines(p, answer) })
}

func listStored(a *app.App, c *cobra.Command, q *store.ListQuery) (out *guidelinePage, err error) {
	return out, withStore(a, c, mustExist, func(ctx context.Context, s *projectStore) error {
		page, err := s.List(ctx, *q)
		if err != nil {
			return err
		}
		out = &guidelinePage{[]placed{}, numbers(&page)}
		for i := range page.Items {
			g := page.Items[i]
			out.Guidelines = append(out.Guidelines, placed{Guideline: g, Origin: s.origin(&g)})
		}
		return nil
	})
}

// listPlace is the position of a guideline in the list of the guidelines in force. It has the fields by which lists are
// sorted.
type listPlace struct {
	ID        string             `json:"i"`
	ProjectID string             `json:"r,omitempty"`
	Priority  int                `json:"p"`
	Name      string             `json:"n"`
	Category  guideline.Category `json:"c"`
	Updated   time.Time          `json:"u,omitzero"`
}

func placeOf(g *service.InForce) listPlace {
	return listPlace{g.ID, g.ProjectID, g.Priority, g.Name, g.Category, g.UpdatedAt}
}

// guideline() returns a guideline that has this position in the list, in every sort order.
func (p *listPlace) guideline() *guideline.Guideline {
	return &guideline.Guideline{
		ID: p.ID, ProjectID: p.ProjectID, Priority: p.Priority, Name: p.Name, Category: p.Category, UpdatedAt: p.Updated,
	}
}

func listInForce(a *app.App, c *cobra.Command, q *store.ListQuery) (*guidelinePage, error) {
	pager, err := store.NewPager[listPlace](q.Paging, "guidelines in force", a.ProjectRoot(a.Cwd), q.Filter, q.Sort, q.Order)
	if err != nil {
		return nil, app.Failf("%s: %v", c.CommandPath(), err)
	}
	all, err := inForce(a, c)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(g service.InForce) bool { return !q.Matches(&g.Guideline) })
	slices.SortStableFunc(all, func(x, y service.InForce) int { return q.Compare(&x.Guideline, &y.Guideline) })
	page, err := store.PageIn(&pager, all, func(g *service.InForce, at *listPlace) bool {
		return q.Compare(&g.Guideline, at.guideline()) > 0
	}, placeOf)
	if err != nil {
		return nil, app.Failf("%s: %v", c.CommandPath(), err)
	}
	out := &guidelinePage{[]placed{}, numbers(&page)}
	for _, g := range page.Items {
		out.Guidelines = append(out.Guidelines, placed{g.Guideline, g.Origin, g.Hides})
	}
	return out, nil
}

func inForce(a *app.App, c *cobra.Command) ([]service.InForce, error) {
	ctx, stop := app.Interruptible(c.Context())
	defer stop()
	s := a.Service()
	all, notices, err := s.InForce(ctx, "")
	for _, notice := range notices {
		a.Note(strings.TrimPrefix(notice, "guardrails: "))
	}
	if err != nil {
		err = app.Failf("%s: %v", c.CommandPath(), err)
	}
	if closing := s.Close(); err == nil {
		err = closing
	}
	return all, err
}

func printGuidelines(p *app.Printer, page *guidelinePage) {
	width, from := 0, 0
	for i := range page.Guidelines {
		g := &page.Guidelines[i]
		width, from = max(width, len(g.ID)), max(from, len(g.Origin.String()))
	}
	for i := range page.Guidelines {
		g := &page.Guidelines[i]
		state, shade := "on ", app.Green
		if !g.Enabled {
			state, shade = "off", app.Yellow
		}
		p.Line("%4d  %s  %-*s  %-19s  %-*s  %s", g.Priority, p.Paint(shade, state), width, g.ID, g.Category,
			from, g.Origin.String(), app.Flat(g.Name))
		for n := range g.Hides {
			p.Line("           replaces the definition in %s", describe(&g.Hides[n]))
		}
	}
	printPages(p, page.pageNumbers, "guideline")
}

// describe() returns a place in words. The text includes the layer of the place.
func describe(place *service.Place) string {
	if place.Layer == "" {
		return place.String()
	}
	return fmt.Sprintf("%s (%s layer)", place, place.Layer)
}

func printPages(p *app.Printer, n pageNumbers, noun string) {
	p.Line("%s", pageText(n, app.Count(n.Total, noun)))
}

// pageText says which page of a list was shown. If the next page has no number, it says how to get that page.
func pageText(n pageNumbers, total string) string {
	if n.Total <= n.PageSize && n.Page == 1 {
		return total
	}
	text := fmt.Sprintf("%s, page %d of %d", total, n.Page, max(1, (n.Total+n.PageSize-1)/n.PageSize))
	if n.Next != "" && (n.Page+1)*n.PageSize > store.MaxNumbered {
		text += "\nnext page: --cursor " + n.Next
	}
	return text
}
