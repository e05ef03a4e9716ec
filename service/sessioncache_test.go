package service_test

import (
	"strings"
	"testing"
	"time"

	"guardrails/guideline"
	"guardrails/service"
)

// A service with a memory reuses session caches. Its answers must equal those of a service without a memory.
func TestAKeptSessionCacheIsThatOfTheTask(t *testing.T) {
	p := newProject(t, map[string]string{".claude/guardrails/a.yaml": rule("all", "action: {type: instruction}") +
		rule("mine", "condition: {agents: [backend]}\naction: {type: instruction}") +
		rule("outside", "condition: {custom: {environment: [cloud]}}\naction: {type: instruction}")})
	s := p.withMemory()
	for range 2 {
		for _, c := range []guideline.Context{
			{},
			{Agent: "backend"},
			{Agent: "backend", Action: "test"},
			{Domain: "backend"},
			{SessionID: "another"},
			{Metadata: map[string]any{"environment": "cloud"}},
		} {
			for _, unknown := range []guideline.Fields{0, guideline.FieldAgent} {
				r := service.Request{Context: c, Unknown: unknown, Hook: true}
				got, want := getContext(t, s, r).SessionCache, p.ask(r).SessionCache
				if got != want || want == "" {
					t.Errorf("%+v: got\n%s\nwant\n%s", c, got, want)
				}
			}
		}
	}
}

func TestAnExceptionIsNotKeptBeyondItsEnd(t *testing.T) {
	p := newProject(t, map[string]string{
		".claude/guardrails/a.yaml": rule("no-push", "action: {type: instruction}"),
		".claude/guardrails.yaml":   "exceptions:\n  - {guideline: no-push, reason: it moves, expires: \"2036-02-06\"}\n",
	})
	now := time.Date(2036, 2, 5, 10, 0, 0, 0, time.UTC)
	s := service.New(service.Options{
		Env: func(name string) string { return p.vars[name] }, Now: func() time.Time { return now }, Dir: p.root, Memory: true,
	})
	for _, applies := range []bool{true, false} {
		text := getContext(t, s, service.Request{Hook: true}).SessionCache
		if strings.Contains(text, "it moves") != applies {
			t.Errorf("at %s:\n%s", now, text)
		}
		now = now.AddDate(0, 0, 2)
	}
}
