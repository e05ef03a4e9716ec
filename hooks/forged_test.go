package hooks_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"guardrails/hooks"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
	"guardrails/internal/private"
)

// put() writes an unsigned file to the folder of the session's files, as a program of the agent could do.
func (s *stage) put(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(s.host.Dir.Path(name), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

func (s *stage) content(name string) string {
	s.t.Helper()
	text, err := os.ReadFile(s.host.Dir.Path(name))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

// refused() makes a call that is denied, and returns the code with which a person can allow it.
func (s *stage) refused() string {
	s.t.Helper()
	found := codeOf.FindStringSubmatch(s.pre(s.write("src/ui/a.ts")).Reason)
	if found == nil {
		s.t.Fatal("no code")
	}
	return found[1]
}

func (s *stage) grant(code string) {
	s.t.Helper()
	r, err := hooks.Refused(s.host.Dir, code, s.now, func(int) bool { return false })
	if err = errors.Join(err, hooks.AllowOnce(s.host.Dir, &r, s.now)); err != nil {
		s.t.Fatal(err)
	}
}

func TestAnAgentCannotGrantItselfACall(t *testing.T) {
	for name, attack := range map[string]func(s *stage, code string){
		"it renames the refusal": func(s *stage, code string) {
			s.put(session.GrantName("s1", code), s.content(session.DeniedName("s1", code)))
			s.put(session.GrantsName("s1"), "")
		},
		"it copies the refusal and removes it": func(s *stage, code string) {
			s.put(session.GrantName("s1", code), s.content(session.DeniedName("s1", code)))
			_, _ = s.host.Dir.Remove(session.DeniedName("s1", code))
			s.put(session.GrantsName("s1"), "")
		},
		"it writes a permission": func(s *stage, code string) {
			r, err := hooks.Refused(s.host.Dir, code, s.now, func(int) bool { return false })
			if err != nil {
				s.t.Fatal(err)
			}
			s.put(session.GrantName("s1", code), string(r.Grant(s.now)))
			s.put(session.GrantName("s1", "ZZZZZZZZ"), string(r.Grant(s.now))+strings.Repeat("0", 16))
			s.put(session.GrantsName("s1"), "")
		},
		"it copies a permission that was used": func(s *stage, code string) {
			s.grant(code)
			used := s.content(session.GrantName("s1", code))
			s.want(s.pre(s.write("src/ui/a.ts")), "ask", "Allow this call once?")
			s.put(session.GrantName("s1", code), used)
		},
		"it copies a permission of another session": func(s *stage, code string) {
			s.grant(code)
			other := s.content(session.GrantName("s1", code))
			_, _ = s.host.Dir.Remove(session.GrantName("s1", code))
			s.put(session.GrantName("s1", "ABCDEFGH"), other)
		},
		"it makes an old permission young": func(s *stage, code string) {
			s.grant(code)
			text := s.content(session.GrantName("s1", code))
			s.put(session.GrantName("s1", code), strings.Replace(text, `"time":"2026-03-01`, `"time":"2026-03-02`, 1))
		},
		"it changes what a permission is for": func(s *stage, code string) {
			s.grant(code)
			text := s.content(session.GrantName("s1", code))
			s.put(session.GrantName("s1", code), strings.ReplaceAll(text, "src/ui/a.ts", "src/ui/b.ts"))
		},
		"it writes another key": func(s *stage, code string) {
			s.grant(code)
			s.put("../home/.local/state/guardrails/key", strings.Repeat("ab", 16)+"\n")
			s.open()
		},
		"it removes the key": func(s *stage, code string) {
			s.grant(code)
			if err := os.Remove(s.host.State + "/key"); err != nil {
				s.t.Fatal(err)
			}
			s.open()
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, paths)
			attack(s, s.refused())
			s.want(s.pre(s.write("src/ui/a.ts")), "deny")
			s.want(s.pre(s.write("src/ui/b.ts")), "deny")
		})
	}
}

func TestACacheThatAnAgentForgesIsNotRead(t *testing.T) {
	cacheName := session.CacheName(session.Key("s1", ""))
	change := func(old, new string) func(*stage) {
		return func(s *stage) {
			text := s.content(cacheName)
			if !strings.Contains(text, old) || len(old) != len(new) {
				s.t.Fatalf("cannot write %q over %q in %s", new, old, text)
			}
			s.put(cacheName, strings.Replace(text, old, new, 1))
		}
	}
	for name, forge := range map[string]func(*stage){
		"its source":              change(`"source":"files"`, `"source":"open" `),
		"the end of its validity": change(`"ttl_seconds": 300`, `"ttl_seconds":3600`),
		"its time":                change(`"timestamp":"2026`, `"timestamp":"2025`),
		"the agent":               change(`"agent":"backend"`, `"agent":"backenD"`),
		"the path of a guideline": change(`Write(src/ui/*)`, `Write(src/xx/*)`),
		"the index":               change(`^src/ui/`, `^src/xx/`),
		"a guideline that is off": change(`"enabled":true`, `"enabled":null`),
		"copied from another session": func(s *stage) {
			s.body.Layers[0].Guidelines = nil
			s.pre(with(s.write("a.go"), "session_id", "s2"))
			s.body.Layers[0].Guidelines = parsed(s.t, paths)
			s.put(cacheName, s.content(session.CacheName(session.Key("s2", ""))))
		},
		"copied from another agent": func(s *stage) {
			s.body.Layers[0].Guidelines = nil
			s.pre(with(s.write("a.go"), "agent_id", "a1", "agent_type", "backend"))
			s.body.Layers[0].Guidelines = parsed(s.t, paths)
			s.put(cacheName, s.content(session.CacheName(session.Key("s1", "a1"))))
		},
		"nothing": func(s *stage) { s.put(cacheName, "") },
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, paths)
			s.want(s.pre(s.write("src/ui/a.ts")), "deny")
			before := len(s.asked)
			forge(s)
			s.want(s.pre(s.write("src/ui/a.ts")), "deny", "no-ui")
			if len(s.asked) == before {
				t.Error("the forged guidelines were used")
			}
		})
	}
}

func TestAnAgentCannotAnswerAQuestion(t *testing.T) {
	answer := func(scope string) func(*stage) {
		return func(s *stage) {
			s.put(session.AgreedName("s1", scope), "\nh-d228cb696f1a8caf78912b704e4a8964 ask-migrations \n")
		}
	}
	for name, attack := range map[string]func(*stage){
		"it writes a yes for the turn":    answer("turn"),
		"it writes a yes for the session": answer("session"),
		"it writes a question that it answers by running": func(s *stage) {
			s.put(session.AskName("s1", "t7"), `{"guideline":"ask-migrations","agent_id":"","tool":"Bash","tool_use_id":"t7","remember":"session ask-migrations"}`)
			s.post(with(s.bash("true"), "tool_use_id", "t7"))
		},
		"it copies the yes of another session": func(s *stage) {
			s.agree(with(s.write("migrations/1.sql"), "session_id", "s2", "tool_use_id", "t8"))
			s.put(session.AgreedName("s1", "turn"), s.content(session.AgreedName("s2", "turn")))
		},
		"it makes a yes for the turn one for the session": func(s *stage) {
			s.agree(with(s.write("migrations/1.sql"), "tool_use_id", "t9"))
			text := s.content(session.AgreedName("s1", "turn"))
			s.prompt("the next task")
			s.put(session.AgreedName("s1", "session"), text)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := remembering(t, "")
			s.want(s.pre(with(s.write("migrations/1.sql"), "tool_use_id", "t1")), "ask")
			attack(s)
			s.want(s.pre(with(s.write("migrations/2.sql"), "tool_use_id", "t2")), "ask")
		})
	}
}

func TestAForgedFileIsRecordedAndShownOnce(t *testing.T) {
	s := newStage(t, paths)
	s.want(s.pre(s.write("a.go")), "pass")
	name := session.CacheName(session.Key("s1", ""))
	for i := range 3 {
		s.put(name, string(bytes.Replace([]byte(s.content(name)), []byte(`"files"`), fmt.Appendf(nil, `"file%d"`, i), 1)))
		o := s.pre(s.write("a.go"))
		if shown := strings.Contains(o.Message, "has no valid signature"); shown != (i == 0) {
			t.Errorf("attempt %d: %q", i, o.Message)
		}
	}
	if got := s.records("gap"); len(got) != 3 || got[0]["outcome"] != "unsigned" {
		t.Errorf("recorded %v", got)
	}
}

func TestAnUnusableKeyIsReportedAndAllowsNothing(t *testing.T) {
	s := newStage(t, paths)
	s.grant(s.refused())
	s.put("../home/.local/state/guardrails/key", "")
	s.open()
	if _, err := s.host.Dir.Key(); !errors.Is(err, private.ErrKey) {
		t.Fatalf("got %v", err)
	}
	s.want(s.pre(s.write("src/ui/a.ts")), "deny")
	s.want(s.prompt("go on"), "pass", "cannot use its key")
}

func TestForgedLinesAndQuestionsAreReportedOnce(t *testing.T) {
	for name, file := range map[string]string{
		"a line in its record of this session": session.LedgerName("s1"),
		"a saved answer to a question":         session.AgreedName("s1", "session"),
		"an open question":                     session.AskPrefix("s1") + "forged",
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, paths)
			s.wantTold(s.prompt("begin"), "")
			must(t, s.host.Dir.Append(file, []byte(`{"kind":"wrote","path":"src/x.go"}`+strings.Repeat("0", 16))))
			s.wantTold(s.prompt("go on"), "guardrails ignores "+name)
			if got := s.records("gap"); len(got) != 1 || got[0]["outcome"] != "unsigned" {
				t.Errorf("recorded %v", got)
			}
			s.wantTold(s.prompt("go on"), "")
			if got := s.records("gap"); len(got) != 1 {
				t.Errorf("recorded %v", got)
			}
		})
	}
}

func TestTheUserLearnsOfForgedLinesAtAnEventThatShowsMessages(t *testing.T) {
	s := newStage(t, paths)
	s.wantTold(s.prompt("begin"), "")
	must(t, s.host.Dir.Append(session.LedgerName("s1"), []byte("forged")))
	for range 2 {
		hooks.Stop(s.host, s.event(wire.SubagentStop, map[string]any{"agent_id": "a1"}))
	}
	if got := s.records("gap"); len(got) != 0 {
		t.Errorf("after the subagent: %v", got)
	}
	hooks.Stop(s.host, s.event(wire.SessionEnd, nil))
	if got := s.records("gap"); len(got) != 1 {
		t.Errorf("after the session: %v", got)
	}
	s.wantTold(s.prompt("go on"), "guardrails ignores a line")
	s.wantTold(s.prompt("go on"), "")
}

func TestAQuestionStaysOpenWhileTheKeyCannotBeRead(t *testing.T) {
	s := newStage(t, gate)
	call := with(s.bash("kubectl apply -f x"), "agent_id", "a1", "tool_use_id", "t1")
	s.want(s.pre(call), "ask")
	key := s.content("../home/.local/state/guardrails/key")
	s.put("../home/.local/state/guardrails/key", "")
	s.open()
	hooks.Stop(s.host, s.event(wire.Stop, nil))
	s.put("../home/.local/state/guardrails/key", key)
	s.open()
	s.post(call)
	s.wantAnswers("approved t1")
}
