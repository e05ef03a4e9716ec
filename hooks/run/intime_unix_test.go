//go:build unix

package run_test

import (
	"bytes"
	"context"
	"database/sql"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"guardrails/hooks/run"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
	"guardrails/internal/fortests/slowness"
)

// silentServer starts a server that accepts connections and never answers. It returns the server's address.
func silentServer(m *machine) string {
	m.t.Helper()
	on, err := net.Listen("tcp", "127.0.0.1:0")
	must(m.t, err)
	m.t.Cleanup(func() { _ = on.Close() })
	go func() {
		for {
			c, err := on.Accept()
			if err != nil {
				return
			}
			go hanging(c)
		}
	}()
	return "http://" + on.Addr().String()
}

// stoppedServer starts the real server and then stops its process. The kernel still accepts connections to the socket,
// but the server never answers. The test needs the real server, because hooks do not speak to another program that
// listens on the socket.
func stoppedServer(m *machine) {
	m.t.Helper()
	c := m.program("guardrails-server", nil, "serve", "--addr", "127.0.0.1:0")
	var said bytes.Buffer
	c.Stderr = &said
	must(m.t, c.Start())
	m.t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if conn, err := net.Dial("unix", m.sessions+"/server.sock"); err == nil {
			must(m.t, conn.Close())
			must(m.t, c.Process.Signal(syscall.SIGSTOP))
			return
		}
		if time.Now().After(deadline) {
			m.t.Fatalf("the server does not listen: %s", said.String())
		}
	}
}

// lockedDatabase returns a function that makes a database the store of the machine. This process then locks the
// database with the given statements, and keeps the lock.
func lockedDatabase(statements ...string) func(*machine) {
	return func(m *machine) {
		m.t.Helper()
		file := m.work + "/data/guardrails.db"
		m.env["GUARDRAILS_STORE"] = "sqlite:" + file
		if out, err := m.program("guardrails", nil, "import", "pack:core").CombinedOutput(); err != nil {
			m.t.Fatalf("%v: %s", err, out)
		}
		db, err := sql.Open("sqlite", file)
		must(m.t, err)
		conn, err := db.Conn(context.Background())
		must(m.t, err)
		m.t.Cleanup(func() { _ = conn.Close(); _ = db.Close() })
		for _, s := range statements {
			_, err := conn.ExecContext(context.Background(), s)
			must(m.t, err)
		}
	}
}

// An obstacle is something that hangs while hooks run.
type obstacle struct {
	place func(*machine)
	stdin func(*testing.T) io.Reader
	// The field "passable" is set if hooks can answer without waiting for the obstacle.
	passable bool
}

func obstacles() map[string]obstacle {
	commandLine := func(m *machine) { script("sleep 60")(m, nil) }
	return map[string]obstacle{
		"the command line": {place: commandLine},
		"the server":       {place: stoppedServer},
		"the server and the command line": {place: func(m *machine) {
			stoppedServer(m)
			commandLine(m)
		}},
		"Elasticsearch":   {place: func(m *machine) { m.env["GUARDRAILS_STORE"] = "elasticsearch:" + silentServer(m) }},
		"a remote server": {place: func(m *machine) { m.env["GUARDRAILS_SERVER"] = `{"url": "` + silentServer(m) + `/mcp"}` }},
		"a database that another process has for itself": {
			place: lockedDatabase("PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE", "CREATE TABLE other (x)"),
		},
		"a database that another process changes": {place: lockedDatabase("BEGIN IMMEDIATE"), passable: true},
		"stdin": {stdin: func(t *testing.T) io.Reader {
			r, w, err := os.Pipe()
			must(t, err)
			t.Cleanup(func() { _ = r.Close(); _ = w.Close() })
			return r
		}},
	}
}

// The type "timed" is a hook with two durations. The hook must answer within the duration in the field "limit".
// The hook stops waiting after the duration in the field "inner".
type timed struct {
	hook         string
	limit, inner time.Duration
	doc          func(m *machine, of string) map[string]any
}

func timedHooks() []timed {
	return []timed{
		{"enforce", 2 * time.Second, run.CallDeadline, func(m *machine, of string) map[string]any {
			return m.tool(of, "Write", "file_path", m.project+"/src/ui/a.js")
		}},
		{"inject", 4 * time.Second, run.Deadline, func(m *machine, of string) map[string]any {
			return m.event(wire.UserPromptSubmit, of, map[string]any{"prompt": "go on"})
		}},
		{"subagent", 4 * time.Second, run.Deadline, func(m *machine, of string) map[string]any {
			return m.event(wire.SubagentStart, of, map[string]any{"agent_id": "a", "agent_type": "helper"})
		}},
		{"stop", 4 * time.Second, run.Deadline, func(m *machine, of string) map[string]any {
			must(m.t, m.dir().Touch(session.AnswersName(of))) // the detectors check the answers of this session
			return m.event(wire.Stop, of, map[string]any{"last_assistant_message": "Perfect!"})
		}},
	}
}

// inTimeRuns is how often each hook runs. All runs begin at the same moment. Otherwise, only the first run would wait
// for a store or server that hangs, because that run leaves a note for the other runs.
const inTimeRuns = 3

// The constant "noticeable" is the shortest time that a hook waits for something that hangs.
const noticeable = 400 * time.Millisecond

// TestHooksAnswerInTimeWhateverHangs checks the promise that a tool call is answered within two seconds, and every
// other event within four. Several runs begin together, and only the quickest one counts, because other tests can delay
// a run. No run can use what another run has found out.
//
// A timer ends the waiting of a hook. Only the time to start the hook and to write its answer depends on the computer,
// so only this part of the limit is longer on a slow computer.
func TestHooksAnswerInTimeWhateverHangs(t *testing.T) {
	notInShort(t)
	for name, o := range obstacles() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			if o.place != nil {
				o.place(m)
			}
			for _, h := range timedHooks() {
				m.forgetOutages()
				replies := m.atOnce(h, o.stdin)
				for _, r := range replies {
					if h.hook == "enforce" && r.verdict() == "pass" {
						t.Errorf("the call passes: %s", r.said)
					}
				}
				took := sortedTimes(replies)
				limit := h.inner + time.Duration(float64(h.limit-h.inner)*slowness.Now())
				if quickest := took[0]; quickest > limit || quickest < noticeable && !o.passable {
					t.Errorf("%s: the answers took %v, and the quickest must be from %v to %v", h.hook, took, noticeable, limit)
				}
			}
		})
	}
}

// forgetOutages removes the notes about stores and servers that did not answer. After that, the next hook waits for
// these stores and servers again.
func (m *machine) forgetOutages() {
	m.t.Helper()
	notes, err := filepath.Glob(m.sessions + "/down-*")
	must(m.t, err)
	for _, note := range notes {
		must(m.t, os.Remove(note))
	}
}

func sortedTimes(replies []reply) (out []time.Duration) {
	for i := range replies {
		out = append(out, replies[i].took)
	}
	slices.Sort(out)
	return out
}

// The method atOnce runs a hook several times at once, each time in a session of its own.
func (m *machine) atOnce(h timed, stdin func(*testing.T) io.Reader) []reply {
	m.t.Helper()
	replies := make([]reply, inTimeRuns)
	var all sync.WaitGroup
	for i := range replies {
		var in io.Reader = bytes.NewReader(encoded(m.t, h.doc(m, h.hook+strconv.Itoa(i))))
		if stdin != nil {
			in = stdin(m.t)
		}
		all.Go(func() { replies[i] = m.hook(h.hook, in) })
	}
	all.Wait()
	return replies
}
