//go:build unix

package session_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"guardrails/setup/claude/session"
)

// options() returns the options of a session whose client is a shell script.
func options(t *testing.T, script string) session.Options {
	t.Helper()
	dir := t.TempDir()
	o := session.Options{Client: dir + "/claude", Project: dir + "/project", Home: dir + "/home", Model: "http://127.0.0.1:1", Prompt: "begin"}
	for _, folder := range []string{o.Project, o.Home} {
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(o.Client, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return o
}

func TestHeadlessClientGetsItsArgumentsAndNotOurEnvironment(t *testing.T) {
	t.Setenv("A_SECRET", "of ours")
	o := options(t, `printf '%s\n' "$@" > args; env | sort > env; pwd > dir; echo '{"type":"result","result":"done"}'`)
	o.Mode, o.Agent, o.Allowed, o.Args, o.Env = "acceptEdits", "backend", []string{"Bash", "Write"}, []string{"--effort", "low"}, []string{"MORE=yes"}
	o.Agents = map[string]session.Agent{"backend": {Description: "d", Prompt: "p", Tools: []string{"Bash"}}}
	got, err := session.Headless(t.Context(), o)
	if err != nil || got.Result == nil || got.Result.Text != "done" {
		t.Fatalf("%+v, %v", got, err)
	}
	want := strings.Join([]string{
		"-p", "begin", "--output-format", "stream-json", "--verbose", "--include-hook-events", "--permission-mode", "acceptEdits", "--agent", "backend",
		"--agents", `{"backend":{"description":"d","prompt":"p","tools":["Bash"]}}`, "--allowedTools", "Bash", "Write", "--effort", "low", "",
	}, "\n")
	if got := read(t, o, "args"); got != want {
		t.Errorf("the arguments are\n%s\nwant\n%s", got, want)
	}
	env := read(t, o, "env")
	for _, part := range []string{"HOME=" + o.Home, "ANTHROPIC_BASE_URL=http://127.0.0.1:1", "MORE=yes", "DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1"} {
		if !strings.Contains(env, part+"\n") {
			t.Errorf("the environment lacks %s:\n%s", part, env)
		}
	}
	if strings.Contains(env, "A_SECRET") || strings.Contains(env, "IS_SANDBOX") {
		t.Errorf("the environment has a forbidden variable:\n%s", env)
	}
}

func TestEachPromptIsSentAfterTheAnswerToTheOneBefore(t *testing.T) {
	o := options(t, `printf '%s\n' "$@" > args
while read -r line; do
	printf '%s\n' "$line" >> prompts
	printf '{"type":"assistant","message":{"content":"an answer"}}\n{"type":"res'
	printf 'ult","result":"%s"}\n' "$(wc -l < prompts | tr -d ' ')"
done`)
	o.Next = []string{"go \"on\"", "end"}
	got, err := session.Headless(t.Context(), o)
	if err != nil || got.Result == nil || got.Result.Text != "3" || len(got.Texts()) != 3 {
		t.Fatalf("%+v, %v", got, err)
	}
	if args := read(t, o, "args"); strings.Contains(args, "begin") || !strings.HasPrefix(args, "-p\n--input-format\nstream-json\n") {
		t.Errorf("the arguments are\n%s", args)
	}
	var sent []string
	for line := range strings.Lines(read(t, o, "prompts")) {
		var p struct {
			Message struct{ Role, Content string }
		}
		if err := json.Unmarshal([]byte(line), &p); err != nil || p.Message.Role != "user" {
			t.Errorf("%s: %v", line, err)
		}
		sent = append(sent, p.Message.Content)
	}
	if want := []string{"begin", `go "on"`, "end"}; !slices.Equal(sent, want) {
		t.Errorf("sent %q, want %q", sent, want)
	}
}

func TestAClientThatEndsBeforeTheLastPromptReportsWhy(t *testing.T) {
	o := options(t, "echo 'no key' >&2; exit 1")
	o.Next = []string{"go on"}
	if _, err := session.Headless(t.Context(), o); err == nil || !strings.Contains(err.Error(), "no key") {
		t.Errorf("%v", err)
	}
}

func TestAClientOfAnEditorSaysSo(t *testing.T) {
	o := options(t, `env > env; echo '{"type":"result"}'`)
	o.Editor = true
	if _, err := session.Headless(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if env := read(t, o, "env"); !strings.Contains(env, "CLAUDE_CODE_ENTRYPOINT=claude-vscode\n") {
		t.Errorf("the environment is\n%s", env)
	}
}

func read(t *testing.T, o session.Options, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(o.Project, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestFailingClientReportsWhy(t *testing.T) {
	for name, c := range map[string]struct{ script, want string }{
		"error on stderr":     {"echo 'no key' >&2; exit 1", "exit status 1: no key"},
		"error in its result": {`echo '{"type":"result","is_error":true,"result":"no model"}'; exit 1`, "exit status 1: no model"},
		"invalid stream":      {"echo nonsense", "line 1 of the client's stream"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := session.Headless(t.Context(), options(t, c.script))
			if err == nil || !strings.Contains(err.Error(), c.want) || got == nil {
				t.Errorf("%+v, %v, want %q", got, err, c.want)
			}
		})
	}
}

func TestCancelStopsTheClientAndItsChildren(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	o := options(t, `echo '{"type":"system","subtype":"init"}'; touch said; sleep 60 & sleep 60`)
	go func() {
		defer cancel()
		for t.Context().Err() == nil {
			if _, err := os.Stat(o.Project + "/said"); err == nil {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	begun := time.Now()
	got, err := session.Headless(ctx, o)
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "stopped before it was done") {
		t.Errorf("%v", err)
	}
	if got == nil || len(got.Events) != 1 {
		t.Errorf("the client's earlier output is lost: %+v", got)
	}
	// Both processes keep the pipe open. Waiting for them would take a minute.
	if took := time.Since(begun); took > 20*time.Second {
		t.Errorf("the session took %v", took)
	}
}

func TestMissingRequirementIsReportedBeforeTheSessionStarts(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*session.Options)
		want  string
	}{
		"no client":          {func(o *session.Options) { o.Client += "s" }, "is not a program; give the path of claude"},
		"a folder as client": {func(o *session.Options) { o.Client = o.Home }, "is not a program; give the path of claude"},
		"no project":         {func(o *session.Options) { o.Project += "s" }, "is not a folder; make it first"},
		"no home":            {func(o *session.Options) { o.Home = "" }, "is not a folder; make it first"},
		"no model":           {func(o *session.Options) { o.Model = "" }, "has no model; give the URL of one"},
	} {
		t.Run(name, func(t *testing.T) {
			o := options(t, "exit 0")
			c.spoil(&o)
			_, headless := session.Headless(t.Context(), o)
			_, interactive := session.Start(t.Context(), o)
			for _, err := range []error{headless, interactive} {
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%v, want %q", err, c.want)
				}
			}
		})
	}
}

func TestSandboxIsDeclaredOnlyForTheModeThatNeedsIt(t *testing.T) {
	o := options(t, `env > env; echo '{"type":"result"}'`)
	o.Mode = "bypassPermissions"
	if _, err := session.Headless(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(read(t, o, "env"), "IS_SANDBOX=1") {
		t.Error("the client refuses this mode to root")
	}
}
