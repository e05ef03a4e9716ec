//go:build linux || darwin

package reach_test

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/hooks/reach"
)

// cli() creates a link to the test binary and returns the path of the link. The name of the link selects what the
// binary does.
func cli(t testing.TB, name string) string {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	path := filepath.Join(folder(t), part+name)
	must(t, os.Symlink(self, path))
	return path
}

// askCLI asks only the guardrails program, because there is no server.
func askCLI(a reach.Asker, question string) ([]byte, error) {
	if a.ColdTimeout == 0 {
		a.ColdTimeout = patience
	}
	answer, _, err := a.Ask([]byte(question))
	if u, ok := errors.AsType[*reach.Unanswered](err); ok {
		err = u.CLI
	}
	return answer, err
}

func TestCommandLineIsCalledAsDocumented(t *testing.T) {
	t.Setenv("REACH_TEST", "passed on")
	dir, err := filepath.EvalSymlinks(folder(t))
	must(t, err)
	now := time.Now()
	a := reach.Asker{CLI: cli(t, "answers"), Dir: dir, Now: func() time.Time { return now }, ColdTimeout: time.Minute}
	answer, err := askCLI(a, `{"agent":"a"}`)
	must(t, err)
	wantJSON(t, answer, `{"question":{"agent":"a"},"args":"call --within 59.7s guardrails_get_context -","dir":"`+dir+`","env":"passed on"}`)
	if answer[len(answer)-1] != '}' {
		t.Errorf("%q has text after the object", answer)
	}
}

// A store that is far away can be slow. The hook for prompts and for the start of a session has more time left than the
// hook for tool calls. So the hook for prompts and for the start of a session gets the current guidelines even from
// such a store.
func TestTheCommandLineMayWaitForMostOfTheRemainingTime(t *testing.T) {
	t.Parallel()
	now := time.Now()
	path := cli(t, "answers")
	for left, want := range map[time.Duration]string{
		2500 * time.Millisecond: "2.2s", 1150 * time.Millisecond: "850ms", 400 * time.Millisecond: "200ms",
	} {
		a := reach.Asker{CLI: path, Now: func() time.Time { return now }, ColdTimeout: time.Minute, Deadline: now.Add(left)}
		answer, err := askCLI(a, `{}`)
		if err != nil || !strings.Contains(string(answer), `"args":"call --within `+want+` `) {
			t.Errorf("%s: got %s, %v, want %s", left, answer, err, want)
		}
	}
}

func TestWithoutAFolderTheCommandLineStartsInTheCurrentOne(t *testing.T) {
	t.Parallel()
	dir, err := os.Getwd()
	must(t, err)
	answer, err := askCLI(reach.Asker{CLI: cli(t, "answers")}, `{}`)
	if err != nil || !strings.Contains(string(answer), `"dir":"`+dir+`"`) {
		t.Errorf("got %s, %v", answer, err)
	}
}

// The request, the answer and stderr are each larger than a pipe can hold. If each process waited for one pipe at a
// time, both would wait forever.
func TestLargePipesDoNotBlockEachOther(t *testing.T) {
	t.Parallel()
	question := `{"prompt":"` + strings.Repeat("p", 3<<20) + `"}`
	answer, err := askCLI(reach.Asker{CLI: cli(t, "talks-first")}, question)
	must(t, err)
	if want := 1<<20 + len(`{"text":"","read":3145742}`); len(answer) != want {
		t.Errorf("got %d bytes (… %s), want %d", len(answer), answer[len(answer)-30:], want)
	}
}

// The answer has thousands of guidelines.
func TestLargeAnswerIsRead(t *testing.T) {
	t.Parallel()
	answer, err := askCLI(reach.Asker{CLI: cli(t, "prints-much")}, `{}`)
	must(t, err)
	if len(answer) != 20<<20+2 {
		t.Errorf("got %d bytes", len(answer))
	}
}

func TestCommandLineFailuresAreReported(t *testing.T) {
	t.Parallel()
	large := `{"prompt":"` + strings.Repeat("p", 1<<20) + `"}`
	for _, c := range []struct{ part, question, stage, why string }{
		{"fails", `{}`, reach.StageRun, "cli-fails ended with code 1: "},
		{"fails", `{}`, reach.StageRun, "chatter the store [31m is broken"},
		{"fails", large, reach.StageRun, "chatter the store [31m is broken"},
		{"is-killed", `{}`, reach.StageRun, "was ended by a signal: killed"},
		{"does-not-read", large, reach.StageRun, "ended without reading all of the request"},
		{"prints", `{}`, reach.StageAnswer, "printed is not a JSON object (at byte 0: Welcome!)"},
		{"prints-two", `{}`, reach.StageAnswer, "more text follows the document (at byte 3: {})"},
		{"prints-nothing", `{}`, reach.StageAnswer, "is empty"},
		{"prints-without-end", `{}`, reach.StageRun, "printed more than the 67108864 bytes"},
	} {
		t.Run(c.part, func(t *testing.T) {
			t.Parallel()
			_, err := askCLI(reach.Asker{CLI: cli(t, c.part)}, c.question)
			wantFailure(t, err, c.stage, c.why)
			if len(err.Error()) > 1000 {
				t.Errorf("the message has %d bytes", len(err.Error()))
			}
		})
	}
}

func TestCommandLineIsStoppedInTime(t *testing.T) {
	t.Parallel()
	for name, question := range map[string]string{
		"after a question": `{}`,
		"while it is sent": `{"prompt":"` + strings.Repeat("p", 1<<20) + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := cli(t, "hangs")
			inTime(t, reach.StageRun, "did not answer in time and was stopped", func() error {
				_, err := askCLI(reach.Asker{CLI: path, ColdTimeout: deadline}, question)
				return err
			})
		})
	}
}

// The programs in this test need some time to reach the stage that is tested. So the test tries again with longer
// timeouts.
func TestCommandLineIsStoppedAtEveryStage(t *testing.T) {
	t.Parallel()
	for name, why := range map[string]string{
		"closes-and-hangs":      "closed its output but did not end in time and was stopped",
		"complains-without-end": "did not answer in time and was stopped: ",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var err error
			for timeout := deadline; timeout < patience; timeout *= 4 {
				_, err = askCLI(reach.Asker{CLI: cli(t, name), ColdTimeout: timeout}, `{}`)
				if mismatch(err, reach.StageRun, why) == "" {
					return
				}
			}
			wantFailure(t, err, reach.StageRun, why)
		})
	}
}

func TestChildrenOfTheCommandLineAreStoppedToo(t *testing.T) {
	t.Parallel()
	for timeout := deadline; timeout < patience; timeout *= 4 {
		witnesses := stoppedFamily(t, timeout)
		for _, w := range witnesses {
			must(t, w.SetDeadline(time.Now().Add(patience)))
			if _, err := io.ReadAll(w); err != nil {
				t.Errorf("a process is still running: %v", err)
			}
			w.Close()
		}
		if len(witnesses) == 2 {
			return
		}
	}
	t.Error("the two processes did not start before they were stopped")
}

// stoppedFamily runs a program that starts another process. Both processes run until the time is up. Each process opens
// a connection that stays open as long as the process lives. stoppedFamily returns these connections.
func stoppedFamily(t *testing.T, timeout time.Duration) []net.Conn {
	t.Helper()
	parent := cli(t, "has-a-child")
	dir := filepath.Dir(parent)
	must(t, os.Symlink(parent, filepath.Join(dir, part+"is-a-child")))
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, "witness"), Net: "unix"})
	must(t, err)
	defer l.Close()
	_, err = askCLI(reach.Asker{CLI: parent, Dir: dir, ColdTimeout: timeout}, `{}`)
	wantFailure(t, err, reach.StageRun, "did not answer in time and was stopped")
	must(t, l.SetDeadline(time.Now().Add(deadline/3)))
	var witnesses []net.Conn
	for {
		c, err := l.Accept()
		if err != nil {
			return witnesses
		}
		witnesses = append(witnesses, c)
	}
}

func TestReasonWhyTheCommandLineCannotStartIsReported(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	plain, text, broken := filepath.Join(dir, "plain"), filepath.Join(dir, "text"), filepath.Join(dir, "broken")
	must(t, os.WriteFile(plain, nil, 0o600))
	must(t, os.WriteFile(text, []byte("no program"), 0o700))
	must(t, os.WriteFile(broken, []byte("#!/none/interpreter\n"), 0o700))
	for _, c := range []struct{ cli, dir, why string }{
		{"", "", "missing in the folder of the hook; install it again"},
		{"guardrails", "", `is not absolute: "guardrails"`},
		{filepath.Join(dir, "none"), "", "it does not exist"},
		{filepath.Join(plain, "below"), "", "cannot be started: not a directory"},
		{dir, "", "it is a folder"},
		{plain, "", "it is not executable"},
		{text, "", "exec format error"},
		{broken, "", "no such file or directory"},
		{cli(t, "answers"), filepath.Join(dir, "none"), "the folder " + dir + "/none to start it in does not exist"},
		{cli(t, "answers"), plain, "the folder " + plain + " to start it in does not exist"},
		{dir + "/\x00", "", "invalid argument"},
	} {
		_, err := askCLI(reach.Asker{CLI: c.cli, Dir: c.dir}, `{}`)
		wantFailure(t, err, reach.StageStart, c.why)
	}
}

func TestOnlyTheBinaryNextToTheHookIsFound(t *testing.T) {
	t.Setenv("PATH", folder(t))
	dir, err := filepath.EvalSymlinks(folder(t))
	must(t, err)
	hook, binary := filepath.Join(dir, "guardrails-enforce"), filepath.Join(dir, "guardrails")
	link := filepath.Join(folder(t), "guardrails-enforce")
	must(t, os.WriteFile(hook, nil, 0o700))
	must(t, os.Symlink(hook, link))
	want := func(self, path string) {
		t.Helper()
		if got := reach.FindCLI(self); got != path {
			t.Errorf("FindCLI(%q) = %q, want %q", self, got, path)
		}
	}
	must(t, os.WriteFile(filepath.Join(os.Getenv("PATH"), "guardrails"), nil, 0o700))
	want(hook, "")
	must(t, os.WriteFile(binary, nil, 0o600))
	want(hook, "")
	must(t, os.Chmod(binary, 0o700))
	want(hook, binary)
	want(link, binary)
	want("guardrails-enforce", "")
	want("", "")
	server := filepath.Join(dir, "guardrails-server")
	must(t, os.WriteFile(server, nil, 0o700))
	if got := reach.FindServer(link); got != server {
		t.Errorf("the server: got %q, want %q", got, server)
	}
	must(t, os.Remove(binary))
	must(t, os.Mkdir(binary, 0o700))
	want(hook, "")
}
