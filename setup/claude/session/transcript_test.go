package session_test

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"guardrails/setup/claude/session"
)

func stream(t testing.TB) []byte {
	t.Helper()
	text, err := os.ReadFile("testdata/stream.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestStreamIsParsedIntoATranscript(t *testing.T) {
	got, err := session.Parse(bytes.NewReader(stream(t)))
	if err != nil {
		t.Fatal(err)
	}
	if a, ok := got.Answer("t1"); !ok || !a.Failed || a.Text != "no such thing" {
		t.Errorf("the answer to t1 is %+v", a)
	}
	if a, ok := got.Answer("t2"); !ok || a.Failed || a.Text != "a\nb" {
		t.Errorf("the answer to t2 is %+v", a)
	}
	if a, ok := got.Answer("t3"); ok {
		t.Errorf("a call that was never made has the answer %+v", a)
	}
	if texts := got.Texts(); !slices.Equal(texts, []string{"I look."}) {
		t.Errorf("the main thread said %q", texts)
	}
	if r := got.Result; r == nil || r.Text != "the last" || len(r.Denials) != 1 || r.Denials[0] != (session.Denial{Tool: "Bash", ID: "t1"}) {
		t.Errorf("the result is %+v", r)
	}
}

func TestHooksAreFoundByEvent(t *testing.T) {
	got, err := session.Parse(bytes.NewReader(stream(t)))
	if err != nil {
		t.Fatal(err)
	}
	before := got.Hooks("PreToolUse")
	if len(before) != 1 || before[0].Name != "PreToolUse:Bash" || before[0].ExitCode == nil || *before[0].ExitCode != 2 || before[0].Stderr != "why" {
		t.Errorf("%+v", before)
	}
	if prompts := got.Hooks("UserPromptSubmit"); len(prompts) != 1 || prompts[0].ExitCode != nil || prompts[0].Outcome != "cancelled" {
		t.Errorf("%+v", prompts)
	}
	if none := got.Hooks("Stop"); none != nil {
		t.Errorf("%+v", none)
	}
}

func TestBrokenLineIsReportedAndEarlierLinesAreKept(t *testing.T) {
	got, err := session.Parse(strings.NewReader(`{"type":"result","result":"x"}` + "\n{\"type\":"))
	if err == nil || !strings.Contains(err.Error(), "line 2 of the client's stream") {
		t.Errorf("%v", err)
	}
	if got == nil || got.Result == nil || got.Result.Text != "x" {
		t.Errorf("%+v", got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(stream(f))
	for line := range bytes.Lines(stream(f)) {
		f.Add(line)
	}
	f.Add([]byte(`{"type":"assistant","message":{"content":[{"type":"tool_use","input":7}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := session.Parse(bytes.NewReader(text))
		if got == nil {
			t.Fatalf("got no transcript (%v)", err)
		}
		for _, e := range got.Events {
			if e.Raw == nil {
				t.Errorf("an event without its line: %+v", e)
			}
		}
	})
}
