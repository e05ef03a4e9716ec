package mcp_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"guardrails/server/mcp"
	"guardrails/service/tools"
)

func TestStdioAnswersEveryMessage(t *testing.T) {
	var in strings.Builder
	in.WriteString(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n")
	in.WriteString(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n\n")
	const many = 50
	for i := range many {
		fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"guardrails_get_context","arguments":{"agent":"backend"}}}`+"\n", i+1)
	}
	in.WriteString(`{"jsonrpc":"2.0","id":` + "\n")
	in.WriteString(strings.TrimSuffix(list, "\n")) // the last line has no newline
	var out bytes.Buffer
	check(t, newServer(t).Stdio(asAdmin(t.Context()), strings.NewReader(in.String()), &out))
	answered := map[string]int{}
	for line := range strings.Lines(out.String()) {
		var r reply
		check(t, json.Unmarshal([]byte(line), &r))
		answered[fmt.Sprint(r.ID)]++
	}
	if len(answered) != many+2 || answered["<nil>"] != 1 || answered["1"] != 2 {
		t.Errorf("%v", answered)
	}
}

func TestStdioEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	in, _ := io.Pipe()
	cancel()
	check(t, newServer(t).Stdio(asAdmin(ctx), in, io.Discard))
}

type broken struct{}

func (broken) Read([]byte) (int, error)  { return 0, errors.New("no connection") }
func (broken) Write([]byte) (int, error) { return 0, errors.New("no connection") }

func TestStdioReportsABrokenConnection(t *testing.T) {
	s := newServer(t)
	if err := s.Stdio(asAdmin(t.Context()), broken{}, io.Discard); err == nil ||
		err.Error() != "the client's messages cannot be read: no connection" {
		t.Errorf("got %v", err)
	}
	if err := s.Stdio(asAdmin(t.Context()), strings.NewReader(list+"\n"), broken{}); err == nil ||
		err.Error() != "answers cannot be written to the client: no connection" {
		t.Errorf("got %v", err)
	}
	if err := s.Stdio(asAdmin(t.Context()), strings.NewReader(strings.Repeat("x", 65<<20)), io.Discard); err == nil ||
		!strings.Contains(err.Error(), "more than 64 MiB") {
		t.Errorf("got %v", err)
	}
}

// A client is notified only after it has said that it is ready. The notification about tools comes only if the list of
// tools is different.
func TestStdioNotifiesItsClientOfChanges(t *testing.T) {
	root, env := project(t)
	changed, listed := make(chan struct{}), atomic.Pointer[[]string]{}
	s := mcp.New(mcp.Options{
		Service: serviceAt(root, env), Version: "1.2.3", Changed: changed,
		Detectors: func(context.Context) []string {
			if names := listed.Load(); names != nil {
				return *names
			}
			return nil
		},
	})
	checkGolden(t, "initialize_stdio", ask(t, s, "initialize",
		`{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`))
	in, client := io.Pipe()
	answers, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- s.Stdio(asAdmin(t.Context()), in, out) }()
	lines := bufio.NewReader(answers)
	next := func() string {
		t.Helper()
		line, err := lines.ReadString('\n')
		check(t, err)
		return strings.TrimSpace(line)
	}
	say := func(line string) {
		t.Helper()
		_, err := io.WriteString(client, line+"\n")
		check(t, err)
	}
	changed <- struct{}{} // too early
	say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	say(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	if got := next(); !strings.Contains(got, `"id":1`) {
		t.Errorf("before the client was ready: %s", got)
	}
	const resources = `{"jsonrpc":"2.0","method":"notifications/resources/list_changed"}`
	const toolList = `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`
	for _, step := range []struct {
		detectors []string
		want      []string
	}{
		{nil, []string{resources}},
		{tools.Checks(), []string{resources, toolList}},
		{tools.Checks(), []string{resources}},
		{nil, []string{resources, toolList}},
	} {
		listed.Store(&step.detectors)
		changed <- struct{}{}
		for _, want := range step.want {
			if got := next(); got != want {
				t.Errorf("%v: got %s, want %s", step.detectors, got, want)
			}
		}
	}
	check(t, client.Close())
	check(t, <-ended)
}
