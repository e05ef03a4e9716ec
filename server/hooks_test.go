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

// hookRequest returns a request in the form that a hook sends.
func (s *fixture) hookRequest(agent string) []byte {
	text, err := json.Marshal(map[string]any{
		"agent": agent, "session_id": "s1", "project": s.root,
		"prompt": "implement it", "hook": true,
	})
	check(s.t, err)
	return text
}

// hookClient returns a client that sends requests like a hook. If no server answers, the client fails. A hook would
// start the program guardrails instead.
func (s *fixture) hookClient() *reach.Asker {
	return &reach.Asker{Socket: s.dir.Path(socket.Name), CLI: "/nowhere/guardrails", WarmTimeout: 5 * time.Second}
}

type answer struct {
	Injection, Source string
	Cache             string `json:"session_cache"`
	Fallback          any
	Count             int
}

// ask() asks the server as a hook does. A busy computer may need more time to open the store than a hook waits. So the
// method repeats the request until the answer comes from the store.
func (s *fixture) ask(agent string) answer {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); ; {
		text, via, err := s.hookClient().Ask(s.hookRequest(agent))
		check(s.t, err)
		var a answer
		check(s.t, json.Unmarshal(text, &a))
		if a.Fallback == nil && via == reach.ViaServer && a.Cache != "" {
			return a
		}
		if a.Fallback == nil || via != reach.ViaServer || time.Now().After(end) {
			s.t.Fatalf("via %s: %s", via, text)
		}
	}
}

func TestAHookGetsItsAnswerFromTheServer(t *testing.T) {
	s := newFixture(t)
	s.holdSocket(s.server())
	s.waitForSocket()
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
			t.Fatal("the server did not see the change")
		}
	}
}

func TestTheNextServerTakesOverTheHooks(t *testing.T) {
	s := newFixture(t)
	stop := s.holdSocket(s.server())
	s.waitForSocket()
	s.holdSocket(s.server())
	s.ask("backend")
	stop()
	s.waitForSocket()
	s.ask("backend")
}

func TestTheServerAnswersManySessionsAtOnce(t *testing.T) {
	s := newFixture(t)
	s.holdSocket(s.server())
	s.waitForSocket()
	var clients sync.WaitGroup
	for i := range 100 {
		clients.Go(func() {
			for range 5 {
				text, _, err := s.hookClient().Ask(s.hookRequest(fmt.Sprint("agent", i)))
				if err != nil || !strings.Contains(string(text), fmt.Sprintf(`"agent":"agent%d"`, i)) {
					t.Errorf("agent%d: %v %s", i, err, text)
				}
			}
		})
	}
	clients.Wait()
}

func TestAHookReceivesAThousandGuidelines(t *testing.T) {
	s := newFixture(t)
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&text, "- id: g%d\n  name: n\n  category: custom\n  action: {type: instruction, instruction: %s}\n", i,
			strings.Repeat("x", 200))
	}
	s.write(text.String())
	s.holdSocket(s.server())
	s.waitForSocket()
	if a := s.ask("backend"); a.Count != 1000 || strings.Count(a.Cache, "\n{\"id\":\"g") != 1000 {
		t.Errorf("%d guidelines", a.Count)
	}
}

// The answer to a hook must not depend on the variables of the session that started the server.
func TestAHookIsAnsweredInItsOwnEnvironment(t *testing.T) {
	s := newFixture(t)
	s.vars["GUARDRAILS_TENANT"], s.vars["CLAUDE_INSTANCE_ID"], s.vars["CLAUDE_PROJECT_DIR"] = "servers", "servers",
		"/elsewhere"
	s.holdSocket(s.server())
	s.waitForSocket()
	if a := s.ask(""); strings.Contains(a.Cache, "servers") {
		t.Errorf("%s", a.Cache)
	}
	text, _, err := s.hookClient().Ask([]byte(`{"agent":"","project":"` + s.root +
		`","hook":true,"environment":{"GUARDRAILS_TENANT":"hooks-own"}}`))
	check(t, err)
	if !strings.Contains(string(text), `"tenant_id":"hooks-own"`) {
		t.Errorf("%s", text)
	}
}
