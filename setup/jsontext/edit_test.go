package jsontext_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/internal/fortests/golden"
	"guardrails/setup/jsontext"
)

var update = flag.Bool("update", false, "rewrite what testdata expects")

func entry() jsontext.Object {
	return jsontext.Object{
		{Name: "command", Value: `C:\a <b> & "c"`},
		{Name: "args", Value: jsontext.Words{"x", "y"}},
		{Name: "inner", Value: jsontext.List{jsontext.Object{{Name: "timeout", Value: 10}}, jsontext.Object{}}},
	}
}

// The files in testdata/style are documents in different styles. If the document has a list with the key "list", the
// test adds an item to it. It also adds a member to the document itself. The golden files show the results.
func TestAddedTextFollowsTheStyleOfTheDocument(t *testing.T) {
	names, err := filepath.Glob("testdata/style/*.json")
	if err != nil || len(names) == 0 {
		t.Fatalf("no documents: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".json"), func(t *testing.T) { addTo(t, name) })
	}
}

func addTo(t *testing.T, name string) {
	before, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	doc := parse(t, string(before))
	listed := doc.At("list") != nil
	if listed {
		doc.Append(entry(), "list")
	}
	doc.Set("added", entry())
	golden.Check(t, *update, strings.TrimSuffix(name, ".json")+".golden", string(doc.Bytes()))
	doc.Remove("added")
	if listed {
		doc.Remove("list", len(doc.At("list").Items)-1)
	}
	if got := string(doc.Bytes()); got != string(before) {
		t.Errorf("after the removal got\n%q\nwant\n%q", got, before)
	}
}

func TestValuesAreReplacedInPlace(t *testing.T) {
	doc := parse(t, "{\n\t\"a\": {\"x\": 1},\n\t\"b\": [\n\t\t1\n\t],\n\t\"c\": \"old\"\n}")
	value := jsontext.Object{{Name: "n", Value: 1}}
	doc.Set("a", value)
	doc.Replace(value, "b")
	doc.Set("c", "new")
	want := "{\n\t\"a\": {\"n\": 1},\n\t\"b\": {\n\t\t\"n\": 1\n\t},\n\t\"c\": \"new\"\n}"
	if got := string(doc.Bytes()); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestValueIsRemovedWithOneComma(t *testing.T) {
	for _, c := range []struct {
		text string
		path []any
		want string
	}{
		{`{"a": 1, "b": 2}`, []any{"a"}, `{"b": 2}`},
		{`{"a": 1, "b": 2}`, []any{"b"}, `{"a": 1}`},
		{`[1 , 2 ,3]`, []any{1}, `[1 ,3]`},
		{"[\n 1\n]", []any{0}, `[]`},
		{`{ "a": 1 }`, []any{"a"}, `{}`},
		{`{"a": [{"b": 1}]}`, []any{"a", 0, "b"}, `{"a": [{}]}`},
		{`{"a": 1}`, []any{"b"}, `{"a": 1}`},
		{`{"a": 1}`, nil, `{"a": 1}`},
	} {
		doc := parse(t, c.text)
		doc.Remove(c.path...)
		if got := string(doc.Bytes()); got != c.want {
			t.Errorf("%s without %v: got %s", c.text, c.path, got)
		}
	}
}

func TestRestoredValueIsWrittenAsBefore(t *testing.T) {
	doc := parse(t, `{"a": {}, "b": 1}`)
	doc.Restore("{ \n }", "a")
	if got := string(doc.Bytes()); got != "{\"a\": { \n }, \"b\": 1}" {
		t.Errorf("got %s", got)
	}
}

func TestEditOfAMissingPathChangesNothing(t *testing.T) {
	const text = `{"a": 1, "l": []}`
	doc := parse(t, text)
	doc.Set("x", 1, "a")
	doc.Set("x", 1, "none")
	doc.Append(1, "a")
	doc.Append(1, "none")
	doc.Replace(1, "none")
	doc.Restore("2", "none")
	if got := string(doc.Bytes()); got != text {
		t.Errorf("got %s", got)
	}
}
