package service

import (
	"context"
	"errors"
	"fmt"

	"guardrails/config"
	"guardrails/internal/document"
)

// binding is whose guidelines a caller may see: those of one tenant, or those of the tenant of the project in question.
type binding struct {
	tenant  string
	project bool
}

type bindingKey struct{}

// ForTenant makes a context of a caller who belongs to a tenant: guidelines of no other one are seen, decided or told of.
func ForTenant(ctx context.Context, tenant string) context.Context {
	return context.WithValue(ctx, bindingKey{}, binding{tenant: tenant})
}

// ForProject makes a context of a caller who works in projects: each has the guidelines of its own tenant.
func ForProject(ctx context.Context) context.Context {
	return context.WithValue(ctx, bindingKey{}, binding{project: true})
}

// bind makes a request one of its caller's tenant, and refuses one that names another.
func (s *Service) bind(ctx context.Context, root string, r *Request) error {
	b, bound := ctx.Value(bindingKey{}).(binding)
	switch {
	case !bound || b.project && r.TenantID == "":
		return nil
	case b.project:
		c, problems := config.Load(root, s.env)
		if err := problems.Err(); err != nil {
			return fmt.Errorf("tenant_id: the project's own tenant is not known: %w; leave tenant_id out", err)
		}
		return ownTenant(r.TenantID, c.Tenant, "project")
	}
	if r.TenantID != "" {
		if err := ownTenant(r.TenantID, b.tenant, "caller"); err != nil {
			return err
		}
	}
	r.TenantID, r.bound = b.tenant, true
	return nil
}

func ownTenant(named, own, whose string) error {
	if named == own {
		return nil
	}
	return fmt.Errorf("tenant_id: %s is not this %s's tenant; leave it out, or ask with a token of that tenant", document.Excerpt(named), whose)
}

// readAbroad reads what holds for a caller of another tenant than the project's: what that tenant has in the store, and
// nothing of the project.
func (s *Service) readAbroad(ctx context.Context, root string, r *Request, h *held) error {
	switch {
	case h.misread:
		return errors.New("the settings of the server's project cannot be read, so that nobody knows whose it is; mend them")
	case r.Project != "":
		return errors.New("project: is of another tenant than this caller; leave it out, or ask with a token of that tenant")
	}
	c := &h.settings
	c.Server, c.Domains, c.Packs, c.Exceptions, c.DefaultAgent = nil, nil, nil, nil, ""
	h.detector = plainDetector()
	var err error
	if h.store, err = s.fromStore(ctx, root, r, c); err != nil {
		return err
	}
	h.guidelines, h.source = h.store.sources, SourceStore
	return h.compile()
}
