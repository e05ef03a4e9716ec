// Package rules reads guidelines and their cases from files: YAML and JSON guideline files, and the Markdown rules
// in the client's folder .claude/rules.
//
// Start with Load, which reads files and folders and returns all problems in them. Parse does the same for one text,
// without the file system.
package rules

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"guardrails/guideline"
	"guardrails/internal/document"
)

// Origin is the place in a file where something is defined.
type Origin struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// String returns the place as file:line.
func (o Origin) String() string { return fmt.Sprintf("%s:%d", document.Printable(o.File), o.Line) }

// Source is a guideline and the place where it is defined.
type Source struct {
	guideline.Guideline
	Origin Origin
	// The field "node" is the document of the guideline in the full form.
	node *document.Node
	// The field "written" maps the path of a field in the full form to its path in the file. It contains only fields
	// for which the two paths differ.
	written     map[string]string
	typeImplied bool
}

// Path converts the path of a field in the full form, such as condition.paths[1], to its path in the file. In the
// short form, this can be paths[1].
func (s *Source) Path(field string) string { return writtenPath(s.written, field) }

// HasType reports whether the file names the type of the action. If it does not, the other fields imply the type.
func (s *Source) HasType() bool { return !s.typeImplied }

// Line returns the line of a field such as condition.paths[1]. If the file does not have the field, Line returns the
// line of the innermost field on the path that the file has.
func (s *Source) Line(field string) int {
	line, n := s.Origin.Line, s.node
	for step := range strings.SplitSeq(field, ".") {
		name, index, isItem := strings.Cut(strings.TrimSuffix(step, "]"), "[")
		i := -1
		if n != nil {
			i = slices.IndexFunc(n.Fields, func(f document.Field) bool { return f.Name == name })
		}
		if i < 0 {
			return line
		}
		line, n = n.Fields[i].Line, n.Fields[i].Value
		if i, err := strconv.Atoi(index); isItem && err == nil && i < len(n.Items) {
			line, n = n.Items[i].Line, n.Items[i]
		}
	}
	return line
}

// File holds the definitions of one file.
type File struct {
	Guidelines []Source
	Cases      []Case
}

// Parse reads one guideline file. The extension of the name determines the format. If the text is not a valid
// document, the result is empty. The result omits guidelines and cases with problems.
func Parse(name string, text []byte) (File, document.Problems) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	var file File
	var problems document.Problems
	switch extension(name) {
	case ".yaml", ".yml":
		docs, broken := ParseYAML(name, text)
		file, problems = decodeFile(name, docs, broken)
	case ".json":
		doc, broken := document.ParseJSON(name, text)
		var docs []*document.Node
		if doc != nil {
			docs = append(docs, doc)
		}
		file, problems = decodeFile(name, docs, broken)
	case ".md":
		file, problems = parseMarkdown(name, text)
	default:
		return File{}, document.Problems{{File: name, Message: "has an unknown extension", Remedy: "use " + extensions}}
	}
	var repeated document.Problems
	file.Guidelines, repeated = Unique(file.Guidelines, map[string]Origin{})
	return file, inReadingOrder(append(problems, repeated...))
}

const extensions = "the extension .yaml, .yml, .json or .md"

func extension(name string) string { return strings.ToLower(filepath.Ext(name)) }

// inReadingOrder sorts problems by line and removes repeated ones. Front matter causes repetitions, because the parser
// reads the front matter again for every guideline below it.
func inReadingOrder(problems document.Problems) document.Problems {
	seen := map[document.Problem]bool{}
	problems = slices.DeleteFunc(problems, func(p document.Problem) bool {
		repeated := seen[p]
		seen[p] = true
		return repeated
	})
	slices.SortStableFunc(problems, func(a, b document.Problem) int { return cmp.Compare(a.Line, b.Line) })
	return problems
}

// Unique returns the guidelines whose ids are not in the map "seen", and adds their ids to this map. It copies the
// list of guidelines only if it has to leave something out.
func Unique(sources []Source, seen map[string]Origin) ([]Source, document.Problems) {
	kept := slices.Clip(sources)
	var problems document.Problems
	for i := range sources {
		s := &sources[i]
		if first, ok := seen[s.ID]; ok {
			if problems == nil {
				kept = slices.Clone(sources[:i])
			}
			problems = append(problems, document.Problem{
				File: s.Origin.File, Line: s.Origin.Line, Path: "id",
				Message: fmt.Sprintf("%q is already defined at %s", s.ID, first), Remedy: "rename or remove one of the two",
			})
			continue
		}
		seen[s.ID] = s.Origin
		if problems != nil {
			kept = append(kept, *s)
		}
	}
	return kept, problems
}

func decodeFile(name string, docs []*document.Node, broken document.Problems) (File, document.Problems) {
	r := reader{Decoder: &document.Decoder{File: name}}
	for _, doc := range docs {
		r.document(doc)
	}
	if len(broken) > 0 {
		return File{}, append(broken, r.Problems...)
	}
	return r.file, r.Problems
}

type reader struct {
	*document.Decoder
	file File
}

// document() reads one document of a file. The document can be an object with guidelines and cases, one guideline, or a
// list of guidelines.
func (r *reader) document(n *document.Node) {
	switch {
	case n.Kind == document.Null:
	case n.Kind == document.List:
		r.guidelines(n, "")
	case n.Kind != document.Object:
		r.Report(n, "", fmt.Sprintf("is %s where a guideline is expected", n.Kind), `write "guidelines:" and a list of guidelines below it`)
	case isSet(n):
		r.set(n)
	default:
		r.guideline(n, "")
	}
}

// isSet reports whether an object has the field "guidelines" or "cases", or a field that was probably meant to be
// "guidelines".
func isSet(n *document.Node) bool {
	if n.Field("guidelines") != nil || n.Field("cases") != nil {
		return true
	}
	isOwn := func(f document.Field) bool { return isGuidelineField(f.Name) }
	return slices.ContainsFunc(n.Fields, isMisnamed) && !slices.ContainsFunc(n.Fields, isOwn) ||
		slices.ContainsFunc(n.Fields, isListOfObjects)
}

// isMisnamed reports whether a field was probably meant to be "guidelines": its name is unknown, and its value is a
// list or an object.
func isMisnamed(f document.Field) bool {
	return !isGuidelineField(f.Name) && f.Name != "cases" && (f.Value.Kind == document.List ||
		f.Value.Kind == document.Object)
}

func isListOfObjects(f document.Field) bool {
	return isMisnamed(f) && slices.ContainsFunc(f.Value.Items, func(n *document.Node) bool { return n.Kind == document.Object })
}

// set() reads an object with the fields "guidelines" and "cases".
func (r *reader) set(n *document.Node) {
	known := *n
	if n.Field("guidelines") == nil {
		known.Fields = slices.DeleteFunc(slices.Clone(n.Fields), r.reportMisnamed)
	}
	r.Object(&known, "", []document.Spec{
		{Name: "guidelines", Read: r.guidelines},
		{Name: "cases", Read: r.cases},
		// Editors use this key to find the schema of a JSON file.
		{Name: "$schema", Read: func(n *document.Node, path string) { r.String(n, path, false) }},
	})
}

// reportMisnamed reports a field that was probably meant to be "guidelines". It returns false for other fields.
func (r *reader) reportMisnamed(f document.Field) bool {
	if !isMisnamed(f) {
		return false
	}
	r.Report(&document.Node{Line: f.Line}, f.Name, "unknown field", `did you mean "guidelines"?`)
	return true
}

func (r *reader) guidelines(n *document.Node, path string) {
	for i, item := range r.items(n, path) {
		r.guideline(item, document.Index(path, i))
	}
}

func (r *reader) cases(n *document.Node, path string) {
	for i, item := range r.items(n, path) {
		before := len(r.Problems)
		c := decodeCase(r.Decoder, item, document.Index(path, i))
		if len(r.Problems) == before {
			r.file.Cases = append(r.file.Cases, c)
		}
	}
}

func (r *reader) items(n *document.Node, path string) []*document.Node {
	r.Expect(n, path, document.List)
	return n.Items
}

func (r *reader) guideline(n *document.Node, path string) {
	r.assembled(n, path, nil, n.Line)
}

// assembled() adds a guideline to the definitions of the file. It makes the guideline from the given fields and, in a
// Markdown rule, from the prose.
func (r *reader) assembled(fields *document.Node, path string, p *prose, line int) {
	before := len(r.Problems)
	a := assemble(r.Decoder, fields, path, p)
	if g := a.decode(); len(r.Problems) == before {
		r.file.Guidelines = append(r.file.Guidelines, Source{
			Guideline: g, Origin: Origin{File: r.File, Line: line},
			node: a.parts[inGuideline], written: a.written, typeImplied: a.typeImplied,
		})
	}
}
