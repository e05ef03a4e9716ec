package service_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/guideline"
	"guardrails/hooks/session"
	"guardrails/internal/private"
	"guardrails/service"
	"guardrails/service/fallback"
)

func (p *project) hookIn(session string) *service.Answer {
	p.t.Helper()
	return p.ask(service.Request{Hook: true, Context: guideline.Context{SessionID: session}})
}

func (p *project) outage() *fallback.Outage {
	p.t.Helper()
	o, err := p.service().Outage(p.root)
	check(p.t, err)
	return o
}

func TestAnOutageIsRecordedUntilItEnds(t *testing.T) {
	p := newProject(t, map[string]string{".claude/guardrails/a.yaml": rule("a", "action: {type: instruction}")})
	p.hookIn("one")
	if o := p.outage(); o != nil {
		t.Fatalf("unexpected outage: %+v", o)
	}
	began := p.now
	p.write(".claude/guardrails/b.yaml", "x")
	p.hookIn("one")
	p.now = p.now.Add(time.Hour)
	a := p.hookIn("two")
	p.hookIn("")
	o := p.outage()
	if o == nil || o.Session != "two" || !o.Since.Equal(began) || o.Mode != config.AskUser ||
		!strings.HasPrefix(o.Reason, ".claude/guardrails/b.yaml:1: ") {
		t.Errorf("got %+v", o)
	}
	if !a.Fallback.Since.Equal(began) {
		t.Errorf("the outage of the answer began at %v", a.Fallback.Since)
	}
	p.write(".claude/guardrails/b.yaml", rule("b", "action: {type: instruction}"))
	p.hookIn("one")
	if o := p.outage(); o != nil {
		t.Errorf("the outage did not end: %+v", o)
	}
}

func TestEachProjectHasItsOwnOutages(t *testing.T) {
	one := newProject(t, brokenProject(""))
	two := newProject(t, nil)
	two.vars = one.vars
	one.hookIn("s")
	two.hookIn("s")
	if one.outage() == nil || two.outage() != nil {
		t.Errorf("got %+v and %+v", one.outage(), two.outage())
	}
}

func TestADamagedOutageFileIsReportedAndReplaced(t *testing.T) {
	p := newProject(t, brokenProject(""))
	p.hookIn("s")
	write(t, onlyFile(t, filepath.Join(p.vars["XDG_STATE_HOME"], "guardrails", "outage")), "{")
	if _, err := p.service().Outage(p.root); err == nil || !strings.HasSuffix(err.Error(), "is damaged; remove it") {
		t.Errorf("got %v", err)
	}
	p.hookIn("s")
	if o := p.outage(); o == nil || o.Session != "s" {
		t.Errorf("got %+v", o)
	}
}

func TestAChoiceIsSavedAndRemovesTheCachesOfTheSession(t *testing.T) {
	p := newProject(t, nil)
	env := func(name string) string { return p.vars[name] }
	dir, err := private.Runtime(env)
	check(t, err)
	mine, other := session.CacheName(session.Key("s", "")), session.CacheName(session.Key("s2", ""))
	agents := session.CacheName(session.Key("s", "agent-1"))
	beat := session.BeatName("s", "PreToolUse")
	for _, name := range []string{mine, agents, other, beat} {
		check(t, dir.Write(name, []byte("{}")))
	}
	if got, err := fallback.Choice(env, "s"); got != "" || err != nil {
		t.Fatalf("got %q, %v", got, err)
	}
	for _, choice := range []string{fallback.ChoiceStatic, fallback.ChoiceOpen} {
		check(t, fallback.Choose(env, "s", choice))
		if got, err := fallback.Choice(env, "s"); got != choice || err != nil {
			t.Errorf("got %q, %v; want %q", got, err, choice)
		}
	}
	for name, want := range map[string]bool{mine: false, agents: false, other: true, beat: true} {
		if _, got := dir.Seen(name); got != want {
			t.Errorf("%s exists: %v", name, got)
		}
	}
	if got, err := fallback.Choice(env, "s2"); got != "" || err != nil {
		t.Errorf("another session: %q, %v", got, err)
	}
}

func TestAChoiceForAnUnknownSessionIsAnError(t *testing.T) {
	p := newProject(t, nil)
	err := fallback.Choose(func(name string) string { return p.vars[name] }, "../x", fallback.ChoiceOpen)
	if err == nil || !strings.HasPrefix(err.Error(), `there is no session "../x" in `) {
		t.Errorf("got %v", err)
	}
}
