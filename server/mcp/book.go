package mcp

import (
	"context"
	"errors"

	"guardrails/catalog"
	"guardrails/guideline/document"
	"guardrails/server/access"
	"guardrails/store"
)

// book is the store in the hands of a caller: that of the caller's tenant, or where the door is for one project, of that.
func (s *Server) book(ctx context.Context) (*catalog.Book, error) {
	from, tenant, err := s.store(ctx)
	if err != nil {
		return nil, err
	}
	caller := access.From(ctx)
	if s.bound {
		tenant = caller.Tenant
	}
	return from.For(catalog.Who{Tenant: tenant, Actor: caller.Name}), nil
}

// onBook reads the arguments of a tool and lets it work on the caller's book.
func onBook[R any](decode func(*document.Decoder, *document.Node) R, serve func(context.Context, *catalog.Book, R) (any, error)) func(*Server, context.Context, []byte) (any, error) {
	return func(s *Server, ctx context.Context, arguments []byte) (any, error) {
		n, problems := document.ParseJSON("", arguments)
		if n == nil {
			return nil, unnumbered(problems)
		}
		d := &document.Decoder{Problems: problems}
		request := decode(d, n)
		if err := unnumbered(d.Problems).Err(); err != nil {
			return nil, err
		}
		book, err := s.book(ctx)
		if err != nil {
			return nil, err
		}
		answer, err := serve(ctx, book, request)
		return answer, explained(err)
	}
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
