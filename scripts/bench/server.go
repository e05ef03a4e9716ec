package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"time"

	"guardrails/guideline"
	"guardrails/hooks/session"
	"guardrails/service"
)

// serve answers on a socket in the runtime folder as a server does, with an answer that is made once: what is measured is
// the hook.
func (s *stage) serve() error {
	answer, err := service.New(service.Options{Env: func(string) string { return "" }, Now: time.Now, Dir: s.project}).
		GetContext(context.Background(), service.Request{Context: guideline.Context{Agent: "backend"}, Project: s.project, Prompt: "add an endpoint to the API and test it", Hook: true})
	if err != nil {
		return err
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "result": map[string]any{"structuredContent": answer}})
	if err != nil {
		return err
	}
	dir, err := session.At(filepath.Join(s.runtime("served"), "guardrails"))
	if err != nil {
		return err
	}
	listener, err := net.Listen("unix", dir.Path("server.sock"))
	if err != nil {
		return fmt.Errorf("the server's socket: %w", err)
	}
	server := &http.Server{ReadHeaderTimeout: time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body)
	})}
	go func() { _ = server.Serve(listener) }()
	s.closing = append(s.closing, func() { _ = server.Close() })
	return nil
}
