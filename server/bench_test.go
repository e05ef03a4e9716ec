//go:build unix

package server_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"guardrails/server/socket"
)

// BenchmarkSocket asks on the hooks' socket, over one connection, in turn with a handler that does nothing, for another
// session each time.
func BenchmarkSocket(b *testing.B) {
	for _, ask := range []struct{ name, arguments string }{
		{"context", `{"agent":"agent7","domain":"d","action":"implement","session_id":"s%d"}`},
		{"hook", `{"agent":"agent7","session_id":"s%d","prompt":"implement the worker pool","hook":true`},
	} {
		b.Run(ask.name, func(b *testing.B) {
			s := newSite(b)
			var text strings.Builder
			for i := range 1000 {
				fmt.Fprintf(&text, "- id: g%d\n  name: n\n  category: custom\n  condition: {agents: [agent%d]}\n  action: {type: instruction, instruction: Something.}\n", i, i%100)
			}
			s.write(text.String())
			stop := s.hold(s.server())
			s.reachable()
			defer stop()
			arguments := ask.arguments
			if strings.HasSuffix(arguments, "true") {
				arguments += fmt.Sprintf(`,"project":%q}`, s.root)
			}
			question := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"guardrails_get_context","arguments":` + arguments + `}}`
			client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				var d net.Dialer
				return d.DialContext(ctx, "unix", s.dir.Path(socket.Name))
			}}}
			defer client.CloseIdleConnections()
			var empty, full []time.Duration
			for b.Loop() {
				empty = append(empty, timed(b, client, http.MethodGet, "/healthz", ""))
				full = append(full, timed(b, client, http.MethodPost, "/mcp", strings.Replace(question, "%d", strconv.Itoa(len(full)), 1)))
			}
			for _, list := range [][]time.Duration{empty, full} {
				slices.Sort(list)
			}
			p := func(list []time.Duration, of float64) float64 {
				return float64(list[int(of*float64(len(list)-1))].Nanoseconds())
			}
			b.ReportMetric(p(empty, .5)/1e3, "empty-p50-µs")
			b.ReportMetric(p(full, .5)/1e3, "p50-µs")
			b.ReportMetric(p(full, .5)/p(empty, .5), "p50-ratio")
			b.ReportMetric(p(full, .99)/p(empty, .99), "p99-ratio")
		})
	}
}

func timed(b *testing.B, client *http.Client, method, path, body string) time.Duration {
	r, err := http.NewRequest(method, "http://guardrails"+path, bytes.NewReader([]byte(body)))
	if err != nil {
		b.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	began := time.Now()
	answer, err := client.Do(r)
	if err != nil {
		b.Fatal(err)
	}
	// As hooks do: the length of an answer is told.
	text := make([]byte, max(0, answer.ContentLength))
	_, err = io.ReadFull(answer.Body, text)
	took := time.Since(began)
	if err != nil || answer.StatusCode != http.StatusOK || answer.Body.Close() != nil || path == "/mcp" && !bytes.Contains(text, []byte(`"success":true`)) {
		b.Fatalf("%v %d %s", err, answer.StatusCode, text)
	}
	return took
}
