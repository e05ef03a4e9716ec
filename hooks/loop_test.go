package hooks_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"guardrails/hooks"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
)

// The type "watched" is a stage. Its service answers with a note when a hook reports calls that could be a loop.
// The field "calls" has the calls of the last report.
type watched struct {
	*stage
	calls []session.Call
}

func newWatched(t *testing.T) *watched {
	w := &watched{stage: newStage(t, paths)}
	w.host.Ask = func(request []byte) ([]byte, error, error) {
		var asked struct{ Calls string }
		if err := json.Unmarshal(request, &asked); err != nil {
			t.Fatal(err)
		}
		if asked.Calls == "" {
			return w.answer(request)
		}
		tool, lines, _ := strings.Cut(asked.Calls, "\n")
		if tool == "" {
			t.Errorf("no tool in %q", asked.Calls)
		}
		w.calls = session.Calls("\n" + lines)
		return []byte(`{"note":"a loop"}`), nil, nil
	}
	return w
}

// ends() runs the hook for the end of a call. It returns whether the agent got a note. Each call has its own id.
func (w *watched) ends(fields map[string]any, more ...string) bool {
	w.t.Helper()
	name := wire.PostToolUse
	for i := 0; i < len(more); i += 2 {
		fields[more[i]] = more[i+1]
		if more[i] == "error" {
			name = wire.PostToolUseFailure
		}
	}
	w.now = w.now.Add(1)
	fields["tool_use_id"] = w.now.String()
	return hooks.ToolCall(w.host, w.event(name, fields)).Context == "a loop"
}

// loops() runs the hook for the end of the same call several times. It returns whether the agent got a note the last
// time.
func (w *watched) loops(times int, call func() map[string]any, more ...string) (noted bool) {
	w.t.Helper()
	for range times {
		noted = w.ends(call(), more...)
	}
	return noted
}

func TestACallWhoseResultCameThreeTimesIsReported(t *testing.T) {
	for name, c := range map[string]struct {
		call func(w *watched) map[string]any
		more []string
		want session.Call
	}{
		"a command":     {func(w *watched) map[string]any { return w.bash("ls") }, []string{"tool_response", "a.txt"}, session.Call{}},
		"a reader":      {func(*watched) map[string]any { return call("Read", "file_path", "/p/a") }, []string{"tool_response", "x"}, session.Call{}},
		"a failure":     {func(w *watched) map[string]any { return w.bash("ls x") }, []string{"error", "no x"}, session.Call{Failed: true}},
		"a failed test": {func(w *watched) map[string]any { return w.bash("go test ./...") }, []string{"error", "FAIL"}, session.Call{Failed: true, Test: true}},
		"a write":       {func(w *watched) map[string]any { return w.write("a.go") }, []string{"tool_response", "ok"}, session.Call{Progress: true}},
		"a failed write": {
			func(w *watched) map[string]any { return w.write("a.go") }, []string{"error", "disk full"}, session.Call{Failed: true},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWatched(t)
			call := func() map[string]any { return c.call(w) }
			if w.loops(2, call, c.more...) || !w.loops(1, call, c.more...) {
				t.Error("not reported at the third call")
			}
			last := w.calls[len(w.calls)-1]
			if len(w.calls) != 3 || last.Failed != c.want.Failed || last.Test != c.want.Test || last.Progress != c.want.Progress ||
				last.Result != w.calls[0].Result || last.At.Unix() != w.now.Unix() {
				t.Errorf("reported %+v", w.calls)
			}
		})
	}
}

func TestOtherCallsAndResultsAreNotReported(t *testing.T) {
	w := newWatched(t)
	for _, results := range [][]string{
		{"ls", "a", "ls", "b", "ls", "c", "ls", "d"},
		{"cat a", "x", "cat b", "x", "cat c", "x", "cat d", "x"},
	} {
		for i := 0; i < len(results); i += 2 {
			if w.ends(w.bash(results[i]), "tool_response", results[i+1]) {
				t.Errorf("%v is reported", results)
			}
		}
	}
	for _, wrong := range []string{"no such file: alpha", "no such file: beta", "no such file: gamma"} {
		if w.ends(w.bash("cat"), "error", wrong) {
			t.Errorf("%s is reported", wrong)
		}
	}
}

func TestErrorsThatDifferInNumbersAreTheSame(t *testing.T) {
	w := newWatched(t)
	w.ends(w.bash("make"), "error", "main.go:12: error in 0.3s, id 7f3a99c")
	w.ends(w.bash("make all"), "error", "main.go:120: error in 12.45s, id 81be")
	if !w.ends(w.bash("make"), "error", "main.go:3: error in 1.01s, id 0") {
		t.Error("the third error is not reported")
	}
}

func TestTheDescriptionOfACommandDoesNotMatter(t *testing.T) {
	w := newWatched(t)
	noted := false
	for _, about := range []string{"list", "list files", "look"} {
		fields := w.bash("ls")
		fields["tool_input"].(map[string]any)["description"] = about
		noted = w.ends(fields, "tool_response", "a.txt")
	}
	if !noted {
		t.Error("the third call is not reported")
	}
}

func TestAPromptAndAnotherAgentBeginANewCount(t *testing.T) {
	w := newWatched(t)
	ls := func() map[string]any { return w.bash("ls") }
	w.loops(2, ls, "tool_response", "a")
	if w.ends(ls(), "tool_response", "a", "agent_id", "a1") {
		t.Error("the call of a subagent counts")
	}
	w.prompt("go on")
	if w.loops(2, ls, "tool_response", "a") {
		t.Error("calls before the prompt count")
	}
	w.prompt("<task-notification>done")
	if !w.ends(ls(), "tool_response", "a") {
		t.Error("a message of the client begins a new count")
	}
}

func TestToolsThatWaitForOthersAreNotReported(t *testing.T) {
	w := newWatched(t)
	if w.loops(6, func() map[string]any { return call("TaskOutput", "task_id", "t") }, "tool_response", "running") {
		t.Error("reported")
	}
}

func TestCallsAreKeptWithoutTheirText(t *testing.T) {
	w := newWatched(t)
	w.loops(3, func() map[string]any { return w.bash("echo zebra") }, "tool_response", "zebra")
	text, err := os.ReadFile(w.host.Dir.Path(session.CallsName("s1", "")))
	if err != nil || len(text) == 0 || strings.Contains(string(text), "zebra") || strings.Contains(string(text), "echo") {
		t.Errorf("%v: %s", err, text)
	}
}

func TestALineOfTheDetectorsIsShownEachTime(t *testing.T) {
	s := newStage(t, paths)
	s.env["CLAUDE_CODE_ENTRYPOINT"] = "cli"
	s.host.Ask = func(request []byte) ([]byte, error, error) {
		answer, passed, err := s.answer(request)
		return append(answer[:len(answer)-1], `,"message":"You asked this."}`...), passed, err
	}
	for range 2 {
		if o := s.prompt("a question"); o.Message != "You asked this." {
			t.Errorf("shown %q", o.Message)
		}
	}
	if got := s.asked[0]["typed"]; got != "cli" {
		t.Errorf("typed is %v", got)
	}
}

func TestAPromptThatNobodyTypedIsNotShownToTheDetectors(t *testing.T) {
	for entry, fields := range map[string]map[string]any{
		"sdk-cli": {"prompt": "a question"}, "": {"prompt": "a question"}, "cli": {"prompt": "a question", "agent_id": "a1"},
	} {
		s := newStage(t, paths)
		s.env["CLAUDE_CODE_ENTRYPOINT"] = entry
		hooks.Inject(s.host, s.event(wire.UserPromptSubmit, fields))
		if got, typed := s.asked[0]["typed"]; typed {
			t.Errorf("%q %v: typed is %v", entry, fields, got)
		}
	}
}

func TestACallThatIsReportedAgainIsNotShownToTheService(t *testing.T) {
	w := newWatched(t)
	for range 6 {
		fields := w.bash("ls")
		fields["tool_response"] = "a.txt"
		if o := hooks.ToolCall(w.host, w.event(wire.PostToolUse, fields)); o.Context != "" || w.calls != nil {
			t.Fatalf("%+v, %+v", o, w.calls)
		}
	}
}
