package mcp

import (
	"io"
	"log/slog"
	"mime"
	"net/http"
	"strconv"

	"github.com/mark3labs/mcp-go/server"
)

const maxMessage = 1 << 20

// overHTTP returns the HTTP handler of the library mcp-go. It keeps no sessions, and every answer is a single document.
func overHTTP(library *server.MCPServer) http.Handler {
	return server.NewStreamableHTTPServer(library,
		server.WithStateLess(true), server.WithDisableStreaming(true),
		// The server's Guard has already checked the Host header.
		server.WithDisableLocalhostProtection(true),
		server.WithStreamableHTTPLogger(slog.New(slog.DiscardHandler)))
}

// ServeHTTP answers one message.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "send MCP messages with POST; there is no stream to listen to", http.StatusMethodNotAllowed)
		return
	}
	if !isJSON(r.Header.Get("Content-Type")) {
		http.Error(w, "the Content-Type must be application/json", http.StatusUnsupportedMediaType)
		return
	}
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		http.Error(w, "the body must have no Content-Encoding", http.StatusUnsupportedMediaType)
		return
	}
	message, err := messageOf(w, r)
	if err != nil {
		http.Error(w, "the message cannot be read, or is larger than "+strconv.Itoa(maxMessage)+" bytes",
			http.StatusRequestEntityTooLarge)
		return
	}
	if s.programs {
		if answer, ok := s.plainCall(r.Context(), message); ok {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
			_, _ = w.Write(answer) // an error means that the caller has disconnected
			return
		}
	}
	s.throughLibrary(w, r, message)
}

func isJSON(kind string) bool {
	if kind == "application/json" {
		return true
	}
	kind, _, err := mime.ParseMediaType(kind)
	return err == nil && kind == "application/json"
}

// messageOf reads the body of a request. It returns an error if the body is too large.
func messageOf(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	body := http.MaxBytesReader(w, r.Body, maxMessage)
	if r.ContentLength <= 0 || r.ContentLength > maxMessage {
		return io.ReadAll(body)
	}
	message := make([]byte, r.ContentLength)
	_, err := io.ReadFull(body, message)
	return message, err
}
