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
	"sync"
	"sync/atomic"
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

// stocked is a site whose store has so many guidelines, of which ten hold for each of a tenth as many agents.
func stocked(b *testing.B, count int) (s *site, o server.Options) {
	b.Helper()
	s = newSite(b)
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
		Service: service.Options{Env: s.env, Dir: s.root, Now: func() time.Time { return time.Now().Add(time.Hour) }, Open: open},
		Version: "1.2.3", Log: slog.New(heard{slog.DiscardHandler, s.bound}),
	}
}

// caller asks over one connection of its own.
func (s *site) caller() *http.Client {
	return &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", s.dir.Path(socket.Name))
	}}}
}

// BenchmarkSessions lets 200 sessions ask at once, each its own questions: b.N questions in all. It reports questions that
// were not answered, and by how much the memory grew in the second half.
func BenchmarkSessions(b *testing.B) {
	s, o := stocked(b, 1000)
	srv := server.New(o)
	stop := s.hold(srv)
	s.reachable()
	defer func() { stop(); check(b, srv.Close()) }()
	var asked, failed atomic.Int64
	half := func(n int) {
		var asking sync.WaitGroup
		for session := range 200 {
			asking.Go(func() {
				client := s.caller()
				defer client.CloseIdleConnections()
				for asked.Add(1) <= int64(n) {
					body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"guardrails_get_context","arguments":{"agent":"agent%d","session_id":"s%d","prompt":"implement part %d","hook":true}}}`,
						session%100, session, asked.Load())
					answer, err := client.Post("http://guardrails/mcp", "application/json", bytes.NewReader([]byte(body)))
					if err != nil {
						failed.Add(1)
						continue
					}
					text, err := io.ReadAll(answer.Body)
					if err != nil || answer.Body.Close() != nil || !bytes.Contains(text, []byte(`"success":true`)) || !bytes.Contains(text, []byte(`"source":"store"`)) {
						failed.Add(1)
					}
				}
			})
		}
		asking.Wait()
	}
	b.ResetTimer()
	half(b.N / 2)
	before := heap()
	half(b.N)
	b.ReportMetric(float64(failed.Load()), "failed")
	b.ReportMetric((heap()-before)/(1<<20), "grown-MiB")
}

func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// BenchmarkStart is the time from a server that begins to its first answer, with 10,000 guidelines in the store.
func BenchmarkStart(b *testing.B) {
	s, o := stocked(b, 10000)
	for b.Loop() {
		own := o.Service
		own.Memory = true
		started := service.New(own)
		a, err := started.GetContext(b.Context(), service.Request{Context: guideline.Context{Agent: "agent7"}, Project: s.root})
		if err != nil || a.Fallback != nil || a.Source != service.SourceStore {
			b.Fatalf("%v %+v", err, a)
		}
		check(b, started.Close())
	}
}
