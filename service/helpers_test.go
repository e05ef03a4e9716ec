package service_test

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/service"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// project is a folder with files, a state and a runtime folder of its own, and a clock that stands still.
type project struct {
	t    *testing.T
	root string
	vars map[string]string
	now  time.Time
}

func newProject(t *testing.T, files map[string]string) *project {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &project{
		t: t, root: filepath.Join(base, "project"), now: time.Date(2026, 2, 5, 10, 0, 0, 0, time.UTC),
		vars: map[string]string{"XDG_STATE_HOME": filepath.Join(base, "state"), "GUARDRAILS_CACHE_DIR": filepath.Join(base, "run")},
	}
	p.write(".git/HEAD", "ref: refs/heads/main\n")
	for name, text := range files {
		p.write(name, text)
	}
	return p
}

func (p *project) write(name, text string) {
	p.t.Helper()
	full := filepath.Join(p.root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) service() *service.Service {
	return service.New(service.Options{
		Env: func(name string) string { return p.vars[name] }, Now: func() time.Time { return p.now }, Dir: p.root,
	})
}

func (p *project) ask(r service.Request) *service.Answer {
	p.t.Helper()
	a, err := p.service().GetContext(context.Background(), r)
	if err != nil {
		p.t.Fatal(err)
	}
	return a
}

// hook is what a hook asks on a prompt.
func (p *project) hook(prompt string) *service.Answer {
	p.t.Helper()
	return p.ask(service.Request{Prompt: prompt, Hook: true})
}

func ids(a *service.Answer) string {
	var out []string
	for _, g := range a.Guidelines {
		out = append(out, g.ID)
	}
	return strings.Join(out, " ")
}

// cached is what the session cache of an answer says.
type cached struct {
	Context struct {
		Agent, Domain, Action string
		Metadata              map[string]any
	}
	Source, Reason string
	Strict         bool
	TTL            int `json:"ttl_seconds"`
	Exceptions     []struct{ Guideline, Reason, Expires string }
	Guidelines     []struct{ ID string }
}

func cacheOf(t *testing.T, a *service.Answer) cached {
	t.Helper()
	var c cached
	if err := json.Unmarshal([]byte(a.SessionCache), &c); err != nil {
		t.Fatalf("%v in the session cache\n%s", err, a.SessionCache)
	}
	return c
}

func (c *cached) ids() string {
	var out []string
	for _, g := range c.Guidelines {
		out = append(out, g.ID)
	}
	return strings.Join(out, " ")
}

// rule is a guideline file with one guideline, written shortly.
func rule(id, rest string) string {
	return "- id: " + id + "\n  name: " + id + "\n  category: custom\n  " + strings.ReplaceAll(strings.TrimSpace(rest), "\n", "\n  ") + "\n"
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in\n%s", part, text)
		}
	}
}

func lacks(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(text, part) {
			t.Errorf("%q is in\n%s", part, text)
		}
	}
}
