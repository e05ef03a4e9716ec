package setup_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"guardrails/internal/product"
	"guardrails/setup"
)

func TestClientReadsFourSettingsFiles(t *testing.T) {
	for goos, policy := range map[string]string{
		"linux": "/etc/claude-code/managed-settings.json", "darwin": "/Library/Application Support/ClaudeCode/managed-settings.json",
	} {
		got := setup.Files("/p", "/home/u/.claude", goos)[:4]
		want := []setup.File{
			{Scope: setup.User, Path: "/home/u/.claude/settings.json"},
			{Scope: setup.Project, Path: "/p/.claude/settings.json"},
			{Scope: setup.Local, Path: "/p/.claude/settings.local.json"},
			{Scope: setup.Managed, Path: policy},
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v", goos, got)
		}
	}
	if got := setup.Files("/p", "", "windows"); got[0].Scope != setup.Project || got[2].Scope != setup.Managed {
		t.Errorf("got %v", got)
	}
}

func TestUserFilesAreInTheClientsFolder(t *testing.T) {
	for _, c := range []struct {
		variables map[string]string
		want      string
	}{
		{map[string]string{"HOME": "/h", "CLAUDE_CONFIG_DIR": "/c"}, "/c"},
		{map[string]string{"HOME": "/h", "USERPROFILE": "/u"}, "/h/.claude"},
		{map[string]string{"USERPROFILE": "/u"}, "/u/.claude"},
		{nil, ""},
	} {
		if got := product.ClientDir(func(name string) string { return c.variables[name] }); got != c.want {
			t.Errorf("%v: got %s", c.variables, got)
		}
	}
}

func TestSettingsThatPreventHooksAreReported(t *testing.T) {
	files := setup.Files("/p", "/home/u/.claude", "linux")
	ours := disk{}.setUp(t, nil)[settingsFile]
	d := disk{
		"/home/u/.claude/settings.json": strings.ReplaceAll(ours, "/usr/local", "/opt"), settingsFile: ours,
		"/p/.claude/settings.local.json":         "{\n\"disableAllHooks\": true, \"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"guardrails-stop\"}]}]}}",
		"/etc/claude-code/managed-settings.json": "{",
	}
	_, plan := d.filesAfter(t, d.project())
	got := plan.Conflicts(files, d.read)
	want := []string{
		"/home/u/.claude/settings.json:6: also has hooks of guardrails, so they run twice; keep them in one file only (guardrails init --user --uninstall)",
		"/p/.claude/settings.local.json:2: disableAllHooks disables every hook, so nothing is guarded; remove it",
		"/p/.claude/settings.local.json:2: also has hooks of guardrails, so they run twice; keep them in one file only (guardrails init --local --uninstall in the project)",
		"/etc/claude-code/managed-settings.json:1:2: is not JSON: ends in the middle of the document; write the rest of it. Claude Code ignores the whole file until this is fixed. It allows no comments and no trailing commas",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q", got)
	}
	o := d.project()
	o.Target, o.Bin = setup.ForUser("/home/u/.claude", "/home/u/.config/guardrails"), "/opt/bin"
	_, plan = d.filesAfter(t, o)
	got = plan.Conflicts(files[1:2], d.read)
	if len(got) != 1 || got[0] != settingsFile+":6: also has hooks of guardrails, so they run twice; keep them in one file only (guardrails init --uninstall in the project)" {
		t.Errorf("got %q", got)
	}
	broken := func(string) ([]byte, error) { return nil, errors.New("is broken") }
	if got := plan.Conflicts(files[1:2], broken); !reflect.DeepEqual(got, []string{"is broken"}) {
		t.Errorf("got %q", got)
	}
}

// If two entries have equal commands, the client runs the command once, even if the entries are in different files.
func TestEqualHooksInTwoFilesAreNoConflict(t *testing.T) {
	d := disk{"/home/u/.claude/settings.json": disk{}.setUp(t, nil)[settingsFile]}
	files := setup.Files("/p", "/home/u/.claude", "linux")
	_, plan := d.filesAfter(t, d.project())
	if got := plan.Conflicts(files, d.read); got != nil {
		t.Errorf("got %q", got)
	}
	o := d.project()
	o.Strict = true
	_, plan = d.filesAfter(t, o)
	if got := plan.Conflicts(files, d.read); len(got) != 1 || !strings.Contains(got[0], "they run twice") {
		t.Errorf("got %q", got)
	}
}
