package rest

import (
	"errors"
	"net/http"
	"slices"

	"guardrails/catalog"
	"guardrails/guideline"
	"guardrails/guideline/document"
	"guardrails/store"
)

// update gives a guideline the fields that the body has. A field that is null or missing stays as it is.
func (c *call) update() error {
	n, d, err := c.object()
	if err != nil {
		return err
	}
	version, err := c.seen(d, versionIn(d, n, "version"), true)
	if err != nil {
		return err
	}
	book, err := c.book()
	if err != nil {
		return err
	}
	g, err := onto(version, func() (guideline.Guideline, error) { return c.base(book, version) },
		func(base guideline.Guideline) (guideline.Guideline, error) {
			g, err := c.merged(&base, n, d.Problems)
			if err != nil {
				return g, err
			}
			if version != 0 {
				g.Version = version
			}
			return book.Update(c.r.Context(), g)
		})
	if err != nil {
		return err
	}
	return c.show(http.StatusOK, &g)
}

// base is what an update changes: the guideline as it is. A request that may be a repetition is made onto what its caller
// saw, so that it is the same one; that others were faster is for the store to find.
func (c *call) base(book *catalog.Book, version int) (guideline.Guideline, error) {
	g, err := book.Get(c.r.Context(), c.id)
	if c.key == "" || err == nil && g.Version == version || err != nil && store.CodeOf(err) != store.NotFound {
		return g, err
	}
	newest, gone := book.History(c.r.Context(), c.id, store.Paging{Page: 1, Size: 1})
	if gone != nil || len(newest.Items) == 0 || newest.Items[0].Guideline.Version <= version {
		return g, errors.Join(err, gone)
	}
	// Versions grow by one, and the history begins with the newest.
	back := newest.Items[0].Guideline.Version - version
	old, failed := book.History(c.r.Context(), c.id, store.Paging{Page: back + 1, Size: 1})
	if failed != nil || len(old.Items) == 0 {
		return g, errors.Join(err, failed)
	}
	return old.Items[0].Guideline, nil
}

// merged is a guideline with the fields that a body has; problems are what is known to be wrong already.
func (c *call) merged(base *guideline.Guideline, body *document.Node, problems document.Problems) (guideline.Guideline, error) {
	text, err := guideline.Encode(base)
	if err != nil {
		return *base, err
	}
	known, mistakes := document.ParseJSON("", text)
	if known == nil {
		return *base, mistakes
	}
	n := &document.Node{Kind: document.Object}
	for _, f := range body.Fields {
		// The version has been read, and the guideline has its own.
		if f.Value.Kind != document.Null && f.Name != "version" {
			n.Add(f.Name, f.Line, f.Value)
		}
	}
	for _, f := range known.Fields {
		n.Add(f.Name, f.Line, f.Value)
	}
	d := &document.Decoder{Problems: slices.Clone(problems)}
	g := guideline.Decode(d, n, "")
	if g.ID != base.ID {
		d.Report(n, "id", "is not the one in the path", "remove it; a guideline keeps its id")
	}
	return g, c.usable(d.Problems, &g)
}

// usable says what is wrong with a guideline that came in.
func (c *call) usable(problems document.Problems, g *guideline.Guideline) error {
	if len(problems) > 0 {
		return invalid(problems)
	}
	if g.TenantID != "" && g.TenantID != c.caller.Tenant {
		return otherTenant(g.TenantID)
	}
	return nil
}
