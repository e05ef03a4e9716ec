package mcp_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"guardrails/server/access"
	"guardrails/service/tools"
)

// The variable "needed" maps each tool to the role that a caller must have.
var needed = map[string]access.Role{
	tools.GetContext: access.Decide, tools.LogDecision: access.Decide,
	tools.List: access.Read, tools.Get: access.Read, tools.Explain: access.Read,
	"guardrails_audit":  access.Read,
	"guardrails_create": access.Write, "guardrails_update": access.Write, "guardrails_toggle": access.Write,
	"guardrails_delete": access.Write,
	"guardrails_import": access.Admin,
}

func TestEachToolNeedsItsRole(t *testing.T) {
	s := newStoreServer(t).Server
	for name, needs := range needed {
		for role := access.Nobody; role <= access.Admin; role++ {
			message := `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"` + name + `","arguments":{}}}`
			got := postAs(role, s, message).Body.String()
			refused := strings.Contains(got, `needs the role \"`+needs.String()+`\", and this caller has the role \"`+role.String())
			if refused == (role >= needs) {
				t.Errorf("%s as %s: %s", name, role, got)
			}
		}
	}
}

func TestACallerSeesTheToolsThatItMayUse(t *testing.T) {
	s := newStoreServer(t).Server
	for role := access.Read; role <= access.Admin; role++ {
		var got struct {
			Result struct{ Tools []struct{ Name string } }
		}
		check(t, json.Unmarshal(postAs(role, s, list).Body.Bytes(), &got))
		for name, needs := range needed {
			seen := slices.ContainsFunc(got.Result.Tools, func(tool struct{ Name string }) bool { return tool.Name == name })
			if seen != (role >= needs) {
				t.Errorf("%s sees %s: %v", role, name, seen)
			}
		}
	}
}

func TestResourcesNeedTheRoleRead(t *testing.T) {
	s := newServer(t)
	for _, uri := range []string{"guardrails://guidelines", "guardrails://guidelines/gate-merge"} {
		message := `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"` + uri + `"}}`
		if got := postAs(access.Nobody, s, message).Body.String(); !strings.Contains(got, `the role \"read\" is needed`) {
			t.Errorf("%s: %s", uri, got)
		}
		if got := postAs(access.Read, s, message).Body.String(); !strings.Contains(got, "Merging asks") {
			t.Errorf("%s: %s", uri, got)
		}
	}
}

// In docs/server.md, the row of each tool must name the role that the tool needs.
func TestTheDocumentedRolesMatchTheTools(t *testing.T) {
	page, err := os.ReadFile("../../docs/server.md")
	check(t, err)
	rows := map[string]string{}
	for line := range strings.Lines(string(page)) {
		if cells := strings.Split(line, "|"); len(cells) > 3 && strings.HasPrefix(cells[1], " `") {
			rows[strings.Trim(cells[1], " `")] = cells[2]
		}
	}
	for name, needs := range needed {
		for role := access.Read; role <= access.Admin; role++ {
			if named := strings.Contains(rows[role.String()], "`"+name+"`"); named != (role == needs) {
				t.Errorf("%s is listed in the row of %s: %v, but it needs %s", name, role, named, needs)
			}
		}
	}
}
