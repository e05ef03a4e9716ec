package config_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"guardrails/config"
)

// project makes a folder with the given settings; none are written when the text is empty.
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

func TestSettingsComeFromTheFileAndTheEnvironment(t *testing.T) {
	const every = `
tenant: acme
default_agent: backend
environment: container
packs: [core, roles]
domains:
  billing: [invoice, bill*, order history]
`
	whole := config.Config{
		Tenant: "acme", DefaultAgent: "backend", Environment: "container", Packs: []string{"core", "roles"},
		Domains: map[string][]string{"billing": {"invoice", "bill*", "order history"}},
	}
	for _, c := range []struct {
		name, text string
		variables  map[string]string
		want       config.Config
	}{
		{name: "no file", want: config.Config{Environment: "workstation"}},
		{name: "only comments", text: "# nothing yet\n\n", want: config.Config{Environment: "workstation"}},
		{name: "every key", text: every, want: whole},
		{name: "no packs at all", text: "packs: []\n", want: config.Config{Environment: "workstation", Packs: []string{}}},
		{
			name: "every variable",
			variables: map[string]string{
				"GUARDRAILS_TENANT": "acme", "GUARDRAILS_DEFAULT_AGENT": "backend", "GUARDRAILS_ENVIRONMENT": "container",
				"GUARDRAILS_PACKS": "core, roles", "GUARDRAILS_DOMAINS": `{"billing": ["invoice", "bill*", "order history"]}`,
			},
			want: whole,
		},
		{
			name: "a variable goes before the file", text: "tenant: acme\nenvironment: container\n",
			variables: map[string]string{"GUARDRAILS_TENANT": "other", "GUARDRAILS_ENVIRONMENT": ""},
			want:      config.Config{Tenant: "other", Environment: "container"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, problems := config.Load(project(t, c.text), from(c.variables))
			if err := problems.Err(); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %#v\nwant %#v", got, c.want)
			}
		})
	}
}

func TestEveryMistakeIsReportedWithItsPlaceAndRemedy(t *testing.T) {
	for _, c := range []struct {
		name, text string
		variables  map[string]string
		want       []string
	}{
		{
			name: "unknown keys", text: "tenent: acme\nfallback: open\n",
			want: []string{
				`FILE:1: tenent: unknown field; did you mean "tenant"?`,
				"FILE:2: fallback: unknown field; remove it; known here: tenant, default_agent, domains, packs, environment",
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
		{name: "no settings", text: "- tenant\n", want: []string{"FILE:1: is a list where an object is expected; write an object"}},
		{
			name: "broken text", text: "tenant: [\n",
			want: []string{"FILE:2: is not YAML: did not find expected node content while parsing a flow node; mend the syntax here"},
		},
		{name: "two documents", text: "tenant: a\n---\ntenant: b\n", want: []string{"FILE:3: is a second document; keep the settings in one"}},
		{
			name: "variables",
			variables: map[string]string{
				"GUARDRAILS_ENVIRONMENT": "laptop", "GUARDRAILS_PACKS": "none", "GUARDRAILS_DOMAINS": "{",
			},
			want: []string{
				"GUARDRAILS_DOMAINS:1: is not JSON: ends in the middle of the document; write the rest of it",
				`GUARDRAILS_PACKS: [0]: there is no pack "none"; use core, roles`,
				`GUARDRAILS_ENVIRONMENT: "laptop" is not accepted; use one of workstation, container`,
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := project(t, c.text)
			_, problems := config.Load(root, from(c.variables))
			got := strings.ReplaceAll(problems.Error(), filepath.Join(root, config.File), "FILE")
			if want := strings.Join(c.want, "\n"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestAFileThatCannotBeReadIsAProblem(t *testing.T) {
	root := t.TempDir()
	name := filepath.Join(root, config.File)
	if err := os.MkdirAll(name, 0o755); err != nil {
		t.Fatal(err)
	}
	_, problems := config.Load(root, from(nil))
	if got, want := problems.Error(), name+": cannot be read: is a directory; check its permissions"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
