package document_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"unicode/utf8"

	"guardrails/internal/document"
)

func TestMembersAreSplitAsWritten(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{`{}`, nil},
		{` { "a" : 1 , "b" : "x\"}" } `, []string{"a=1", `b="x\"}"`}},
		{`{"a":{"b":[1,"]"]},"a":null,"A":true}`, []string{`a={"b":[1,"]"]}`, "a=null", "A=true"}},
		{`["x", 2, [3]]`, []string{`="x"`, "=2", "=[3]"}},
		{`{"\u0061":-1.5e3}`, []string{"a=-1.5e3"}},
	} {
		members, err := document.Members([]byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
		}
		var got []string
		for _, m := range members {
			got = append(got, m.Name+"="+string(m.Raw))
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestTextsWithoutMembersAreRefused(t *testing.T) {
	for _, text := range []string{
		"", "x", "null", `"a"`, "{", `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `{a:1}`, `{"a":x}`, `{"a":"`, `{"a":"\"}`,
		`{"a":{"b":"}`, `{} x`, `{"a" 1}`, `{"a":1 "b":2}`, `["a" "b"]`, `{"a":nul}`, "\x00",
	} {
		if members, err := document.Members([]byte(text)); err == nil {
			t.Errorf("%q: got %v, want an error", text, members)
		}
	}
}

func TestTextsRoundTrip(t *testing.T) {
	for _, text := range []string{"", "plain", `"quoted" \ back`, "a\nb\tc\x00\x1f\x7f", "ümläut 漢字 🦀", "\u2028\u2029", "bad \xff byte"} {
		raw := document.AppendText(nil, text)
		if !json.Valid(raw) {
			t.Errorf("%q: %s is not JSON", text, raw)
		}
		got, ok := document.Text(raw)
		if want := string([]rune(text)); !ok || got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestIsTextAgreesWithText(t *testing.T) {
	for _, raw := range []string{
		``, `"`, `""`, `x`, `1`, `{"a":"b"}`, `"a"`, `"\n"`, `"\"`, `"\\"`, `"\x"`, `"\u00e4"`, `"\u00"`, `"\ud83e\udd80"`, `"\ud83e"`, `"\ud83e\n"`, `"a\`,
	} {
		if _, want := document.Text([]byte(raw)); document.IsText([]byte(raw)) != want {
			t.Errorf("%s: want %v", raw, want)
		}
	}
}

func FuzzMembers(f *testing.F) {
	for _, seed := range []string{`{"a":1,"b":"\ud83e\udd80"}`, `[1,{"x":"]"}]`, `{"a":"\ud83e"}`, `{"a":"\u12"}`, "{\"a\":\"\xff\"}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, ok := document.Text(text); ok != document.IsText(text) {
			t.Fatalf("%q: Text accepts it: %v", text, !ok)
		}
		members, err := document.Members(text)
		var want map[string]json.RawMessage
		if json.Unmarshal(text, &want) != nil || want == nil {
			return
		}
		if err != nil {
			t.Fatalf("%q is an object, but Members fails: %v", text, err)
		}
		for _, m := range members {
			if _, known := want[m.Name]; !known {
				t.Fatalf("%q: unknown member %q", text, m.Name)
			}
			var s string
			if got, isText := document.Text(m.Raw); isText && json.Unmarshal(m.Raw, &s) == nil && got != s && utf8.Valid(m.Raw) {
				t.Fatalf("%s: got %q, want %q", m.Raw, got, s)
			}
		}
	})
}
