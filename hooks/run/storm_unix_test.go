//go:build unix

package run_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"guardrails/hooks/cache"
	"guardrails/hooks/run"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
)

// stormSize is how many hooks run at the same time. These hooks are of five kinds.
const stormSize = 100

// stormy() returns the hook with number n, the verdict that it must give, and the document that it receives.
func stormy(m *machine, of string, n int) (hook, want string, doc map[string]any) {
	id := fmt.Sprintf("t%d", n)
	file := fmt.Sprintf("%s/src/core/f%d.go", m.project, n)
	switch n % 5 {
	case 0:
		hook, want, doc = "enforce", "pass", m.tool(of, "Write", "file_path", file)
	case 1:
		hook, want, doc = "enforce", "pass", m.tool(of, "Write", "file_path", file)
		doc["hook_event_name"] = wire.PostToolUse
	case 2:
		hook, want, doc = "enforce", "deny", m.tool(of, "Write", "file_path", m.project+"/src/ui/"+id+".ts")
	case 3:
		hook, want, doc = "enforce", "ask", m.tool(of, "Bash", "command", "kubectl apply -f "+id)
	default:
		hook, want, doc = "inject", "pass", m.event(wire.UserPromptSubmit, of, map[string]any{"prompt": "go on"})
		if n%2 == 0 {
			hook, doc = "subagent", m.event(wire.SubagentStart, of, map[string]any{"agent_id": "a" + id, "agent_type": "helper"})
		}
	}
	doc["tool_use_id"] = id
	return hook, want, doc
}

// storm() runs all hooks of a session at the same time and checks their answers.
func storm(m *machine, of string) {
	m.t.Helper()
	start := make(chan struct{})
	var all sync.WaitGroup
	for n := range stormSize {
		hook, want, doc := stormy(m, of, n)
		stdin := bytes.NewReader(encoded(m.t, doc))
		all.Go(func() {
			<-start
			if r := m.hook(hook, stdin); r.verdict() != want || r.late() {
				m.t.Errorf("hook %d: %s after %s, want %s: %s", n, r.verdict(), r.took, want, r.said)
			}
		})
	}
	close(start)
	all.Wait()
}

func TestNothingIsLostWhenAHundredHooksRunAtOnce(t *testing.T) {
	notInShort(t)
	m := newMachine(t)
	m.guidelines(strings.Replace(limited, "20", "1000", 1))
	m.prompt("s", "begin")
	storm(m, "s")
	m.hook("stop", bytes.NewReader(encoded(t, m.event(wire.Stop, "s", nil))))
	decided, closed := map[any]int{}, map[any]int{}
	for _, r := range m.records() {
		switch r["kind"] {
		case "decision":
			decided[r["tool_use_id"]]++
		case "gate":
			closed[r["tool_use_id"]]++
		}
	}
	d := m.dir()
	ledger, err := session.ReadLedger(d, "s")
	must(t, err)
	if ledger.Unreadable > 0 || ledger.Truncated {
		t.Errorf("the ledger has %d lines that cannot be read; cut off: %v", ledger.Unreadable, ledger.Truncated)
	}
	for n := range stormSize {
		id, kind := fmt.Sprintf("t%d", n), n%5
		if got, want := decided[id], map[int]int{0: 1, 2: 1, 3: 1}[kind]; got != want {
			t.Errorf("hook %d: %d decisions are recorded, want %d", n, got, want)
		}
		if got, want := closed[id], map[int]int{3: 1}[kind]; got != want {
			t.Errorf("hook %d: %d answers of gates are recorded, want %d", n, got, want)
		}
		if written := slices.Contains(ledger.Files, fmt.Sprintf("src/core/f%d.go", n)); written != (kind < 2) {
			t.Errorf("hook %d: the ledger says %v of its file", n, written)
		}
	}
}

// killMany starts hooks of a session that write files, and kills each of them at a random moment.
func killMany(m *machine, of string, count int) {
	m.t.Helper()
	for range count {
		if rand.IntN(2) == 0 {
			// Without a cache, the hook requests the guidelines and writes a new cache.
			_ = os.Remove(m.cache(of))
		}
		hook, _, doc := stormy(m, of, rand.IntN(stormSize))
		c := m.command(hook, bytes.NewReader(encoded(m.t, doc)))
		must(m.t, c.Start())
		spin(time.Duration(rand.IntN(12_000)) * time.Microsecond)
		_ = c.Process.Kill()
		_ = c.Wait()
	}
}

// spin() waits in a loop, because time.Sleep is not exact enough to kill a process at a chosen moment.
func spin(d time.Duration) {
	for begin := time.Now(); time.Since(begin) < d; {
		_ = d
	}
}

func TestAfterAKillEveryFileIsCompleteAndTheNextHookAnswersCorrectly(t *testing.T) {
	notInShort(t)
	m := newMachine(t)
	m.guidelines(limited)
	m.prompt("s", "begin")
	for range 40 {
		killMany(m, "s", 2)
		r := m.hook("enforce", bytes.NewReader(encoded(t, m.tool("s", "Write", "file_path", m.project+"/src/ui/a.ts"))))
		if r.verdict() != "deny" || !strings.Contains(r.reason, "no-ui") {
			t.Fatalf("the next hook says %s", r.said)
		}
		m.wantWhole("s")
	}
	m.records()
}

// wantWhole checks that all files of a session are complete.
func (m *machine) wantWhole(of string) {
	m.t.Helper()
	d, name := m.dir(), session.CacheName(session.Key(of, ""))
	file, info, err := d.OpenFile(name)
	must(m.t, err)
	defer func() { must(m.t, file.Close()) }()
	if _, err := cache.Read(file, info.Size(), time.Now(), d.KeyOf(name)); err != nil {
		m.t.Errorf("the cache: %v", err)
	}
	if ledger, err := session.ReadLedger(d, of); err != nil || ledger.Unreadable > 0 {
		m.t.Errorf("the ledger: %v, %+v", err, ledger)
	}
}

// The deadline of a hook must be well before the time at which the client stops waiting.
func TestTheInnerDeadlineIsWellBeforeTheClients(t *testing.T) {
	if run.Deadline > patience/2 {
		t.Errorf("a hook may take %s, the client waits for %s", run.Deadline, patience)
	}
}
