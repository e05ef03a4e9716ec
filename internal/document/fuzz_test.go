package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzParseJSON(f *testing.F) {
	for _, seed := range []string{
		`{"a": [1, -0.5e+10, "x\u00e9\ud83d\ude00\ud800", true, false, null, {}]}`, `[]`, ``, ` `, `{"a":1,"a":2}`, `"\"`, `[1,]`, `{,}`,
		`01`, `1.`, `-`, `1e`, `nul`, `truefalse`, `[1 2]`, `{"a" 1}`, "\ufeff1", "1\n2", "\"\n\"", "\x00", `"\u12"`, "[\"\xff\"]",
		strings.Repeat("[", 70), strings.Repeat(`{"":`, 64) + "0" + strings.Repeat("}", 64),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		node, problems := ParseJSON("f.json", text)
		checkProblems(t, problems, bytes.Count(text, []byte("\n"))+1)
		value, ok := standard(bytes.TrimPrefix(text, []byte("\ufeff")))
		refused := !utf8.Valid(text) || strings.Contains(problems.Error(), "nests deeper")
		if got := node != nil; got != ok && !refused {
			t.Fatalf("accepted: %v, encoding/json: %v, %v", got, ok, problems)
		}
		if node != nil && problems == nil && !reflect.DeepEqual(node.Value(), value) {
			t.Fatalf("got %v, encoding/json: %v", node.Value(), value)
		}
	})
}

func checkProblems(t *testing.T, problems Problems, lines int) {
	t.Helper()
	for _, p := range problems {
		if p.File == "" || p.Message == "" || p.Remedy == "" || p.Line < 0 || p.Line > lines {
			t.Fatalf("a problem has no position or no remedy: %+v", p)
		}
	}
}

// standard() returns the value that encoding/json parses. It returns false if encoding/json rejects the text.
func standard(text []byte) (any, bool) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return nil, false
	}
	_, err := decoder.Token()
	return withNumerals(value), errors.Is(err, io.EOF)
}

func withNumerals(v any) any {
	switch x := v.(type) {
	case json.Number:
		return Numeral(x)
	case []any:
		for i := range x {
			x[i] = withNumerals(x[i])
		}
	case map[string]any:
		for key := range x {
			x[key] = withNumerals(x[key])
		}
	}
	return v
}
