package server_test

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/server/access"
	"guardrails/store/live"
	"guardrails/store/open"
)

// useStore writes settings with the location of a store. Every server opens the store for itself.
func (s *fixture) useStore() {
	s.vars["XDG_DATA_HOME"] = filepath.Join(filepath.Dir(s.root), "data")
	s.open = func(ctx context.Context, c *config.Config) (*live.Store, error) {
		return open.Open(ctx, c, open.Options{Env: s.env, Now: time.Now, Make: true})
	}
}

type tenantClient struct {
	t       *testing.T
	address string
	token   string
}

func (c tenantClient) rest(method, path, body string) (int, string) {
	c.t.Helper()
	return request(c.t, method, "http://"+c.address+path, body, map[string]string{"Authorization": "Bearer " + c.token})
}

func (c tenantClient) callTool(name, arguments string) string {
	c.t.Helper()
	_, body := c.rest(http.MethodPost, "/mcp",
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+name+`","arguments":`+arguments+`}}`)
	return toolText(c.t, body)
}

func toolText(t *testing.T, body string) string {
	t.Helper()
	var answer struct {
		Result struct {
			StructuredContent json.RawMessage
			Content           []struct{ Text string }
		}
	}
	if err := json.Unmarshal([]byte(body), &answer); err != nil || len(answer.Result.Content) == 0 {
		t.Fatalf("%v: %s", err, body)
	}
	return answer.Result.Content[0].Text + string(answer.Result.StructuredContent)
}

const redGuideline = `{"id":"reds","name":"Of red alone","category":"custom","action":{"type":"instruction","instruction":"Only red knows."}}`

// twoTenants returns clients of two tenants for one server. The server's project belongs to the tenant "red", which has
// a guideline.
func twoTenants(t *testing.T) (s *fixture, red, blue tenantClient) {
	t.Helper()
	s = newFixture(t)
	s.useStore()
	s.tenant = "red"
	s.file(".claude/guardrails.yaml", "tenant: red\n")
	redToken, blueToken := s.token(access.Token{Name: "r", Tenant: "red", Role: access.Admin}),
		s.token(access.Token{Name: "b", Tenant: "blue", Role: access.Admin})
	address, _, _ := s.servePort(s.server())
	red, blue = tenantClient{t, address, redToken}, tenantClient{t, address, blueToken}
	if code, body := red.rest(http.MethodPost, "/api/guardrails", redGuideline); code != http.StatusCreated {
		t.Fatalf("%d %s", code, body)
	}
	return s, red, blue
}

func TestATenantSeesNothingOfAnotherOverAnyTransport(t *testing.T) {
	s, red, blue := twoTenants(t)
	project := `"project": "` + s.root + `"`
	for name, query := range map[string]func(tenantClient) string{
		"REST list": func(c tenantClient) string { _, b := c.rest(http.MethodGet, "/api/guardrails", ""); return b },
		"REST get":  func(c tenantClient) string { _, b := c.rest(http.MethodGet, "/api/guardrails/reds", ""); return b },
		"REST history": func(c tenantClient) string {
			_, b := c.rest(http.MethodGet, "/api/guardrails/reds/history", "")
			return b
		},
		"REST audit":  func(c tenantClient) string { _, b := c.rest(http.MethodGet, "/api/guardrails/audit", ""); return b },
		"REST export": func(c tenantClient) string { _, b := c.rest(http.MethodGet, "/api/guardrails/export", ""); return b },
		"REST evaluate": func(c tenantClient) string {
			_, b := c.rest(http.MethodPost, "/api/guardrails/evaluate", `{"agent":"a"}`)
			return b
		},
		"MCP context": func(c tenantClient) string { return c.callTool("guardrails_get_context", `{"agent":"backend"}`) },
		"MCP project": func(c tenantClient) string {
			return c.callTool("guardrails_get_context", `{"agent":"backend",`+project+`}`)
		},
		"MCP tenant_id": func(c tenantClient) string {
			return c.callTool("guardrails_get_context", `{"agent":"a","tenant_id":"red"}`)
		},
		"MCP list":         func(c tenantClient) string { return c.callTool("guardrails_list", `{}`) },
		"MCP list project": func(c tenantClient) string { return c.callTool("guardrails_list", `{`+project+`}`) },
		"MCP get":          func(c tenantClient) string { return c.callTool("guardrails_get", `{"id":"reds"}`) },
		"MCP explain":      func(c tenantClient) string { return c.callTool("guardrails_explain", `{"agent":"a"}`) },
		"MCP audit":        func(c tenantClient) string { return c.callTool("guardrails_audit", `{}`) },
		"MCP resources":    func(c tenantClient) string { return c.readResource("guardrails://guidelines") },
		"MCP resource":     func(c tenantClient) string { return c.readResource("guardrails://guidelines/reds") },
	} {
		if text := query(red); !strings.Contains(text, "reds") {
			t.Errorf("%s: red does not see its guideline: %s", name, text)
		}
		if text := query(blue); strings.Contains(text, "Only red knows") || strings.Contains(text, "Of red alone") ||
			strings.Contains(text, "backend") && strings.Contains(text, "works in src") {
			t.Errorf("%s: blue sees the guideline of red: %s", name, text)
		}
	}
}

func (c tenantClient) readResource(uri string) string {
	c.t.Helper()
	_, body := c.rest(http.MethodPost, "/mcp",
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"`+uri+`"}}`)
	return body
}

func TestARequestForAnotherTenantIsRefused(t *testing.T) {
	s, red, blue := twoTenants(t)
	for _, c := range []struct {
		by                    tenantClient
		tool, arguments, want string
	}{
		{blue, "guardrails_get_context", `{"tenant_id":"red"}`, `tenant_id: "red" is not this caller's tenant`},
		{blue, "guardrails_explain", `{"tenant_id":"red"}`, `tenant_id: "red" is not this caller's tenant`},
		{blue, "guardrails_log_decision", `{"guideline_id":"reds","context":{"tenant_id":"red"},"result":"approved","reason":"r"}`, `tenant_id: "red" is not this caller's tenant`},
		{blue, "guardrails_list", `{"project":"` + s.root + `"}`, "project: belongs to another tenant than this caller"},
		{red, "guardrails_get_context", `{"tenant_id":"red"}`, "Only red knows"},
	} {
		if got := c.by.callTool(c.tool, c.arguments); !strings.Contains(got, c.want) {
			t.Errorf("%s %s\ngot  %s\nwant %s", c.tool, c.arguments, got, c.want)
		}
	}
}

func TestDecisionsBelongToTheTenantOfTheCaller(t *testing.T) {
	s, red, blue := twoTenants(t)
	if code, body := blue.rest(http.MethodPost, "/api/guardrails",
		strings.Replace(redGuideline, "reds", "blues", 1)); code != http.StatusCreated {
		t.Fatalf("%d %s", code, body)
	}
	if got := blue.callTool("guardrails_log_decision",
		`{"guideline_id":"reds","context":{"agent":"a"},"result":"approved","reason":"r"}`); !strings.Contains(got, "there is no guideline") {
		t.Errorf("blue logged a decision about a guideline of red: %s", got)
	}
	for name, c := range map[string]tenantClient{"red": red, "blue": blue} {
		if got := c.callTool("guardrails_log_decision",
			`{"guideline_id":"`+name+`s","context":{"agent":"a"},"result":"approved","reason":"of `+name+`"}`); !strings.Contains(got, "audit-") {
			t.Fatal(got)
		}
	}
	files, err := filepath.Glob(filepath.Join(s.vars["XDG_STATE_HOME"], "guardrails", "spool", "*.jsonl"))
	check(t, err)
	for _, name := range []string{"red", "blue"} {
		if text := read(t, files[0]); !strings.Contains(text, `"reason":"of `+name+`"`) ||
			strings.Count(text, `"tenant_id":"`+name+`"`) != 1 {
			t.Errorf("%s", text)
		}
	}
}

func TestTheAuditHasADecisionAsSoonAsItIsAcknowledged(t *testing.T) {
	_, red, _ := twoTenants(t)
	audits := map[string]func() string{
		"list":   func() string { _, body := red.rest(http.MethodGet, "/api/guardrails/audit", ""); return body },
		"export": func() string { _, body := red.rest(http.MethodGet, "/api/guardrails/audit/export", ""); return body },
		"tool":   func() string { return red.callTool("guardrails_audit", "{}") },
	}
	for name, audit := range audits {
		logged := red.callTool("guardrails_log_decision",
			`{"guideline_id":"reds","context":{"agent":"a"},"result":"approved","reason":"before the `+name+`"}`)
		if got := audit(); !strings.Contains(got, "before the "+name) {
			t.Errorf("%s: the decision %s is missing in %s", name, logged, got)
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	check(t, err)
	return string(text)
}

func TestMetricsAreOnlyForTheServersOwnTenant(t *testing.T) {
	_, red, blue := twoTenants(t)
	if code, _ := red.rest(http.MethodGet, "/metrics", ""); code != http.StatusOK {
		t.Errorf("red: %d", code)
	}
	if code, body := blue.rest(http.MethodGet, "/metrics", ""); code != http.StatusForbidden ||
		!strings.Contains(body, "the server's own tenant") {
		t.Errorf("blue: %d %s", code, body)
	}
}
