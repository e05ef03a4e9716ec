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

// ParseYAML reads every document of a YAML stream as a strict tree. What YAML can do beyond JSON's values (anchors,
// merge keys, tags, keys that are no text, numbers in other bases) is refused with a remedy, because in a file of rules
// a value must be what a reader of the file sees.
func ParseYAML(file string, text []byte) ([]*document.Node, document.Problems) {
	docs, problems := parseYAMLAt(file, text, 0)
	for _, doc := range docs {
		if doc.Kind == document.Null && len(problems) < maxProblems {
			problems = append(problems, document.Problem{
				File: file, Line: doc.Line, Message: "is an empty document", Remedy: "write it or remove its --- line",
			})
		}
	}
	if len(docs) == 0 && len(problems) == 0 {
		problems = document.Problems{{File: file, Message: "is empty", Remedy: "write at least one guideline"}}
	}
	return docs, problems
}

// maxProblems bounds what one hostile file can make us say.
const maxProblems = 1000

// parseYAMLAt is ParseYAML for a text that begins below the given number of lines; an empty text is no problem here.
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

// CheckDepth stops the library before it recurses; node checks the depth of what it lets through.
func (p *yamlParser) CheckDepth(depth int, _ *yaml.DepthContext) error {
	if depth <= document.MaxDepth {
		return nil
	}
	p.tooDeep = true
	return errors.New("nests too deep")
}

// CheckAlias lets every alias pass: they are refused one by one, with their lines, and never expanded.
func (p *yamlParser) CheckAlias(int, int) error { return nil }

func (p *yamlParser) report(line int, message, remedy string) {
	p.add(document.Problem{File: p.file, Line: p.line(line), Message: message, Remedy: remedy})
}

func (p *yamlParser) add(problem document.Problem) {
	if len(p.problems) < maxProblems {
		p.problems = append(p.problems, problem)
	}
}

// line is a line of the text as a line of the file; 0 stays what it is, for no line.
func (p *yamlParser) line(n int) int {
	if n == 0 {
		return 0
	}
	return n + p.linesBefore
}

// readable refuses what no YAML file may hold, and the invisible characters that YAML reads as line breaks where an
// editor shows one line.
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
		p.report(0, "is not YAML: "+err.Error(), "mend the syntax")
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
		// An open quote or a key without its colon is noticed later than it is made.
		if strings.HasSuffix(bad.ContextMsg, "quoted scalar") || strings.HasSuffix(bad.ContextMsg, "simple key") {
			line = bad.ContextMark.Line
		} else if begun := bad.ContextMark.Line; begun > 0 && begun < line {
			message += fmt.Sprintf(" that begins on line %d", p.line(begun))
		}
	}
	p.report(line, message, "mend the syntax here")
}

// content is a line of the text, and what follows, without the spaces before it.
func (p *yamlParser) content(line int) []byte {
	rest := p.text
	for range line - 1 {
		_, rest, _ = bytes.Cut(rest, []byte{'\n'})
	}
	return bytes.TrimLeft(rest, " ")
}
