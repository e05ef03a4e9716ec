package contract_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"guardrails/detect/advice"
	"guardrails/detect/contract"
	"guardrails/internal/fortests/detectorcases"
	"guardrails/internal/fortests/golden"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// compile() returns a part of a tool's schema. The part "#" is the whole schema.
func compile(t *testing.T, name, part string) *jsonschema.Schema {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(contract.Text(name)))
	check(t, err)
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.AssertFormat()
	check(t, compiler.AddResource("schema.json", value))
	schema, err := compiler.Compile("schema.json" + part)
	check(t, err)
	return schema
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func validate(t *testing.T, schema *jsonschema.Schema, text []byte) error {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	check(t, err)
	return schema.Validate(value)
}

// answered() returns the answer of a tool in the form of an example: with the field "output" or the field "errors".
func answered(t *testing.T, name string, input []byte) []byte {
	t.Helper()
	answer, err := contract.Call(name, input)
	var out any = map[string]any{"input": json.RawMessage(input), "output": answer}
	if err != nil {
		problems, ok := errors.AsType[advice.Problems](err)
		if !ok {
			t.Fatal(err)
		}
		out = map[string]any{"input": json.RawMessage(input), "errors": problems}
	}
	text, err := json.Marshal(out)
	check(t, err)
	return text
}

func TestEveryExampleIsAnsweredAsTheSchemaShows(t *testing.T) {
	for _, name := range contract.Names() {
		schema := compile(t, name, "#")
		var file struct{ Examples []json.RawMessage }
		check(t, json.Unmarshal(contract.Text(name), &file))
		if len(file.Examples) < 5 {
			t.Errorf("%s has %d examples", name, len(file.Examples))
		}
		for _, example := range file.Examples {
			var parts struct{ Input json.RawMessage }
			check(t, json.Unmarshal(example, &parts))
			got := answered(t, name, parts.Input)
			var a, b any
			check(t, json.Unmarshal(example, &a))
			check(t, json.Unmarshal(got, &b))
			if !reflect.DeepEqual(a, b) {
				t.Errorf("%s: the example is\n%s\nthe answer is\n%s", name, example, got)
			}
			if err := validate(t, schema, example); err != nil && !strings.Contains(string(example), `"errors"`) {
				t.Errorf("%s: %v\n%s", name, err, example)
			}
		}
	}
}

// inputs() returns the inputs of all cases, each with the name of its tool.
func inputs(t *testing.T) (tools []string, texts [][]byte) {
	t.Helper()
	for _, file := range []string{"../testdata/detectors.json", "../talk/testdata/cases.json", "../loop/testdata/cases.json"} {
		cases := detectorcases.Load(t, file)
		for _, c := range cases.Detectors {
			tools, texts = append(tools, c.Tool), append(texts, c.Arguments(t))
		}
		for _, c := range cases.ToolLoops {
			tools, texts = append(tools, contract.ToolLoop), append(texts, detectorcases.LoopArguments(c.Calls))
		}
	}
	return tools, texts
}

func TestEveryAnswerAndEveryErrorMatchesItsSchema(t *testing.T) {
	outputs, problems := map[string]*jsonschema.Schema{}, map[string]*jsonschema.Schema{}
	for _, name := range contract.Names() {
		outputs[name], problems[name] = compile(t, name, "#/properties/output"), compile(t, name, "#/properties/errors")
	}
	tools, texts := inputs(t)
	for i, name := range tools {
		var got struct{ Output, Errors json.RawMessage }
		check(t, json.Unmarshal(answered(t, name, texts[i]), &got))
		schema, text := outputs[name], got.Output
		if got.Errors != nil {
			schema, text = problems[name], got.Errors
		}
		if err := validate(t, schema, text); err != nil {
			t.Errorf("%s: %v\n%s\n%s", name, err, texts[i], text)
		}
	}
}

// If a detector refuses a value that its schema accepts, the value breaks a rule about several fields. A detector
// also accepts other names of fields, which the schema does not publish.
func TestTheSchemasAcceptWhatTheDetectorsAccept(t *testing.T) {
	across := []advice.Code{
		advice.HistoryOutOfOrder, advice.SessionIDMismatch, advice.ThresholdsNotAscending, advice.InputMissing,
	}
	tools, texts := inputs(t)
	for i, name := range tools {
		_, err := contract.Call(name, texts[i])
		invalid := validate(t, compile(t, name, "#/properties/input"), texts[i])
		isAcross := err != nil
		for _, p := range asProblems(err) {
			isAcross = isAcross && slices.Contains(across, p.Code)
		}
		switch {
		case err == nil && invalid != nil && !usesOtherNames(string(texts[i])):
			t.Errorf("%s accepts what its schema refuses: %v\n%s", name, invalid, texts[i])
		case err != nil && invalid == nil && !isAcross:
			t.Errorf("%s refuses what its schema accepts: %v\n%s", name, err, texts[i])
		}
	}
}

func asProblems(err error) advice.Problems {
	problems, _ := errors.AsType[advice.Problems](err)
	return problems
}

func usesOtherNames(text string) bool {
	for _, name := range []string{"message", "prompt", "content", "timestamp", "time", "ts", "startedAt", "elapsedSeconds"} {
		if strings.Contains(text, `"`+name+`":`) {
			return true
		}
	}
	return false
}

func TestADetectionWithoutAWayToDismissItIsInvalid(t *testing.T) {
	for name, input := range map[string]string{
		contract.Rumination: `{"current_prompt":"a b","threshold_count":2,"history":[{"text":"a b","at":"2026-05-16T13:00:00Z"},{"text":"a b","at":"2026-05-16T13:00:00Z"}]}`,
		contract.Hyperfocus: `{"chronometric_snapshot":{"open_session":{"session_id":"s","started_at":"2026-05-16T13:00:00Z","intent":"i","elapsed_seconds":7200},"now":"2026-05-16T15:00:00Z"}}`,
		contract.Sycophancy: `{"candidate_response":"Yes, do it."}`,
		contract.ToolLoop:   `{"calls":[{"tool":"a","input":{},"ok":true},{"tool":"a","input":{},"ok":true}],"note_at":{"repetition":2}}`,
	} {
		schema := compile(t, name, "#/properties/output")
		var got struct{ Output map[string]any }
		check(t, json.Unmarshal(answered(t, name, []byte(input)), &got))
		for field, bad := range map[string]any{
			"override_options": []any{}, "unknown": 1, "reason": "", "confidence": 1.1, "false_positive_feedback_path": nil,
		} {
			changed := maps.Clone(got.Output)
			changed[field] = bad
			text, err := json.Marshal(changed)
			check(t, err)
			if validate(t, schema, text) == nil {
				t.Errorf("%s: an answer whose %s is %v is valid", name, field, bad)
			}
		}
	}
}

func TestEverySchemaSaysHowItStaysCompatible(t *testing.T) {
	for _, name := range contract.Names() {
		var file struct {
			Schema        string `json:"$schema"`
			Version       string
			Review        bool `json:"x-review-required"`
			Compatibility struct {
				Policy, Privacy, Telemetry, Idempotency string
				UserOverridable                         bool   `json:"user_overridable"`
				SideEffects                             string `json:"side_effects"`
				ConsentGate                             string `json:"consent_gate"`
				HeuristicSource                         string `json:"heuristic_source"`
			}
		}
		check(t, json.Unmarshal(contract.Text(name), &file))
		c := file.Compatibility
		if file.Schema != "https://json-schema.org/draft/2020-12/schema" || file.Version != "0.1.0" || !file.Review || c.Policy == "" ||
			c.Privacy != "local-only" || c.Telemetry != "None" || c.SideEffects != "None" || !c.UserOverridable || c.Idempotency == "" ||
			c.ConsentGate == "" {
			t.Errorf("%s: %+v", name, file)
		}
		if _, err := os.Stat("../../" + c.HeuristicSource); err != nil {
			t.Errorf("%s: its rule is not at %s", name, c.HeuristicSource)
		}
	}
}

// If a word is added, increase the minor version of the schemas. If a word is removed, increase the major version.
func TestTheGoldenFileListsAllWords(t *testing.T) {
	var b strings.Builder
	list := func(title string, words any) {
		text, err := json.Marshal(words)
		check(t, err)
		b.WriteString(title + ": " + string(text) + "\n")
	}
	list("schema version", "0.1.0")
	list("tools", contract.Names())
	list("tokens", advice.Tokens())
	for _, name := range contract.Names() {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(contract.Text(name)))
		check(t, err)
		enums(value, name, list)
	}
	golden.Check(t, *update, "testdata/vocabularies.txt", b.String())
}

// enums() lists the words of each enum in a schema, together with the path of the enum.
func enums(value any, path string, list func(string, any)) {
	object, ok := value.(map[string]any)
	if !ok {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		switch {
		case key == "enum":
			list(path, object[key])
		case key != "examples":
			enums(object[key], path+"."+key, list)
		}
	}
}
