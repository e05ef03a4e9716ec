package wire_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"guardrails/hooks/wire"
)

const whole = `{"hook_event_name":"PreToolUse","session_id":"s","agent_id":"a","agent_type":"backend","cwd":"/p","transcript_path":"/t",
"permission_mode":"auto","prompt":"do","tool_name":"Write","tool_input":{"file_path":"x"},"tool_use_id":"t1","is_interrupt":true,"later":[{}]}`

func TestEveryFieldOfTheDocumentIsRead(t *testing.T) {
	want := wire.Event{
		Name: wire.PreToolUse, Session: "s", Agent: "a", AgentType: "backend", Cwd: "/p", Transcript: "/t", Mode: "auto", Prompt: "do",
		Tool: "Write", Input: []byte(`{"file_path":"x"}`), ToolUseID: "t1", Interrupted: true,
	}
	for _, text := range []string{whole, " \n\t" + whole + "\r\n", "\xef\xbb\xbf" + whole} {
		got, err := parsed(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v: %+v", err, got)
		}
	}
}

// parsed() returns an event without its text.
func parsed(text string) (wire.Event, error) {
	got, err := wire.Parse([]byte(text))
	got.Text = nil
	return got, err
}

func TestTheLengthOfACallIsRead(t *testing.T) {
	for value, want := range map[string]time.Duration{
		"5": 5 * time.Millisecond, "1200.75": 1200 * time.Millisecond, "0": time.Millisecond, "-3": time.Millisecond, "null": 0,
		`"5"`: 0, "1e3": 0, "[]": 0, "99999999999": 0,
	} {
		if got, err := parsed(`{"duration_ms":` + value + `}`); err != nil || got.Took != want {
			t.Errorf("%s: %v, %v", value, got.Took, err)
		}
	}
}

func TestTheTextOfAnEventIsKept(t *testing.T) {
	if got, err := wire.Parse([]byte(" " + whole)); err != nil || string(got.Text) != whole {
		t.Errorf("%v: %s", err, got.Text)
	}
}

func TestOlderFieldNamesAreRead(t *testing.T) {
	got, err := parsed(`{"sessionId":"s","agentName":"backend","tool":"Bash","arguments":{"command":"ls"}}`)
	want := wire.Event{Session: "s", AgentType: "backend", Tool: "Bash", Input: []byte(`{"command":"ls"}`)}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v: %+v", err, got)
	}
}

func TestInvalidEventReportsWhy(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "stdin is empty",
		" \n":                    "stdin is empty",
		"\xef\xbb\xbf":           "stdin is empty",
		"hello":                  "stdin is not a JSON object",
		`"text"`:                 "stdin is not a JSON object",
		"[]":                     "stdin is not a JSON object",
		"null":                   "stdin is not a JSON object",
		`{"tool_name":"Bash"`:    "stdin is not JSON",
		`{"tool_name":"Bash"} x`: "stdin is not JSON",
		`{"tool_name":}`:         "stdin is not JSON",
		`{tool_name:"Bash"}`:     "stdin is not JSON",
	} {
		if _, err := wire.Parse([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

func TestFieldOfTheWrongTypeIsReportedAndTheOthersAreRead(t *testing.T) {
	for _, field := range []string{
		"hook_event_name", "session_id", "sessionId", "agent_id", "agent_type", "agentName", "cwd", "transcript_path", "permission_mode", "prompt",
		"tool_name", "tool", "tool_use_id", "tool_input", "arguments",
	} {
		for _, value := range []string{"1", "true", `["x"]`, `{"a":1}`, `"x"`} {
			got, err := wire.Parse([]byte(`{"` + field + `":` + value + `,"later":1,"is_interrupt":true}`))
			fits := value[0] == '"'
			if field == "tool_input" || field == "arguments" {
				fits = value[0] == '{'
			}
			wrong, _ := errors.AsType[*wire.WrongType](err)
			if fits != (err == nil) || !fits && (wrong == nil || wrong.Field != field || !strings.Contains(err.Error(), field)) || !got.Interrupted {
				t.Errorf("%s as %s: %v, %+v", field, value, err, got)
			}
		}
	}
}

func TestNullMeansMissing(t *testing.T) {
	got, err := parsed(`{"session_id":null,"tool_name":null,"tool_input":null,"is_interrupt":null}`)
	if err != nil || !reflect.DeepEqual(got, wire.Event{}) {
		t.Errorf("%v: %+v", err, got)
	}
}

func TestOnlyPromptsWrittenByAPersonAreTyped(t *testing.T) {
	for prompt, want := range map[string]bool{
		"build it": true, "": true, "see <task-notification>": true, "<task-notification>\n<status>completed": false, "<task-notification>": false,
	} {
		if e := (&wire.Event{Prompt: prompt}); e.Typed() != want {
			t.Errorf("%q: got %v", prompt, !want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte("\xef\xbb\xbf{}"))
	f.Add([]byte(`{"tool_name":"a\ud83d\u0000","tool_input":{"a":[[[]]]},"tool_name":null}`))
	f.Add([]byte(`{"session_id":1,"tool_input":"x"}`))
	samples, err := filepath.Glob("../../e2e/testdata/payloads/*/*.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range samples {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		e, err := wire.Parse(text)
		if err == nil && e.Input != nil && e.Input[0] != '{' {
			t.Errorf("the input is %s", e.Input)
		}
		// Parse() must accept every text that encoding/json accepts, unless a folder is too long.
		var doc map[string]json.RawMessage
		_, wrongType := errors.AsType[*wire.WrongType](err)
		if json.Unmarshal(text, &doc) == nil && doc != nil && err != nil && !wrongType && !strings.Contains(err.Error(), "too long for a path") {
			t.Errorf("%v", err)
		}
		o := wire.Outcome{Verdict: wire.Ask, Reason: e.Prompt, Context: e.Tool}
		if reply := o.Answer(e.Name); !json.Valid(reply.Stdout) {
			t.Errorf("the answer is %s", reply.Stdout)
		}
	})
}
