package product_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"guardrails/internal/product"
)

func TestEveryProgramHasTheProductsName(t *testing.T) {
	for _, name := range []string{"guardrails", "guardrails-inject", "guardrails-subagent", "guardrails-enforce", "guardrails-stop", "guardrails-server"} {
		for _, path := range []string{name, "/usr/local/bin/" + name, `C:\bin\` + name + ".exe", name + ".EXE"} {
			if !product.IsOwnProgram(path) {
				t.Errorf("%s is not recognized", path)
			}
		}
		if !slices.Contains(product.Programs(), name) {
			t.Errorf("%s is not listed", name)
		}
	}
	for _, name := range []string{"", "guard", "guardrails-", "guardrails-servers", "my-guardrails", "guardrails.exe.old"} {
		if product.IsOwnProgram(name) {
			t.Errorf("%q is accepted as one of the programs", name)
		}
	}
}

func TestHooksAreTheProgramsThatTheClientStarts(t *testing.T) {
	want := []string{"guardrails-inject", "guardrails-subagent", "guardrails-enforce", "guardrails-stop"}
	if got := product.Hooks(); !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
	for _, name := range product.Programs() {
		if product.IsHook(name) != slices.Contains(want, name) {
			t.Errorf("%s is a hook: %v", name, product.IsHook(name))
		}
	}
}

func TestCallersCannotChangeTheNames(t *testing.T) {
	product.Programs()[0], product.Hooks()[1] = "x", "x"
	if product.IsOwnProgram("x") || !product.IsHook("guardrails-inject") {
		t.Error("the list of programs was changed")
	}
}

func TestFoldersFollowTheEnvironment(t *testing.T) {
	home := t.TempDir()
	base := filepath.Join(home, "base")
	for _, c := range []struct {
		name        string
		variables   map[string]string
		data, state string
	}{
		{"home", map[string]string{"HOME": home}, home + "/.local/share/guardrails", home + "/.local/state/guardrails"},
		{"XDG", map[string]string{"HOME": home, "XDG_DATA_HOME": base, "XDG_STATE_HOME": base}, base + "/guardrails", base + "/guardrails"},
		{"relative XDG", map[string]string{"HOME": home, "XDG_DATA_HOME": "a", "XDG_STATE_HOME": "b"}, home + "/.local/share/guardrails", home + "/.local/state/guardrails"},
		{"relative home", map[string]string{"HOME": "home"}, "", ""},
		{"no variables", nil, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := func(name string) string { return c.variables[name] }
			if got := product.DataDir(env); filepath.ToSlash(got) != filepath.ToSlash(c.data) {
				t.Errorf("the data folder is %q", got)
			}
			if got := product.StateDir(env); filepath.ToSlash(got) != filepath.ToSlash(c.state) {
				t.Errorf("the state folder is %q", got)
			}
			if got := product.DatabasePath(env); (got == "") != (c.data == "") || got != "" && filepath.Base(got) != "guardrails.db" {
				t.Errorf("the database is %q", got)
			}
		})
	}
}

func TestTheFolderOfAUsersSettingsFollowsTheEnvironment(t *testing.T) {
	for _, c := range []struct {
		name      string
		variables map[string]string
		want      string
	}{
		{"home", map[string]string{"HOME": "/h"}, "/h/.config/guardrails"},
		{"XDG", map[string]string{"HOME": "/h", "XDG_CONFIG_HOME": "/c"}, "/c/guardrails"},
		{"relative XDG", map[string]string{"HOME": "/h", "XDG_CONFIG_HOME": "c"}, "/h/.config/guardrails"},
		{"no variables", nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := product.ConfigDir(func(name string) string { return c.variables[name] })
			if filepath.ToSlash(got) != c.want {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestClientFolderFollowsTheEnvironment(t *testing.T) {
	for _, c := range []struct {
		name      string
		variables map[string]string
		want      string
	}{
		{"CLAUDE_CONFIG_DIR", map[string]string{"CLAUDE_CONFIG_DIR": "/c", "HOME": "/h"}, "/c"},
		{"home", map[string]string{"HOME": "/h", "USERPROFILE": "/u"}, "/h/.claude"},
		{"USERPROFILE", map[string]string{"USERPROFILE": "/u"}, "/u/.claude"},
		{"no variables", nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := product.ClientDir(func(name string) string { return c.variables[name] })
			if filepath.ToSlash(got) != c.want {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestVariablesAreSettingsOrLocations(t *testing.T) {
	for name, want := range map[string][2]bool{
		"GUARDRAILS_STRICT": {true, false}, "GUARDRAILS_STORE": {true, false}, "GUARDRAILS_CACHE_DIR": {},
		"ENABLE_BEHAVIORAL_INTERVENTION": {true, false},
		"HOME":                           {false, true}, "XDG_DATA_HOME": {false, true}, "XDG_STATE_HOME": {false, true}, "XDG_CONFIG_HOME": {false, true}, "ELASTICSEARCH_URL": {false, true},
		"PATH": {}, "XDG_RUNTIME_DIR": {},
	} {
		if got := [2]bool{product.IsSetting(name), product.IsLocation(name)}; got != want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

func TestAgentShellIsRecognizedByTheClientsVariable(t *testing.T) {
	for value, want := range map[string]bool{"": false, "1": true, "0": true} {
		env := func(name string) string {
			if name == "CLAUDECODE" {
				return value
			}
			return ""
		}
		if got := product.IsAgentShell(env); got != want {
			t.Errorf("CLAUDECODE=%q: got %v", value, got)
		}
	}
}

func TestVariablesOfAnAgent(t *testing.T) {
	for name, want := range map[string]bool{"CLAUDECODE": true, "CLAUDE_CODE_SESSION_ID": true, "CLAUDE_PROJECT_DIR": false, "": false} {
		if got := product.IsAgentVariable(name); got != want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

func TestLocationsAreAmongTheVariablesThatMoveFiles(t *testing.T) {
	names := strings.Fields(product.MovingVariables)
	for _, name := range []string{"HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "ELASTICSEARCH_URL", "XDG_RUNTIME_DIR", "TMPDIR"} {
		if !slices.Contains(names, name) {
			t.Errorf("%s is missing", name)
		}
	}
	for _, name := range names {
		if !product.IsLocation(name) && name != "XDG_RUNTIME_DIR" && name != "TMPDIR" {
			t.Errorf("%s is not a location", name)
		}
	}
}

func TestTheFilesOfTheClientComeFirst(t *testing.T) {
	want := []string{".claude/settings.json", ".claude/settings.local.json", ".mcp.json"}
	if got := product.ProjectFiles()[:product.ClientFiles]; !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}
