//go:build unix

package server_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/guideline"
	"guardrails/server"
	"guardrails/server/socket"
	"guardrails/service"
	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/open"
)

// newStockedFixture returns a fixture whose store has the given number of guidelines ("count"). Each agent has ten of
// these guidelines.
func newStockedFixture(b *testing.B, count int) (s *fixture, o server.Options) {
	b.Helper()
	s = newFixture(b)
	s.vars["XDG_DATA_HOME"] = filepath.Join(filepath.Dir(s.root), "data")
	open := func(ctx context.Context, c *config.Config) (*live.Store, error) {
		return open.Open(ctx, c, open.Options{Env: s.env, Now: time.Now, Make: true})
	}
	c, err := open(b.Context(), &config.Config{})
	check(b, err)
	var list []guideline.Guideline
	for i := range count {
		list = append(list, guideline.Guideline{
			ID: fmt.Sprint("g", i), Name: "n", Enabled: true, Priority: 500, Category: guideline.Custom,
			Condition: guideline.Condition{Agents: []string{fmt.Sprint("agent", i%(count/10))}},
			Action:    guideline.Action{Type: guideline.Instruction, Instruction: "Something."},
		})
	}
	_, err = c.For(live.Caller{Actor: "ann"}).Import(b.Context(), list, store.ImportOptions{})
	check(b, err)
	check(b, c.Close())
	return s, server.Options{
		Service: service.Options{
			Env: s.env, Dir: s.root, Now: func() time.Time { return time.Now().Add(time.Hour) },
			Open: open,
		},
		Version: "1.2.3", Log: slog.New(bindLog{slog.DiscardHandler, s.bound}),
	}
}

func (s *fixture) socketClient() *http.Client {
	return &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", s.dir.Path(socket.Name))
	}}}
}

// These constants set the load of BenchmarkSessions. Every session sends one request and then pauses. People at work
// cause a smaller load.
const (
	sessions = 200
	pause    = 500 * time.Millisecond
)

// BenchmarkSessions sends b.N requests from 200 concurrent sessions to a server with 1,000 guidelines. It reports how
// long the requests took, how many failed, and by how much the memory grew in the second half of the requests.
func BenchmarkSessions(b *testing.B) {
	s, o := newStockedFixture(b, 1000)
	srv := server.New(o)
	stop := s.holdSocket(srv)
	s.waitForSocket()
	defer func() { stop(); check(b, srv.Close()) }()
	half := func() []time.Duration { return askAll(s, max(1, b.N/2/sessions)) }
	askAll(s, 1) // connects, and reads the guidelines
	b.ResetTimer()
	took := half()
	before := heap()
	took = append(took, half()...)
	b.ReportMetric((heap()-before)/(1<<20), "grown-MiB")
	slices.Sort(took)
	failed, _ := slices.BinarySearch(took, 1) // a failed request has the time 0
	b.ReportMetric(float64(failed), "failed")
	b.ReportMetric(took[len(took)/2].Seconds()*1e3, "p50-ms")
	b.ReportMetric(took[len(took)*99/100].Seconds()*1e3, "p99-ms")
}

// askAll sends the given number of requests from every session. It returns the time of each request. The time of a
// failed request is 0.
func askAll(s *fixture, rounds int) []time.Duration {
	took := make([]time.Duration, sessions*rounds)
	var clients sync.WaitGroup
	for session := range sessions {
		clients.Go(func() {
			client := s.socketClient()
			defer client.CloseIdleConnections()
			time.Sleep(pause * time.Duration(session) / sessions)
			for round := range rounds {
				began := time.Now()
				if askOnce(client, session, round) {
					took[session*rounds+round] = time.Since(began)
				}
				time.Sleep(pause - time.Since(began))
			}
		})
	}
	clients.Wait()
	return took
}

// askOnce requests the guidelines of a task. In every second round, it sends the request as a hook does.
func askOnce(client *http.Client, session, round int) bool {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"guardrails_get_context","arguments":`+
		`{"agent":"agent%d","session_id":"s%d","prompt":"implement part %d","hook":%v}}}`, session%100, session, round,
		round%2 == 0)
	answer, err := client.Post("http://guardrails/mcp", "application/json", strings.NewReader(body))
	if err != nil {
		return false
	}
	text, err := io.ReadAll(answer.Body)
	return err == nil && answer.Body.Close() == nil && bytes.Contains(text, []byte(`"success":true`)) &&
		bytes.Contains(text, []byte(`"source":"store"`))
}

func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// BenchmarkStart measures the time from the start of a server to its first answer, with 10,000 guidelines in the store.
func BenchmarkStart(b *testing.B) {
	s, o := newStockedFixture(b, 10000)
	for b.Loop() {
		own := o.Service
		own.Memory = true
		started := service.New(own)
		a, err := started.GetContext(b.Context(),
			service.Request{Context: guideline.Context{Agent: "agent7"}, Project: s.root})
		if err != nil || a.Fallback != nil || a.Source != service.SourceStore {
			b.Fatalf("%v %+v", err, a)
		}
		check(b, started.Close())
	}
}
