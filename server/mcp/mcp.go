// Package mcp is the transport for agents: the product's tools, resources and prompt in the Model Context Protocol,
// over stdio and HTTP.
//
// Start with tools.go and admin.go, which list the tools. The service answers most of the tools. No other package uses
// the library mcp-go.
package mcp

import (
	"context"
	"net/http"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"guardrails/service"
	"guardrails/store/live"
)

// Options configures a Server.
type Options struct {
	Service *service.Service
	// Version is the version of the product.
	Version string
	// Store returns the store of the server's project, with the project's tenant and id. If the server never has a store,
	// Store is nil.
	Store func(context.Context) (*live.Store, live.Caller, error)
	// Bound is set if each caller has a tenant of its own, which replaces the project's tenant. A change then concerns all
	// projects, unless the caller names one project.
	Bound bool
	// Tenant is the tenant of the server's own project. If Bound is set, only callers of this tenant learn where the
	// store is.
	Tenant string
	// If Admin is set, the server offers the tools that change guidelines.
	Admin bool
	// Detectors returns the names of the tools from checkTools that the server lists. Callers can also use the tools
	// from checkTools that the server does not list. If Detectors is nil, the server lists no tool from checkTools.
	Detectors func(context.Context) []string
	// Changed receives a value after guidelines or settings changed. The method Stdio then notifies the client. If Changed
	// is nil, the server sends no notifications.
	Changed <-chan struct{}
	// Programs is set if all callers are programs. A program does not need a copy of the answer as text.
	Programs bool
	// Pace returns an error if a caller makes too many changes. If Pace is nil, changes are not limited.
	Pace func(context.Context) error
	// Observe is called after each tool call; it may be nil.
	Observe func(tool string, failed bool, took time.Duration)
	// AnswerTime is how long a call may take. Zero means no limit.
	AnswerTime time.Duration
	// Hook runs a hook of the client. It takes the arguments of a call of HookTool and returns the output of the hook. If
	// the transport does not answer hooks, Hook is nil.
	Hook func(arguments []byte) []byte
}

// Server answers MCP messages.
type Server struct {
	service  *service.Service
	tools    []tool
	store    func(context.Context) (*live.Store, live.Caller, error)
	bound    bool
	tenant   string
	admin    bool
	detects  func(context.Context) []string
	changed  <-chan struct{}
	programs bool
	hook     func(arguments []byte) []byte
	pace     func(context.Context) error
	observe  func(tool string, failed bool, took time.Duration)
	time     time.Duration
	library  *server.MCPServer
	http     http.Handler
}

// New returns a server.
func New(o Options) *Server {
	s := &Server{
		service: o.Service, tools: offered(&o), store: o.Store, bound: o.Bound, tenant: o.Tenant, admin: o.Admin, pace: o.Pace,
		observe: o.Observe, hook: o.Hook, programs: o.Programs, time: o.AnswerTime,
		detects: o.Detectors, changed: o.Changed,
	}
	if s.detects == nil {
		s.detects = func(context.Context) []string { return nil }
	}
	if s.observe == nil {
		s.observe = func(string, bool, time.Duration) {}
	}
	if s.pace == nil {
		s.pace = func(context.Context) error { return nil }
	}
	s.library = s.libraryServer(o.Version)
	s.http = overHTTP(s.library)
	return s
}

// offered() returns the tools that a server with these options has, in the order in which the server lists these tools.
func offered(o *Options) []tool {
	tools := append(serviceTools(), checkTools()...)
	if o.Store != nil {
		tools = append(tools, auditTool())
	}
	if o.Admin {
		tools = append(tools, adminTools()...)
	}
	return tools
}

// instructions() returns the text that a model reads about the server before it calls tools.
func (s *Server) instructions() string {
	if s.admin {
		return instructions + adminInstructions
	}
	return instructions + plainInstructions
}

const instructions = `guardrails has the guidelines of this project: what each agent may do, when the user is asked first, and what has to be tested.
The project's hooks enforce them on every tool call.
Call guardrails_get_context before a task to learn which guidelines apply; guardrails_explain says why a guideline applies or not.
`

const plainInstructions = `A refusal names its guideline; guardrails_get shows this guideline. People change guidelines, in .claude/guardrails.`

const adminInstructions = `A refusal names its guideline; guardrails_get shows this guideline.
Change guidelines only when the user asks for it, and first say what you are going to change. Every change needs the version that guardrails_get shows.`
