package rules_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"guardrails/internal/fortests/golden"
	"guardrails/rules"
)

const committedSchema = "../docs/guideline.schema.json"

func TestCommittedSchemaIsCurrent(t *testing.T) {
	golden.Check(t, *update, committedSchema, string(rules.Schema()))
}

type object = map[string]any

func definitions(t *testing.T) object {
	t.Helper()
	var root object
	if err := json.Unmarshal(rules.Schema(), &root); err != nil {
		t.Fatal(err)
	}
	return root["$defs"].(object)
}

// TestSchemaAndDecoderKnowTheSameFields gives the decoder an unknown field. The reported problem lists the known
// fields.
func TestSchemaAndDecoderKnowTheSameFields(t *testing.T) {
	defs := definitions(t)
	const stranger = `"a stranger to all":1`
	documents := map[string]string{
		"File":        `{"guidelines":[],` + stranger + `}`,
		"Guideline":   `{"name":"A",` + stranger + `}`,
		"Condition":   `{"condition":{` + stranger + `}}`,
		"Action":      `{"action":{` + stranger + `}}`,
		"Case":        `{"cases":[{` + stranger + `}]}`,
		"Context":     `{"cases":[{"context":{` + stranger + `}}]}`,
		"Expect":      `{"cases":[{"expect":{` + stranger + `}}]}`,
		"Facts":       `{"cases":[{"facts":{` + stranger + `}}]}`,
		"Exception":   `{"cases":[{"facts":{"exceptions":[{` + stranger + `}]}}]}`,
		"Constraints": `{"cases":[{"expect":{"constraints":{` + stranger + `}}}]}`,
	}
	if len(documents) != len(defs) {
		t.Errorf("the schema has %d definitions, but %d are tested", len(defs), len(documents))
	}
	for name, text := range documents {
		properties := defs[name].(object)["properties"].(object)
		var inSchema []string
		for field, property := range properties {
			inSchema = append(inSchema, field)
			if _, ok := property.(object)["description"]; !ok {
				t.Errorf("%s.%s has no description", name, field)
			}
		}
		decoded := knownFields(t, text)
		slices.Sort(inSchema)
		slices.Sort(decoded)
		if !slices.Equal(inSchema, decoded) {
			t.Errorf("%s: the schema has %v, the decoder has %v", name, inSchema, decoded)
		}
	}
}

func knownFields(t *testing.T, text string) []string {
	t.Helper()
	_, problems := rules.Parse("f.json", []byte(text))
	for _, p := range problems {
		if _, list, ok := strings.Cut(p.Remedy, "the known fields are "); ok && p.Message == "unknown field" {
			return strings.Split(list, ", ")
		}
	}
	t.Fatalf("no problem with an unknown field in %s: %v", text, problems)
	return nil
}

// TestSchemaAndDecoderRequireTheSameFields decodes empty objects. The decoder reports each required field, and the
// schema must require the same fields.
func TestSchemaAndDecoderRequireTheSameFields(t *testing.T) {
	defs := definitions(t)
	for name, text := range map[string]string{
		"Guideline": `{}`,
		"Case":      `{"cases":[{"context":{}}]}`, "Expect": `{"cases":[{"name":"a","context":{},"expect":{}}]}`,
	} {
		var inSchema, decoded []string
		required, _ := defs[name].(object)["required"].([]any)
		for _, field := range required {
			inSchema = append(inSchema, field.(string))
		}
		_, problems := rules.Parse("f.json", []byte(text))
		for _, p := range problems {
			if p.Message == "is missing" {
				decoded = append(decoded, p.Path[strings.LastIndexByte(p.Path, '.')+1:])
			}
		}
		slices.Sort(inSchema)
		slices.Sort(decoded)
		if !slices.Equal(inSchema, decoded) {
			t.Errorf("%s: the schema requires %v, the decoder requires %v", name, inSchema, decoded)
		}
	}
}
