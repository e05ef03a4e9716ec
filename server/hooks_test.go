//go:build unix

package server_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"guardrails/hooks/reach"
	"guardrails/server/socket"
)

// question is what a hook asks.
func (s *site) question(agent string) []byte {
	text, err := json.Marshal(map[string]any{"agent": agent, "session_id": "s1", "project": s.root, "prompt": "implement it", "hook": true})
	check(s.t, err)
	return text
}

// asker is a hook's way to a server, where there is no command line to turn to.
func (s *site) asker() *reach.Asker {
	return &reach.Asker{Socket: s.dir.Path(socket.Name), CLI: "/nowhere/guardrails", WarmTimeout: 5 * time.Second}
}

type answer struct {
	Injection, Source string
	Cache             string `json:"session_cache"`
	Fallback          any
	Guidelines        []struct{ ID string }
}

func (s *site) ask(agent string) answer {
	s.t.Helper()
	text, via, err := s.asker().Ask(s.question(agent))
	check(s.t, err)
	var a answer
	check(s.t, json.Unmarshal(text, &a))
	if via != reach.ViaServer || a.Cache == "" || a.Fallback != nil {
		s.t.Fatalf("via %s: %s", via, text)
	}
	return a
}

func TestAHookGetsItsAnswerFromTheServer(t *testing.T) {
	s := newSite(t)
	s.hold(s.server())
	s.reachable()
	for range 3 {
		if a := s.ask("backend"); !strings.Contains(a.Injection, "The backend agent works in src.") || a.Source != "files" {
			t.Fatalf("%+v", a)
		}
	}
	if a := s.ask("frontend"); strings.Contains(a.Injection, "backend agent works") {
		t.Errorf("%+v", a)
	}
	s.write(strings.ReplaceAll(guidelines, "works in src", "works anywhere"))
	for end := time.Now().Add(5 * time.Second); !strings.Contains(s.ask("backend").Injection, "works anywhere"); {
		if time.Now().After(end) {
			t.Fatal("a change is not seen")
		}
	}
}

func TestTheNextServerTakesOverForHooks(t *testing.T) {
	s := newSite(t)
	stop := s.hold(s.server())
	s.reachable()
	s.hold(s.server())
	s.ask("backend")
	stop()
	s.reachable()
	s.ask("backend")
}

func TestManySessionsAskAtOnce(t *testing.T) {
	s := newSite(t)
	s.hold(s.server())
	s.reachable()
	var asking sync.WaitGroup
	for i := range 100 {
		asking.Go(func() {
			for range 5 {
				text, _, err := s.asker().Ask(s.question(fmt.Sprint("agent", i)))
				if err != nil || !strings.Contains(string(text), fmt.Sprintf(`"agent":"agent%d"`, i)) {
					t.Errorf("agent%d: %v %s", i, err, text)
				}
			}
		})
	}
	asking.Wait()
}

func TestAnAnswerOfAThousandGuidelinesReachesAHook(t *testing.T) {
	s := newSite(t)
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&text, "- id: g%d\n  name: n\n  category: custom\n  action: {type: instruction, instruction: %s}\n", i, strings.Repeat("x", 200))
	}
	s.write(text.String())
	s.hold(s.server())
	s.reachable()
	if a := s.ask("backend"); len(a.Guidelines) != 1000 {
		t.Errorf("%d guidelines", len(a.Guidelines))
	}
}

// The variables of the session in which the server was started are not those of the session that asks.
func TestAHookIsAnsweredInItsOwnEnvironment(t *testing.T) {
	s := newSite(t)
	s.vars["GUARDRAILS_TENANT"], s.vars["CLAUDE_INSTANCE_ID"], s.vars["CLAUDE_PROJECT_DIR"] = "servers", "servers", "/elsewhere"
	s.hold(s.server())
	s.reachable()
	if a := s.ask(""); strings.Contains(a.Cache, "servers") {
		t.Errorf("%s", a.Cache)
	}
	text, _, err := s.asker().Ask([]byte(`{"agent":"","project":"` + s.root + `","hook":true,"environment":{"GUARDRAILS_TENANT":"askers"}}`))
	check(t, err)
	if !strings.Contains(string(text), `"tenant_id":"askers"`) {
		t.Errorf("%s", text)
	}
}
