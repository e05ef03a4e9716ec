package service_test

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"guardrails/guideline"
	"guardrails/service"
)

const backendRule = `condition: {agents: [backend]}
action: {type: tool_restriction, instruction: Stay in src/core., tools_denied: [Write(src/ui/*)]}`

func TestTheContextIsCompletedFromSessionSettingsAndPrompt(t *testing.T) {
	for _, c := range []struct {
		name, settings string
		vars           map[string]string
		request        service.Request
		want           guideline.Context
	}{
		{name: "no information", want: guideline.Context{}},
		{
			name: "the project's default agent", settings: "default_agent: pm\n",
			want: guideline.Context{Agent: "pm"},
		},
		{
			name: "the session's agent takes precedence over the default", settings: "default_agent: pm\n",
			vars: map[string]string{"CLAUDE_INSTANCE_ID": "backend"},
			want: guideline.Context{Agent: "backend"},
		},
		{
			name: "the request's agent takes precedence over both", settings: "default_agent: pm\n",
			vars:    map[string]string{"CLAUDE_INSTANCE_ID": "backend"},
			request: service.Request{Context: guideline.Context{Agent: "frontend"}},
			want:    guideline.Context{Agent: "frontend"},
		},
		{
			name:    "a prompt supplies domain and action, but never the agent",
			request: service.Request{Prompt: "as the backend agent, implement the worker pool"},
			want:    guideline.Context{Domain: "P01", Action: "implement"},
		},
		{
			name:    "the request takes precedence over the prompt",
			request: service.Request{Prompt: "implement the worker pool", Context: guideline.Context{Action: "review"}},
			want:    guideline.Context{Domain: "P01", Action: "review"},
		},
		{
			name: "a domain that the project defines", settings: "domains: {orders: [order history]}\n",
			request: service.Request{Prompt: "look at the order history"},
			want:    guideline.Context{Domain: "orders"},
		},
		{
			name:    "a prompt that the client wrote is ignored",
			request: service.Request{Prompt: "<task-notification>implement the worker pool</task-notification>"},
			want:    guideline.Context{},
		},
		{
			name: "the tenant and the environment", settings: "tenant: acme\nenvironment: container\n",
			want: guideline.Context{TenantID: "acme", Metadata: map[string]any{"environment": "container"}},
		},
		{
			name: "tenant and metadata of the request", settings: "tenant: acme\nenvironment: container\n",
			request: service.Request{Context: guideline.Context{
				TenantID: "other",
				Metadata: map[string]any{"environment": "laboratory", "ticket": "7"},
			}},
			want: guideline.Context{TenantID: "other", Metadata: map[string]any{"environment": "laboratory", "ticket": "7"}},
		},
		{
			name: "a hook ignores what only a tool call determines",
			request: service.Request{Hook: true, Context: guideline.Context{
				Paths: []string{"a"}, Event: "commit", GateType: "g",
				SessionID: "s",
			}},
			want: guideline.Context{SessionID: "s"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProject(t, map[string]string{".claude/guardrails.yaml": c.settings})
			for name, value := range c.vars {
				p.vars[name] = value
			}
			if c.want.Metadata == nil {
				c.want.Metadata = map[string]any{"environment": "workstation"}
			}
			if got := p.ask(c.request).Context; !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
		})
	}
}

func TestTheCorePackAppliesWithoutPacksAndFiles(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		core  bool
	}{
		{"no files", nil, true},
		{"settings without packs", map[string]string{".claude/guardrails.yaml": "tenant: a\n"}, true},
		{"only a rule of the client", map[string]string{".claude/rules/a.md": "# Short answers\n"}, true},
		{
			"a guideline file",
			map[string]string{".claude/guardrails/a.yaml": rule("own", "action: {type: instruction}")},
			false,
		},
		{"an empty list of packs", map[string]string{".claude/guardrails.yaml": "packs: []\n"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := newProject(t, c.files).hook("")
			if a.Source != service.SourceFiles || a.Fallback != nil || len(a.Notices) > 0 {
				t.Errorf("source %s, fallback %v, notices %q", a.Source, a.Fallback, a.Notices)
			}
			if got := strings.Contains(ids(a), "security-guard-tamper"); got != c.core {
				t.Errorf("the core pack applies: %v", got)
			}
		})
	}
}

func TestEachProjectIsAnsweredFromItsOwnFilesAndSettings(t *testing.T) {
	one := newProject(t, map[string]string{
		".claude/guardrails.yaml":   "default_agent: backend\ncache_ttl: 60\nstrict: true\n",
		".claude/guardrails/a.yaml": rule("of-one", backendRule),
	})
	two := newProject(t, map[string]string{
		".claude/guardrails.yaml":   "default_agent: frontend\n",
		".claude/guardrails/b.yaml": rule("of-two", "action: {type: instruction, instruction: Two.}"),
	})
	// One service answers for both projects.
	s := one.service()
	for range 2 {
		for _, c := range []struct {
			p          *project
			ids, agent string
			ttl        int
			strict     bool
		}{{one, "of-one", "backend", 60, true}, {two, "of-two", "frontend", 300, false}} {
			a, err := s.GetContext(context.Background(), service.Request{Project: c.p.root, Hook: true})
			if err != nil {
				t.Fatal(err)
			}
			got := cacheOf(t, a)
			if ids(a) != c.ids || got.ids() != c.ids || got.own.Context.Agent != c.agent || got.TTL != c.ttl ||
				got.Strict != c.strict {
				t.Errorf("%s: got %s, cached %+v", c.p.root, ids(a), got)
			}
		}
	}
}

func TestAProjectMustBeAnAbsolutePath(t *testing.T) {
	_, err := newProject(t, nil).service().GetContext(context.Background(), service.Request{Project: "../x"})
	if want := `project: "../x" is not an absolute path; write the whole path, from the root of the file system`; err == nil ||
		err.Error() != want {
		t.Errorf("got %v", err)
	}
}

func TestTheSessionCacheContainsOnlyWhatMayApply(t *testing.T) {
	p := newProject(t, map[string]string{
		".claude/guardrails.yaml": `
default_agent: backend
exceptions:
  - {guideline: late, reason: it moves, expires: 2026-02-05}
  - {guideline: late, reason: it moved, expires: 2026-02-04}
`,
		".claude/guardrails/a.yaml": rule("mine", backendRule) +
			rule("theirs", "condition: {agents: [frontend]}\naction: {type: instruction, instruction: Only UI.}") +
			rule("late", "condition: {events: [commit], paths: [src/*]}\naction: {type: hitl_gate, gate_type: late}"),
	})
	a := p.ask(service.Request{
		Hook: true, Prompt: "let the frontend do it",
		Context: guideline.Context{SessionID: "s", Event: "push"},
	})
	c := cacheOf(t, a)
	if c.ids() != "late mine" || c.Source != "files" || c.Reason != "" {
		t.Errorf("cached %+v", c)
	}
	if len(c.own.Exceptions) != 1 || c.own.Exceptions[0].Reason != "it moves" ||
		c.own.Exceptions[0].Expires != "2026-02-06T00:00:00Z" {
		t.Errorf("exceptions %+v", c.own.Exceptions)
	}
}

func TestOnlyAHookReceivesInjectionAndSessionCache(t *testing.T) {
	a := newProject(t, nil).ask(service.Request{})
	if a.Injection != "" || a.SessionCache != "" || a.Definitions != nil || !a.Success {
		t.Errorf("got %+v", a)
	}
}

func TestDefinitionsAreTheGuidelinesAsWritten(t *testing.T) {
	p := newProject(t, map[string]string{
		".claude/guardrails.yaml":   "server: {url: \"http://127.0.0.1:1/mcp\"}\n",
		".claude/guardrails/a.yaml": rule("mine", backendRule) + rule("off", "enabled: false\naction: {type: instruction}"),
	})
	all, _ := guideline.ParseFields(guideline.FieldNames())
	a := p.ask(service.Request{Definitions: true, Unknown: all})
	if len(a.Definitions) != 1 || a.Definitions[0].Condition.Agents[0] != "backend" || a.Source != service.SourceFiles {
		t.Errorf("got %+v from %s", a.Definitions, a.Source)
	}
}
