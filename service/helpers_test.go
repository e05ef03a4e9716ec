package service_test

import (
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

// A project is a project folder. It has its own state and runtime folders, and a clock that stands still.
type project struct {
	t    *testing.T
	root string
	vars map[string]string
	now  time.Time
}

func newProject(t *testing.T, files map[string]string) *project {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	check(t, err)
	p := &project{
		t: t, root: filepath.Join(base, "project"), now: time.Date(2026, 2, 5, 10, 0, 0, 0, time.UTC),
		vars: map[string]string{
			"XDG_STATE_HOME":       filepath.Join(base, "state"),
			"XDG_CONFIG_HOME":      filepath.Join(base, "config"),
			"GUARDRAILS_CACHE_DIR": filepath.Join(base, "run"),
		},
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
	check(p.t, os.MkdirAll(filepath.Dir(full), 0o755))
	check(p.t, os.WriteFile(full, []byte(text), 0o644))
}

func (p *project) user(text string) { p.write("../config/guardrails/guardrails.yaml", text) }

func (p *project) service() *service.Service {
	return service.New(service.Options{
		Env: func(name string) string { return p.vars[name] }, Now: func() time.Time { return p.now }, Dir: p.root,
	})
}

func (p *project) ask(r service.Request) *service.Answer {
	p.t.Helper()
	return getContext(p.t, p.service(), r)
}

// hook() returns the service's answer to a hook that reports a prompt.
func (p *project) hook(prompt string) *service.Answer {
	p.t.Helper()
	return p.ask(service.Request{Prompt: prompt, Hook: true})
}

func getContext(t *testing.T, s *service.Service, r service.Request) *service.Answer {
	t.Helper()
	a, err := s.GetContext(t.Context(), r)
	check(t, err)
	return a
}

// ids() returns the ids of the guidelines in an answer. If the answer is for a hook, the guidelines are in the session
// cache.
func ids(a *service.Answer) string {
	if a.Result == nil {
		var c cached
		if err := json.Unmarshal([]byte(a.SessionCache), &c); err != nil {
			return "no session cache: " + err.Error()
		}
		return c.ids()
	}
	var out []string
	for _, g := range a.Guidelines {
		out = append(out, g.ID)
	}
	return strings.Join(out, " ")
}

type cached struct {
	Layers         []cachedLayer
	Source, Reason string
	Strict         bool
	TTL            int `json:"ttl_seconds"`
	Guidelines     []struct{ ID string }

	// The field "own" is the layer of the project. It is the last item of Layers.
	own cachedLayer
}

type cachedLayer struct {
	Context struct {
		Agent, Domain, Action string
		Metadata              map[string]any
	}
	Exceptions []struct{ Guideline, Reason, Expires string }
}

func cacheOf(t *testing.T, a *service.Answer) cached {
	t.Helper()
	var c cached
	if err := json.Unmarshal([]byte(a.SessionCache), &c); err != nil {
		t.Fatalf("the session cache is invalid: %v\n%s", err, a.SessionCache)
	}
	c.own = c.Layers[len(c.Layers)-1]
	return c
}

func (c *cached) ids() string {
	var out []string
	for _, g := range c.Guidelines {
		out = append(out, g.ID)
	}
	return strings.Join(out, " ")
}

// rule() returns the YAML of one guideline with an id and additional fields.
func rule(id, rest string) string {
	return "- id: " + id + "\n  name: " + id + "\n  category: custom\n  " +
		strings.ReplaceAll(strings.TrimSpace(rest), "\n", "\n  ") + "\n"
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("missing %q in\n%s", part, text)
		}
	}
}

func lacks(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(text, part) {
			t.Errorf("unexpected %q in\n%s", part, text)
		}
	}
}
