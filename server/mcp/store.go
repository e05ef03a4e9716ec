package mcp

import (
	"context"
	"errors"

	"guardrails/internal/document"
	"guardrails/server/access"
	"guardrails/store"
	"guardrails/store/live"
)

// tenantStore returns the caller's part of the store. If the transport serves one project, this is the part of the
// project's tenant. writeID may be empty.
func (s *Server) tenantStore(ctx context.Context, writeID string) (*live.TenantStore, error) {
	from, tenant, err := s.store(ctx)
	if err != nil {
		return nil, err
	}
	caller := access.From(ctx)
	if s.bound {
		tenant = caller.Tenant
	}
	return from.For(live.Caller{Tenant: tenant, Actor: caller.Name, WriteID: writeID}), nil
}

// serving answers a call of a tool.
type serving = func(s *Server, ctx context.Context, arguments []byte) (any, error)

// readTool returns a tool that decodes its arguments and reads from the caller's part of the store.
func readTool[R any](
	decode func(*document.Decoder, *document.Node) R, serve func(context.Context, *live.TenantStore, R) (any, error),
) serving {
	return writeTool(func(d *document.Decoder, n *document.Node, _ document.Spec) R { return decode(d, n) }, serve)
}

// writeTool is like readTool, but for a tool that changes guidelines. decode also receives the field for the write id.
func writeTool[R any](
	decode func(*document.Decoder, *document.Node, document.Spec) R, serve func(context.Context, *live.TenantStore, R) (any, error),
) serving {
	return func(s *Server, ctx context.Context, arguments []byte) (any, error) {
		n, problems := document.ParseJSON("", arguments)
		if n == nil {
			return nil, unnumbered(problems)
		}
		d, writeID := &document.Decoder{Problems: problems}, ""
		request := decode(d, n, writeIDSpec(d, &writeID))
		if err := unnumbered(d.Problems).Err(); err != nil {
			return nil, err
		}
		tenant, err := s.tenantStore(ctx, writeID)
		if err != nil {
			return nil, err
		}
		answer, err := serve(ctx, tenant, request)
		return answer, withRemedy(err)
	}
}

// writeIDSpec returns the field for the write id. A client repeats a change with the same write id, so the change is
// made only once.
func writeIDSpec(d *document.Decoder, into *string) document.Spec {
	return document.Spec{Name: "write_id", Read: func(n *document.Node, at string) {
		*into = d.String(n, at, false)
		if err := store.CheckWriteID(*into); n.Kind == document.String && err != nil {
			d.Problems.Add(document.Problem{Path: at, Message: err.Error()})
		}
	}}
}

// unnumbered removes line numbers. They are useless here, because programs write the arguments.
func unnumbered(problems document.Problems) document.Problems {
	for i := range problems {
		problems[i].Line = 0
	}
	return problems
}

// withRemedy adds a remedy to an error of the store.
func withRemedy(err error) error {
	if store.CodeOf(err) == store.Conflict {
		return errors.New(err.Error() + " (guardrails_audit says who changed it)")
	}
	return err
}
