package service

import (
	"context"
	"errors"
	"fmt"

	"guardrails/config"
	"guardrails/internal/document"
	"guardrails/rules"
	"guardrails/service/fallback"
	"guardrails/store"
)

// A binding says which guidelines a caller may see: the guidelines of one tenant or, in each project, the guidelines of
// the project's tenant.
type binding struct {
	tenant  string
	project bool
}

type bindingKey struct{}

// ForTenant returns a context for a caller that belongs to a tenant. The caller cannot see guidelines of other
// tenants.
func ForTenant(ctx context.Context, tenant string) context.Context {
	return context.WithValue(ctx, bindingKey{}, binding{tenant: tenant})
}

// ForProject returns a context for a caller that sees the guidelines of each project's own tenant.
func ForProject(ctx context.Context) context.Context {
	return context.WithValue(ctx, bindingKey{}, binding{project: true})
}

// bind() sets the request's tenant to the caller's tenant. It returns an error if the request names another tenant.
func (s *Service) bind(ctx context.Context, root string, r *Request) error {
	b, bound := ctx.Value(bindingKey{}).(binding)
	switch {
	case !bound || b.project && r.TenantID == "":
		return nil
	case b.project:
		c, problems := s.readLocation(ctx, root)
		if err := problems.Err(); err != nil {
			return fmt.Errorf("tenant_id: the project's own tenant is unknown: %w; leave tenant_id out", err)
		}
		return checkTenant(r.TenantID, c.Tenant, "project")
	}
	if r.TenantID != "" {
		if err := checkTenant(r.TenantID, b.tenant, "caller"); err != nil {
			return err
		}
	}
	r.TenantID, r.bound = b.tenant, true
	return nil
}

func checkTenant(named, own, whose string) error {
	if named == own {
		return nil
	}
	return fmt.Errorf("tenant_id: %s is not this %s's tenant; leave tenant_id out, or use a token of that tenant",
		document.Excerpt(named), whose)
}

// readOtherTenant reads the rulebook for a caller whose tenant differs from the project's tenant. The rulebook has only
// those guidelines in the store that belong to the caller's tenant.
func (s *Service) readOtherTenant(ctx context.Context, root string, r *Request, b *rulebook) error {
	switch {
	case b.misread:
		return errors.New("the settings of the server's project cannot be read, so the project's tenant is unknown; fix the settings")
	case r.Project != "":
		return errors.New("project: belongs to another tenant than this caller; leave project out, or use a token of the project's tenant")
	}
	c := &b.settings
	c.Server, c.Domains, c.Packs, c.Exceptions, c.DefaultAgent, c.Ignored = nil, nil, nil, nil, "", nil
	c.Project, c.ClaimedProject = r.ProjectID, "" // the server's own project belongs to another tenant
	c.Safety = config.Safety{Mode: config.Off, NoMilder: c.Safety.NoMilder}
	c.Model, c.OutputGuard = b.written.WithoutProject()
	var err error
	b.otherTenant, b.source = true, SourceStore
	var guidelines []*rules.Source
	if b.store, err = s.readStore(ctx, root, r, c); err == nil {
		guidelines = store.Pointers(b.store.sources)
	} else if guidelines, err = s.lastOfTenant(ctx, root, r, b, err); err != nil {
		return err
	}
	b.layers = []layer{{
		Layer: config.Layer{Name: config.Project, Environment: c.Environment}, detector: plainDetector(),
		guidelines: guidelines,
	}}
	return b.compile()
}

// lastOfTenant returns the last known good guidelines of a caller's tenant while the store cannot be used. If there are
// no such guidelines, or if the settings say that no guidelines apply during an outage, it returns the store's error.
func (s *Service) lastOfTenant(
	ctx context.Context, root string, r *Request, b *rulebook, failed error,
) ([]*rules.Source, error) {
	b.store = &storePart{}
	if b.settings.Fallback == config.FailOpen {
		return nil, failed
	}
	substitute, ok := s.keeper().OfTenant(&fallback.Failure{
		Err: failed, StoreDown: true, Root: root, Tenant: otherSnapshot(r), Config: &b.settings,
		Known: s.lastKnown(s.memoryKey(root, r)), Seen: s.seenChanges(ctx, &b.settings),
		Stored: func(changes int64) *fallback.Selected { return s.lastStored(ctx, b, changes) },
	})
	if !ok {
		return nil, failed
	}
	b.fallback, b.source = substitute.Fallback, substitute.Source
	b.notices = append(b.notices, substitute.Notices...)
	return substitute.Layer(config.Project).Guidelines, nil
}
