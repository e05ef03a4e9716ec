package rest

import (
	"net/http"
	"net/url"
	"slices"

	"guardrails/guideline"
	"guardrails/server/rest/query"
	"guardrails/store"
)

// paging() returns the page that the query asks for.
func (c *call) paging() store.Paging {
	p := store.Paging{
		Page: c.query.Number("page"), Size: c.query.Number("page_size"),
		Cursor: c.query.Text(query.Cursor),
	}
	if p.Cursor != "" {
		p.Page = 0 // query.Parse refuses a query with both a page and a cursor
	}
	return p
}

func (c *call) list() error {
	tenantStore, err := c.tenantStore()
	if err != nil {
		return err
	}
	page, err := tenantStore.List(c.r.Context(), store.ListQuery{
		Filter: c.filter(),
		Sort:   store.Sort(c.query.Text("sort")), Order: store.Order(c.query.Text("order")), Paging: c.paging(),
	})
	if err != nil {
		return err
	}
	return c.say(http.StatusOK, struct {
		Guidelines []view `json:"guidelines"`
		counted
	}{viewsOf(page.Items), countedOf(&page)})
}

// filter() returns the filter for guidelines that the query parameters describe.
func (c *call) filter() store.Filter {
	q := c.query
	return store.Filter{
		Category: guideline.Category(q.Text("category")), Enabled: q.Flag("enabled"), Agent: q.Text("agent"),
		Domain: q.Text("domain"), ProjectID: q.Optional(projectParameter),
		Action: q.Text("action"), Event: q.Text("event"), Tag: q.Text("tag"), Search: q.Text("search"),
		PriorityFrom: q.NumberIf("priority_from"), PriorityBelow: q.NumberIf("priority_below"),
	}
}

// The type "counted" is the part of an answer that has the total number of items, the number and size of the page,
// and the cursor of the next page.
type counted struct {
	Total    int    `json:"total"`
	Page     int    `json:"page"`
	PageSize int    `json:"page_size"`
	Next     string `json:"next_cursor,omitempty"`
}

func countedOf[T any](p *store.Page[T]) counted { return counted{p.Total, p.Page, p.Size, p.Next} }

func (c *call) get() error {
	tenantStore, err := c.tenantStore()
	if err != nil {
		return err
	}
	g, err := tenantStore.Get(c.r.Context(), c.id)
	if err != nil {
		return err
	}
	return c.show(http.StatusOK, &g)
}

func (c *call) create() error {
	n, d, err := c.tree()
	if err != nil {
		return err
	}
	g := guideline.Decode(d, n, "")
	if err := c.usable(d.Problems, &g); err != nil {
		return err
	}
	tenantStore, err := c.tenantStore()
	if err != nil {
		return err
	}
	if g, err = tenantStore.Create(c.r.Context(), g); err != nil {
		return err
	}
	c.w.Header().Set("Location", c.pathOf(g.ID)+inProject(g.ProjectID))
	return c.show(http.StatusCreated, &g)
}

// pathOf returns the path at which the API serves a guideline.
func (c *call) pathOf(id string) string {
	if slices.Contains(words(c.h.routes), id) {
		id = "~" + id
	}
	return base + "/" + id
}

// inProject returns the part of a URL that selects a project, such as "?project_id=shop". For guidelines of all
// projects, it returns "".
func inProject(projectID string) string {
	if projectID == "" {
		return ""
	}
	return "?" + url.Values{projectParameter: {projectID}}.Encode()
}

func (c *call) history() error {
	tenantStore, err := c.tenantStore()
	if err != nil {
		return err
	}
	page, err := tenantStore.History(c.r.Context(), c.id, c.paging())
	if err != nil {
		return err
	}
	out := make([]revision, len(page.Items))
	for i := range page.Items {
		r := &page.Items[i]
		out[i] = revision{r.Guideline.Version, r.Event, r.Deleted, r.Actor, r.At.UTC(), viewOf(&r.Guideline)}
	}
	return c.say(http.StatusOK, struct {
		Revisions []revision `json:"revisions"`
		counted
	}{out, countedOf(&page)})
}
