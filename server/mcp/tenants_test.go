package mcp_test

import (
	"encoding/json"
	"strings"
	"testing"

	"guardrails/server/access"
	"guardrails/server/mcp"
)

func callAs(t *testing.T, s *mcp.Server, c access.Caller, name, arguments string) called {
	t.Helper()
	var answer struct{ Result called }
	w := postBy(c, s, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"`+name+`","arguments":`+arguments+`}}`)
	check(t, json.Unmarshal(w.Body.Bytes(), &answer))
	return answer.Result
}

func TestEachTenantHasItsOwnGuidelinesAndAudit(t *testing.T) {
	s := newStoreServer(t, boundToTenant).Server
	red, blue := access.Caller{Name: "r", Tenant: "red", Role: access.Admin},
		access.Caller{Name: "b", Tenant: "blue", Role: access.Admin}
	if got := callAs(t, s, red, "guardrails_create", `{"guideline": `+gate+`}`); got.IsError {
		t.Fatal(got.Content)
	}
	for tool, arguments := range map[string]string{
		"guardrails_update": `{"id": "gate", "version": 1, "name": "mine"}`,
		"guardrails_toggle": `{"id": "gate", "version": 1}`, "guardrails_delete": `{"id": "gate", "version": 1}`,
	} {
		if got := callAs(t, s, blue, tool, arguments); !got.IsError ||
			!strings.HasPrefix(got.Content[0].Text, "there is no guideline") {
			t.Errorf("%s: %+v", tool, got)
		}
	}
	if got := callAs(t, s, blue, "guardrails_audit", `{}`); field(got, "total") != 0.0 {
		t.Errorf("%+v", got)
	}
	if got := callAs(t, s, blue, "guardrails_create", `{"guideline": {"tenant_id": "red", `+gate[1:]+`}`); !got.IsError ||
		!strings.Contains(got.Content[0].Text, "tenant") {
		t.Errorf("%+v", got)
	}
	if got := callAs(t, s, red, "guardrails_audit", `{}`); field(got, "total") != 1.0 {
		t.Errorf("%+v", got)
	}
}
