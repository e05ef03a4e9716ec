//go:build unix

package run_test

import (
	"bytes"
	"io"
	"net"
	"os"
	"testing"
	"time"
)

// hungStore changes the user's settings. Their store is then an Elasticsearch server that accepts connections and
// never answers.
func hungStore(m *machine, _ []string) {
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
	m.env["GUARDRAILS_STORE"] = "elasticsearch:http://" + on.Addr().String()
}

// The design gives the hook of a tool call two seconds. The quickest of three answers counts, because other tests may
// keep the processors busy.
func TestAToolCallIsAnsweredWithinTwoSecondsWhateverHangs(t *testing.T) {
	notInShort(t)
	for name, c := range map[string]struct {
		spoil func(*machine, []string)
		stdin func([]byte) io.Reader
	}{
		"the command line": {script("sleep 60"), nil},
		"the store":        {hungStore, nil},
		"stdin":            {nil, func([]byte) io.Reader { r, _, err := os.Pipe(); must(t, err); return r }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			if c.spoil != nil {
				c.spoil(m, nil)
			}
			quickest := time.Hour
			for range 3 {
				call := encoded(t, m.tool("s", "Write", "file_path", m.project+"/src/ui/a.js"))
				var stdin io.Reader = bytes.NewReader(call)
				if c.stdin != nil {
					stdin = c.stdin(call)
				}
				r := m.hook("enforce", stdin)
				if quickest = min(quickest, r.took); r.verdict() == "pass" {
					t.Errorf("the call passes: %s", r.said)
				}
			}
			if quickest > 2*time.Second {
				t.Errorf("the answer took %s", quickest)
			}
		})
	}
}
