package rest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"guardrails/internal/document"
	"guardrails/server/access"
	"guardrails/server/rest/query"
	"guardrails/store"
	"guardrails/store/live"
)

type call struct {
	h      *Handler
	w      http.ResponseWriter
	r      *http.Request
	caller access.Caller
	route  *route
	// The field "id" is the id of a guideline or a webhook in the path. The field "delivery" is the id of a delivery in
	// the path.
	id, delivery string
	query        query.Values
	// The field "key" is the value of the Idempotency-Key header, or "". If a client repeats a change with the same
	// key, the change is made only once.
	key string
	// The flag "conditional" is set if the request is a change with an If-Match header.
	conditional bool
	// firstPiece is a timer for a request with a long answer. The timer ends the request if the first piece of the answer
	// takes too long. For other requests, firstPiece is nil.
	firstPiece *time.Timer
}

// run() finds the route, checks the request and answers it.
func (c *call) run() error {
	if err := c.find(); err != nil {
		return err
	}
	if role := c.route.least(); !c.caller.May(role) {
		return c.needs(role)
	}
	if err := c.negotiate(); err != nil {
		return err
	}
	if err := c.ask(); err != nil {
		return err
	}
	stop, err := c.limitTime()
	if err != nil {
		return err
	}
	defer stop()
	return c.route.serve(c)
}

// needs() returns an error if the caller does not have the given role.
func (c *call) needs(role access.Role) error {
	return forbidden(fmt.Sprintf("this request needs the role \"%s\", and the token has the role \"%s\"; use another token", role,
		c.caller.Role))
}

// limitTime limits the time of the request. If requests of the route may take longer than usual, limitTime also gives
// the connection more time. For a long answer in pieces, it limits the time until the first piece.
func (c *call) limitTime() (stop context.CancelFunc, err error) {
	limit := c.h.o.AnswerTime
	switch {
	case limit == 0 && c.route.limit <= 0:
		return func() {}, nil
	case c.route.limit == unlimited:
		ctx, cancel := context.WithCancelCause(c.r.Context())
		c.firstPiece = time.AfterFunc(limit, func() { cancel(context.DeadlineExceeded) })
		c.r = c.r.WithContext(ctx)
		return func() { c.firstPiece.Stop(); cancel(nil) }, nil
	case c.route.limit > 0:
		limit = c.route.limit
		if err := c.setDeadline(time.Now().Add(limit + spareTime)); err != nil {
			return nil, err
		}
	}
	ctx, stop := context.WithTimeout(c.r.Context(), limit)
	c.r = c.r.WithContext(ctx)
	return stop, nil
}

// find() finds the route for the path and the method of the request.
func (c *call) find() error {
	found, ids := c.h.find(c.r.URL.EscapedPath())
	if len(found) == 0 {
		return newProblem(http.StatusNotFound, "not_found",
			"nothing is at "+document.Excerpt(c.r.URL.Path)+"; "+documentPath+" lists all paths")
	}
	method := c.r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	i := slices.IndexFunc(found, func(r *route) bool { return r.method == method })
	if i < 0 {
		p := newProblem(http.StatusMethodNotAllowed, codeMethod,
			document.Excerpt(c.r.Method)+" is not allowed here; use "+methods(found))
		p.allow = methods(found)
		return p
	}
	c.route, c.id, c.delivery = found[i], ids.id, ids.delivery
	c.r.Pattern = c.route.method + " " + cmp.Or(c.route.counted, c.route.path) // the metrics use this pattern
	return nil
}

// tenantParameter is a parameter that every route has. The request fails if the tenant in the parameter is not the
// tenant of the token.
const tenantParameter = "tenant_id"

// projectParameter is a parameter of lists and of the routes for one guideline. Without this parameter, a route for one
// guideline finds the guideline that belongs to all projects.
const projectParameter = "project_id"

// ask() reads the query and the Idempotency-Key header.
func (c *call) ask() error {
	given, problems := query.Parse(c.r.URL.RawQuery, c.route.known())
	c.key = c.writeID(&problems)
	if len(problems) > 0 {
		return invalid(problems)
	}
	c.query = given
	if tenant, isGiven := given[tenantParameter]; isGiven && tenant != c.caller.Tenant {
		return otherTenant(given.Text(tenantParameter))
	}
	return nil
}

func otherTenant(tenant string) error {
	return forbidden("the token does not belong to the tenant " + document.Excerpt(tenant) +
		"; use a token of that tenant")
}

func (c *call) store() (*live.Store, error) {
	opened, _, err := c.h.o.Service.Store(c.r.Context(), "")
	if err != nil {
		p := unavailable(store.Unavailable, err)
		p.untouched = true
		return nil, p
	}
	return opened, nil
}

// tenantStore returns the part of the store that belongs to the caller's tenant.
func (c *call) tenantStore() (*live.TenantStore, error) {
	opened, err := c.store()
	if err != nil {
		return nil, err
	}
	return opened.For(live.Caller{
		Tenant: c.caller.Tenant, Actor: c.caller.Name, WriteID: c.key, ProjectID: c.query.Text(projectParameter),
	}), nil
}

// auditStore is like tenantStore(), but makes sure that the audit has every decision that was acknowledged before the
// call.
func (c *call) auditStore() (*live.TenantStore, error) {
	tenantStore, err := c.tenantStore()
	if err != nil {
		return nil, err
	}
	return tenantStore, c.h.o.Service.CatchUp(c.r.Context(), tenantStore.Tenant())
}

// say() sends an answer in JSON.
func (c *call) say(status int, what any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(what); err != nil {
		return err
	}
	return c.write(status, typeJSON, b.Bytes())
}

func (c *call) write(status int, contentType string, body []byte) error {
	c.w.Header().Set("Content-Type", contentType)
	c.w.WriteHeader(status)
	_, _ = c.w.Write(body) // an error means that the caller has disconnected
	return nil
}
