// Package mcp is the door for agents: the product's tools, resources and prompt in the Model Context Protocol, over
// stdio and over HTTP.
//
// Start with tools.go, which lists the tools; what each of them answers is the service's. Nothing but adapt.go and its
// neighbours http.go and stdio.go knows the library mcp-go, and nothing outside this package does.
package mcp

import (
	"net/http"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"guardrails/service"
)

// Options is what the door needs from outside.
type Options struct {
	Service *service.Service
	// Version is the product's.
	Version string
	// Observe is told of each call of a tool; nil where nobody counts.
	Observe func(tool string, failed bool, took time.Duration)
}

// Server answers in the protocol.
type Server struct {
	service *service.Service
	tools   []tool
	observe func(tool string, failed bool, took time.Duration)
	// indirect sends every message through the library, for tests.
	indirect bool
	library  *server.MCPServer
	http     http.Handler
}

// New makes a server.
func New(o Options) *Server {
	s := &Server{service: o.Service, tools: allTools(), observe: o.Observe}
	if s.observe == nil {
		s.observe = func(string, bool, time.Duration) {}
	}
	s.library = s.adapted(o.Version)
	s.http = overHTTP(s.library)
	return s
}

// instructions are what a model reads of this server before it uses it.
const instructions = `guardrails holds the guidelines of this project: what each agent may do, where a person is asked first, and what has to be tested.
The project's hooks enforce them on every tool call, whether they are asked for or not.
Call guardrails_get_context before a task to know what holds for it; guardrails_explain says why a guideline holds or does not.
A refusal names its guideline; guardrails_get shows it. Guidelines are changed by people, in .claude/guardrails.`
