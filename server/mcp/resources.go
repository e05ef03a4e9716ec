package mcp

import (
	"context"
	"errors"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"guardrails/server/access"
	"guardrails/service"
	"guardrails/service/tools"
	"guardrails/store"
)

const (
	guidelinesURI = "guardrails://guidelines"
	jsonType      = "application/json"
)

func (s *Server) addResources(library *server.MCPServer) {
	list := mcp.Resource{
		URI: guidelinesURI, Name: "guidelines", Title: "Guidelines of the project", MIMEType: jsonType,
		Description: "A summary of the project's guidelines, highest priority first. It has at most 200 guidelines; the tool " +
			"guardrails_list returns the others",
	}
	library.AddResource(list, func(ctx context.Context, r mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		if err := mayRead(ctx); err != nil {
			return nil, err
		}
		l, err := s.service.List(ctx, service.ListQuery{Paging: store.Paging{Size: tools.MaxListSize}})
		return contents(r.Params.URI, l, err)
	})
	one := mcp.NewResourceTemplate(guidelinesURI+"/{id}", "guideline")
	one.Title, one.MIMEType, one.Description = "One guideline", jsonType, "The guideline with this id, as it was written"
	library.AddResourceTemplate(one, func(ctx context.Context, r mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		if err := mayRead(ctx); err != nil {
			return nil, err
		}
		d, err := s.service.Get(ctx, service.Lookup{ID: strings.TrimPrefix(r.Params.URI, guidelinesURI+"/")})
		return contents(r.Params.URI, d, err)
	})
}

func mayRead(ctx context.Context) error {
	if !access.From(ctx).May(access.Read) {
		return errors.New(`the role "read" is needed to see guidelines; use a token with this role`)
	}
	return nil
}

func contents(uri string, value any, err error) ([]mcp.ResourceContents, error) {
	if err != nil {
		return nil, err
	}
	text, err := encode(value)
	if err != nil {
		return nil, err
	}
	return []mcp.ResourceContents{mcp.TextResourceContents{URI: uri, MIMEType: jsonType, Text: string(text)}}, nil
}
