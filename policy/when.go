package policy

import (
	"slices"
	"strconv"
	"strings"

	"guardrails/internal/document"
)

// when() reads the condition of a rule, which is in the rule's field "when".
func (r *reader) when(n *document.Node, path string) *placed {
	w := &whenReader{reader: r}
	c := w.fields(n, path, "when", 1)
	if w.count > mostConditions {
		r.Report(n, path, "has "+strconv.Itoa(w.count)+" conditions", "write at most "+strconv.Itoa(mostConditions)+" in a rule")
	}
	return &c
}

type whenReader struct {
	*reader
	count int
}

// fields() reads an object of conditions. The object is true if all of its conditions are true. The parameter "path" is
// the path of the object in the file, and the parameter "short" is its path in the rule.
func (w *whenReader) fields(n *document.Node, path, short string, depth int) placed {
	if depth > deepest {
		w.Report(n, path, "is nested more than "+strconv.Itoa(deepest)+" levels deep", "write a simpler condition")
		return placed{}
	}
	if n.Kind == document.Object && len(n.Fields) == 0 {
		w.Report(n, path, "has no condition", "write one, or remove this field or item")
	}
	list := every{}
	w.Fields(n, path, fieldSpecs(), func(name string, n *document.Node, path string) {
		w.count++
		inner := document.Join(short, name)
		if c := w.condition(name, n, path, inner, depth); c != nil {
			list = append(list, placed{inner, c})
		}
	})
	if len(list) == 1 {
		return list[0]
	}
	return placed{short, list}
}

func numberFields() []string { return []string{fieldMood, fieldTrust, fieldCount, fieldScore} }

func nameFields() []string {
	return []string{fieldEmotions, fieldFlag, fieldPII, fieldStage, fieldDecision, fieldGate, fieldTag}
}

func fieldSpecs() []document.Spec {
	names := []string{fieldAll, fieldAny, fieldNot, fieldContains, fieldMatches, fieldSince}
	var specs []document.Spec
	for _, name := range slices.Concat(names, numberFields(), nameFields()) {
		specs = append(specs, document.Spec{Name: name})
	}
	return specs
}

func (w *whenReader) condition(name string, n *document.Node, path, short string, depth int) condition {
	switch {
	case name == fieldAll:
		return every(w.list(n, path, short, depth))
	case name == fieldAny:
		return some(w.list(n, path, short, depth))
	case name == fieldNot:
		return negation{w.fields(n, path, short, depth+1)}
	case name == fieldContains:
		return w.contains(n, path)
	case name == fieldMatches:
		return matches{w.pattern(n, path)}
	case name == fieldSince:
		return w.since(n, path)
	case slices.Contains(numberFields(), name):
		return w.number(name, n, path)
	}
	return oneOf{name, w.oneOrMore(n, path, func(n *document.Node, path string) string { return w.name(name, n, path) })}
}

// name() reads a name in a field.
func (w *whenReader) name(field string, n *document.Node, path string) string {
	switch field {
	case fieldStage:
		return w.Choice(n, path, Stages())
	case fieldDecision:
		return w.Choice(n, path, verdicts())
	}
	text := w.text(n, path, longestPattern)
	w.used = append(w.used, usedName{field, text, path, n.Line})
	return text
}

// list() reads the conditions of "all" or "any".
func (w *whenReader) list(n *document.Node, path, short string, depth int) []placed {
	items := w.items(n, path, 1, mostConditions)
	list := make([]placed, 0, len(items))
	for i, item := range items {
		list = append(list, w.fields(item, document.Index(path, i), document.Index(short, i), depth+1))
	}
	return list
}

// oneOrMore reads a text or a list of texts.
func (w *whenReader) oneOrMore(n *document.Node, path string, read func(*document.Node, string) string) []string {
	items := []*document.Node{n}
	one := n.Kind != document.List
	if !one {
		items = w.items(n, path, 1, mostTexts)
	}
	list := make([]string, 0, len(items))
	for i, item := range items {
		at := path
		if !one {
			at = document.Index(path, i)
		}
		list = append(list, read(item, at))
	}
	return list
}

func (w *whenReader) contains(n *document.Node, path string) condition {
	return contains(w.oneOrMore(n, path, func(n *document.Node, path string) string {
		text := w.text(n, path, longestPattern)
		folded := fold(text)
		if strings.TrimSpace(folded) == "" && text != "" {
			w.Report(n, path, document.Excerpt(text)+" has no visible character", "write a word")
		}
		return folded
	}))
}

func (w *whenReader) number(name string, n *document.Node, path string) condition {
	text := n.Text
	if n.Kind != document.Number {
		text = w.String(n, path, false)
	}
	c, ok := readComparison(text, "==", readNumber)
	if !ok && (n.Kind == document.Number || n.Kind == document.String) {
		w.Report(n, path, document.Excerpt(text)+" is not a comparison", `write a number, or an operator and a number, for example "< 0.3"`)
	}
	return number{name, c}
}

func (w *whenReader) since(n *document.Node, path string) condition {
	c, ok := readComparison(n.Text, ">=", readSeconds)
	switch {
	case n.Kind != document.String && n.Kind != document.Number:
		w.String(n, path, false)
	case !ok:
		w.Report(n, path, document.Excerpt(n.Text)+" is not a comparison",
			`write a duration, or an operator and a duration, for example "> 48h"`)
	}
	return number{fieldSince, c}
}
