package compare

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"guardrails/decide/explain"
	"guardrails/detect/toolcall"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/rules"
)

// Question is a context, or a tool call in a context. Run asks both sets the same questions.
type Question struct {
	Name    string            `json:"name,omitempty"`
	Context guideline.Context `json:"context"`
	Unknown []string          `json:"unknown,omitempty"`
	Tool    string            `json:"tool,omitempty"`
	Input   json.RawMessage   `json:"input,omitempty"`
	Facts   *rules.Facts      `json:"facts,omitempty"`
}

// key returns a text that is the same for two questions with the same meaning.
func (q *Question) key() string {
	k := *q
	k.Name = ""
	// Marshal() cannot fail, because contexts contain only plain values.
	encoded, _ := json.Marshal(&k)
	return string(encoded)
}

func (q *Question) query() *evaluator.Query {
	// The names come from Fields.Names, so they are valid.
	unknown, _ := guideline.ParseFields(q.Unknown)
	return &evaluator.Query{Context: q.Context, Unknown: unknown}
}

func (q *Question) label() string {
	label := explain.Context(&q.Context, q.query().Unknown)
	if q.Tool != "" {
		label = q.Tool + " " + explain.Flat(string(q.Input)) + " for " + label
	}
	if q.Name != "" {
		label = explain.Flat(q.Name) + ": " + label
	}
	return label
}

// questionOf returns the question that a case asks, without the expected answer.
func questionOf(c *rules.Case) Question {
	q := Question{Name: c.Name, Context: c.Context, Unknown: c.Unknown.Names(), Tool: c.Tool, Facts: c.Facts}
	switch {
	case c.Tool == "":
	case c.Command != "":
		q.Input = object("command", c.Command)
	case c.Path != "":
		q.Input = object(toolcall.PathArgument(c.Tool), c.Path)
	case c.Input != nil:
		// Marshal() cannot fail, because the input was read from JSON or YAML.
		q.Input, _ = json.Marshal(c.Input)
	default:
		q.Input = []byte("{}")
	}
	return q
}

// ParseQuestions parses a list of contexts and tool calls. A guideline file with cases is such a list too. The expected
// answers of the cases are ignored.
func ParseQuestions(name string, text []byte) ([]Question, document.Problems) {
	n, problems := parseTree(name, text)
	d := &document.Decoder{File: name, Problems: problems}
	var out []Question
	if n == nil {
		return nil, d.Problems
	}
	list, path := n, ""
	if cases := n.Field("cases"); cases != nil {
		list, path = cases, "cases"
	}
	if list.Kind != document.List || len(list.Items) == 0 {
		d.Report(list, path, "is not a list of contexts", "write a list; each item has a context, or a tool and its input")
	}
	for i, item := range list.Items {
		c := decodeQuestion(d, item, document.Index(path, i))
		out = append(out, questionOf(&c))
	}
	return out, d.Problems
}

func parseTree(name string, text []byte) (*document.Node, document.Problems) {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".yaml", ".yml":
		docs, problems := rules.ParseYAML(name, text)
		if len(docs) == 0 {
			return nil, problems
		}
		return docs[0], problems
	}
	return document.ParseJSON(name, text)
}

func decodeQuestion(d *document.Decoder, n *document.Node, path string) rules.Case {
	var c rules.Case
	text := func(into *string, multiline bool) func(*document.Node, string) {
		return func(n *document.Node, at string) { *into = d.String(n, at, multiline) }
	}
	if d.Object(n, path, []document.Spec{
		{Name: "name", Read: text(&c.Name, false)},
		{Name: "context", Read: func(n *document.Node, at string) { c.Context, c.Unknown = guideline.DecodeContext(d, n, at) }},
		{Name: "tool", Read: text(&c.Tool, false)},
		{Name: "command", Read: text(&c.Command, true)},
		{Name: "path", Read: text(&c.Path, false)},
		{Name: "input", Read: func(n *document.Node, at string) { c.Input = d.Map(n, at) }},
		{Name: "expect", Read: func(*document.Node, string) {}},
	}) && n.Field("context") == nil && n.Field("tool") == nil {
		d.Report(n, path, "has neither context nor tool", "add a context, or a tool and its input")
	}
	return c
}

func object(field, value string) []byte {
	// Marshal() cannot fail for a map of strings.
	encoded, _ := json.Marshal(map[string]string{field: value})
	return encoded
}
