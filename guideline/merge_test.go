package guideline

import (
	"strings"
	"testing"

	"guardrails/internal/document"
)

func TestAMergeReplacesWholeFieldsAndKeepsTheOthers(t *testing.T) {
	const base = `{"id":"a","name":"One","category":"custom","priority":700,"condition":{"agents":["b"],"events":["push"]},"action":{"type":"instruction","instruction":"Do."},"metadata":{"n":1.50},"version":3}`
	for with, want := range map[string]string{
		`{}`:                                `"priority":700`,
		`{"name":"Two"}`:                    `"name":"Two"`,
		`{"condition":{"agents":["c"]}}`:    `"condition":{"agents":["c"]}`,
		`{"description":"d"}`:               `"metadata":{"n":1.50}`,
		`{"priority":1}`:                    `"version":3`,
		`{"enabled":false}`:                 `"enabled":false`,
		`{"name":null}`:                     `error: name: is null`,
		`{"priority":1001,"named":"Two"}`:   `error: priority: 1001 is not a whole number between 0 and 1000`,
		`{"named":"Two"}`:                   `named: unknown field`,
		`{"action":{"type":"instruction"}}`: `"action":{"type":"instruction"}`,
	} {
		if got := merged(t, base, with); !strings.Contains(got, want) {
			t.Errorf("%s onto %s\ngot  %s\nwant %s", with, base, got, want)
		}
	}
}

// merged() returns the encoding of the merged guideline. If the guideline has problems, merged() returns the problems.
func merged(t *testing.T, base, with string) string {
	t.Helper()
	g, err := Parse("", []byte(base))
	if err != nil {
		t.Fatal(err)
	}
	n, _ := document.ParseJSON("", []byte(with))
	before, d := len(n.Fields), &document.Decoder{}
	out, err := Merge(d, &g, n)
	if err != nil {
		t.Fatal(err)
	}
	if len(n.Fields) != before {
		t.Errorf("%s was changed", with)
	}
	if len(d.Problems) > 0 {
		d.Problems[0].Line = 0
		return "error: " + d.Problems.Error()
	}
	text, err := Encode(&out)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
