package rules_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"guardrails/internal/document"
	"guardrails/internal/fortests/golden"
	"guardrails/rules"
)

func TestYAMLIsReadAsAStrictTree(t *testing.T) {
	eachFile(t, "yaml", func(t *testing.T, name string, text []byte) {
		docs, problems := rules.ParseYAML(name, text)
		var b strings.Builder
		for _, doc := range docs {
			b.WriteString("---\n")
			draw(&b, doc, "")
		}
		golden.Check(t, *update, "testdata/yaml/"+name+".golden", b.String()+problemLines(problems))
	})
}

// draw() writes a tree as text, with the line of every value.
func draw(b *strings.Builder, n *document.Node, indent string) {
	fmt.Fprintf(b, "%s%d %s %q\n", indent, n.Line, n.Kind, n.Text)
	for _, item := range n.Items {
		draw(b, item, indent+"  - ")
	}
	for _, f := range n.Fields {
		fmt.Fprintf(b, "%s  %d %s:\n", indent, f.Line, f.Name)
		draw(b, f.Value, indent+"    ")
	}
}

func TestInvalidYAMLIsOneProblemWithALine(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "f.yaml: is empty; write at least one guideline"},
		{"only comments", "# a\n\n# b\n", "f.yaml: is empty; write at least one guideline"},
		{"not UTF-8", "a: \xff\n", "f.yaml: is not valid UTF-8; save the file as UTF-8"},
		{"UTF-16", "\xff\xfea\x00:\x00", "f.yaml: is not valid UTF-8; save the file as UTF-8"},
		{"a control character", "a: 1\nb: \x01\n", "f.yaml:2: contains the invisible character U+0001; remove it"},
		{"a line break only in YAML", "a: 1\n# c\u2028b: 2\n", "f.yaml:2: contains the invisible character U+2028; remove it"},
		{"a next-line character", "a: x\u0085b: 2\n", "f.yaml:1: contains the invisible character U+0085; remove it"},
		{"a tab that indents", "a:\n\t- b\n", "f.yaml:2: is indented by a tab; indent with spaces"},
		{"a tab after spaces", "a:\n  b:\n  \tc: 1\n", "f.yaml:3: is indented by a tab; indent with spaces"},
		{"a tab as indentation", "a: 1\n\tb: 2\n", "f.yaml:2: is indented by a tab; indent with spaces"},
		{"an open quote", "a: 1\nb: 'x\nc: 1\nd: 2\n", "f.yaml:2: is not YAML: found unexpected end of stream while scanning a quoted scalar; fix the syntax here"},
		{"a key without a colon", "a: 1\nb\nc: 2\n", "f.yaml:2: is not YAML: could not find expected ':' while scanning a simple key; fix the syntax here"},
		{"an open list", "a: [1,\n 2\nb: 3\n", "f.yaml:3: is not YAML: did not find expected ',' or ']' while parsing a flow sequence that begins on line 1; fix the syntax here"},
		{"two colons", "a: b: c\n", "f.yaml:1: is not YAML: mapping values are not allowed in this context; fix the syntax here"},
		{"CRLF", "a: 1\r\nb: 2\r\n c: 3\r\n", "f.yaml:3: is not YAML: mapping values are not allowed in this context; fix the syntax here"},
		{"a version", "%YAML 1.2\n---\na: 1\n", "f.yaml:1: begins with %; remove the line if it is a directive, or put the text in quotes"},
		{"a percent sign", "a:\n  %x\n", "f.yaml:2: begins with %; remove the line if it is a directive, or put the text in quotes"},
		{"an unknown anchor", "a: 1\nb: *y\n", "f.yaml:2: is not YAML: unknown anchor 'y' referenced; fix the syntax here"},
		{"more than fits", strings.Repeat(" ", document.MaxSize+1), "f.yaml: is larger than 8 MiB; split it into several files"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, problems := rules.ParseYAML("f.yaml", []byte(c.text))
			if got := problems.Error(); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestDeepNestingIsOneProblemAndFast(t *testing.T) {
	const size = 2 << 20
	for _, unit := range []string{"[", "{", "- ", "? ", "{a: ", "[a,", "- {a: ["} {
		t.Run(unit, func(t *testing.T) {
			start := time.Now()
			_, problems := rules.ParseYAML("f.yaml", []byte(strings.Repeat(unit, size/len(unit))))
			if len(problems) != 1 || problems[0].Message != "nests deeper than 64 levels" || problems[0].Line != 1 {
				t.Errorf("got %v", problems)
			}
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

func TestNestingIsCountedAsInJSON(t *testing.T) {
	for _, c := range []struct {
		depth int
		fits  bool
	}{{document.MaxDepth, true}, {document.MaxDepth + 1, false}} {
		for _, text := range []string{
			strings.Repeat("[", c.depth) + strings.Repeat("]", c.depth),
			indentless(c.depth),
		} {
			_, problems := rules.ParseYAML("f.yaml", []byte(text))
			if fits := len(problems) == 0; fits != c.fits {
				t.Errorf("depth %d of %.20q…: %v", c.depth, text, problems)
			}
		}
	}
}

// indentless() returns objects and lists that are nested to the given depth. The lists are not indented in their
// objects, so YAML counts an object and its list as one level.
func indentless(depth int) string {
	var b strings.Builder
	indent := ""
	for range depth / 2 {
		b.WriteString("a:\n" + indent + "- ")
		indent += "  "
	}
	if depth%2 == 1 {
		b.WriteString("a: 1")
	} else {
		b.WriteString("1")
	}
	return b.String()
}

func TestAliasesAreNeverExpanded(t *testing.T) {
	var b strings.Builder
	b.WriteString("a0: &a0 [x,x,x,x,x,x,x,x,x]\n")
	for i := 1; i < 40; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [*a%d,*a%d,*a%d,*a%d]\n", i, i, i-1, i-1, i-1, i-1)
	}
	_, problems := rules.ParseYAML("f.yaml", []byte(b.String()))
	if want := 40 + 39*4; len(problems) != want {
		t.Errorf("got %d problems, want %d", len(problems), want)
	}
}

func TestTheNumberOfProblemsPerFileIsLimited(t *testing.T) {
	for _, text := range []string{strings.Repeat("---\n", 100_000), "[" + strings.Repeat("!a b,", 100_000) + "]"} {
		if _, problems := rules.ParseYAML("f.yaml", []byte(text)); len(problems) != 1000 {
			t.Errorf("got %d problems", len(problems))
		}
	}
}

func FuzzParseYAML(f *testing.F) {
	for _, seed := range []string{
		"a: 1\nb: [x, 'y', \"z\"]\n", "- a\n- b: {c: d}\n", "---\na\n---\nb\n...\n", "? a\n: b\n", "a: |\n  x\n\n  y\n# c\nb: >-\n  z\n",
		"a: &x 1\nb: *x\n<<: {c: 1}\n", "!!str 5", "{\"a\": [1, -2.5e3, true, null, \"\\u00e9\"]}", "%YAML 1.2\n---\n0x10", "\ufeffa: 1",
		"a:\n\t- b", "[[[[", "a: 'x", "- 1_000\n- .inf\n- 017\n- +1\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		docs, problems := rules.ParseYAML("f.yaml", text)
		if len(docs) == 0 && len(problems) == 0 {
			t.Fatal("got neither a document nor a problem")
		}
		for _, p := range problems {
			if p.Message == "" || p.Remedy == "" || p.Line < 0 || p.Line > strings.Count(string(text), "\n")+strings.Count(string(text), "\r")+2 {
				t.Fatalf("bad problem %+v", p)
			}
		}
		sameAsJSON(t, text, docs, problems)
	})
}

// sameAsJSON checks that a JSON text gives the same tree when it is parsed as YAML. It ignores texts that one of
// the two parsers rejects, and texts with carriage returns.
func sameAsJSON(t *testing.T, text []byte, docs []*document.Node, problems document.Problems) {
	t.Helper()
	tree, broken := document.ParseJSON("f.json", text)
	if len(problems) > 0 || len(broken) > 0 || strings.ContainsRune(string(text), '\r') {
		return
	}
	if len(docs) != 1 {
		t.Fatalf("got %d documents in one JSON text", len(docs))
	}
	want, _ := json.Marshal(tree.Value())
	got, _ := json.Marshal(docs[0].Value())
	if string(got) != string(want) {
		t.Fatalf("as YAML %s, as JSON %s", got, want)
	}
}
