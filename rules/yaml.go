package rules

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"guardrails/internal/document"
)

// ParseYAML strictly parses every document of a YAML stream. It rejects anchors, merge keys, tags, numbers in other
// bases, and keys that are not strings. People must be able to rely on the values that they see in a file of rules.
func ParseYAML(file string, text []byte) ([]*document.Node, document.Problems) {
	docs, problems := parseYAMLAt(file, text, 0)
	for _, doc := range docs {
		if doc.Kind == document.Null && len(problems) < maxProblems {
			problems = append(problems, document.Problem{
				File: file, Line: doc.Line, Message: "is an empty document", Remedy: "fill it or remove its --- line",
			})
		}
	}
	if len(docs) == 0 && len(problems) == 0 {
		problems = document.Problems{{File: file, Message: "is empty", Remedy: "write at least one guideline"}}
	}
	return docs, problems
}

const maxProblems = 1000

// parseYAMLAt is like ParseYAML, but for a text that is a part of a file. The parameter linesBefore is the number of
// lines above the text in the file. parseYAMLAt accepts an empty text.
func parseYAMLAt(file string, text []byte, linesBefore int) ([]*document.Node, document.Problems) {
	p := &yamlParser{file: file, text: text, linesBefore: linesBefore}
	if !p.readable() {
		return nil, p.problems
	}
	loader, err := yaml.NewLoader(bytes.NewReader(text), yaml.WithPlugin(p))
	if err != nil {
		p.report(0, "cannot be read: "+err.Error(), "check the file")
		return nil, p.problems
	}
	var docs []*document.Node
	for {
		var doc yaml.Node
		if err := loader.Load(&doc); err != nil {
			if !errors.Is(err, io.EOF) {
				p.syntax(err)
			}
			return docs, p.problems
		}
		docs = append(docs, p.node(doc.Content[0], 0))
	}
}

type yamlParser struct {
	file        string
	text        []byte
	linesBefore int
	tooDeep     bool
	problems    document.Problems
}

// CheckDepth stops the YAML library if a document is nested too deeply. The function node() checks the depth again.
func (p *yamlParser) CheckDepth(depth int, _ *yaml.DepthContext) error {
	if depth <= document.MaxDepth {
		return nil
	}
	p.tooDeep = true
	return errors.New("is nested too deeply")
}

// CheckAlias accepts every alias, because aliases are never expanded. The function refuseExtras() reports each alias
// with its line.
func (p *yamlParser) CheckAlias(int, int) error { return nil }

func (p *yamlParser) report(line int, message, remedy string) {
	p.add(document.Problem{File: p.file, Line: p.line(line), Message: message, Remedy: remedy})
}

func (p *yamlParser) add(problem document.Problem) {
	if len(p.problems) < maxProblems {
		p.problems = append(p.problems, problem)
	}
}

// line() converts a line number in the text to a line number in the file. It keeps 0, which means no line.
func (p *yamlParser) line(n int) int {
	if n == 0 {
		return 0
	}
	return n + p.linesBefore
}

// readable() reports a problem if the text is too large, is not UTF-8 or has invisible characters. YAML treats some of
// these characters as line breaks, but editors do not show them as line breaks. If there is a problem, readable()
// returns false.
func (p *yamlParser) readable() bool {
	if len(p.text) > document.MaxSize {
		p.add(document.TooLarge(p.file))
		return false
	}
	if !utf8.Valid(p.text) {
		p.report(0, "is not valid UTF-8", "save the file as UTF-8")
		return false
	}
	if i := bytes.IndexFunc(p.text, unwanted); i >= 0 {
		r, _ := utf8.DecodeRune(p.text[i:])
		line := 1 + bytes.Count(p.text[:i], []byte{'\n'})
		p.report(line, fmt.Sprintf("contains the invisible character %U", r), "remove it")
		return false
	}
	return true
}

func unwanted(r rune) bool {
	switch r {
	case '\t', '\n', '\r':
		return false
	case '\u2028', '\u2029', '\ufffe', '\uffff':
		return true
	default:
		return r < 0x20 || r >= 0x7f && r < 0xa0
	}
}

func (p *yamlParser) syntax(err error) {
	var bad *yaml.LoadError
	if !errors.As(err, &bad) {
		p.report(0, "is not YAML: "+err.Error(), "fix the syntax")
		return
	}
	line := bad.Mark.Line
	if p.tooDeep {
		p.add(document.TooDeep(p.file, p.line(line)))
		return
	}
	switch content := p.content(line); {
	case bytes.HasPrefix(content, []byte{'\t'}):
		p.report(line, "is indented by a tab", "indent with spaces")
		return
	case bytes.HasPrefix(content, []byte{'%'}):
		p.report(line, "begins with %", "remove the line if it is a directive, or put the text in quotes")
		return
	}
	message := "is not YAML: " + bad.Message
	if bad.ContextMsg != "" {
		message += " " + bad.ContextMsg
		// The library notices an open quote, or a missing colon after a key, only on a later line.
		if strings.HasSuffix(bad.ContextMsg, "quoted scalar") || strings.HasSuffix(bad.ContextMsg, "simple key") {
			line = bad.ContextMark.Line
		} else if begun := bad.ContextMark.Line; begun > 0 && begun < line {
			message += fmt.Sprintf(" that begins on line %d", p.line(begun))
		}
	}
	p.report(line, message, "fix the syntax here")
}

// content() returns the text from the given line to the end of the file, without leading spaces.
func (p *yamlParser) content(line int) []byte {
	rest := p.text
	for range line - 1 {
		_, rest, _ = bytes.Cut(rest, []byte{'\n'})
	}
	return bytes.TrimLeft(rest, " ")
}

// node() converts a node of the YAML library to a document.Node. A rejected value becomes null, so that the rest of the
// file is still checked.
func (p *yamlParser) node(n *yaml.Node, depth int) *document.Node {
	out := &document.Node{Line: p.line(n.Line)}
	p.refuseExtras(n)
	switch n.Kind {
	case yaml.ScalarNode:
		p.scalar(n, out)
	case yaml.SequenceNode, yaml.MappingNode:
		if depth == document.MaxDepth {
			p.refuseDepth(n)
			return out
		}
		if n.Kind == yaml.SequenceNode {
			p.list(n, out, depth)
		} else {
			p.object(n, out, depth)
		}
	}
	return out
}

func (p *yamlParser) refuseDepth(n *yaml.Node) {
	if !p.tooDeep {
		p.tooDeep = true
		p.add(document.TooDeep(p.file, p.line(n.Line)))
	}
}

func (p *yamlParser) refuseExtras(n *yaml.Node) {
	if n.Kind == yaml.AliasNode {
		p.report(n.Line, fmt.Sprintf("uses the alias *%s", n.Value), "write the value itself")
	}
	if n.Anchor != "" {
		p.report(n.Line, fmt.Sprintf("has the anchor &%s", n.Anchor), "remove it, and repeat the value where it is used")
	}
	if n.Style&yaml.TaggedStyle != 0 || n.Tag == "!" {
		p.report(n.Line, fmt.Sprintf("has the tag %s", n.Tag), "remove it; put text in quotes")
	}
}

func (p *yamlParser) list(n *yaml.Node, out *document.Node, depth int) {
	out.Kind = document.List
	for _, item := range n.Content {
		out.Items = append(out.Items, p.node(item, depth+1))
	}
}

func (p *yamlParser) object(n *yaml.Node, out *document.Node, depth int) {
	out.Kind = document.Object
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if !p.isKey(key) {
			continue
		}
		value := p.node(n.Content[i+1], depth+1)
		line := p.line(key.Line)
		if !out.Add(key.Value, line, value) {
			p.add(document.DuplicateKey(p.file, line, key.Value))
		}
	}
}

func (p *yamlParser) isKey(key *yaml.Node) bool {
	if key.Kind != yaml.ScalarNode {
		p.report(key.Line, "has a key that is not a string", "write a plain name before the colon")
		return false
	}
	p.refuseExtras(key)
	if key.Style&quotedStyles != 0 {
		return true
	}
	if key.Value == "<<" {
		p.report(key.Line, "has the merge key <<", "write the fields themselves")
		return false
	}
	if kind, ambiguous := plainKind(key.Value); kind != document.String || ambiguous {
		p.report(key.Line, fmt.Sprintf("has the key %s, which is not a string", shown(key.Value)), "put it in quotes")
		return false
	}
	return true
}

const quotedStyles = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

func (p *yamlParser) scalar(n *yaml.Node, out *document.Node) {
	out.Kind, out.Text = document.String, n.Value
	if n.Style&quotedStyles != 0 {
		return
	}
	kind, ambiguous := plainKind(n.Value)
	if ambiguous {
		p.report(n.Line, fmt.Sprintf("%s is not a plain number", shown(n.Value)),
			"write a decimal number, or put it in quotes if it is a string")
		return
	}
	switch out.Kind = kind; kind {
	case document.Bool:
		out.Text = "false"
		if n.Value[0] == 't' || n.Value[0] == 'T' {
			out.Text = "true"
		}
	case document.Null:
		out.Text = ""
	}
}

// shown() shortens a value, so that a message can contain it.
func shown(value string) string {
	if value == "" {
		return "(nothing)"
	}
	if len(value) > 40 {
		return value[:40] + "…"
	}
	return value
}
