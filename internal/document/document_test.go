package document

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func parse(t *testing.T, text string) *Node {
	t.Helper()
	n, problems := ParseJSON("f.json", []byte(text))
	if problems != nil {
		t.Fatal(problems)
	}
	return n
}

func TestEveryValueKnowsItsLine(t *testing.T) {
	n := parse(t, "\n{\r\n\"a\":\n1, \"b\": [\n\n\"x\\n\", {}\n]\n}")
	b := n.Field("b")
	for what, got := range map[string][2]int{
		"object": {n.Line, 2}, "key": {n.Fields[0].Line, 3}, "number": {n.Field("a").Line, 4}, "second key": {n.Fields[1].Line, 4},
		"list": {b.Line, 4}, "string": {b.Items[0].Line, 6}, "empty object": {b.Items[1].Line, 6},
	} {
		if got[0] != got[1] {
			t.Errorf("%s: line %d, want %d", what, got[0], got[1])
		}
	}
}

func TestProblemsNameTheKnownPartOfTheirPosition(t *testing.T) {
	for want, p := range map[string]Problem{
		"f.json:3: a.b: is wrong; fix it": {File: "f.json", Line: 3, Path: "a.b", Message: "is wrong", Remedy: "fix it"},
		"f.json: is wrong":                {File: "f.json", Message: "is wrong"},
		"line 3: is wrong":                {Line: 3, Message: "is wrong"},
		"a: is wrong":                     {Path: "a", Message: "is wrong"},
	} {
		if p.Error() != want {
			t.Errorf("got %s, want %s", p.Error(), want)
		}
	}
	all := Problems{{Message: "one"}, {Message: "two"}}
	if all.Error() != "one\ntwo" || all.Err() == nil || (Problems{}).Err() != nil {
		t.Errorf("got %q", all.Error())
	}
}

func TestTheNumberOfProblemsIsLimited(t *testing.T) {
	d := &Decoder{File: "f.json"}
	for range 3 * MaxProblems {
		d.Report(nil, "a", "is wrong", "fix it")
	}
	if len(d.Problems) != MaxProblems {
		t.Fatalf("got %d problems", len(d.Problems))
	}
	if got := d.Problems[MaxProblems-1].Error(); got != "f.json: has more mistakes than are listed; fix these first" {
		t.Errorf("the last problem is %s", got)
	}
}

func TestLargeObjectsFindTheirFields(t *testing.T) {
	n := &Node{Kind: Object}
	for i := range 100 {
		name := fmt.Sprintf("k%d", i)
		if !n.Add(name, i, &Node{Kind: Number, Text: fmt.Sprint(i)}) || n.Add(name, i, &Node{}) {
			t.Fatalf("Add must accept %s exactly once", name)
		}
	}
	for i := range 100 {
		if v := n.Field(fmt.Sprintf("k%d", i)); v == nil || v.Text != fmt.Sprint(i) {
			t.Errorf("field %d is %v", i, v)
		}
	}
	if n.Field("none") != nil || len(n.Fields) != 100 {
		t.Errorf("%d fields", len(n.Fields))
	}
}

func TestUnknownFieldsGetASuggestion(t *testing.T) {
	for name, want := range map[string]string{
		"nmae": `did you mean "name"?`, "Name": `did you mean "name"?`, "names": `did you mean "name"?`, "i": `did you mean "id"?`,
		"xy": "remove it; the known fields are id, name", "x": "remove it; the known fields are id, name", "label": "remove it; the known fields are id, name",
		strings.Repeat("name", 50): "remove it; the known fields are id, name", "": "remove it; the known fields are id, name",
	} {
		n := &Node{Kind: Object}
		n.Add(name, 1, &Node{})
		var d Decoder
		d.Object(n, "", []Spec{{Name: "id"}, {Name: "name"}})
		if got := d.Problems[0].Remedy; got != want {
			t.Errorf("%q: got %s, want %s", name, got, want)
		}
	}
}

func TestOnlyTextFieldsMayHaveLineBreaks(t *testing.T) {
	n := &Node{Kind: String, Text: "a\r\n\tb"}
	var d Decoder
	if got := d.String(n, "a", true); got != n.Text || d.Problems != nil {
		t.Errorf("got %q, %v", got, d.Problems)
	}
	if got := d.String(n, "a", false); got != "" || len(d.Problems) != 1 {
		t.Errorf("got %q, %v", got, d.Problems)
	}
}

func TestListsOfStringsKeepValidItems(t *testing.T) {
	var d Decoder
	got := d.Strings(parse(t, `["a", 1, "", "b"]`), "list")
	if !reflect.DeepEqual(got, []string{"a", "b"}) || len(d.Problems) != 2 || d.Problems[1].Path != "list[2]" {
		t.Errorf("got %v, %v", got, d.Problems)
	}
}

func TestTextThatIsTooLargeOrNotUTF8IsRefused(t *testing.T) {
	for want, text := range map[string][]byte{
		"f.json: is larger than 8 MiB; split it into several files": make([]byte, MaxSize+1),
		"f.json: is not valid UTF-8; save the file as UTF-8":        []byte("\"\xff\""),
	} {
		n, problems := ParseJSON("f.json", text)
		if n != nil || problems.Error() != want {
			t.Errorf("got %s, want %s", problems, want)
		}
	}
}

func TestNestingIsAllowedUpToTheLimit(t *testing.T) {
	nested := func(depth int) []byte { return []byte(strings.Repeat("[", depth) + strings.Repeat("]", depth)) }
	if _, problems := ParseJSON("f.json", nested(MaxDepth)); problems != nil {
		t.Error(problems)
	}
	_, problems := ParseJSON("f.json", nested(MaxDepth+1))
	if problems.Error() != "f.json:1: nests deeper than 64 levels; flatten it" {
		t.Errorf("got %v", problems)
	}
}

func TestSyntaxErrorFollowsEarlierDuplicates(t *testing.T) {
	_, problems := ParseJSON("f.json", []byte("{\"a\": 1, \"a\": 2,\n\"b\": \\}"))
	want := "f.json:1: duplicate key \"a\"; keep one of the two\nf.json:2: is not JSON: expected a value, found '\\\\'; fix the syntax here"
	if problems.Error() != want {
		t.Errorf("got %s\nwant %s", problems, want)
	}
	var one Problem
	if !errors.As(error(problems[0]), &one) {
		t.Error("Problems is not an error")
	}
}

func TestValuesAreReadByTheirKind(t *testing.T) {
	n := parse(t, `{"yes": true, "no": false, "count": 7, "choice": "b", "map": {"a": [1.0, null]}}`)
	var d Decoder
	if !d.Bool(n.Field("yes"), "yes") || d.Bool(n.Field("no"), "no") || d.Int(n.Field("count"), "count", 0, 7) != 7 {
		t.Error("a boolean or number has a wrong value")
	}
	if got := d.Choice(n.Field("choice"), "choice", []string{"a", "b"}); got != "b" {
		t.Errorf("got %q", got)
	}
	if got := d.Map(n.Field("map"), "map"); !reflect.DeepEqual(got, map[string]any{"a": []any{Numeral("1.0"), nil}}) {
		t.Errorf("got %v", got)
	}
	if d.Problems != nil {
		t.Error(d.Problems)
	}
}

func TestValuesOfAnotherKindAreProblems(t *testing.T) {
	n := parse(t, `{"list": [], "word": "c", "count": 8}`)
	d := Decoder{File: "f"}
	list := n.Field("list")
	d.Bool(list, "bool")
	d.Int(list, "int", 1, 7)
	d.Int(n.Field("count"), "count", 1, 7)
	d.Choice(list, "choice", nil)
	d.Choice(n.Field("word"), "word", []string{"a", "b"})
	d.Map(list, Join("a", "map"))
	d.Object(list, "object", nil)
	d.Object(n, "", []Spec{{Name: "list", Read: func(*Node, string) {}}, {Name: "need", Required: true}})
	want := "f:1: bool: is a list where a boolean is expected; write a boolean\n" +
		"f:1: int: is a list where a number is expected; write a number\n" +
		"f:1: count: 8 is not a whole number between 1 and 7; change it\n" +
		"f:1: choice: is a list where a string is expected; write a string\n" +
		"f:1: word: \"c\" is not accepted; use one of a, b\n" +
		"f:1: a.map: is a list where an object is expected; write an object\n" +
		"f:1: object: is a list where an object is expected; write an object\n" +
		"f:1: word: unknown field; remove it; the known fields are list, need\n" +
		"f:1: count: unknown field; remove it; the known fields are list, need\n" +
		"f:1: need: is missing; add it"
	if got := d.Problems.Error(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
