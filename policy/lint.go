package policy

import (
	"cmp"
	"slices"
	"strings"

	"guardrails/internal/document"
)

// Names are the names that the safety gate uses in facts. A condition about another name is never true.
type Names struct{ Flags, Gates, PII []string }

// The type usedName is a name in a condition.
type usedName struct {
	field, name, path string
	line              int
}

// Lint reads the text of a policy file, as Parse does. It also reports unknown names in conditions. A file with an
// unknown name can be used, but a condition with this name is never true. The name is probably a typo. The parameter
// "limit" is the maximum total size of all regular expressions, or 0 if there is no limit.
func Lint(file string, text []byte, yaml YAML, known *Names, limit int) (*Set, document.Problems) {
	r := &reader{Decoder: document.Decoder{File: file}, limit: limit}
	set, problems := r.parse(file, text, yaml)
	for _, u := range r.used {
		names := known.of(u.field)
		if u.name == "" || names == nil || slices.Contains(names, u.name) {
			continue
		}
		problems.Add(document.Problem{
			File: file, Line: u.line, Path: u.path, Message: document.Excerpt(u.name) + " is never found, so this condition is never true",
			Remedy: remedyFor(u.name, names),
		})
	}
	slices.SortStableFunc(problems, func(a, b document.Problem) int { return cmp.Compare(a.Line, b.Line) })
	return set, problems
}

// of() returns the names that a field can have, or nil if the field can have any name.
func (n *Names) of(field string) []string {
	switch field {
	case fieldFlag:
		return n.Flags
	case fieldGate:
		return n.Gates
	case fieldPII:
		return n.PII
	}
	return nil
}

// remedyFor says which of the known names was probably meant. It allows more typos in a longer name.
func remedyFor(name string, known []string) string {
	if meant := document.Nearest(name, known, max(1, len(name)/3)); meant != "" {
		return "did you mean " + document.Excerpt(meant) + "?"
	}
	return "use one of " + strings.Join(known, ", ")
}
