package mcp

import "github.com/mark3labs/mcp-go/server"

// Strict makes the library check every answer against its published schema.
func (s *Server) Strict() *Server {
	s.library = s.libraryServer("test", server.WithOutputSchemaValidation())
	s.http = overHTTP(s.library)
	return s
}

// Writing returns the text of the prompt about writing guidelines.
func Writing() string { return writing }

// AsHook answers a message if it calls the hook tool.
func (s *Server) AsHook(message []byte) ([]byte, bool) { return s.asHook(message) }
