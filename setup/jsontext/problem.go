package jsontext

import (
	"fmt"

	"guardrails/internal/document"
)

// Problem is one mistake in a document. Column is 0 if only the line is known.
type Problem struct {
	document.Problem
	Column int
	// Syntax is set if the document is not valid JSON.
	Syntax bool
}

// Error returns the problem on one line, as file:line:column: path: message; remedy.
func (p *Problem) Error() string {
	if p.Column == 0 {
		return p.Problem.Error()
	}
	placed := p.Problem
	placed.File, placed.Line = fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column), 0
	return placed.Error()
}

func (t *Text) problemAt(at int, path, message, remedy string) *Problem {
	line, column := place(t.src, at)
	return &Problem{
		Problem: document.Problem{File: t.File, Line: line, Path: path, Message: message, Remedy: remedy}, Column: column,
	}
}

// Wrong returns a problem with a value.
func (t *Text) Wrong(n *Node, path, message, remedy string) *Problem {
	return t.problemAt(n.Start, path, message, remedy)
}

// Want returns a problem if a value does not have the given kind.
func (t *Text) Want(n *Node, path string, kind document.Kind) error {
	if n.Kind == kind {
		return nil
	}
	return t.Wrong(n, path, fmt.Sprintf("is %s where %s is expected", n.Kind, kind), "edit it yourself")
}

func (t *Text) duplicate(m *Member) error {
	p := document.DuplicateKey(t.File, 0, m.Name)
	return t.problemAt(m.Start, "", p.Message, p.Remedy)
}
