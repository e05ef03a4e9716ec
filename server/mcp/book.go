package mcp

import (
	"context"
	"errors"

	"guardrails/internal/document"
	"guardrails/server/access"
	"guardrails/store"
	"guardrails/store/live"
)

// book is the store in the hands of a caller: that of the caller's tenant, or where the door is for one project, of that. A
// write id is empty where the caller gave none.
func (s *Server) book(ctx context.Context, writeID string) (*live.TenantStore, error) {
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

// serving answers a call.
type serving = func(s *Server, ctx context.Context, arguments []byte) (any, error)

// onBook reads the arguments of a tool and lets it work on the caller's book.
func onBook[R any](decode func(*document.Decoder, *document.Node) R, serve func(context.Context, *live.TenantStore, R) (any, error)) serving {
	return changing(func(d *document.Decoder, n *document.Node, _ document.Spec) R { return decode(d, n) }, serve)
}

// changing is onBook for a tool that changes guidelines: decode is also told how to read the change's write id.
func changing[R any](decode func(*document.Decoder, *document.Node, document.Spec) R, serve func(context.Context, *live.TenantStore, R) (any, error)) serving {
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
		book, err := s.book(ctx, writeID)
		if err != nil {
			return nil, err
		}
		answer, err := serve(ctx, book, request)
		return answer, explained(err)
	}
}

// writeIDSpec reads the id by which a change is known that has to be repeated.
func writeIDSpec(d *document.Decoder, into *string) document.Spec {
	return document.Spec{Name: "write_id", Read: func(n *document.Node, at string) {
		*into = d.String(n, at, false)
		if err := store.CheckWriteID(*into); n.Kind == document.String && err != nil {
			d.Problems.Add(document.Problem{Path: at, Message: err.Error()})
		}
	}}
}

// unnumbered leaves out the lines of arguments, which nobody wrote by hand.
func unnumbered(problems document.Problems) document.Problems {
	for i := range problems {
		problems[i].Line = 0
	}
	return problems
}

// explained says of a failure of the store what a caller can do.
func explained(err error) error {
	if store.CodeOf(err) == store.Conflict {
		return errors.New(err.Error() + " (guardrails_audit says who changed it)")
	}
	return err
}
