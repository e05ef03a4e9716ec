package service_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/guideline"
	"guardrails/internal/fortests/need"
	"guardrails/service"
	"guardrails/service/fallback"
	"guardrails/service/tools"
)

// serve() starts an HTTP server with the given handler. It returns settings that name this server.
func serve(t *testing.T, f http.HandlerFunc) (settings string) {
	t.Helper()
	s := httptest.NewServer(f)
	t.Cleanup(s.Close)
	return fmt.Sprintf("server: {url: %q}\n", s.URL+"/mcp")
}

// serveText starts a server that gives every request the same answer. It returns settings that name this server.
func serveText(t *testing.T, body string) string {
	t.Helper()
	return serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) })
}

// answerWith returns an MCP answer that contains the given guidelines.
func answerWith(guidelines string) string {
	return `{"jsonrpc": "2.0", "id": 1, "result": {"structuredContent": {"success": true, "source": "store", "definitions": [` + guidelines + `]}}}`
}

func jsonRule(id, instruction string) string {
	return fmt.Sprintf(`{"id": %q, "name": "n", "category": "custom", "action": {"type": "instruction", "instruction": %q}}`, id, instruction)
}

// The server in this test is a real guardrails server. The server's guidelines apply in the project together with the
// project's own guidelines.
func TestGuidelinesOfTheServerAndTheProjectApplyTogether(t *testing.T) {
	server := newProject(t, map[string]string{".claude/guardrails/a.yaml": rule("theirs", backendRule) +
		rule("parameters", "condition: {custom: {environment: [workstation]}}\naction: {type: hitl_gate, gate_type: x, parameters: {instead: do y}}") +
		rule("tenants", "tenant_id: acme\naction: {type: instruction}") +
		rule("others", "tenant_id: other\naction: {type: instruction}")})
	var received []byte
	settings := serve(t, func(w http.ResponseWriter, r *http.Request) {
		received, _ = io.ReadAll(r.Body)
		var call struct {
			Params struct{ Arguments json.RawMessage }
		}
		request, err := tools.DecodeRequest([]byte(`{}`))
		if json.Unmarshal(received, &call) == nil {
			request, err = tools.DecodeRequest(call.Params.Arguments)
		}
		check(t, err)
		answer, err := json.Marshal(server.ask(request))
		check(t, err)
		// Send the answer as text, as MCP servers do for old clients.
		text, err := json.Marshal(string(answer))
		check(t, err)
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":%s}]}}`, text)
	})
	client := newProject(t, map[string]string{
		".claude/guardrails.yaml":   settings + "tenant: acme\n",
		".claude/guardrails/b.yaml": rule("ours", "action: {type: instruction, instruction: Ours.}"),
	})
	a := client.ask(service.Request{Hook: true, Context: guideline.Context{Agent: "backend"}})
	if a.Source != service.SourceServer || ids(a) != "ours parameters tenants theirs" || len(a.Notices) > 0 {
		t.Fatalf("%s from %s, %q, %+v", ids(a), a.Source, a.Notices, a.Fallback)
	}
	contains(t, a.SessionCache, `"instead":"do y"`)
	contains(t, string(received), `"method":"tools/call"`, `"name":"guardrails_get_context"`, `"tenant_id":"acme"`)
	if got := ids(client.ask(service.Request{Context: guideline.Context{Agent: "frontend"}})); got != "ours parameters tenants" {
		t.Errorf("for another agent: %s", got)
	}
}

func TestAProjectCanAddToAServersGuidelinesButNotReplaceThem(t *testing.T) {
	p := newProject(t, map[string]string{
		".claude/guardrails.yaml": serveText(t, answerWith(jsonRule("same", "S.")+","+jsonRule("other", "Theirs."))),
		".claude/guardrails/a.yaml": strings.ReplaceAll(rule("same", "action: {type: instruction, instruction: S.}")+
			rule("other", "enabled: false\naction: {type: instruction, instruction: Ours.}")+rule("added",
			"action: {type: instruction}"), "name: same", "name: n"),
	})
	a := p.hook("")
	if ids(a) != "added other same" {
		t.Errorf("got %s", ids(a))
	}
	contains(t, a.Injection, "- Theirs.")
	want := "guardrails: the project defines other differently than the server; the server's definition applies"
	if len(a.Notices) != 1 || a.Notices[0] != want {
		t.Errorf("got %q", a.Notices)
	}
}

func TestAFailingServerCausesAFallbackWithTheReason(t *testing.T) {
	const down = `server: {url: "http://127.0.0.1:1/mcp"}` + "\n"
	// A server notices that a client has disconnected only if it has read the request.
	wait := func(r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}
	for _, c := range []struct {
		name, settings, want string
	}{
		{"no server", down, "does not answer: dial tcp 127.0.0.1:1: connect: connection refused; start the server, or change the setting server in .claude/guardrails.yaml"},
		{
			"no socket", "server: {url: unix:/nowhere/server.sock}\n",
			"the server unix:/nowhere/server.sock does not answer: dial unix /nowhere/server.sock: connect: no such file or directory",
		},
		{
			"it never answers", serve(t, func(_ http.ResponseWriter, r *http.Request) { wait(r) }),
			"does not answer: nothing within 100ms",
		},
		{"it answers slowly", serve(t, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, `{"jsonrpc"`)
			_ = http.NewResponseController(w).Flush()
			wait(r)
		}), "does not finish its answer: nothing within 100ms"},
		{"it closes the connection early", serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, `{"jsonrpc"`)
		}), "does not finish its answer: unexpected EOF"},
		{
			"it requires a token", serve(t, status(http.StatusUnauthorized)),
			"answers 401 Unauthorized; check server.token_file in .claude/guardrails.yaml",
		},
		{"it refuses the token", serve(t, status(http.StatusForbidden)), "answers 403 Forbidden; check server.token_file"},
		{"it fails", serve(t, status(http.StatusInternalServerError)), "answers 500 Internal Server Error; check server.url"},
		{"it redirects", serve(t, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/", http.StatusTemporaryRedirect)
		}), "answers 307 Temporary Redirect"},
		{"its answer is too large", serve(t, func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, strings.Repeat(" ", 9<<20))
		}), "answers with more than 8 MiB"},
		{"a web page", serveText(t, "<html>"), "does not answer as an MCP server"},
		{"an empty answer", serveText(t, ""), "does not answer as an MCP server"},
		{"a list", serveText(t, "[]"), "does not answer as an MCP server"},
		{"no result", serveText(t, `{"jsonrpc": "2.0", "id": 1}`), "does not answer as an MCP server"},
		{"a result that is a number", serveText(t, `{"result": 3}`), "does not answer as an MCP server"},
		{
			"content without an answer", serveText(t, `{"result": {"content": [{"text": "hello"}]}}`),
			"does not answer as an MCP server",
		},
		{"deeply nested JSON", serveText(t, `{"result":`+strings.Repeat("[", 1<<20)), "does not answer as an MCP server"},
		{
			"an error", serveText(t, `{"error": {"code": -1, "message": "no\nsuch \u001btool\u202e"}}`),
			`refuses the request: no such \x1btool`,
		},
		{"an error of the tool", serveText(t, `{"result": {"isError": true, "content": [{"type": "text", "text": "wrong argument"}]}}`), "refuses the request: wrong argument"},
		{
			"another tool's answer", serveText(t, `{"result": {"structuredContent": {"success": true}}}`),
			"sends no definitions of guidelines; check that it is a guardrails server of this version",
		},
		{
			"no success", serveText(t, `{"result": {"structuredContent": {"success": "true", "definitions": {}}}}`),
			"sends no definitions",
		},
		{
			"an invalid pattern", serveText(t, answerWith(`{"id": "x", "name": "x", "category": "custom", "action": {"type": "tool_restriction", "tools_denied": ["Bash("]}}`)),
			`sends a guideline that cannot be used: definitions[0].action.tools_denied[0]: "Bash(" has no closing parenthesis`,
		},
		{
			"a duplicate id", serveText(t, answerWith(jsonRule("x", "a")+","+jsonRule("x", "b"))),
			`definitions[1].id: "x" is used twice; give one of them another id`,
		},
		{"an unknown field", serveText(t, answerWith(`{"id": "x", "name": "x", "category": "custom", "when": 1, "action": {"type": "instruction"}}`)), `definitions[0].when: unknown field`},
		{
			"it has no guidelines either", serveText(t,
				`{"result": {"structuredContent": {"success": true, "source": "open", "definitions": [], "fallback": {"reason": "no store"}}}}`),
			"has no guidelines: no store",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t, map[string]string{
				".claude/guardrails.yaml":   c.settings,
				".claude/guardrails/a.yaml": rule("own", "action: {type: instruction}"),
			})
			s := p.service()
			if strings.Contains(c.want, "nothing within") {
				s.LimitWait(100 * time.Millisecond)
			}
			a, err := s.GetContext(t.Context(), service.Request{Hook: true})
			check(t, err)
			if a.Fallback == nil || a.Fallback.Mode != config.AskUser || !strings.Contains(a.Fallback.Reason, c.want) ||
				!strings.HasPrefix(a.Fallback.Reason, "the server ") {
				t.Fatalf("got  %+v\nwant %s", a.Fallback, c.want)
			}
			if a.Source != fallback.SourceStatic || !strings.Contains(ids(a), "own") ||
				!strings.Contains(ids(a), "security-guard-tamper") {
				t.Errorf("%s from %s", ids(a), a.Source)
			}
		})
	}
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

func TestAServerWithoutGuidelinesCausesNoFallback(t *testing.T) {
	p := newProject(t, map[string]string{".claude/guardrails.yaml": serveText(t, answerWith(""))})
	if a := p.hook(""); a.Fallback != nil || a.Source != service.SourceServer || ids(a) != "" {
		t.Errorf("%s from %s, %+v", ids(a), a.Source, a.Fallback)
	}
}

func TestTheLastGuidelinesOfAServerApplyWhileItIsUnavailable(t *testing.T) {
	down := false
	settings := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if down {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(w, answerWith(jsonRule("theirs", "T.")))
	})
	p := newProject(t, map[string]string{".claude/guardrails.yaml": settings + "fallback_mode: static_rules\n"})
	p.hook("")
	down = true
	a := p.hook("")
	if a.Source != fallback.SourceSnapshot || ids(a) != "theirs" || a.Fallback.Mode != config.StaticRules {
		t.Errorf("%s from %s, %+v", ids(a), a.Source, a.Fallback)
	}
}

func TestAFallbackOfTheServerItselfIsReported(t *testing.T) {
	p := newProject(t, map[string]string{".claude/guardrails.yaml": serveText(t,
		`{"result": {"structuredContent": {"success": true, "source": "snapshot", "definitions": [], "fallback": {"reason": "its store is down"}}}}`)})
	contains(t, strings.Join(p.hook("").Notices, "\n"), "sends fallback guidelines: its store is down")
}

func TestAServerIsReachedOverASocket(t *testing.T) {
	p := newProject(t, nil)
	socket := filepath.Join(t.TempDir(), "s")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		need.Missing(t, err)
	}
	s := &httptest.Server{
		Listener: listener,
		Config: &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, answerWith(jsonRule("theirs", "T.")))
		})},
	}
	s.Start()
	t.Cleanup(s.Close)
	p.write(".claude/guardrails.yaml", "server: {url: \"unix:"+socket+"\"}\n")
	if a := p.hook(""); a.Source != service.SourceServer || ids(a) != "theirs" {
		t.Errorf("%s from %s, %+v", ids(a), a.Source, a.Fallback)
	}
}
