// Package mcp is the door for agents: the product's tools, resources and prompt in the Model Context Protocol, over
// stdio and over HTTP.
//
// Start with tools.go, which lists the tools; what each of them answers is the service's. Nothing but adapt.go and its
// neighbours http.go and stdio.go knows the library mcp-go, and nothing outside this package does.
package mcp

import (
	"context"
	"net/http"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"guardrails/service"
	"guardrails/store/live"
)

// Options is what the door needs from outside.
type Options struct {
	Service *service.Service
	// Version is the product's.
	Version string
	// Store is the store of the project that the server runs in, and the project's tenant; nil where there never is one.
	Store func(context.Context) (*live.Store, string, error)
	// Bound is set where each caller has a tenant of its own, in place of the project's.
	Bound bool
	// Admin offers the tools that change guidelines.
	Admin bool
	// Programs is set where nobody asks who needs an answer as text beside the object.
	Programs bool
	// Pace refuses a call that leaves something behind, of a caller who makes too many of them; nil where nobody does.
	Pace func(context.Context) error
	// Observe is told of each call of a tool; nil where nobody counts.
	Observe func(tool string, failed bool, took time.Duration)
	// Hook answers the client's hooks on stdio: from the arguments of a call to what a hook prints. Nil where this is no
	// door for them.
	Hook func(arguments []byte) []byte
}

// Server answers in the protocol.
type Server struct {
	service *service.Service
	tools   []tool
	store   func(context.Context) (*live.Store, string, error)
	bound   bool
	admin   bool
	// programs is set where all callers are programs, which read the structured answer.
	programs bool
	hook     func(arguments []byte) []byte
	pace     func(context.Context) error
	observe  func(tool string, failed bool, took time.Duration)
	library  *server.MCPServer
	http     http.Handler
}

// New makes a server.
func New(o Options) *Server {
	s := &Server{service: o.Service, tools: offered(&o), store: o.Store, bound: o.Bound, admin: o.Admin, pace: o.Pace, observe: o.Observe, hook: o.Hook, programs: o.Programs}
	if s.observe == nil {
		s.observe = func(string, bool, time.Duration) {}
	}
	if s.pace == nil {
		s.pace = func(context.Context) error { return nil }
	}
	s.library = s.adapted(o.Version)
	s.http = overHTTP(s.library)
	return s
}

// offered are the tools that there are, in the order in which they are listed.
func offered(o *Options) []tool {
	tools := serviceTools()
	if o.Store != nil {
		tools = append(tools, auditTool())
	}
	if o.Admin {
		tools = append(tools, adminTools()...)
	}
	return tools
}

// instructions are what a model reads of this server before it uses it.
func (s *Server) instructions() string {
	if s.admin {
		return instructions + adminInstructions
	}
	return instructions + plainInstructions
}

const instructions = `guardrails holds the guidelines of this project: what each agent may do, where a person is asked first, and what has to be tested.
The project's hooks enforce them on every tool call, whether they are asked for or not.
Call guardrails_get_context before a task to know what holds for it; guardrails_explain says why a guideline holds or does not.
`

const plainInstructions = `A refusal names its guideline; guardrails_get shows it. Guidelines are changed by people, in .claude/guardrails.`

const adminInstructions = `A refusal names its guideline; guardrails_get shows it.
Change guidelines only when the user asks for it, and say what you are going to change before you do. Each change names the version that guardrails_get shows.`
