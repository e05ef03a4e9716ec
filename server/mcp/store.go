package mcp

import (
	"context"
	"errors"

	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/server/access"
	"guardrails/store"
	"guardrails/store/live"
)

// tenantStore returns the part of the store that belongs to the caller's tenant and to a project. If the transport
// serves only one project, it uses the tenant and the id of this project.
func (s *Server) tenantStore(ctx context.Context, w *changeArguments) (*live.TenantStore, error) {
	from, own, err := s.store(ctx)
	if err != nil {
		return nil, err
	}
	caller := access.From(ctx)
	if s.bound {
		own = live.Caller{Tenant: caller.Tenant}
	}
	own.Actor, own.WriteID = caller.Name, w.id
	switch {
	case w.allProjects:
		own.ProjectID = ""
	case w.projectID != "":
		own.ProjectID = w.projectID
	}
	return from.For(own), nil
}

// changeArguments holds the arguments that every tool for changes has.
type changeArguments struct {
	// The field "id" is the write id. If a client repeats a change with the same id, the change is made only once.
	id          string
	projectID   string
	allProjects bool
}

// The type "serving" is a function that answers a tool call.
type serving = func(s *Server, ctx context.Context, arguments []byte) (any, error)

// readTool returns the function that answers calls of a tool. The function decodes the arguments and reads from the
// caller's part of the store.
func readTool[R any](
	decode func(*document.Decoder, *document.Node) R, serve func(context.Context, *live.TenantStore, R) (any, error),
) serving {
	return writeTool(func(d *document.Decoder, n *document.Node, _ []document.Spec) R { return decode(d, n) }, serve)
}

// writeTool is like readTool(), but for a tool that changes guidelines. decode() also receives the specs of the
// arguments that every tool for changes has.
func writeTool[R any](
	decode func(*document.Decoder, *document.Node, []document.Spec) R, serve func(context.Context, *live.TenantStore, R) (any, error),
) serving {
	return func(s *Server, ctx context.Context, arguments []byte) (any, error) {
		n, problems := document.ParseJSON("", arguments)
		if n == nil {
			return nil, unnumbered(problems)
		}
		d, w := &document.Decoder{Problems: problems}, changeArguments{}
		request := decode(d, n, w.specs(d))
		if err := unnumbered(d.Problems).Err(); err != nil {
			return nil, err
		}
		tenant, err := s.tenantStore(ctx, &w)
		if err != nil {
			return nil, err
		}
		answer, err := serve(ctx, tenant, request)
		return answer, withRemedy(err)
	}
}

// specs() describes the arguments that every tool for changes has.
func (w *changeArguments) specs(d *document.Decoder) []document.Spec {
	both := func(n *document.Node, at string) {
		if w.allProjects && w.projectID != "" {
			d.Report(n, at, "project_id and all_projects contradict each other", "give one of them")
		}
	}
	return []document.Spec{
		{Name: "write_id", Read: func(n *document.Node, at string) {
			w.id = d.String(n, at, false)
			if err := store.CheckWriteID(w.id); n.Kind == document.String && err != nil {
				d.Problems.Add(document.Problem{Path: at, Message: err.Error()})
			}
		}},
		{Name: "project_id", Read: func(n *document.Node, at string) {
			w.projectID = guideline.DecodeProjectID(d, n, at)
			both(n, at)
		}},
		{Name: "all_projects", Read: func(n *document.Node, at string) {
			w.allProjects = d.Bool(n, at)
			both(n, at)
		}},
	}
}

// unnumbered() removes the line numbers from problems. Programs write the arguments, so line numbers are useless.
func unnumbered(problems document.Problems) document.Problems {
	for i := range problems {
		problems[i].Line = 0
	}
	return problems
}

// withRemedy adds advice to an error of the store. The advice says what the caller can do about the error.
func withRemedy(err error) error {
	if other, ok := errors.AsType[*live.OtherProjectError](err); ok {
		if other.ForAll() {
			return errors.New(err.Error() + "; set all_projects to true to change it for all projects")
		}
		return errors.New(err.Error() + "; name the project in project_id")
	}
	if store.CodeOf(err) == store.Conflict {
		return errors.New(err.Error() + " (guardrails_audit says who changed it)")
	}
	return err
}
