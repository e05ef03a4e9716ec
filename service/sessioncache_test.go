package service_test

import (
	"encoding/json"
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

// TestTheSessionCacheSaysWhichChecksOfTextsAreOn is for the status line.
func TestTheSessionCacheSaysWhichChecksOfTextsAreOn(t *testing.T) {
	for settings, want := range map[string]string{
		"":                          "null null",
		"safety: {mode: observe}\n": "observe null",
		"safety: {categories: {violence: enforce}}\noutput_guard: {mode: observe}\n": "enforce observe",
	} {
		p := newProject(t, nil)
		p.user(settings)
		var got struct {
			Safety      *string
			OutputGuard *string `json:"output_guard"`
		}
		check(t, json.Unmarshal([]byte(p.ask(service.Request{Hook: true}).SessionCache), &got))
		if got := orNull(got.Safety) + " " + orNull(got.OutputGuard); got != want {
			t.Errorf("%q: got %s, want %s", settings, got, want)
		}
	}
}

func orNull(text *string) string {
	if text == nil {
		return "null"
	}
	return *text
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
