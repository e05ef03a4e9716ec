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
	"guardrails/service"
	"guardrails/service/fallback"
)

// serve makes a server of a function and the settings that name it.
func serve(t *testing.T, f http.HandlerFunc) (settings string) {
	t.Helper()
	s := httptest.NewServer(f)
	t.Cleanup(s.Close)
	return fmt.Sprintf("server: {url: %q}\n", s.URL+"/mcp")
}

// says is a server that always answers the same.
func says(t *testing.T, body string) string {
	t.Helper()
	return serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) })
}

// defines is the answer of a server with guidelines.
func defines(guidelines string) string {
	return `{"jsonrpc": "2.0", "id": 1, "result": {"structuredContent": {"success": true, "source": "store", "definitions": [` + guidelines + `]}}}`
}

func jsonRule(id, instruction string) string {
	return fmt.Sprintf(`{"id": %q, "name": "n", "category": "custom", "action": {"type": "instruction", "instruction": %q}}`, id, instruction)
}

// A server that is this product itself: its guidelines hold here as they would there.
func TestAServersGuidelinesHoldBesideTheProjects(t *testing.T) {
	far := newProject(t, map[string]string{".claude/guardrails/a.yaml": rule("theirs", backendRule) +
		rule("parameters", "condition: {custom: {environment: [workstation]}}\naction: {type: hitl_gate, gate_type: x, parameters: {instead: do y}}") +
		rule("tenants", "tenant_id: acme\naction: {type: instruction}") + rule("others", "tenant_id: other\naction: {type: instruction}")})
	var asked []byte
	settings := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked, _ = io.ReadAll(r.Body)
		var call struct {
			Params struct{ Arguments json.RawMessage }
		}
		request, err := service.DecodeRequest([]byte(`{}`))
		if json.Unmarshal(asked, &call) == nil {
			request, err = service.DecodeRequest(call.Params.Arguments)
		}
		check(t, err)
		answer, err := json.Marshal(far.ask(request))
		check(t, err)
		// As text, as servers of MCP do for old clients.
		text, err := json.Marshal(string(answer))
		check(t, err)
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":%s}]}}`, text)
	})
	near := newProject(t, map[string]string{
		".claude/guardrails.yaml":   settings + "tenant: acme\n",
		".claude/guardrails/b.yaml": rule("ours", "action: {type: instruction, instruction: Ours.}"),
	})
	a := near.ask(service.Request{Hook: true, Context: guideline.Context{Agent: "backend"}})
	if a.Source != service.SourceServer || ids(a) != "ours parameters tenants theirs" || len(a.Notices) > 0 {
		t.Fatalf("%s from %s, %q, %+v", ids(a), a.Source, a.Notices, a.Fallback)
	}
	contains(t, a.SessionCache, `"instead":"do y"`)
	contains(t, string(asked), `"method":"tools/call"`, `"name":"guardrails_get_context"`, `"tenant_id":"acme"`)
	if got := ids(near.ask(service.Request{Context: guideline.Context{Agent: "frontend"}})); got != "ours parameters tenants" {
		t.Errorf("for another agent: %s", got)
	}
}

func TestAProjectMayAddToAServersGuidelinesButNotReplaceThem(t *testing.T) {
	p := newProject(t, map[string]string{
		".claude/guardrails.yaml": says(t, defines(jsonRule("same", "S.")+","+jsonRule("other", "Theirs."))),
		".claude/guardrails/a.yaml": strings.ReplaceAll(rule("same", "action: {type: instruction, instruction: S.}")+
			rule("other", "enabled: false\naction: {type: instruction, instruction: Ours.}")+rule("added", "action: {type: instruction}"), "name: same", "name: n"),
	})
	a := p.hook("")
	if ids(a) != "added other same" {
		t.Errorf("got %s", ids(a))
	}
	contains(t, a.Injection, "other: Theirs.")
	want := "guardrails: the project itself defines other in another way than the server; what the server says of it holds"
	if len(a.Notices) != 1 || a.Notices[0] != want {
		t.Errorf("got %q", a.Notices)
	}
}

func TestAServerThatAnswersWronglyIsAFallbackThatSaysWhy(t *testing.T) {
	const down = `server: {url: "http://127.0.0.1:1/mcp"}` + "\n"
	// A server learns that its client has gone once it has read the question.
	wait := func(r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}
	for _, c := range []struct {
		name, settings, want string
	}{
		{"nobody listens", down, "does not answer: dial tcp 127.0.0.1:1: connect: connection refused; start it, or change server in .claude/guardrails.yaml"},
		{"no socket", "server: {url: unix:/nowhere/server.sock}\n", "the server unix:/nowhere/server.sock does not answer: dial unix /nowhere/server.sock: connect: no such file or directory"},
		{"it never answers", serve(t, func(_ http.ResponseWriter, r *http.Request) { wait(r) }), "does not answer: nothing within 100ms"},
		{"it answers slowly", serve(t, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, `{"jsonrpc"`)
			_ = http.NewResponseController(w).Flush()
			wait(r)
		}), "breaks off its answer: nothing within 100ms"},
		{"it breaks off", serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, `{"jsonrpc"`)
		}), "breaks off its answer: unexpected EOF"},
		{"it wants a token", serve(t, status(http.StatusUnauthorized)), "answers 401 Unauthorized; check server.token_file in .claude/guardrails.yaml"},
		{"it refuses the token", serve(t, status(http.StatusForbidden)), "answers 403 Forbidden; check server.token_file"},
		{"it is broken", serve(t, status(http.StatusInternalServerError)), "answers 500 Internal Server Error; check server.url"},
		{"it sends elsewhere", serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusTemporaryRedirect) }), "answers 307 Temporary Redirect"},
		{"it never ends", serve(t, func(w http.ResponseWriter, _ *http.Request) {
			for range 9 << 10 {
				_, _ = io.WriteString(w, strings.Repeat(" ", 1<<10))
			}
		}), "answers with more than 8 MiB"},
		{"a web page", says(t, "<html>"), "gives no answer of MCP"},
		{"nothing", says(t, ""), "gives no answer of MCP"},
		{"a list", says(t, "[]"), "gives no answer of MCP"},
		{"no result", says(t, `{"jsonrpc": "2.0", "id": 1}`), "gives no answer of MCP"},
		{"a result that is none", says(t, `{"result": 3}`), "gives no answer of MCP"},
		{"content that is none", says(t, `{"result": {"content": [{"text": "hello"}]}}`), "gives no answer of MCP"},
		{"very deep", says(t, `{"result":`+strings.Repeat("[", 1<<20)), "gives no answer of MCP"},
		{"an error", says(t, `{"error": {"code": -1, "message": "no\nsuch \u001btool\u202e"}}`), `refuses the question: no such \x1btool`},
		{"an error of the tool", says(t, `{"result": {"isError": true, "content": [{"type": "text", "text": "wrong argument"}]}}`), "refuses the question: wrong argument"},
		{"another tool's answer", says(t, `{"result": {"structuredContent": {"success": true}}}`), "gives no definitions of guidelines; check that it is a guardrails server of this version"},
		{"no success", says(t, `{"result": {"structuredContent": {"success": "true", "definitions": {}}}}`), "gives no definitions"},
		{
			"a pattern that is none", says(t, defines(`{"id": "x", "name": "x", "category": "custom", "action": {"type": "tool_restriction", "tools_denied": ["Bash("]}}`)),
			`gives a guideline that cannot be used: definitions[0].action.tools_denied[0]: "Bash(" has no closing parenthesis`,
		},
		{"an id twice", says(t, defines(jsonRule("x", "a")+","+jsonRule("x", "b"))), `definitions[1].id: "x" is used twice; give one of them another id`},
		{"a field of tomorrow", says(t, defines(`{"id": "x", "name": "x", "category": "custom", "when": 1, "action": {"type": "instruction"}}`)), `definitions[0].when: unknown field`},
		{
			"it goes without guidelines itself", says(t, `{"result": {"structuredContent": {"success": true, "source": "open", "definitions": [], "fallback": {"reason": "no store"}}}}`),
			"has no guidelines to give: no store",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t, map[string]string{".claude/guardrails.yaml": c.settings, ".claude/guardrails/a.yaml": rule("own", "action: {type: instruction}")})
			s := p.service()
			if strings.Contains(c.want, "nothing within") {
				s.Impatient(100 * time.Millisecond)
			}
			a, err := s.GetContext(t.Context(), service.Request{Hook: true})
			check(t, err)
			if a.Fallback == nil || a.Fallback.Mode != config.AskUser || !strings.Contains(a.Fallback.Reason, c.want) || !strings.HasPrefix(a.Fallback.Reason, "the server ") {
				t.Fatalf("got  %+v\nwant %s", a.Fallback, c.want)
			}
			if a.Source != fallback.SourceStatic || !strings.Contains(ids(a), "own") || !strings.Contains(ids(a), "security-guard-tamper") {
				t.Errorf("%s from %s", ids(a), a.Source)
			}
		})
	}
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

func TestAServerWithoutGuidelinesIsNotOneThatFails(t *testing.T) {
	p := newProject(t, map[string]string{".claude/guardrails.yaml": says(t, defines(""))})
	if a := p.hook(""); a.Fallback != nil || a.Source != service.SourceServer || ids(a) != "" {
		t.Errorf("%s from %s, %+v", ids(a), a.Source, a.Fallback)
	}
}

func TestWhatAServerGaveHoldsWhenItIsGone(t *testing.T) {
	gone := false
	settings := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if gone {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(w, defines(jsonRule("theirs", "T.")))
	})
	p := newProject(t, map[string]string{".claude/guardrails.yaml": settings + "fallback_mode: static_rules\n"})
	p.hook("")
	gone = true
	a := p.hook("")
	if a.Source != fallback.SourceSnapshot || ids(a) != "theirs" || a.Fallback.Mode != config.StaticRules {
		t.Errorf("%s from %s, %+v", ids(a), a.Source, a.Fallback)
	}
}

func TestWhatAServerHasItselfFallenBackToIsTold(t *testing.T) {
	p := newProject(t, map[string]string{".claude/guardrails.yaml": says(t,
		`{"result": {"structuredContent": {"success": true, "source": "snapshot", "definitions": [], "fallback": {"reason": "its store is down"}}}}`)})
	contains(t, strings.Join(p.hook("").Notices, "\n"), "does not give its guidelines as it should: its store is down")
}

func TestAServerOnASocket(t *testing.T) {
	p := newProject(t, nil)
	socket := filepath.Join(t.TempDir(), "s")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Skip(err)
	}
	s := &httptest.Server{Listener: listener, Config: &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, defines(jsonRule("theirs", "T.")))
	})}}
	s.Start()
	t.Cleanup(s.Close)
	p.write(".claude/guardrails.yaml", "server: {url: \"unix:"+socket+"\"}\n")
	if a := p.hook(""); a.Source != service.SourceServer || ids(a) != "theirs" {
		t.Errorf("%s from %s, %+v", ids(a), a.Source, a.Fallback)
	}
}
