//go:build linux || darwin

package reach_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"guardrails/hooks/reach"
)

func TestAskSendsTheQuestionAsAToolCall(t *testing.T) {
	t.Parallel()
	var saw string
	socket := serveHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		saw = strings.Join([]string{r.Method, r.URL.Path, r.Header.Get("Accept"), r.Header.Get("MCP-Protocol-Version"), string(body)}, "\n")
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"success":true}}}`)
	})
	a := reach.Asker{Socket: socket, WarmTimeout: patience}
	answer, via, err := a.Ask([]byte(`{"agent":"backend"}`))
	if err != nil || via != reach.ViaServer || a.Passed != nil {
		t.Fatalf("via %q, %v, %v", via, err, a.Passed)
	}
	wantJSON(t, answer, `{"success":true}`)
	const want = "POST\n/mcp\napplication/json, text/event-stream\n2025-06-18\n" +
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"guardrails_get_context","arguments":{"agent":"backend"}}}`
	if saw != want {
		t.Errorf("the server saw\n%s\nwant\n%s", saw, want)
	}
}

func TestAskFallsBackToTheCommandLine(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		socket string
		absent bool
		why    string
	}{
		"no server was started":   {folder(t) + "/none", true, "no server runs"},
		"no socket is configured": {"", true, "no folder for its socket"},
		"the server is broken":    {say(t, "?"), false, "in the middle of"},
	} {
		a := reach.Asker{Socket: c.socket, CLI: cli(t, "answers"), WarmTimeout: patience, ColdTimeout: patience}
		_, via, err := a.Ask([]byte(`{"agent":"a"}`))
		if err != nil || via != reach.ViaCLI {
			t.Errorf("%s: via %q, %v", name, via, err)
		}
		if a.Passed == nil || !strings.Contains(a.Passed.Error(), c.why) || reach.Absent(a.Passed) != c.absent {
			t.Errorf("%s: passed over because %v", name, a.Passed)
		}
	}
}

func TestAskReportsWhyNeitherAnswered(t *testing.T) {
	t.Parallel()
	a := reach.Asker{Socket: say(t, "?"), CLI: "/none/guardrails", WarmTimeout: patience}
	_, via, err := a.Ask([]byte(`{}`))
	const want = "server: the server closed the connection in the middle of the answer's header lines; " +
		"guardrails program: /none/guardrails cannot be started: it does not exist; install it again"
	if via != "" || err == nil || err.Error() != want {
		t.Errorf("got via %q, %v\nwant %s", via, err, want)
	}
	var f *reach.Failure
	if !errors.As(err, &f) {
		t.Errorf("%v is not a Failure", err)
	}
}

func TestAskRefusesAQuestionThatIsNotAnObject(t *testing.T) {
	t.Parallel()
	for _, question := range []string{"", "null", "[]", "{", "{} {}", `{"a":1}},"x":{{`} {
		_, _, err := (&reach.Asker{}).Ask([]byte(question))
		wantFailure(t, err, reach.StageAsk, "the request ")
	}
}

func TestAskUsesTheGivenClock(t *testing.T) {
	t.Parallel()
	start := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
	ticks := 0
	now := func() time.Time { ticks++; return start.Add(time.Duration(ticks-1) * time.Hour) }
	a := reach.Asker{Socket: say(t, jsonAnswer(`{}`)), Now: now, WarmTimeout: time.Minute}
	_, _, err := a.Ask([]byte(`{}`))
	wantFailure(t, serverError(t, err), reach.StageSend, "in time")
	a.Now = func() time.Time { return start }
	_, _, err = a.Ask([]byte(`{}`))
	wantFailure(t, serverError(t, err), reach.StageAnswer, "neither a result nor an error")
}

func TestAskReturnsInTimeWhenNeitherAnswers(t *testing.T) {
	t.Parallel()
	socket := listen(t, slowly(jsonAnswer(`{"result":{"structuredContent":{}}}`)))
	a := reach.Asker{Socket: socket, CLI: cli(t, "hangs"), WarmTimeout: deadline / 2, ColdTimeout: deadline / 2}
	inTime(t, reach.StageRun, "did not answer in time and was stopped", func() error {
		_, _, err := a.Ask([]byte(`{}`))
		var u *reach.Unanswered
		if !errors.As(err, &u) || u.Server == nil {
			return err
		}
		return u.CLI
	})
}

// askServer sends a question to a server and waits for a long time. If the server does not answer, no program is
// started instead.
func askServer(socket string) ([]byte, string, error) {
	return (&reach.Asker{Socket: socket, WarmTimeout: patience}).Ask([]byte(`{}`))
}

func serverError(t *testing.T, err error) error {
	t.Helper()
	var u *reach.Unanswered
	if !errors.As(err, &u) {
		t.Fatalf("got %v, want Unanswered", err)
	}
	return u.Server
}
