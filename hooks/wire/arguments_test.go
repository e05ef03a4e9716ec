package wire_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"guardrails/hooks/wire"
)

// asArguments writes all fields of a document as strings, as the client does for the arguments of a tool call.
func asArguments(t *testing.T, document []byte) []byte {
	t.Helper()
	var doc map[string]json.RawMessage
	if err := json.Unmarshal(document, &doc); err != nil {
		t.Fatal(err)
	}
	out := map[string]any{"strict": true, "agent_id": ""}
	for _, name := range []string{"hook_event_name", "session_id", "agent_id", "agent_type", "cwd", "transcript_path", "prompt", "tool_name", "tool_input", "tool_use_id", "tool_response", "error", "last_assistant_message", "stop_hook_active"} {
		var text string
		if json.Unmarshal(doc[name], &text) != nil {
			text = string(doc[name])
		}
		out[name] = text
	}
	text, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestArgumentsMatchTheDocument(t *testing.T) {
	samples, err := filepath.Glob("../../e2e/testdata/payloads/*/*.json")
	if err != nil || len(samples) == 0 {
		t.Fatalf("%v, %d samples", err, len(samples))
	}
	for _, name := range samples {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want, err := wire.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		want.Mode, want.Interrupted, want.Took = "", false, 0 // hooks do not read these fields from arguments
		arguments := asArguments(t, text)
		if want.Text = nil; sendsResult(text) {
			want.Text = arguments
		}
		got, strict, err := wire.ParseArguments(arguments)
		if got.Input != nil && want.Input != nil {
			got.Input, want.Input = compact(t, got.Input), compact(t, want.Input)
		}
		if got.Response != nil && want.Response != nil {
			got.Response, want.Response = compact(t, got.Response), compact(t, want.Response)
		}
		if err != nil || !strict || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v: %+v, want %+v", name, err, got, want)
		}
	}
}

func sendsResult(text []byte) bool {
	return bytes.Contains(text, []byte(`"tool_response"`)) || bytes.Contains(text, []byte(`"error"`)) ||
		bytes.Contains(text, []byte(`"last_assistant_message"`))
}

func compact(t *testing.T, text []byte) []byte {
	t.Helper()
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return text // a text result
	}
	out, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestInvalidArgumentsReportWhy(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "the arguments are not a JSON object",
		"[]":                        "the arguments are not a JSON object",
		`{"tool_name":"Bash"`:       "the arguments: is not JSON",
		`{"tool_name":1}`:           "the field tool_name has an unexpected type",
		`{"tool_input":{}}`:         "the field tool_input has an unexpected type",
		`{"tool_input":"{\"a\":"}`:  "the field tool_input has an unexpected type",
		`{"tool_input":"[1]"}`:      "the field tool_input has an unexpected type",
		`{"tool_input":"rm -rf ~"}`: "the field tool_input has an unexpected type",
		`{"cwd":"` + strings.Repeat("a", 4097) + `"}`: "the field cwd is too long for a path; send the path of the working folder",
	} {
		if _, _, err := wire.ParseArguments([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

func TestEntryIsStrictByDefault(t *testing.T) {
	for text, want := range map[string]bool{`{}`: false, `{"strict":false}`: false, `{"strict":true}`: true, `{"strict":"true"}`: true, `{"strict":1}`: true} {
		if _, strict, err := wire.ParseArguments([]byte(text)); strict != want || err != nil {
			t.Errorf("%s: %v, %v", text, strict, err)
		}
	}
}

func FuzzParseArguments(f *testing.F) {
	f.Add([]byte(`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":"{\"command\":\"ls\"}","agent_id":"","strict":true}`))
	f.Add([]byte(`{"tool_input":"{\"a\":\"\ud83d\"}"}`))
	f.Add([]byte(`{"tool_input":"{}{}"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		e, _, err := wire.ParseArguments(text)
		if err != nil || e.Input == nil {
			return
		}
		if given, known := inputGiven(text); e.Input[0] != '{' || known && string(e.Input) != given {
			t.Errorf("the input is %q", e.Input)
		}
	})
}

// inputGiven returns the tool's input as encoding/json reads it. It returns false if a key occurs twice, or if
// encoding/json would replace a byte.
func inputGiven(text []byte) (given string, known bool) {
	var outer map[string]json.RawMessage
	if json.Unmarshal(text, &outer) != nil || json.Unmarshal(outer["tool_input"], &given) != nil || !utf8.Valid(text) {
		return "", false
	}
	return given, !strings.ContainsRune(given, utf8.RuneError) && bytes.Count(text, []byte("tool_input")) == 1
}
