package setup_test

import (
	"strings"
	"testing"

	"guardrails/setup"
)

func withServer(o *setup.Options) { o.MCP = true }

func TestServerIsAddedBesideOthersAndAllowedToStart(t *testing.T) {
	d := disk{
		serverFile:   `{"mcpServers": {"other": {"command": "x"}}}`,
		settingsFile: `{"enabledMcpjsonServers": ["other"]}`,
	}.setUp(t, withServer)
	if want := `{"mcpServers": {"other": {"command": "x"}, "guardrails": {"command": "/usr/local/bin/guardrails", "args": ["mcp"]}}}`; d[serverFile] != want {
		t.Errorf("got %s", d[serverFile])
	}
	if !strings.HasPrefix(d[settingsFile], `{"enabledMcpjsonServers": ["other", "guardrails"], "hooks": {`) {
		t.Errorf("got %s", d[settingsFile])
	}
}

func TestEntryOfAMovedServerIsFixed(t *testing.T) {
	d := disk{serverFile: `{"mcpServers": {"guardrails": {"command": "C:\\old\\guardrails.exe", "args": ["mcp"], "env": {}}}}`}.setUp(t, withServer)
	if want := `{"mcpServers": {"guardrails": {"command": "/usr/local/bin/guardrails", "args": ["mcp"]}}}`; d[serverFile] != want {
		t.Errorf("got %s", d[serverFile])
	}
}

// The hooks do not read the variables in the field "env" of the server's entry. With such variables, the server and the
// hooks could use different stores.
func TestEnvOfTheServerIsDroppedAndNamed(t *testing.T) {
	d := disk{serverFile: `{"mcpServers": {"guardrails": {"command": "guardrails", "args": ["mcp"], "env": {"ELASTICSEARCH_URL": "http://localhost:9200", "A": "b"}}}}`}
	o := d.project()
	o.Bin, o.MCP = "", true
	next, plan := d.filesAfter(t, o)
	if want := `{"mcpServers": {"guardrails": {"command": "guardrails", "args": ["mcp"]}}}`; next[serverFile] != want {
		t.Errorf("got %s", next[serverFile])
	}
	want := "replaces the entry of the MCP server, without its env (ELASTICSEARCH_URL and A), because hooks do not " +
		"read it; name the store in .claude/guardrails.yaml"
	if said := reasons(plan, serverFile); len(said) != 1 || said[0] != want {
		t.Errorf("the reasons are %q", said)
	}
}

func TestAnotherProgramUnderOurNameIsRefusedAndUnchanged(t *testing.T) {
	const text = `{"mcpServers": {"guardrails": {"command": "/bin/other"}}}`
	d := disk{serverFile: text}
	o := d.project()
	o.MCP = true
	_, err := setup.Prepare(o)
	if want := serverFile + `:1:31: mcpServers.guardrails: runs "/bin/other", which is another program; give this entry another name`; err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	if left := d.uninstalled(t); left[serverFile] != text {
		t.Errorf("got %s", left[serverFile])
	}
}

func TestMalformedServersAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		`{"mcpServers": []}`:                "mcpServers: is a list where an object is expected",
		`{"mcpServers": {"guardrails": 1}}`: "mcpServers.guardrails: is a number where an object is expected",
		`[]`:                                "is a list where an object is expected",
		`{`:                                 "is not JSON",
	} {
		d := disk{serverFile: text}
		o := d.project()
		o.MCP = true
		if _, err := setup.Prepare(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestEnabledServersOfAnotherTypeAreUnchanged(t *testing.T) {
	d := disk{settingsFile: `{"enabledMcpjsonServers": null}`}.setUp(t, withServer)
	if !strings.HasPrefix(d[settingsFile], `{"enabledMcpjsonServers": null, `) {
		t.Errorf("got %s", d[settingsFile])
	}
}

func TestWithoutMCPServerFilesAreUnchanged(t *testing.T) {
	d := disk{serverFile: "{"}.setUp(t, nil)
	if d[serverFile] != "{" || strings.Contains(d[settingsFile], "enabledMcpjsonServers") {
		t.Errorf("got %v", d)
	}
}
