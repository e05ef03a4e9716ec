package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/internal/fortests/golden"
	"guardrails/server/access"
	"guardrails/server/mcp"
	"guardrails/service"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const guidelines = `
- id: backend-stays
  name: The backend agent stays in src
  category: cognitive_isolation
  priority: 800
  condition: {agents: [backend]}
  action: {type: tool_restriction, tools_denied: ["Write(web/*)"], instruction: The backend agent works in src & tests.}
- id: gate-merge
  name: Merging asks
  category: hitl_gate
  condition: {events: [merge]}
  action: {type: hitl_gate, gate_type: merge}
`

// project() creates a folder with guidelines and a state folder.
func project(t *testing.T) (root string, env func(string) string) {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	check(t, err)
	root = filepath.Join(base, "project")
	check(t, os.MkdirAll(filepath.Join(root, ".claude", "guardrails"), 0o755))
	check(t, os.WriteFile(filepath.Join(root, ".claude", "guardrails", "a.yaml"), []byte(guidelines), 0o644))
	vars := map[string]string{
		"XDG_STATE_HOME":       filepath.Join(base, "state"),
		"GUARDRAILS_CACHE_DIR": filepath.Join(base, "run"),
	}
	return root, func(name string) string { return vars[name] }
}

func newServer(t *testing.T) *mcp.Server {
	t.Helper()
	root, env := project(t)
	return mcp.New(mcp.Options{Service: serviceAt(root, env), Version: "1.2.3"})
}

func serviceAt(root string, env func(string) string) *service.Service {
	return service.New(service.Options{
		Env: env, Dir: root, Memory: true, Now: func() time.Time { return time.Date(2026, 2, 5, 10, 0, 0, 0, time.UTC) },
	})
}

// listing() returns a function for Options.Detectors that always returns the same names.
func listing(names []string) func(context.Context) []string {
	return func(context.Context) []string { return names }
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// post() sends a message over HTTP as an admin.
func post(s *mcp.Server, message string, headers ...string) *httptest.ResponseRecorder {
	return postAs(access.Admin, s, message, headers...)
}

func postAs(role access.Role, s *mcp.Server, message string, headers ...string) *httptest.ResponseRecorder {
	return postBy(access.Caller{Name: "tester", Role: role}, s, message, headers...)
}

func postBy(caller access.Caller, s *mcp.Server, message string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(message))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r.WithContext(access.With(r.Context(), caller)))
	return w
}

func asAdmin(ctx context.Context) context.Context {
	return access.With(ctx, access.Caller{Name: "tester", Role: access.Admin})
}

type reply struct {
	ID     any
	Error  *struct{ Message string }
	Result json.RawMessage
}

type called struct {
	StructuredContent map[string]any
	Content           []struct{ Type, Text string }
	IsError           bool
}

func call(t *testing.T, s *mcp.Server, name, arguments string) called {
	t.Helper()
	var c called
	check(t, json.Unmarshal(ask(t, s, "tools/call", `{"name":"`+name+`","arguments":`+arguments+`}`), &c))
	return c
}

func ask(t *testing.T, s *mcp.Server, method, params string) json.RawMessage {
	t.Helper()
	w := post(s, `{"jsonrpc":"2.0","id":7,"method":"`+method+`","params":`+params+`}`)
	var r reply
	if err := json.Unmarshal(w.Body.Bytes(), &r); err != nil || r.Error != nil {
		t.Fatalf("%s: %v\n%d %s", method, err, w.Code, w.Body)
	}
	return r.Result
}

func checkGolden(t *testing.T, name string, got json.RawMessage) {
	t.Helper()
	var b bytes.Buffer
	check(t, json.Indent(&b, got, "", "  "))
	b.WriteByte('\n')
	golden.Check(t, *update, filepath.Join("testdata", name+".json"), b.String())
}
