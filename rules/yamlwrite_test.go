package rules_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"guardrails/guideline"
	"guardrails/internal/fortests/golden"
	"guardrails/rules"
)

// yamlReadBack writes a guideline as YAML and parses the result. It must be the same guideline.
func yamlReadBack(t *testing.T, g guideline.Guideline) {
	t.Helper()
	alone, err := rules.YAML(&g)
	if err != nil {
		t.Fatal(err)
	}
	other := guideline.Guideline{ID: "other", Name: "Other", Category: guideline.Custom, Action: guideline.Action{Type: guideline.Instruction}}
	set, err := rules.YAMLSet([]guideline.Guideline{other, g})
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range [][]byte{alone, set} {
		file, problems := rules.Parse("g.yaml", text)
		if len(file.Guidelines) != i+1 && g.ID != other.ID {
			t.Fatalf("%d guidelines, %v in\n%s", len(file.Guidelines), problems, text)
		}
		want, _ := guideline.Encode(&g)
		got, _ := guideline.Encode(&file.Guidelines[len(file.Guidelines)-1].Guideline)
		if g.ID != other.ID && !bytes.Equal(got, want) {
			t.Fatalf("got  %s\nwant %s\nfrom\n%s", got, want, text)
		}
	}
}

func TestGuidelineRoundTripsThroughYAML(t *testing.T) {
	texts := manyGuidelines()
	for _, instruction := range []string{
		"one\ntwo", "one\ntwo\n", "one\ntwo\n\n", "one\n\n  indented\n- item", " begins with a space\nx", "\nbegins empty", "ends in a space \nx",
		"a\ttab\nx", "a\rb\nx", "# no comment\nkey: value", "--- \nx", "---\nx\n...\ny", "é\n\u2028\nx", "\ufeffx\ny", "x\n\u00a0\ny", "%x\ny",
	} {
		quoted, err := json.Marshal(instruction)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, `{"id":"a","name":"A","category":"custom","action":{"type":"instruction","instruction":`+string(quoted)+`}}`)
	}
	for _, text := range texts {
		g, err := guideline.Parse("g.json", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		yamlReadBack(t, g)
	}
}

func TestYAMLIsReadable(t *testing.T) {
	g, err := guideline.Parse("g.json", []byte(`{"id":"workers","name":"Workers: keep out","category":"context_constraint","priority":900,"version":3,
		"condition":{"agents":["frontend"],"paths":["src/*.py"]},"metadata":{"tags":["team a","2"],"owner":{"name":"dev","rooms":[]}},
		"action":{"type":"tool_restriction","instruction":"Leave the workers alone.\n\nAsk the backend agent.","tools_denied":["Write(src/workers/*)"]}}`))
	if err != nil {
		t.Fatal(err)
	}
	text, err := rules.YAMLSet([]guideline.Guideline{g, g})
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, *update, "testdata/written.yaml.golden", string(text))
}

func TestNoGuidelinesAreAnEmptyList(t *testing.T) {
	text, err := rules.YAMLSet(nil)
	if file, problems := rules.Parse("g.yaml", text); err != nil || len(problems) > 0 || len(file.Guidelines) > 0 {
		t.Errorf("%s: %v, %v", text, err, problems)
	}
}

func TestGuidelineThatJSONCannotExpressIsNotWrittenAsYAML(t *testing.T) {
	g := guideline.Guideline{ID: "a", Metadata: map[string]any{"f": func() {}}}
	if text, err := rules.YAML(&g); err == nil {
		t.Errorf("got %q", text)
	}
	if text, err := rules.YAMLSet([]guideline.Guideline{g}); err == nil {
		t.Errorf("got %q", text)
	}
}

func manyGuidelines() []string {
	return []string{
		`{"id":"a","name":"A","category":"custom","action":{"type":"instruction"}}`,
		`{"id":"a","name":"A","description":"Own words.","category":"custom","action":{"type":"instruction","instruction":"Do.\n\nMore."}}`,
		`{"id":"a.b_c","name":"Yes: \"it\" # is","enabled":false,"priority":0,"category":"security","condition":{"agents":["true","12","a b"],"events":["x"],"custom":{"k":[1,true,null,"\u0085"]}},"action":{"type":"tool_restriction","tools_denied":["*"],"tools_allowed":["Write(src/*)"]}}`,
		`{"id":"a","name":"A","category":"context_constraint","condition":{"paths":["src/**/*.ts","src/*.ts","lib/*"]},"action":{"type":"constraint","max_files":3,"require_review":false}}`,
		`{"id":"a","name":"A","category":"custom","condition":{"paths":["src/**/*.ts"]},"action":{"type":"hitl_gate","gate_type":"g","gate_threshold":"advisory"}}`,
		`{"id":"a","name":"A","category":"custom","action":{"type":"telemetry","parameters":{"log":"none","nested":{"a":[{"b":1.50}]}}}}`,
		`{"id":"a","name":" spaced ","category":"custom","action":{"type":"instruction","instruction":"Text."}}`,
		`{"id":"a","name":"closed #","category":"custom","action":{"type":"instruction","instruction":"Text."}}`,
		`{"id":"a","name":"A","category":"custom","action":{"type":"instruction","instruction":"\n  indented\n"}}`,
		`{"id":"a","name":"A","category":"custom","action":{"type":"instruction","instruction":"one\r\ntwo"}}`,
		`{"id":"a","name":"A","category":"custom","action":{"type":"instruction","instruction":"` + "```sh\\nopen" + `"}}`,
		`{"id":"a","name":"A","category":"custom","action":{"type":"instruction","instruction":"` + "## B\\n```guardrails\\n```" + `"}}`,
		`{"id":"a","name":"A","category":"custom","action":{"type":"instruction","instruction":"---\nnot front matter\n---"}}`,
		`{"id":"a","name":"A","category":"custom","action":{"type":"hitl_gate","gate_type":"g","tools_denied":["Bash"]},"metadata":{"aliases":["b"],"\u2028":"\ufeff"},"version":7,"created_at":"2026-01-31T12:00:00.5Z","updated_at":"2026-02-01T00:00:00Z","created_by":"me","tenant_id":"t"}`,
	}
}
