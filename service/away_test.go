package service_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/guideline"
	"guardrails/service"
	"guardrails/service/fallback"
)

// takeAway moves the database away, and gives back how it is put back.
func (p *stored) takeAway() (back func()) {
	p.t.Helper()
	check(p.t, os.Rename(p.data, p.data+".away"))
	return func() { check(p.t, os.Rename(p.data+".away", p.data)) }
}

func TestADatabaseThatGoesAwayIsAnOutageThatEndsByItself(t *testing.T) {
	ways(t, func(t *testing.T, ask func(*stored, service.Request) *service.Answer) {
		p := newStored(t, map[string]string{config.File: "packs: []\n"})
		create(t, p.book(""), told("one", "One."))
		hook := service.Request{Hook: true}
		if a := ask(p, hook); a.Source != service.SourceStore || ids(a) != "one" {
			t.Fatalf("%s %s", a.Source, ids(a))
		}
		back := p.takeAway()
		var a *service.Answer
		eventually(t, 10*time.Second, func() bool { a = ask(p, hook); return a.Fallback != nil })
		if a.Source != fallback.SourceSnapshot || ids(a) != "one" || a.Fallback.Mode != config.AskUser {
			t.Errorf("%s %s %+v", a.Source, ids(a), a.Fallback)
		}
		contains(t, a.Fallback.Reason, "guardrails.db", "guardrails init")
		contains(t, strings.Join(a.Notices, "\n"), "the last known good guidelines apply (1, of 20")
		chosen := hook
		chosen.Choice = fallback.ChoiceOpen
		if a := ask(p, chosen); a.Source != fallback.SourceOpen || ids(a) != "" {
			t.Errorf("who chose to go on without has %s %s", a.Source, ids(a))
		}
		back()
		eventually(t, 10*time.Second, func() bool { a = ask(p, hook); return a.Fallback == nil })
		if a.Source != service.SourceStore || ids(a) != "one" {
			t.Errorf("%s %s", a.Source, ids(a))
		}
		if o, err := p.made(false).Outage(p.root); o != nil || err != nil {
			t.Errorf("%+v %v", o, err)
		}
	})
}

func TestWhatIsStartedWhileTheStoreIsAwayHasTheLastKnownGuidelines(t *testing.T) {
	for name, settings := range map[string]string{"the default": "packs: []\n", "a named one": "packs: []\nstore: sqlite:DATA/guardrails.db\n"} {
		t.Run(name, func(t *testing.T) {
			ways(t, func(t *testing.T, ask func(*stored, service.Request) *service.Answer) {
				p := newStored(t, nil)
				p.write(config.File, strings.ReplaceAll(settings, "DATA", p.data))
				create(t, p.book(""), told("one", "One."))
				get(t, p.made(false), service.Request{Hook: true})
				back := p.takeAway()
				a := ask(p, service.Request{Hook: true})
				if a.Fallback == nil || a.Source != fallback.SourceSnapshot || ids(a) != "one" {
					t.Fatalf("%+v %s %s", a.Fallback, a.Source, ids(a))
				}
				contains(t, a.Fallback.Reason, p.data)
				back()
				eventually(t, 10*time.Second, func() bool { return ask(p, service.Request{Hook: true}).Fallback == nil })
			})
		})
	}
}

// A session's user is told once, however differently a store fails: what is told is known again by its words.
func TestAnOutageKeepsItsFirstReason(t *testing.T) {
	ways(t, func(t *testing.T, ask func(*stored, service.Request) *service.Answer) {
		p := newStored(t, map[string]string{config.File: "packs: []\n"})
		create(t, p.book(""), told("one", "One."))
		hook := service.Request{Hook: true, Context: guideline.Context{SessionID: "s"}}
		ask(p, hook)
		p.takeAway()
		var first *service.Answer
		eventually(t, 10*time.Second, func() bool { first = ask(p, hook); return first.Fallback != nil })
		check(t, os.MkdirAll(p.data, 0o700))
		check(t, os.WriteFile(filepath.Join(p.data, "guardrails.db"), []byte("this is no database at all, and longer than a header of one hundred bytes, which every database of this kind begins with"), 0o600))
		for end := time.Now().Add(1500 * time.Millisecond); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
			if a := ask(p, hook); a.Fallback == nil || a.Fallback.Reason != first.Fallback.Reason || strings.Join(a.Notices, "") != strings.Join(first.Notices, "") {
				t.Fatalf("%+v %q, want %+v %q", a.Fallback, a.Notices, first.Fallback, first.Notices)
			}
		}
	})
}

func TestANamedStoreThatNeverWasThereIsAnOutage(t *testing.T) {
	ways(t, func(t *testing.T, ask func(*stored, service.Request) *service.Answer) {
		p := newStored(t, map[string]string{config.File: "store: sqlite:/nowhere/at/all.db\nfallback_mode: static_rules\n"})
		a := ask(p, service.Request{Hook: true})
		if a.Fallback == nil || a.Fallback.Mode != config.StaticRules || a.Source != fallback.SourceStatic || len(a.Guidelines) == 0 {
			t.Fatalf("%+v %s %d", a.Fallback, a.Source, len(a.Guidelines))
		}
		contains(t, a.Fallback.Reason, "/nowhere/at/all.db does not exist")
	})
}

func TestADamagedDatabaseIsAnOutageAndNotChanged(t *testing.T) {
	ways(t, func(t *testing.T, ask func(*stored, service.Request) *service.Answer) {
		p := newStored(t, map[string]string{config.File: "packs: []\n"})
		check(t, os.MkdirAll(p.data, 0o700))
		file := filepath.Join(p.data, "guardrails.db")
		check(t, os.WriteFile(file, []byte(strings.Repeat("no database ", 1000)), 0o600))
		if a := ask(p, service.Request{Hook: true}); a.Fallback == nil || a.Source != fallback.SourceStatic {
			t.Errorf("%+v %s", a.Fallback, a.Source)
		}
		if text, err := os.ReadFile(file); err != nil || !strings.HasPrefix(string(text), "no database ") {
			t.Errorf("%v %.20s", err, text)
		}
	})
}

// A program that makes an empty database where one was removed would let go of every guideline, and so would an old copy.
func TestAStoreThatHasLessThanHooksSawInItIsAnOutageUntilSomebodyAcceptsIt(t *testing.T) {
	ways(t, func(t *testing.T, ask func(*stored, service.Request) *service.Answer) {
		p := newStored(t, map[string]string{config.File: "packs: [core]\n"})
		create(t, p.book(""), told("one", "One."), told("two", "Two."))
		hook := service.Request{Hook: true}
		before := ask(p, hook)
		p.takeAway()
		create(t, p.book(""), told("other", "Another one."))
		var a *service.Answer
		eventually(t, 10*time.Second, func() bool {
			a = ask(p, hook)
			return a.Fallback != nil && strings.Contains(a.Fallback.Reason, "of the 2 changes of guidelines that hooks saw")
		})
		if a.Source != fallback.SourceSnapshot || ids(a) != ids(before) {
			t.Errorf("%s %s, want %s", a.Source, ids(a), ids(before))
		}
		contains(t, strings.Join(a.Notices, "\n"), "is another one or an older copy", "it counts 1; ", "guardrails init")
		said, err := p.made(false).AcceptStore(t.Context())
		check(t, err)
		contains(t, said, "it counts 1; it holds as it is from now on")
		eventually(t, 10*time.Second, func() bool { a = ask(p, hook); return a.Fallback == nil })
		if said, err := p.made(false).AcceptStore(t.Context()); said != "" || err != nil {
			t.Errorf("%q %v", said, err)
		}
		contains(t, ids(a), "other")
	})
}

// What was put back is as good as what was taken away, and what others add to it is no reason for doubt.
func TestAStoreThatIsPutBackIsNoOtherOne(t *testing.T) {
	ways(t, func(t *testing.T, ask func(*stored, service.Request) *service.Answer) {
		p := newStored(t, map[string]string{config.File: "packs: []\n"})
		create(t, p.book(""), told("one", "One."), told("two", "Two."))
		hook := service.Request{Hook: true}
		ask(p, hook)
		back := p.takeAway()
		eventually(t, 10*time.Second, func() bool { return ask(p, hook).Fallback != nil })
		back()
		create(t, p.book(""), told("three", "Three."))
		eventually(t, 10*time.Second, func() bool { a := ask(p, hook); return a.Fallback == nil && ids(a) == "one three two" })
	})
}

// A store has a number of changes for each tenant, and settings can name another store.
func TestWhatWasSeenInOneStoreSaysNothingOfAnother(t *testing.T) {
	ways(t, func(t *testing.T, ask func(*stored, service.Request) *service.Answer) {
		p := newStored(t, map[string]string{config.File: "packs: []\n"})
		create(t, p.book(""), told("one", "One."), told("two", "Two."))
		create(t, p.book("b"), told("theirs", "Theirs."))
		hook := service.Request{Hook: true}
		ask(p, hook)
		theirs := hook
		theirs.TenantID = "b"
		if a := ask(p, theirs); a.Fallback != nil || ids(a) != "theirs" {
			t.Errorf("%+v %s", a.Fallback, ids(a))
		}
	})
}
