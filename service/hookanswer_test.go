package service_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"guardrails/guideline"
	"guardrails/service"
)

// A service with a memory reuses answers. The reused answers must equal the answers of a service without a memory.
func TestAKeptAnswerIsThatOfTheTask(t *testing.T) {
	p := newProject(t, map[string]string{".claude/guardrails/a.yaml": rule("all", "action: {type: instruction}") +
		rule("mine", "condition: {agents: [backend]}\naction: {type: instruction, instruction: Only in src.}") +
		rule("theirs", "condition: {agents: [frontend]}\naction: {type: instruction, instruction: Only UI.}") +
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
			for _, r := range []service.Request{
				{}, {Unknown: guideline.FieldAgent}, {Prompt: "the backend does it"}, {Prompt: "the frontend and the backend do it"},
			} {
				r.Context, r.Hook = c, true
				got, want := getContext(t, s, r), p.ask(r)
				if got.SessionCache != want.SessionCache || want.SessionCache == "" {
					t.Errorf("%+v %q: got\n%s\nwant\n%s", c, r.Prompt, got.SessionCache, want.SessionCache)
				}
				if got.Injection != want.Injection || got.Count != want.Count || want.Count == 0 {
					t.Errorf("%+v %q: got %d\n%s\nwant %d\n%s", c, r.Prompt, got.Count, got.Injection, want.Count, want.Injection)
				}
			}
		}
	}
}

// TestTheSessionCacheSaysWhichChecksOfTextsAreOn checks the values that the status line shows.
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

// TestAServerAsksForAnotherAnswerOnlyInTheSessionsThatWantIt tests a variable whose name does not begin with the prefix
// of the product's other variables.
func TestAServerAsksForAnotherAnswerOnlyInTheSessionsThatWantIt(t *testing.T) {
	p := newProject(t, nil)
	p.user("output_guard: {mode: observe}\n")
	p.vars["ENABLE_BEHAVIORAL_INTERVENTION"] = "true" // set in the session that started the server
	s := p.withMemory()
	for range 2 {
		for value, want := range map[string]string{"": "observe", "true": "enforce", "false": "observe"} {
			r := service.Request{Hook: true, Environment: map[string]string{"ENABLE_BEHAVIORAL_INTERVENTION": value}}
			if text := getContext(t, s, r).SessionCache; !strings.Contains(text, `"output_guard":"`+want+`"`) {
				t.Errorf("%q: want %s:\n%s", value, want, text)
			}
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
