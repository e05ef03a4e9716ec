package evaluator_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/internal/fortests/golden"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden evaluates the query in each testdata/*.query.json with the guidelines in testdata/guidelines.json.
func TestGolden(t *testing.T) {
	set := compile(t, readGuidelines(t, "testdata/guidelines.json"))
	files, err := filepath.Glob("testdata/*.query.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d queries, error %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			q := readQuery(t, file)
			result := set.Evaluate(q)
			checkGolden(t, file+".result.golden", result)
			checkGolden(t, file+".explanation.golden", set.Explain(q))
			result.Explanation = set.Explain(q)
			again := set.Evaluate(q)
			again.Explanation = set.Explain(q)
			if marshal(t, result) != marshal(t, again) {
				t.Error("the same query returned a different result")
			}
		})
	}
}

func readGuidelines(t *testing.T, file string) []guideline.Guideline {
	t.Helper()
	root, d := readDocument(t, file)
	var out []guideline.Guideline
	for i, n := range root.Items {
		out = append(out, guideline.Decode(d, n, document.Index("", i)))
	}
	if err := d.Problems.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func readQuery(t *testing.T, file string) *evaluator.Query {
	t.Helper()
	root, d := readDocument(t, file)
	var q evaluator.Query
	q.Context, q.Unknown = guideline.DecodeContext(d, root, "")
	if err := d.Problems.Err(); err != nil {
		t.Fatal(err)
	}
	return &q
}

func readDocument(t *testing.T, file string) (*document.Node, *document.Decoder) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	root, problems := document.ParseJSON(file, text)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return root, &document.Decoder{File: file}
}

func checkGolden(t *testing.T, file string, v any) {
	t.Helper()
	var got bytes.Buffer
	enc := json.NewEncoder(&got)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, *update, file, got.String())
}
