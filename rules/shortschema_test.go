package rules_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"guardrails/rules"
)

func compiledSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	whole, err := jsonschema.UnmarshalJSON(bytes.NewReader(rules.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("guideline.schema.json", whole); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("guideline.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// validate() returns an error if the schema does not accept a YAML text.
func validate(t *testing.T, s *jsonschema.Schema, text string) error {
	t.Helper()
	docs, problems := rules.ParseYAML("a.yaml", []byte(text))
	if err := problems.Err(); err != nil || len(docs) != 1 {
		t.Fatalf("%d documents, %v", len(docs), err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(asJSON(t, docs[0].Value())))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(value)
}

func TestTheSchemaKnowsBothForms(t *testing.T) {
	s := compiledSchema(t)
	eachFile(t, "short", func(t *testing.T, _ string, text []byte) {
		short, full := halves(t, text)
		for _, form := range []string{short, full} {
			if err := validate(t, s, form); err != nil {
				t.Errorf("%s\n%v", form, err)
			}
		}
	})
}

func TestTheSchemaRefusesWhatTheReaderRefuses(t *testing.T) {
	s := compiledSchema(t)
	for _, text := range []string{
		"name: A\n", "name: A\nevents: commit\n", "deny: Read\n", "name: A\ndeny: false\n", "name: A\nallow: true\n",
		"name: A\ndeny: []\nagents: 5\n", "name: A\ndeny: ''\n", "name: A\ndenny: Read\n", "name: A\ntell: [x]\n",
		"name: A\ndeny: Read\nmax_files: -1\n", "name: A\ndeny: Read\ngate_threshold: none\n",
	} {
		if validate(t, s, text) == nil {
			t.Errorf("the schema accepts %q", text)
		}
		if _, problems := rules.Parse("a.yaml", []byte(text)); len(problems) == 0 {
			t.Errorf("the reader accepts %q", text)
		}
	}
}

func asJSON(t *testing.T, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
