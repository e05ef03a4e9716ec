package toolcall

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"guardrails/detect/effect"
)

func (a *analyzer) isCalling(name string) bool {
	for _, n := range a.calling {
		if n == name {
			return true
		}
	}
	return false
}

func (a *analyzer) expandAlias(name, text string, argv []value, span effect.Span, sc *scope, io streams) flow {
	a.calling = append(a.calling, name)
	defer func() { a.calling = a.calling[:len(a.calling)-1] }()
	rest := ""
	for _, v := range argv[1:] {
		rest += " " + quote(v.text)
	}
	return a.inside(span, func() flow { return a.script(text+rest, sc, io.in) })
}

// quote writes a text so that a shell reads it back as one word.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func (a *analyzer) callFunction(name string, body *syntax.Stmt, argv []value, span effect.Span, sc *scope, io streams) flow {
	if a.isCalling(name) {
		if len(a.calling) > 0 && a.calling[len(a.calling)-1] == name {
			a.opaque(span, "the function "+name+" calls itself without end", effect.ResourceExhaust)
		}
		return unknown()
	}
	if len(a.calling) >= MaxDepth {
		a.overflow("has functions that call one another deeper than 24 levels")
		return unknown()
	}
	a.calling = append(a.calling, name)
	defer func() { a.calling = a.calling[:len(a.calling)-1] }()
	defer sc.enterFunction(append([]value{}, argv[1:]...))()
	return a.inside(span, func() flow { return a.statement(body, sc, io.in) })
}

// inside analyses with every span set to the outer command's.
func (a *analyzer) inside(span effect.Span, analyse func() flow) flow {
	if a.within == nil {
		a.within = &span
		defer func() { a.within = nil }()
	}
	return analyse()
}
