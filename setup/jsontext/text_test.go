package jsontext_test

import (
	"testing"

	"guardrails/setup/jsontext"
)

func parse(t *testing.T, text string) *jsontext.Text {
	t.Helper()
	doc, err := jsontext.Parse("f.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestInvalidJSONIsRefusedWithItsPosition(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"comment", "{\n  // why\n  \"a\": 1\n}", "f.json:2:3: is not JSON: expected a key in quotes, found '/'; fix the syntax here"},
		{"trailing comma", `{"a": 1,}`, "f.json:1:9: is not JSON: expected a key in quotes, found '}'; fix the syntax here"},
		{"cut off", "{\"a\": [1,\n 2", "f.json:2:3: is not JSON: ends in the middle of the document; write the rest of it"},
		{"more text", "{}\n{}", "f.json:2:1: is not JSON: more text follows the document; keep one document per file"},
		{"word", `{"a": yes}`, "f.json:1:7: is not JSON: expected a value, found 'y'; fix the syntax here"},
		{"after letters of several bytes", `{"ä": é}`, "f.json:1:7: is not JSON: expected a value, found 'é'; fix the syntax here"},
		{"after a byte order mark", "\ufeff[1 2]", "f.json:1:4: is not JSON: expected a comma or the end of the list, found '2'; fix the syntax here"},
		{"key twice", "{\n \"a\": 1,\n \"b\": {\"a\": 2}, \"\\u0061\": 3}", "f.json:3:17: duplicate key \"a\"; keep one of the two"},
		{"not text", "{\"a\": \"\xff\"}", "f.json: is not valid UTF-8; save the file as UTF-8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := jsontext.Parse("f.json", []byte(c.text)); err == nil || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestValuesAreFoundAtTheirPosition(t *testing.T) {
	doc := parse(t, "\ufeff{ \"a\" : [1, {\"b\\n\": \"x\\\"y\"}],\r\n\t\"c\":null, \"d\": -1.5e3, \"e\": [], \"f\": true}")
	for _, c := range []struct {
		path []any
		raw  string
		line int
	}{
		{[]any{"a"}, `[1, {"b\n": "x\"y"}]`, 1},
		{[]any{"a", 0}, "1", 1},
		{[]any{"a", 1, "b\n"}, `"x\"y"`, 1},
		{[]any{"c"}, "null", 2},
		{[]any{"d"}, "-1.5e3", 2},
		{[]any{"e"}, "[]", 2},
		{[]any{"f"}, "true", 2},
	} {
		n := doc.At(c.path...)
		if n == nil || doc.Raw(n) != c.raw || doc.Line(n) != c.line {
			t.Errorf("%v: got %v", c.path, n)
		}
	}
	for _, path := range [][]any{{"z"}, {"a", 2}, {"a", -1}, {"a", "b"}, {"c", "d"}, {"e", 0}, {0}} {
		if n := doc.At(path...); n != nil {
			t.Errorf("%v finds %s", path, doc.Raw(n))
		}
	}
	if text, ok := doc.String(doc.At("a", 1, "b\n")); !ok || text != `x"y` {
		t.Errorf("got %q, %v", text, ok)
	}
	if _, ok := doc.String(doc.At("c")); ok {
		t.Error("null is read as a string")
	}
}

func TestBlankDocumentIsAnEmptyObject(t *testing.T) {
	for _, c := range []struct{ text, want string }{{"", "{}\n"}, {" \r\n\t", "{}\n"}, {"\ufeff\n", "\ufeff{}\n"}} {
		if got := string(parse(t, c.text).Bytes()); got != c.want {
			t.Errorf("%q: got %q", c.text, got)
		}
	}
}

func TestEqualValuesMayBeWrittenDifferently(t *testing.T) {
	doc := parse(t, `{"x": {"b" : [ "\u0061" ],"a":1e1}}`)
	same := jsontext.Object{{Name: "a", Value: 10}, {Name: "b", Value: jsontext.Words{"a"}}}
	other := jsontext.Object{{Name: "a", Value: 10}, {Name: "b", Value: jsontext.Words{"a", "a"}}}
	if !doc.Same(doc.At("x"), same) || doc.Same(doc.At("x"), other) {
		t.Error("the comparison is wrong")
	}
}
