package service_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/guideline"
	"guardrails/service"
	"guardrails/service/fallback"
	"guardrails/service/tools"
)

// withMemory returns a service with a cache. The service's clock is an hour ahead. So the service treats every file as
// old enough to be cached.
func (p *project) withMemory() *service.Service {
	return service.New(service.Options{
		Env: func(name string) string { return p.vars[name] }, Now: func() time.Time { return time.Now().Add(time.Hour) },
		Dir: p.root, Memory: true,
	})
}

func TestTheNextRequestSeesEveryFileChange(t *testing.T) {
	one, two := rule("one", "action: {type: instruction}"), rule("two", "action: {type: instruction}")
	for name, change := range map[string]func(p *project){
		"a file is rewritten": func(p *project) { p.write(".claude/guardrails/a.yaml", two) },
		"a file is added":     func(p *project) { p.write(".claude/guardrails/b.yaml", two) },
		"a file is removed":   func(p *project) { check(p.t, os.Remove(p.path(".claude/guardrails/a.yaml"))) },
		"a folder is moved": func(p *project) {
			check(p.t,
				os.Rename(p.path(".claude/guardrails"), p.path(".claude/away")))
		},
		"settings are added": func(p *project) { p.write(".claude/guardrails.yaml", "packs: [roles]\n") },
		"a rule is added": func(p *project) {
			p.write(".claude/rules/deep/r.md", "---\nid: two\nname: two\ncategory: custom\naction: {type: tool_restriction, tools_denied: [Write]}\n---\ntext\n")
		},
		"the target of a link is rewritten": func(p *project) { p.write("elsewhere/c.yaml", two) },
		"a file keeps its length and time": func(p *project) {
			info, err := os.Stat(p.path(".claude/guardrails/a.yaml"))
			check(p.t, err)
			p.write(".claude/guardrails/a.yaml", two)
			check(p.t, os.Chtimes(p.path(".claude/guardrails/a.yaml"), info.ModTime(), info.ModTime()))
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t, map[string]string{
				".claude/guardrails/a.yaml": one,
				"elsewhere/c.yaml":          rule("three", "action: {type: instruction}"),
			})
			check(t, os.Symlink(p.path("elsewhere/c.yaml"), p.path(".claude/guardrails/c.yaml")))
			s := p.withMemory()
			for range 2 {
				if got := ids(getContext(t, s, service.Request{Hook: true})); got != "one three" {
					t.Fatalf("before: %s", got)
				}
			}
			change(p)
			got, want := ids(getContext(t, s, service.Request{Hook: true})), ids(p.hook(""))
			if got != want || got == "one three" {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func (p *project) path(name string) string { return filepath.Join(p.root, filepath.FromSlash(name)) }

func TestMemoryRereadsFilesThatWereJustWritten(t *testing.T) {
	p := newProject(t, map[string]string{".claude/guardrails/a.yaml": rule("a", "action: {type: instruction}")})
	s := service.New(service.Options{
		Env: func(name string) string { return p.vars[name] }, Now: time.Now, Dir: p.root,
		Memory: true,
	})
	for i := range 20 {
		id := fmt.Sprintf("a%02d", i)
		p.write(".claude/guardrails/a.yaml", rule(id, "action: {type: instruction}"))
		if got := ids(getContext(t, s, service.Request{})); got != id {
			t.Fatalf("got %s, want %s", got, id)
		}
	}
}

func TestMemoryDoesNotKeepFailures(t *testing.T) {
	p := newProject(t, map[string]string{".claude/guardrails/a.yaml": rule("a", "action: {type: instruction}")})
	s := p.withMemory()
	getContext(t, s, service.Request{Hook: true})
	p.write(".claude/guardrails/a.yaml", "guidelines: [")
	for range 2 {
		if a := getContext(t, s, service.Request{Hook: true}); a.Fallback == nil || a.Source != fallback.SourceSnapshot ||
			len(a.Notices) == 0 {
			t.Fatalf("%s, %+v, %q", a.Source, a.Fallback, a.Notices)
		}
	}
	p.write(".claude/guardrails/a.yaml", rule("b", "action: {type: instruction}"))
	if a := getContext(t, s, service.Request{Hook: true}); a.Fallback != nil || ids(a) != "b" {
		t.Errorf("%s, %+v", ids(a), a.Fallback)
	}
	if outage, err := s.Outage(p.root); outage != nil || err != nil {
		t.Errorf("the outage did not end: %+v, %v", outage, err)
	}
}

func TestAnswersDoNotAffectEachOther(t *testing.T) {
	p := newProject(t, map[string]string{
		".claude/guardrails/a.yaml": rule("a", "action: {type: instruction}"),
		".claude/guardrails/b.yaml": rule("t", "tenant_id: acme\naction: {type: instruction}"),
	})
	s := p.withMemory()
	for range 3 {
		if a := getContext(t, s, service.Request{Context: guideline.Context{TenantID: "acme"}}); ids(a) != "a t" {
			t.Errorf("acme: %s", ids(a))
		}
		if a := getContext(t, s, service.Request{}); ids(a) != "a" || len(a.Notices) > 0 {
			t.Errorf("no tenant: %s %q", ids(a), a.Notices)
		}
	}
}

func TestMemoryKeepsAServersAnswerForTwoSeconds(t *testing.T) {
	requests := 0
	settings := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		requests++
		_, _ = io.WriteString(w, answerWith(jsonRule(fmt.Sprintf("r%d", requests), "x")))
	})
	p := newProject(t, map[string]string{".claude/guardrails.yaml": settings})
	now := time.Now().Add(time.Hour)
	s := service.New(service.Options{
		Env: func(name string) string { return p.vars[name] },
		Now: func() time.Time { return now }, Dir: p.root, Memory: true,
	})
	for range 3 {
		if got := ids(getContext(t, s, service.Request{})); got != "r1" {
			t.Fatalf("got %s", got)
		}
		now = now.Add(900 * time.Millisecond)
	}
	if got := ids(getContext(t, s, service.Request{})); got != "r2" {
		t.Errorf("after 2.7 s: %s", got)
	}
}

func TestAServerAnswersEachHookInTheHooksEnvironment(t *testing.T) {
	p := newProject(t, map[string]string{".claude/guardrails/a.yaml": rule("a",
		"tenant_id: acme\naction: {type: instruction}")})
	p.vars["GUARDRAILS_TENANT"], p.vars["CLAUDE_INSTANCE_ID"], p.vars["GUARDRAILS_STRICT"] = "server", "servers-agent",
		"true"
	shared := service.Shared(func(name string) string { return p.vars[name] })
	for _, name := range []string{"GUARDRAILS_TENANT", "CLAUDE_INSTANCE_ID", "GUARDRAILS_STRICT", "CLAUDE_PROJECT_DIR"} {
		if got := shared(name); got != "" {
			t.Errorf("%s is %q", name, got)
		}
	}
	if shared("XDG_STATE_HOME") == "" || shared("GUARDRAILS_CACHE_DIR") == "" {
		t.Error("the folders are hidden, too")
	}
	s := p.withMemory()
	r, err := tools.DecodeRequest([]byte(`{"hook": true, "environment": {"GUARDRAILS_TENANT": "acme"}}`))
	check(t, err)
	a := getContext(t, s, r)
	if ids(a) != "a" || a.Context.TenantID != "acme" || a.Context.Agent != "" || cacheOf(t, a).Strict {
		t.Errorf("%s %+v", ids(a), a.Context)
	}
}

func TestForgetMakesTheNextRequestReadAgain(t *testing.T) {
	p := newProject(t, nil)
	s := p.withMemory()
	getContext(t, s, service.Request{})
	s.Forget()
	p.service().Forget() // does nothing without a memory
	if got := ids(getContext(t, s, service.Request{Hook: true})); !strings.Contains(got, "security-history") {
		t.Errorf("got %s", got)
	}
}
