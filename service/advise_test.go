package service_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"guardrails/service"
)

const allDetectors = "detectors: {rumination: note, hyperfocus: note, sycophancy: counter, tool_loop: note}\n"

// typed() sends the request that the hook of a session sends when a person types a prompt.
func (p *project) typed(s *service.Service, session, prompt string) string {
	p.t.Helper()
	r := service.Request{Prompt: prompt, Hook: true, Typed: "cli"}
	r.SessionID = session
	return getContext(p.t, s, r).Message
}

func TestWhatIsSaidOfAPromptIsNotSharedWithOtherSessions(t *testing.T) {
	p := newProject(t, nil)
	p.user(allDetectors)
	s := service.New(service.Options{
		Env: func(name string) string { return p.vars[name] }, Now: func() time.Time { return p.now }, Dir: p.root, Memory: true,
	})
	const question = "is the migration safe to run on prod?"
	for range 3 {
		for _, session := range []string{"a", "b"} {
			if line := p.typed(s, session, question); line != "" {
				t.Fatalf("%s: %q", session, line)
			}
		}
	}
	if line := p.typed(s, "a", question); !strings.Contains(line, "You already asked this 3 times") {
		t.Errorf("a: %q", line)
	}
	if line := p.typed(s, "c", question); line != "" {
		t.Errorf("c: %q", line)
	}
	if line := p.typed(s, "b", question); !strings.Contains(line, "You already asked this 3 times") {
		t.Errorf("b: %q", line)
	}
}

func TestDetectorsKeepNothingUnlessTheyAreSwitchedOn(t *testing.T) {
	p := newProject(t, nil)
	for range 4 {
		if line := p.typed(p.service(), "a", "is this really the right call?"); line != "" {
			t.Error(line)
		}
	}
	if _, err := os.Stat(p.vars["GUARDRAILS_CACHE_DIR"] + "/guardrails-a.talk"); !errors.Is(err, os.ErrNotExist) {
		t.Error("a file is kept")
	}
}

func TestAPromptThatNobodyTypedIsNotCounted(t *testing.T) {
	p := newProject(t, nil)
	p.user(allDetectors)
	for range 5 {
		r := service.Request{Prompt: "is the migration safe?", Hook: true}
		r.SessionID = "a"
		if a := p.ask(r); a.Message != "" {
			t.Error(a.Message)
		}
	}
}

func TestAReportOfAnAnswerHasOnlyWhatTheDetectorsSay(t *testing.T) {
	p := newProject(t, nil)
	p.user(allDetectors)
	var a *service.Answer
	for range 3 {
		r := service.Request{Hook: true, Answer: "Perfect! Do it.", Typed: "cli"}
		r.SessionID = "a"
		a = p.ask(r)
	}
	if a.Message == "" || a.Counter == "" || a.Injection != "" || a.SessionCache != "" {
		t.Errorf("%+v", a)
	}
}
