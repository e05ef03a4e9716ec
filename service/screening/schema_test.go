package screening_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"guardrails/detect/safety"
	"guardrails/policy"
	"guardrails/service/screening"
)

func compile(t *testing.T, name, part string) *jsonschema.Schema {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(screening.Text(name)))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	if err := compiler.AddResource("schema.json", value); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("schema.json#/properties/" + part)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func valid(t *testing.T, schema *jsonschema.Schema, text []byte) error {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return schema.Validate(value)
}

func setup() *screening.Setup {
	var cooldowns policy.Cooldowns
	return &screening.Setup{ID: "chk_1", Send: cooldowns.Sender("", "", time.Time{}, true)}
}

func TestInputsAreReadAsTheSchemasSay(t *testing.T) {
	for _, c := range []struct{ tool, input, problems string }{
		{"check_message", `{"message": "hello"}`, ""},
		{"check_message", `{"message": "x", "user": "u", "session_id": "s", "dry_run": true, "facts": {"mood": 0.5, "trust": 1,
			"interaction_count": 3, "since_last_seen": 60, "detected_emotions": ["sad"], "tags": []}}`, ""},
		{"check_message", `{}`, "INPUT_INVALID: message"},
		{"check_message", `{"message": ""}`, "INPUT_INVALID: message"},
		{"check_message", `{"message": null}`, "INPUT_INVALID: message"},
		{"check_message", `{"message": "x", "mood": 1}`, "INPUT_INVALID: mood"},
		{"check_message", `{"message": "x", "facts": {"mood": "low", "flags": []}}`, "INPUT_INVALID: facts.mood, INPUT_INVALID: facts.flags"},
		{"check_message", `{"message": "x", "dry_run": 1, "user": 2}`, "INPUT_INVALID: dry_run, INPUT_INVALID: user"},
		{"check_message", `{"message": "` + strings.Repeat("é", 32768) + `"}`, ""},
		{"check_message", `{"message": "` + strings.Repeat("é", 32769) + `"}`, "INPUT_TOO_LARGE: message"},
		{"check_response", `{"response": "hello"}`, ""},
		{"check_response", `{"response": "x", "user_message": "y", "intents": ["behavior_romantic"], "tools_used": true, "message_id": "m"}`, ""},
		{"check_response", `{"response": "x", "intents": ["love"]}`, "INPUT_INVALID: intents[0]"},
		{"check_response", `{"response": "x", "message": "y"}`, "INPUT_INVALID: message"},
	} {
		err := decode(c.tool, []byte(c.input))
		var got []string
		if err != nil {
			for line := range strings.Lines(err.Error()) {
				parts := strings.SplitN(line, ": ", 3)
				got = append(got, strings.Join(parts[:2], ": "))
			}
		}
		if !same(got, c.problems) {
			t.Errorf("%s %.80s: %v, want %s", c.tool, c.input, got, c.problems)
		}
		if invalid := valid(t, compile(t, c.tool, "input"), []byte(c.input)); (invalid != nil) != (c.problems != "") {
			t.Errorf("%s %.80s: the schema says %v", c.tool, c.input, invalid)
		}
	}
}

// same() reports whether got lists the problems in want, in any order.
func same(got []string, want string) bool {
	left := strings.Split(want, ", ")
	if want == "" {
		left = nil
	}
	for _, g := range got {
		if !strings.Contains(want, g) {
			return false
		}
	}
	return len(got) == len(left)
}

func decode(tool string, input []byte) error {
	if tool == "check_message" {
		_, err := screening.DecodeMessage(input)
		return err
	}
	_, err := screening.DecodeResponse(input)
	return err
}

func TestAnswersMatchTheirSchemas(t *testing.T) {
	for _, text := range []string{
		"hello", "I want to kill myself", "killed it in the demo", "Should I buy TSLA?", "I'll always be here for you.",
		"You should sue your landlord. Mail anna@firma.de", "I guarantee it, 100% guaranteed", "ok",
	} {
		message := screening.Message{Text: text}
		response := screening.Response{
			Text: text, UserMessage: "My father died. What is the plan for the next twelve weeks of this long project, please?",
		}
		checked := message.Check(setup())
		answered := response.Check(setup(), func(bool) safety.Dependence { return safety.Dependence{Active: true, RecentCount: 3} })
		checked.Mode, answered.Mode = "off", "observe"
		for tool, answer := range map[string]any{"check_message": checked, "check_response": answered} {
			out, err := json.Marshal(answer)
			if err != nil {
				t.Fatal(err)
			}
			if err := valid(t, compile(t, tool, "output"), out); err != nil {
				t.Errorf("%s %q: %v\n%s", tool, text, err, out)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"message": "hello", "facts": {"mood": 1, "tags": ["a"]}}`))
	f.Add([]byte(`{"response": "hello", "intents": ["behavior_romantic"]}`))
	f.Fuzz(func(_ *testing.T, text []byte) {
		if in, err := screening.DecodeMessage(text); err == nil {
			in.Check(setup())
		}
		if in, err := screening.DecodeResponse(text); err == nil {
			in.Check(setup(), func(bool) safety.Dependence { return safety.Dependence{} })
		}
	})
}
