package mcp_test

import (
	"strings"
	"testing"
)

func TestAChangeIsAboutTheServersProjectUnlessItNamesAnother(t *testing.T) {
	for _, c := range []struct {
		name, arguments, want string
		bound                 bool
	}{
		{"the server's project", ``, "shop", false},
		{"all projects", `, "all_projects": true`, "", false},
		{"another project", `, "project_id": "tools"`, "tools", false},
		{"a caller on the network", ``, "", true},
		{"a caller on the network who names a project", `, "project_id": "tools"`, "tools", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newStoreServer(t)
			if c.bound {
				d = newStoreServer(t, boundToTenant)
			}
			change(t, d, "guardrails_create", `{"guideline": `+gate+c.arguments+`}`, c.want, 1)
			change(t, d, "guardrails_update", `{"id": "gate", "version": 1, "priority": 5`+c.arguments+`}`, c.want, 2)
			same := call(t, d.Server, "guardrails_update", `{"id": "gate", "version": 2, "priority": 5`+c.arguments+`}`)
			if field(same, "unchanged") != true || field(same, "guideline.version") != 2.0 {
				t.Errorf("an update without a change: %v", same.StructuredContent)
			}
			change(t, d, "guardrails_toggle", `{"id": "gate", "version": 2`+c.arguments+`}`, c.want, 3)
			if got := call(t, d.Server, "guardrails_delete", `{"id": "gate", "version": 3`+c.arguments+`}`); got.IsError {
				t.Error(got.Content[0].Text)
			}
		})
	}
}

// change() calls a tool that changes a guideline. It checks the project and the version in the answer.
func change(t *testing.T, d *storeServer, tool, arguments, project string, version float64) {
	t.Helper()
	got := call(t, d.Server, tool, arguments)
	if got.IsError {
		t.Fatal(got.Content[0].Text)
	}
	if p, _ := field(got, "guideline.project_id").(string); p != project || field(got, "guideline.version") != version {
		t.Errorf("%s: got the project %q and %v", tool, p, got.StructuredContent)
	}
}

func TestAGuidelineOfAnotherProjectIsNotChanged(t *testing.T) {
	d := newStoreServer(t)
	change(t, d, "guardrails_create", `{"guideline": `+gate+`, "all_projects": true}`, "", 1)
	for arguments, want := range map[string]string{
		`{"id": "gate", "version": 1}`:                                          "the guideline gate does not belong to the project shop, but to all projects; set all_projects to true",
		`{"id": "gate", "version": 1, "project_id": "x", "all_projects": true}`: "project_id and all_projects contradict each other",
		`{"id": "other", "version": 1}`:                                         "there is no guideline \"other\" of the project shop",
	} {
		got := call(t, d.Server, "guardrails_toggle", arguments)
		if !got.IsError || !strings.Contains(got.Content[0].Text, want) {
			t.Errorf("%s: got %s, want %s", arguments, got.Content[0].Text, want)
		}
	}
	change(t, d, "guardrails_create", `{"guideline": `+gate+`}`, "shop", 1)
}
