package mcp

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"guardrails/server/access"
	"guardrails/service/tools"
)

// libraryServer returns a server of the library mcp-go with all tools, resources and prompts of this package.
func (s *Server) libraryServer(version string, more ...server.ServerOption) *server.MCPServer {
	hooks := &server.Hooks{}
	hooks.AddAfterListTools(s.permitted)
	options := append([]server.ServerOption{
		server.WithTitle("guardrails"),
		server.WithDescription("Guidelines for coding agents, enforced on every tool call"),
		server.WithInstructions(s.instructions()),
		server.WithToolCapabilities(s.changed != nil),
		server.WithResourceCapabilities(false, s.changed != nil),
		server.WithPromptCapabilities(false),
		server.WithHooks(hooks),
		server.WithRecovery(),
		server.WithResourceRecovery(),
	}, more...)
	library := server.NewMCPServer("guardrails", version, options...)
	for i := range s.tools {
		library.AddTool(s.tools[i].libraryTool(), s.handler(s.tools[i].name))
	}
	s.addResources(library)
	addPrompt(library)
	return library
}

// permitted() filters the list of tools that a model gets. A model would try to call every tool in the list. So the
// method removes the tools that the caller may not use, and the tools that this server does not list.
func (s *Server) permitted(ctx context.Context, _ any, _ *mcp.ListToolsRequest, list *mcp.ListToolsResult) {
	caller, listed := access.From(ctx), s.detects(ctx)
	list.Tools = slices.DeleteFunc(slices.Clone(list.Tools),
		func(t mcp.Tool) bool {
			own := s.tool(t.Name)
			return !caller.May(own.needs) || own.isOptional && !slices.Contains(listed, own.name)
		})
	for i := range list.Tools {
		if t := &list.Tools[i]; t.Name == tools.CheckResponse {
			asks := s.asksModel(ctx)
			t.Annotations.OpenWorldHint = &asks
		}
	}
}

// asksModel reports whether a check of an answer can ask a language model.
func (s *Server) asksModel(ctx context.Context) bool {
	if s.service == nil {
		return false
	}
	c, _ := s.service.Settings(ctx, "") // if some settings have a mistake, the other settings are used
	return c.Model.AsksAboutAnswers()
}

// libraryTool converts a tool into the type that the library mcp-go uses.
func (t *tool) libraryTool() mcp.Tool {
	no, reads, again := false, !t.writes, !t.writes || t.repeatable
	return mcp.Tool{
		Name: t.name, Title: t.title, Description: t.description,
		RawInputSchema: json.RawMessage(t.input), RawOutputSchema: json.RawMessage(t.output),
		Annotations: mcp.ToolAnnotation{
			Title: t.title, ReadOnlyHint: &reads, DestructiveHint: &t.replaces,
			IdempotentHint: &again, OpenWorldHint: &no,
		},
	}
}

// handler() returns the function that the library calls when a client uses the named tool.
func (s *Server) handler(name string) server.ToolHandlerFunc {
	return func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		arguments, ok := request.GetRawArguments().(json.RawMessage)
		if !ok {
			var err error
			if arguments, err = json.Marshal(request.Params.Arguments); err != nil {
				return nil, err
			}
		}
		r := s.run(ctx, name, arguments)
		out := &mcp.CallToolResult{Content: []mcp.Content{mcp.NewTextContent(r.text)}, IsError: r.structured == nil}
		if r.structured != nil {
			structured := json.RawMessage(r.structured)
			out.RawStructuredContent, out.StructuredContent = structured, structured
		}
		return out, nil
	}
}
