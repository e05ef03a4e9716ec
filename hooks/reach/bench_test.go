//go:build linux || darwin

package reach_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"guardrails/hooks/reach"
)

// message() returns an MCP message in the form that a server sends. The message contains a session cache of about the
// given size.
func message(t testing.TB, size int) string {
	t.Helper()
	const guideline = `{"id":"security-history","name":"History and other people's work","priority":900}` + "\n"
	text, err := json.Marshal(strings.Repeat(guideline, size/len(guideline)))
	must(t, err)
	return `{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"success":true,"session_cache":` + string(text) + `}}}`
}

// The server is a separate process that does as little as possible, so the benchmark measures the client.
func BenchmarkWarm(b *testing.B) {
	for _, size := range []int{1 << 10, 20 << 10, 400 << 10} {
		b.Run(strconv.Itoa(size>>10)+"KiB", func(b *testing.B) {
			a := reach.Asker{Socket: startServer(b, jsonAnswer(message(b, size))), WarmTimeout: 10 * time.Second}
			question := []byte(`{"agent":"backend","prompt":"add a test","project":"/home/someone/project","hook":true}`)
			b.ReportAllocs()
			for b.Loop() {
				if _, via, err := a.Ask(question); err != nil || via != reach.ViaServer {
					b.Fatal(via, err)
				}
			}
		})
	}
}

// startServer starts a process that listens on a socket and sends the same answer on every connection.
func startServer(b *testing.B, answer string) string {
	b.Helper()
	server := cli(b, "serves")
	dir := filepath.Dir(server)
	must(b, os.WriteFile(filepath.Join(dir, "answer"), []byte(answer), 0o600))
	ready, theirs, err := os.Pipe()
	must(b, err)
	defer ready.Close()
	p, err := os.StartProcess(server, []string{server}, &os.ProcAttr{Dir: dir, Files: []*os.File{nil, theirs, os.Stderr}})
	must(b, err)
	b.Cleanup(func() {
		p.Kill()
		p.Wait()
	})
	theirs.Close()
	if _, err := ready.Read(make([]byte, 1)); err != nil {
		b.Fatal("the server did not start")
	}
	return filepath.Join(dir, "s")
}

// BenchmarkAbsent measures how long a hook needs to notice that there is no server.
func BenchmarkAbsent(b *testing.B) {
	a := reach.Asker{Socket: folder(b) + "/none"}
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := a.Ask([]byte(`{}`)); err == nil {
			b.Fatal("answered")
		}
	}
}
