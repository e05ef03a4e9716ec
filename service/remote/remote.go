// Package remote reads guidelines from another guardrails server, and sends decisions of hooks to its audit.
//
// Start with Client.Guidelines and Audit.Add. On the server, ReadDecisions reads what Audit.Add has sent.
package remote

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
	"time"

	"guardrails/config"
	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/rules"
)

// Tool is the name of the MCP tool that returns guidelines.
const Tool = "guardrails_get_context"

// Client reads guidelines from servers.
type Client struct {
	// Env returns environment variables. It is used to find files with tokens.
	Env func(string) string
	// Timeout limits the time for a request and its answer.
	Timeout time.Duration
}

// Guidelines returns the server's guidelines for the tenant and the project in the settings. The notices are for the
// user. The error names the server.
func (c *Client) Guidelines(
	ctx context.Context, settings *config.Config,
) (guidelines []rules.Source, notices []string, err error) {
	guidelines, notices, err = c.guidelines(ctx, settings)
	if err != nil {
		return nil, nil, fmt.Errorf("the server %s %w", settings.Server.URL, err)
	}
	return guidelines, notices, nil
}

func (c *Client) guidelines(ctx context.Context, settings *config.Config) ([]rules.Source, []string, error) {
	q, err := c.question(settings)
	if err != nil {
		return nil, nil, err
	}
	body, err := c.post(ctx, settings.Server, toMCP, q)
	if err != nil {
		return nil, nil, err
	}
	answer, err := toolAnswer(body)
	if err != nil {
		return nil, nil, err
	}
	return definitions(answer, settings.Server.URL)
}

// question() returns an MCP request for all guidelines of the server. Because the answer has all guidelines, the
// service can select the guidelines for each task itself, and save all guidelines as a snapshot.
func (c *Client) question(settings *config.Config) ([]byte, error) {
	arguments := map[string]any{"agent": "", "unknown": guideline.FieldNames(), "definitions": true}
	if settings.Tenant != "" {
		arguments["tenant_id"] = settings.Tenant
	}
	if settings.Project != "" {
		arguments["project_id"] = settings.Project
	}
	return json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": "tools/call",
		"params": map[string]any{"name": Tool, "arguments": arguments},
	})
}

// mcpPath is the path of MCP on a server.
const mcpPath = "/mcp"

// toMCP completes the address of a server.
func toMCP(to *url.URL) {
	if to.Path == "" {
		to.Path = mcpPath
	}
}

// post() sends a body to a server, and returns the answer. The function "to" changes the address from the settings.
func (c *Client) post(ctx context.Context, server *config.Server, to func(*url.URL), body []byte) ([]byte, error) {
	request, err := c.request(ctx, server, to, body)
	if err != nil {
		return nil, err
	}
	client := http.Client{
		Timeout: c.Timeout, Transport: transport(server),
		// A redirect could send the token to another host.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, &answerError{message: "does not answer: " + c.cause(err) +
			"; start the server, or change the setting server in " + config.File}
	}
	defer func() { _ = response.Body.Close() }() // the body was only read
	answer, err := io.ReadAll(io.LimitReader(response.Body, document.MaxSize+1))
	switch {
	case response.StatusCode == http.StatusUnauthorized, response.StatusCode == http.StatusForbidden:
		return nil, refusal(response, answer, "server.token_file")
	case response.StatusCode != http.StatusOK:
		return nil, refusal(response, answer, "server.url")
	case err != nil:
		return nil, &answerError{message: "does not finish its answer: " + c.cause(err) +
			"; try again, or look at the server's log"}
	case len(answer) > document.MaxSize:
		return nil, fmt.Errorf("answers with more than %d MiB; check server.url in %s", document.MaxSize>>20, config.File)
	}
	return answer, nil
}

// answerError is the error for a server that refuses a request or does not answer.
type answerError struct {
	// The field "status" is the status of the answer. It is 0 if there is no complete answer.
	status int
	// The field "reason" is the reason that the server gives, or "".
	reason, message string
}

func (e *answerError) Error() string { return e.message }

// refusal() returns the error for an answer that refuses a request. The parameter "setting" names the setting that
// a person should check.
func refusal(response *http.Response, answer []byte, setting string) error {
	var problem struct{ Detail string }
	_ = json.Unmarshal(answer, &problem) // an answer in another form has no reason
	return &answerError{
		response.StatusCode, document.OneLine(document.First(problem.Detail, maxReason)),
		fmt.Sprintf("answers %s; check %s in %s", document.OneLine(response.Status), setting, config.File),
	}
}

// maxReason is the largest number of characters of a server's reason that an error contains.
const maxReason = 500

func (c *Client) request(
	ctx context.Context, server *config.Server, to func(*url.URL), body []byte,
) (*http.Request, error) {
	address := server.URL
	if _, ok := server.Socket(); ok {
		address = "http://localhost" + mcpPath
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("cannot be used: " + c.cause(err))
	}
	to(request.URL)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	request.Header.Set("MCP-Protocol-Version", "2025-06-18")
	if server.TokenFile == "" {
		return request, nil
	}
	token, err := readToken(c.Env, server)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	return request, nil
}

// transport() returns a transport that connects to the server without a proxy, because a proxy could read the token.
func transport(server *config.Server) *http.Transport {
	t := &http.Transport{DisableKeepAlives: true, MaxResponseHeaderBytes: 64 << 10}
	if socket, ok := server.Socket(); ok {
		t.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, "unix", socket)
		}
	}
	return t
}

// cause() returns an error's text without the address, because the message already has the address.
func (c *Client) cause(err error) string {
	if at, ok := errors.AsType[net.Error](err); ok && at.Timeout() {
		return fmt.Sprintf("nothing within %s", c.Timeout)
	}
	if at, ok := errors.AsType[*url.Error](err); ok {
		err = at.Err
	}
	return document.OneLine(err.Error())
}
