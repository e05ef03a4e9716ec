package jsontext_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"guardrails/setup/jsontext"
)

func decoded(t *testing.T, text []byte) any {
	t.Helper()
	var value any
	d := json.NewDecoder(strings.NewReader(trimMark(text)))
	d.UseNumber() // a number may be larger than every float
	if err := d.Decode(&value); err != nil {
		t.Fatalf("%q is no longer JSON: %v", text, err)
	}
	return value
}

func trimMark(text []byte) string {
	if len(text) >= 3 && string(text[:3]) == "\ufeff" {
		return string(text[3:])
	}
	return string(text)
}

// FuzzEdit adds a value to a document and removes it again. After the addition, the document must have the value, and
// nothing else may have changed. After the removal, the text must be the original.
func FuzzEdit(f *testing.F) {
	for _, seed := range []string{
		`{}`, ``, ` `, `[]`, `[1]`, `{"a":1}`, "{\n\t\"a\" : [ ]\r\n}", `{"a":{"a":{"a":[[],{}]}}}`, "\ufeff{ }", `{"added":1}`, `{"a":1,"a":2}`,
		"{\"\\\"\": \"\\\\\", \"b\":[\n1 ,2\n,3]}", `{"a":-1e5,"b":null , "c":true}`, `{"a" 1}`, "\x00", `"x"`, `{"a":[1,[2],{"b":3}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		doc, err := jsontext.Parse("f.json", text)
		if err != nil {
			return
		}
		before := string(doc.Bytes())
		old := decoded(t, doc.Bytes())
		switch old := old.(type) {
		case map[string]any:
			if _, there := old["added"]; there {
				return
			}
			doc.Set("added", entry())
			now := decoded(t, doc.Bytes()).(map[string]any)
			delete(now, "added")
			if !reflect.DeepEqual(now, old) {
				t.Fatalf("%q became %q", before, doc.Bytes())
			}
			removeAgain(t, doc, before, len(old), "added")
		case []any:
			doc.Append(entry())
			now := decoded(t, doc.Bytes()).([]any)
			if len(now) != len(old)+1 || !reflect.DeepEqual(now[:len(old)], old) {
				t.Fatalf("%q became %q", before, doc.Bytes())
			}
			removeAgain(t, doc, before, len(old), len(old))
		}
	})
}

func removeAgain(t *testing.T, doc *jsontext.Text, before string, others int, step any) {
	doc.Remove(step)
	if got := string(doc.Bytes()); others > 0 && got != before {
		t.Fatalf("after the removal got %q, want %q", got, before)
	}
	decoded(t, doc.Bytes())
}
