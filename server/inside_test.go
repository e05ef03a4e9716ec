//go:build unix

package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// client sends messages to the stdin of a server, and reads the answers from its stdout.
type client struct {
	t   *testing.T
	in  io.Writer
	out *json.Decoder
	id  int
}

func (s *fixture) client(t *testing.T) *client {
	t.Helper()
	in, requests := io.Pipe()
	answers, out := io.Pipe()
	ended := make(chan error, 1)
	srv := s.server()
	go func() {
		err := srv.ServeStdio(t.Context(), in, out)
		_ = out.Close()
		ended <- err
	}()
	t.Cleanup(func() {
		check(t, requests.Close())
		check(t, <-ended)
	})
	return &client{t: t, in: requests, out: json.NewDecoder(answers)}
}

// hook() calls the tool guardrails_hook as the client does, and returns the text of the answer.
func (c *client) hook(fields map[string]string) string {
	c.t.Helper()
	c.id++
	arguments, err := json.Marshal(fields)
	check(c.t, err)
	_, err = fmt.Fprintf(c.in, `{"method":"tools/call","params":{"name":"guardrails_hook","arguments":%s},"jsonrpc":"2.0","id":%d}`+"\n", arguments, c.id)
	check(c.t, err)
	var r struct {
		Result struct {
			Content []struct{ Text string }
			IsError bool
		}
	}
	check(c.t, c.out.Decode(&r))
	if r.Result.IsError || len(r.Result.Content) != 1 {
		c.t.Fatalf("got %+v", r)
	}
	return r.Result.Content[0].Text
}

func TestAServerOnStdioAnswersTheHooksOfItsClient(t *testing.T) {
	s := newFixture(t)
	s.vars["CLAUDE_PROJECT_DIR"], s.vars["CLAUDE_INSTANCE_ID"] = s.root, "backend"
	c := s.client(t)
	write := func(path string) map[string]string {
		return map[string]string{
			"hook_event_name": "PreToolUse", "session_id": "s", "cwd": s.root, "tool_name": "Write", "tool_use_id": "t",
			"tool_input": fmt.Sprintf(`{"file_path":%q}`, filepath.Join(s.root, path)),
		}
	}
	for _, step := range []struct {
		fields map[string]string
		want   string
	}{
		{
			map[string]string{"hook_event_name": "UserPromptSubmit", "session_id": "s", "cwd": s.root, "prompt": "go on"},
			"The backend agent works in src.",
		},
		{write("web/a.ts"), "backend-stays"},
		{write("src/a.go"), "{}"},
		{write(".claude/settings.json"), "self-protection"},
	} {
		if got := c.hook(step.fields); !strings.Contains(got, step.want) ||
			strings.Contains(got, "deny") != strings.Contains(step.want, "-") {
			t.Errorf("%v: got %s, want %s", step.fields, got, step.want)
		}
	}
	spool, err := filepath.Glob(filepath.Join(s.vars["XDG_STATE_HOME"], "guardrails", "spool", "*"))
	check(t, err)
	if len(spool) != 1 {
		t.Fatalf("%v", spool)
	}
	text, err := os.ReadFile(spool[0])
	check(t, err)
	if lines := bytes.Count(text, []byte(`{"time"`)); lines != 4 {
		t.Errorf("%d records are in the spool, want one for the prompt and each call:\n%s", lines, text)
	}
}
