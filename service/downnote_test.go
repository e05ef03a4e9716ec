package service_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"guardrails/internal/fortests/slowness"
	"guardrails/service"
	"guardrails/service/fallback"
)

// hungServer starts a server that accepts connections and never answers. It returns the address of the server, and a
// channel with an item for each connection that the server has accepted.
func hungServer(t *testing.T) (address string, accepted chan struct{}) {
	t.Helper()
	on, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	t.Cleanup(func() { check(t, on.Close()) })
	accepted = make(chan struct{}, 100)
	go func() {
		for {
			conn, err := on.Accept()
			if err != nil {
				return
			}
			accepted <- struct{}{}
			t.Cleanup(func() { _ = conn.Close() })
		}
	}()
	return on.Addr().String(), accepted
}

// askAsHook asks a question as a hook does, in a process of its own. It reports whether the process waited for
// the store or server, and how long it took.
func (p *storedProject) askAsHook(accepted <-chan struct{}) (waited bool, took time.Duration) {
	p.t.Helper()
	began := time.Now()
	a := getContext(p.t, p.newService(false), service.Request{Hook: true})
	took = time.Since(began)
	if a.Fallback == nil || a.Source != fallback.SourceStatic {
		p.t.Fatalf("%s %+v", a.Source, a.Fallback)
	}
	for ; ; waited = true {
		select {
		case <-accepted:
		default:
			return waited, took
		}
	}
}

func TestOnlyTheFirstOfManyHooksWaitsForAStoreThatHangs(t *testing.T) {
	for name, settings := range map[string]string{
		"Elasticsearch": "store: elasticsearch:http://ADDRESS\n",
		"a server":      "server: {url: \"http://ADDRESS/mcp\"}\n",
	} {
		t.Run(name, func(t *testing.T) {
			address, accepted := hungServer(t)
			p := newStoredProject(t, nil)
			p.user("packs: []\n" + strings.ReplaceAll(settings, "ADDRESS", address))
			if waited, took := p.askAsHook(accepted); !waited || took > 20*time.Second {
				t.Errorf("the first question: waited %v, took %s", waited, took)
			}
			for range 3 {
				if waited, _ := p.askAsHook(accepted); waited {
					t.Error("a later question waits again")
				}
			}
			p.ageNotes(time.Minute)
			if waited, _ := p.askAsHook(accepted); !waited {
				t.Error("after the time of the note, no question tries again")
			}
		})
	}
}

func TestAnAlteredNoteOfAnOutageDoesNotCount(t *testing.T) {
	address, accepted := hungServer(t)
	p := newStoredProject(t, nil)
	p.user("packs: []\nstore: elasticsearch:http://" + address + "\n")
	p.askAsHook(accepted)
	for _, name := range p.notes() {
		text, err := os.ReadFile(name)
		check(t, err)
		check(t, os.WriteFile(name, append([]byte("1"), text...), 0o600))
	}
	if waited, _ := p.askAsHook(accepted); !waited {
		t.Error("an altered note counts")
	}
}

func TestAPersonsCommandTriesTheStoreEvenAfterAnOutage(t *testing.T) {
	address, accepted := hungServer(t)
	p := newStoredProject(t, nil)
	p.user("packs: []\nstore: elasticsearch:http://" + address + "\n")
	p.askAsHook(accepted)
	s := p.newService(false)
	s.LimitWait(2 * time.Second)
	getContext(t, s, service.Request{})
	select {
	case <-accepted:
	case <-time.After(time.Minute):
		t.Error("the command did not try")
	}
}

// A hook says how much time it has left. When this time is over, the service answers with the last known guidelines.
func TestTheCallersDeadlineEndsTheWaitForAStore(t *testing.T) {
	address, _ := hungServer(t)
	p := newStoredProject(t, nil)
	p.user("packs: []\nstore: elasticsearch:http://" + address + "\n")
	s := p.newService(false)
	s.LimitWait(time.Hour)
	ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	a, err := s.GetContext(ctx, service.Request{Hook: true, Prompt: "Fix the bug."})
	check(t, err)
	if a.Fallback == nil || !strings.Contains(a.Fallback.Reason, "the store did not answer in time") || a.SessionCache == "" {
		t.Errorf("got %+v", a.Fallback)
	}
}

// On an idle computer, a question takes a few milliseconds. The limit is far higher. On a busy computer, the store's
// refusal can come so late that the process writes a note. So only the median of several questions counts.
func TestARefusedStoreCostsAHookNothingNoticeable(t *testing.T) {
	on, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	address := on.Addr().String()
	check(t, on.Close())
	p := newStoredProject(t, nil)
	p.user("packs: []\nstore: elasticsearch:http://" + address + "\n")
	const questions = 9
	var all []time.Duration
	noted := 0
	for range questions {
		_, took := p.askAsHook(nil)
		all = append(all, took)
		if len(p.notes()) > 0 {
			noted++
		}
		for _, name := range p.notes() {
			check(t, os.Remove(name))
		}
	}
	slices.Sort(all)
	limit := time.Duration(500 * float64(time.Millisecond) * slowness.Now())
	if all[questions/2] > limit || noted > questions/2 {
		t.Errorf("the questions took %v, and %d of them left notes", all, noted)
	}
}

// notes() returns the files that say which stores did not answer.
func (p *storedProject) notes() []string {
	p.t.Helper()
	names, err := filepath.Glob(filepath.Join(p.vars["GUARDRAILS_CACHE_DIR"], "down-*"))
	check(p.t, err)
	return names
}

func (p *storedProject) ageNotes(by time.Duration) {
	p.t.Helper()
	for _, name := range p.notes() {
		then := time.Now().Add(-by)
		check(p.t, os.Chtimes(name, then, then))
	}
}
