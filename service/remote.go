package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"

	"guardrails/config"
	"guardrails/guideline"
	"guardrails/internal/document"
)

// serverTimeout bounds a whole question to a server; the hook that waits for it has three seconds.
const serverTimeout = 2 * time.Second

// post sends a question to the server as MCP and returns the body of its answer.
func (s *Service) post(ctx context.Context, c *config.Server, question []byte) ([]byte, error) {
	request, err := s.request(ctx, c, question)
	if err != nil {
		return nil, err
	}
	client := http.Client{
		Timeout: s.patience, Transport: transport(c),
		// Following would give the token to whoever is named.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, errors.New("does not answer: " + s.cause(err) + "; start it, or change server in " + config.File)
	}
	defer func() { _ = response.Body.Close() }() // it was only read
	body, err := io.ReadAll(io.LimitReader(response.Body, document.MaxSize+1))
	switch {
	case response.StatusCode == http.StatusUnauthorized, response.StatusCode == http.StatusForbidden:
		return nil, fmt.Errorf("answers %s; check server.token_file in %s", shown(response.Status), config.File)
	case response.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("answers %s; check server.url in %s", shown(response.Status), config.File)
	case err != nil:
		return nil, errors.New("breaks off its answer: " + s.cause(err) + "; try again, or look at its log")
	case len(body) > document.MaxSize:
		return nil, fmt.Errorf("answers with more than %d MiB; check server.url in %s", document.MaxSize>>20, config.File)
	}
	return body, nil
}

func (s *Service) request(ctx context.Context, c *config.Server, question []byte) (*http.Request, error) {
	address := c.URL
	if _, ok := c.Socket(); ok {
		address = "http://localhost/mcp"
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(question))
	if err != nil {
		return nil, errors.New("cannot be asked: " + s.cause(err))
	}
	if request.URL.Path == "" {
		request.URL.Path = "/mcp"
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	request.Header.Set("MCP-Protocol-Version", "2025-06-18")
	if c.TokenFile == "" {
		return request, nil
	}
	token, err := readToken(s.env, c)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	return request, nil
}

// transport reaches the server itself and no proxy: what the environment names must not see the token.
func transport(c *config.Server) *http.Transport {
	t := &http.Transport{DisableKeepAlives: true, MaxResponseHeaderBytes: 64 << 10}
	if socket, ok := c.Socket(); ok {
		t.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, "unix", socket)
		}
	}
	return t
}

// cause is an error without the address, which the reader is told anyway.
func (s *Service) cause(err error) string {
	if at, ok := errors.AsType[net.Error](err); ok && at.Timeout() {
		return fmt.Sprintf("nothing within %s", s.patience)
	}
	if at, ok := errors.AsType[*url.Error](err); ok {
		err = at.Err
	}
	return shown(err.Error())
}

// shown makes a foreign text fit for a message: one line without signs that cannot be seen, shortened.
func shown(text string) string {
	const limit = 300
	text = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	text = document.Printable(strings.Join(strings.Fields(text), " "))
	if runes := []rune(text); len(runes) > limit {
		return string(runes[:limit]) + "…"
	}
	return text
}

// question is the call of guardrails_get_context that asks for every guideline as it was written: what holds for a task
// is found here, so that the answer also serves as the snapshot.
func question(tenant string) ([]byte, error) {
	arguments := map[string]any{"agent": "", "unknown": guideline.FieldNames(), "definitions": true}
	if tenant != "" {
		arguments["tenant_id"] = tenant
	}
	return json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": "tools/call",
		"params": map[string]any{"name": ToolGetContext, "arguments": arguments},
	})
}
