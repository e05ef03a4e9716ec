package config_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/internal/document"
)

// project() creates a folder with the given configuration. If the text is empty, it creates no file.
func project(t *testing.T, text string) string {
	t.Helper()
	root := t.TempDir()
	if text == "" {
		return root
	}
	name := filepath.Join(root, config.File)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return root
}

func from(variables map[string]string) func(string) string {
	return func(name string) string { return variables[name] }
}

// load() reads the settings of a project. No other layer exists.
func load(root string, env func(string) string) (config.Config, document.Problems) {
	l := config.Read(config.Places{Root: root}, env)
	c := l.Combine(false)
	c.Layers = nil
	return c, l.Problems()
}

// defaultsWith returns the default configuration after change() has changed it.
func defaultsWith(change func(c *config.Config)) config.Config {
	c := config.Config{Environment: "workstation", Fallback: config.AskUser, CacheTTL: 300, Detectors: usualDetectors(), Safety: config.Safety{Mode: config.Off}}
	c.OutputGuard, c.Model = config.OutputGuard{Mode: config.Off}, usualModel()
	if change != nil {
		change(&c)
	}
	return c
}

// usualModel returns the default settings of the model.
func usualModel() config.Model {
	return config.Model{Timeout: 2000, ContextTimeout: 2000, Context: true, Audit: true, MaxCalls: 600}
}

// usualDetectors returns the default settings of the detectors.
func usualDetectors() config.Detectors {
	return config.Detectors{
		Rumination: config.Off, Hyperfocus: config.Off, Sycophancy: config.Off, ToolLoop: config.Note,
		WindowMinutes: 90, ThresholdCount: 3, SimilarityThreshold: 0.55, BreakMinutes: 90, PauseMinutes: 20,
	}
}

func TestSettingsComeFromTheFileAndTheEnvironment(t *testing.T) {
	const every = `
tenant: acme
default_agent: backend
environment: container
packs: [core, roles]
domains:
  billing: [invoice, bill*, order history]
fallback_mode: static_rules
cache_ttl: 60
strict: true
server: {url: "http://127.0.0.1:7117/mcp", token_file: ~/token}
exceptions:
  - {guideline: security-history, tools: [Bash(git push:*)], reason: moving the repository, expires: 2026-03-01}
  - {guideline: small-commits, reason: the great move, expires: "2026-03-01T12:00:00+02:00"}
`
	whole := config.Config{
		Tenant: "acme", DefaultAgent: "backend", Environment: "container", Packs: []string{"core", "roles"},
		Domains:  map[string][]string{"billing": {"invoice", "bill*", "order history"}},
		Fallback: config.StaticRules, CacheTTL: 60, Strict: true, Detectors: usualDetectors(), Safety: config.Safety{Mode: config.Off},
		OutputGuard: config.OutputGuard{Mode: config.Off}, Model: usualModel(),
		Server: &config.Server{URL: "http://127.0.0.1:7117/mcp", TokenFile: "~/token"},
		Exceptions: []config.Exception{
			{
				Guideline: "security-history", Tools: []string{"Bash(git push:*)"}, Reason: "moving the repository",
				Expires: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC),
			},
			{Guideline: "small-commits", Reason: "the great move", Expires: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)},
		},
	}
	byVariables := whole
	byVariables.RemoteAudit = true // the file alone could not set this, because nobody trusts the file
	for _, c := range []struct {
		name, text string
		variables  map[string]string
		want       config.Config
	}{
		{name: "no file", want: defaultsWith(nil)},
		{name: "only comments", text: "# nothing yet\n\n", want: defaultsWith(nil)},
		{name: "every key", text: every, want: whole},
		{name: "no packs", text: "packs: []\n", want: defaultsWith(func(c *config.Config) { c.Packs = []string{} })},
		{
			name: "every variable",
			variables: map[string]string{
				"GUARDRAILS_TENANT": "acme", "GUARDRAILS_DEFAULT_AGENT": "backend", "GUARDRAILS_ENVIRONMENT": "container",
				"GUARDRAILS_PACKS": "core, roles", "GUARDRAILS_DOMAINS": `{"billing": ["invoice", "bill*", "order history"]}`,
				"GUARDRAILS_FALLBACK_MODE": "static_rules", "GUARDRAILS_CACHE_TTL": "60", "GUARDRAILS_STRICT": "true",
				"GUARDRAILS_SERVER": `{"url": "http://127.0.0.1:7117/mcp", "token_file": "~/token"}`,
				"GUARDRAILS_EXCEPTIONS": `[
					{"guideline": "security-history", "tools": ["Bash(git push:*)"], "reason": "moving the repository", "expires": "2026-03-01"},
					{"guideline": "small-commits", "reason": "the great move", "expires": "2026-03-01T12:00:00+02:00"}]`,
			},
			want: byVariables,
		},
		{
			name: "a variable overrides the file", text: "tenant: acme\nenvironment: container\n",
			variables: map[string]string{"GUARDRAILS_TENANT": "other", "GUARDRAILS_ENVIRONMENT": ""},
			want:      defaultsWith(func(c *config.Config) { c.Tenant, c.Environment = "other", "container" }),
		},
		{
			name: "a server on a socket", text: "server: {url: unix:/run/guardrails/server.sock}\n",
			want: defaultsWith(func(c *config.Config) { c.Server = &config.Server{URL: "unix:/run/guardrails/server.sock"} }),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, problems := load(project(t, c.text), from(c.variables))
			if err := problems.Err(); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %#v\nwant %#v", got, c.want)
			}
		})
	}
}

func TestEveryMistakeIsReportedWithPositionAndRemedy(t *testing.T) {
	for _, c := range []struct {
		name, text string
		variables  map[string]string
		want       []string
	}{
		{
			name: "unknown keys", text: "tenent: acme\nfallback: open\n",
			want: []string{
				`FILE:1: tenent: unknown field; did you mean "tenant"?`,
				"FILE:2: fallback: unknown field; remove it; " +
					"the known fields are tenant, project, default_agent, domains, packs, environment, fallback_mode, cache_ttl, strict, store, audit, server, test_commands, locked, exceptions, detectors, display, safety, output_guard, model, ui",
			},
		},
		{
			name: "wrong values", text: "tenant: 3\nenvironment: laptop\npacks: [core, cor]\ndomains: [a]\n",
			want: []string{
				"FILE:1: tenant: is a number where a string is expected; write a string",
				`FILE:2: environment: "laptop" is not accepted; use one of workstation, container`,
				`FILE:3: packs[1]: there is no pack "cor"; use core, roles`,
				"FILE:4: domains: is a list where an object is expected; write an object",
			},
		},
		{
			name: "wrong fallback", text: "fallback_mode: open\ncache_ttl: 5\nstrict: maybe\n",
			want: []string{
				`FILE:1: fallback_mode: "open" is not accepted; use one of ask_user, static_rules, fail_open`,
				"FILE:2: cache_ttl: 5 is not a whole number between 10 and 3600; change it",
				"FILE:3: strict: is a string where a boolean is expected; write a boolean",
			},
		},
		{
			name: "wrong server", text: "server: {token_file: token, port: 3}\n",
			want: []string{
				`FILE:1: server.token_file: "token" is not an absolute path; start it with / or ~/; a token must not be in the project`,
				"FILE:1: server.port: unknown field; remove it; the known fields are url, token_file",
				"FILE:1: server.url: is missing; add it",
			},
		},
		{
			name: "wrong exceptions", text: `exceptions:
  - {guideline: No Id, tools: ["Bash(", ""], reason: " ", expires: soon}
  - {tools: [], until: 2026-01-01}
  - all
`,
			want: []string{
				`FILE:2: exceptions[0].guideline: "No Id" is not a guideline's id; write the id that the refusal names`,
				`FILE:2: exceptions[0].tools[0]: "Bash(" has no closing parenthesis at its end; write Tool(pattern)`,
				"FILE:2: exceptions[0].tools[1]: is empty; remove the item or write a value",
				"FILE:2: exceptions[0].reason: is empty; say why the guideline does not fit here",
				`FILE:2: exceptions[0].expires: "soon" is not a date; write it as 2026-01-31 or 2026-01-31T12:00:00Z`,
				"FILE:3: exceptions[1].tools: is an empty list; list the tools, or remove the key to cover every call",
				"FILE:3: exceptions[1].until: unknown field; remove it; the known fields are guideline, tools, reason, expires",
				"FILE:3: exceptions[1].guideline: is missing; add it",
				"FILE:3: exceptions[1].reason: is missing; add it",
				"FILE:3: exceptions[1].expires: is missing; add it",
				"FILE:4: exceptions[2]: is a string where an object is expected; write an object",
			},
		},
		{name: "exceptions that are not a list", text: "exceptions: all\n", want: []string{"FILE:1: exceptions: is a string where a list is expected; write a list"}},
		{name: "no settings", text: "- tenant\n", want: []string{"FILE:1: is a list where an object is expected; write an object"}},
		{
			name: "broken text", text: "tenant: [\n",
			want: []string{"FILE:2: is not YAML: did not find expected node content while parsing a flow node; fix the syntax here"},
		},
		{
			name: "commands that can never be a test", text: "test_commands: ['*', make a && make b, 'make (', '', make verify]\n",
			want: []string{
				`FILE:1: test_commands[0]: "*" would count every command as a test; name the command that runs the tests`,
				`FILE:1: test_commands[1]: "make a && make b" is not one simple command; write a command such as make verify; a * stands for any arguments`,
				"FILE:1: test_commands[3]: is empty; remove the item or write a value",
			},
		},
		{
			name: "more than a hook has time to read", text: "domains: {}\n# " + strings.Repeat("x", 256<<10),
			want: []string{"FILE: is larger than 256 KiB; remove everything that is not a setting"},
		},
		{name: "two documents", text: "tenant: a\n---\ntenant: b\n", want: []string{"FILE:3: is a second document; keep all settings in one document"}},
		{
			name: "variables",
			variables: map[string]string{
				"GUARDRAILS_ENVIRONMENT": "laptop", "GUARDRAILS_PACKS": "none", "GUARDRAILS_DOMAINS": "{",
				"GUARDRAILS_STRICT": "yes", "GUARDRAILS_CACHE_TTL": "60.5", "GUARDRAILS_EXCEPTIONS": "{}",
			},
			want: []string{
				"GUARDRAILS_DOMAINS:1: is not JSON: ends in the middle of the document; write the rest of it",
				`GUARDRAILS_PACKS: [0]: there is no pack "none"; use core, roles`,
				`GUARDRAILS_ENVIRONMENT: "laptop" is not accepted; use one of workstation, container`,
				"GUARDRAILS_CACHE_TTL: 60.5 is not a whole number between 10 and 3600; change it",
				"GUARDRAILS_STRICT: is a string where a boolean is expected; write a boolean",
				"GUARDRAILS_EXCEPTIONS:1: is an object where a list is expected; write a list",
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := project(t, c.text)
			_, problems := load(root, from(c.variables))
			got := strings.ReplaceAll(problems.Error(), filepath.Join(root, config.File), "FILE")
			if want := strings.Join(c.want, "\n"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestUnreadableFileIsAProblem(t *testing.T) {
	root := t.TempDir()
	name := filepath.Join(root, config.File)
	if err := os.MkdirAll(name, 0o755); err != nil {
		t.Fatal(err)
	}
	_, problems := load(root, from(nil))
	if got, want := problems.Error(), name+": cannot be read: is a directory; check its permissions"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
