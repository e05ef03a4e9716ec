//go:build unix

package config_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/config/trust"
)

// place() writes files into a new folder and returns its path.
func place(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestTheStricterSettingOfTheLayersApplies(t *testing.T) {
	for _, c := range []struct {
		name, managed, user, project string
		want                         func(c *config.Config) bool
	}{
		{"strict of a project", "", "strict: false", "strict: true", func(c *config.Config) bool { return c.Strict }},
		{"strict of the user", "", "strict: true", "strict: false", func(c *config.Config) bool { return c.Strict }},
		{
			"the stricter fallback", "fallback_mode: fail_open", "fallback_mode: static_rules", "fallback_mode: fail_open",
			func(c *config.Config) bool { return c.Fallback == config.StaticRules },
		},
		{
			"no fallback above the project", "", "strict: true", "fallback_mode: fail_open",
			func(c *config.Config) bool { return c.Fallback == config.AskUser && len(c.Ignored) == 1 },
		},
		{
			"the shorter time", "cache_ttl: 60", "cache_ttl: 90", "cache_ttl: 600",
			func(c *config.Config) bool { return c.CacheTTL == 60 },
		},
		{"no page if one layer says so", "ui: on", "ui: off", "ui: on", func(c *config.Config) bool { return c.NoPage }},
		{"no page for a project", "", "strict: true", "ui: off", func(c *config.Config) bool { return c.NoPage }},
		{"a page", "", "strict: true", "ui: on", func(c *config.Config) bool { return !c.NoPage }},
		{"a project can stop the recording of calls", "", "audit: {keep_days: 3}", "audit: {calls: off}", func(c *config.Config) bool {
			return c.Audit == config.Audit{KeepDays: 3, NoCalls: true} && len(c.Ignored) == 0
		}},
		{"a project cannot record calls again", "", "audit: {calls: off}", "audit: {calls: masked}", func(c *config.Config) bool {
			return c.Audit.NoCalls
		}},
		{"calls are recorded", "", "strict: true", "", func(c *config.Config) bool { return !c.Audit.NoCalls }},
		{"the highest tenant", "tenant: a", "tenant: b", "tenant: c", func(c *config.Config) bool { return c.Tenant == "a" }},
		{"no tenant of a project", "", "strict: true", "tenant: c", func(c *config.Config) bool { return c.Tenant == "" }},
		{
			"a server counts as a store", "", "store: sqlite:/a.db", "server: {url: \"http://a/mcp\"}",
			func(c *config.Config) bool { return c.Server == nil && c.Store.Path == "/a.db" },
		},
		{
			"the administrator's server instead of the user's store", "server: {url: \"http://a/mcp\"}", "store: sqlite:/a.db", "",
			func(c *config.Config) bool {
				return c.Store == nil && c.Server != nil && c.Server.URL == "http://a/mcp"
			},
		},
		{"each layer has its agent", "default_agent: a", "default_agent: b", "default_agent: c", func(c *config.Config) bool {
			return c.Layers[0].DefaultAgent == "a" && c.Layers[1].DefaultAgent == "b" && c.Layers[2].DefaultAgent == "c"
		}},
		{
			"a project's test commands are its own", "test_commands: [a]", "test_commands: [b]", "test_commands: [c]",
			func(c *config.Config) bool {
				return fmt.Sprint(c.Layers[0].TestCommands, c.Layers[1].TestCommands, c.Layers[2].TestCommands) == "[a] [a b] [a b c]" &&
					len(c.Ignored) == 1 && c.Ignored[0].NeedsTrust && c.Ignored[0].Value == "c"
			},
		},
		{"an agent is inherited from above", "default_agent: a", "", "", func(c *config.Config) bool {
			return c.Layers[1].DefaultAgent == "a" && c.Layers[2].DefaultAgent == "a"
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := config.Places{Owner: os.Getuid(), Root: place(t, map[string]string{config.File: c.project})}
			if c.managed != "" {
				p.Managed = place(t, map[string]string{"guardrails.yaml": c.managed})
			}
			if c.user != "" {
				p.User = place(t, map[string]string{"guardrails.yaml": c.user})
			}
			l := config.Read(p, from(nil))
			got := l.Combine(false)
			if err := l.Problems().Err(); err != nil || !c.want(&got) {
				t.Errorf("%+v %v", got, err)
			}
		})
	}
}

func TestTheTestCommandsOfATrustedProjectCountForTheUsersGuidelines(t *testing.T) {
	state := t.TempDir()
	env := from(map[string]string{"XDG_STATE_HOME": state})
	p := config.Places{
		User: place(t, map[string]string{"guardrails.yaml": "strict: true"}),
		Root: place(t, map[string]string{config.File: "test_commands: [./verify]"}),
	}
	hash, err := trust.Hash(p.Root)
	if err == nil {
		err = trust.Trust(env, p.Root, hash, time.Now())
	}
	if err != nil {
		t.Fatal(err)
	}
	c := config.Read(p, env).Combine(false)
	if got := fmt.Sprint(c.Layers[0].TestCommands, c.Ignored); got != "[./verify] []" {
		t.Error(got)
	}
}

func TestAManagedFolderThatOthersCanChangeIsIgnoredLoudly(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(dir string) error
		owner int
		want  string
	}{
		"fine":           {func(string) error { return nil }, os.Getuid(), ""},
		"another owner":  {func(string) error { return nil }, os.Getuid() + 1, "does not belong to root"},
		"an open folder": {func(dir string) error { return os.Chmod(dir, 0o777) }, os.Getuid(), "can be written by others"},
		"an open file": {
			func(dir string) error { return os.Chmod(filepath.Join(dir, "guardrails.yaml"), 0o664) }, os.Getuid(),
			"can be written by others",
		},
		"an open guideline": {
			func(dir string) error { return os.Chmod(filepath.Join(dir, "guidelines/a.yaml"), 0o666) },
			os.Getuid(), "can be written by others",
		},
		"a link": {func(dir string) error {
			return os.Symlink("/etc/hosts", filepath.Join(dir, "guidelines/b.yaml"))
		}, os.Getuid(), "is a symbolic link"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := place(t, map[string]string{"guardrails.yaml": "tenant: a\n", "guidelines/a.yaml": ""})
			if err := c.spoil(dir); err != nil {
				t.Fatal(err)
			}
			got := config.Read(config.Places{Managed: dir, Owner: c.owner}, from(nil)).Combine(false)
			used := got.Tenant == "a" && len(got.Ignored) == 0
			if used != (c.want == "") || !used && !strings.Contains(got.Ignored[0].Why, c.want) {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestAMistakeOrAVariableDoesNotSwitchTheRecordingOfCallsOn(t *testing.T) {
	for _, c := range []struct{ user, project, variable string }{
		{"strict: true", "audit: {calls: of}", ""},
		{"", "audit: off", ""},
		{"audit: {call: off}", "", ""},
		{"", "audit: {calls: off}", `{"keep_days": 3}`},
		{"strict: true", "audit: {calls: off}", `{"keep_days": 3}`},
	} {
		p := config.Places{Owner: os.Getuid(), Root: place(t, map[string]string{config.File: c.project})}
		if c.user != "" {
			p.User = place(t, map[string]string{"guardrails.yaml": c.user})
		}
		vars := map[string]string{}
		if c.variable != "" {
			vars["GUARDRAILS_AUDIT"] = c.variable
		}
		l := config.Read(p, from(vars))
		if got := l.Combine(false); !got.Audit.NoCalls {
			t.Errorf("%+v: calls are recorded", c)
		}
	}
}

func TestOnlyAServerThatAPersonHasChosenGetsTheDecisions(t *testing.T) {
	const server = "server: {url: 'http://host/mcp'}\n"
	variable := map[string]string{"GUARDRAILS_SERVER": `{"url": "http://host/mcp"}`}
	for name, c := range map[string]struct {
		managed, user, project, client string
		variables                      map[string]string
		trusted, want                  bool
	}{
		"nobody":                        {},
		"the administrator":             {managed: server, want: true},
		"the user":                      {user: server, want: true},
		"a project":                     {project: server},
		"a project below a user":        {user: "strict: true\n", project: server},
		"a trusted project":             {project: server, trusted: true, want: true},
		"a trusted project below":       {user: "strict: true\n", project: server, trusted: true, want: true},
		"a variable":                    {variables: variable, want: true},
		"a variable over a project":     {project: server, variables: variable, want: true},
		"a variable with a mistake":     {project: server, variables: map[string]string{"GUARDRAILS_SERVER": `{"url": 1}`}},
		"a variable of the project":     {client: `{"env": {"GUARDRAILS_SERVER": "x"}}`, variables: variable},
		"a trusted variable of it":      {client: `{"env": {"GUARDRAILS_SERVER": "x"}}`, variables: variable, trusted: true, want: true},
		"a socket":                      {user: "server: {url: 'unix:/run/x.sock'}\n"},
		"a store in a variable as well": {user: server, variables: map[string]string{"GUARDRAILS_STORE": "/tmp/a.db"}},
	} {
		files := map[string]string{}
		for path, text := range map[string]string{config.File: c.project, ".claude/settings.json": c.client} {
			if text != "" {
				files[path] = text
			}
		}
		variables := map[string]string{"HOME": t.TempDir()}
		maps.Copy(variables, c.variables)
		p := config.Places{Managed: layer(t, c.managed), User: layer(t, c.user), Root: place(t, files), Owner: os.Getuid()}
		if c.trusted {
			trustProject(t, from(variables), p.Root)
		}
		l := config.Read(p, from(variables))
		combined := l.Combine(false)
		if combined.RemoteAudit != c.want {
			t.Errorf("%s: got %v, ignored %v, problems %v", name, !c.want, combined.Ignored, l.Problems())
		}
	}
}
