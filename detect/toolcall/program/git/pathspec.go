package git

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/guideline/pattern"
)

// change() adds the effects of changing or deleting the files that pathspecs name.
func (g *gitCall) change(t *trace.Trace, kind effect.Kind, list []trace.Value) {
	for _, v := range g.pathspecs(t, list) {
		p := t.Place(v, g.Scope)
		e := p.Effect(kind, g.Span)
		e.Tree = !v.Glob
		t.NoteNames(&p, &e)
		t.Emit(e)
	}
}

// stashPaths returns the pathspecs of "git stash push" and of "git stash -- PATH".
func (g *gitCall) stashPaths() []trace.Value {
	if g.o.Word(0) == "push" {
		return g.o.Operands[1:]
	}
	if rest, _ := flags.AfterDashes(g.rest); len(rest) == len(g.o.Operands) {
		return rest
	}
	return nil
}

// pathspecs converts pathspecs of git to paths and to globs as shells have them. In these globs, ** matches slashes
// too. Pathspecs that exclude files are left out.
func (g *gitCall) pathspecs(t *trace.Trace, list []trace.Value) []trace.Value {
	_, anyCase := g.Scope.Vars.Find("GIT_ICASE_PATHSPECS")
	anyCase = anyCase || g.global.Has("icase-pathspecs")
	if len(list) == 0 || !anyCase && !strings.ContainsAny(trace.JoinAll(list), `:*?[\`) {
		return list
	}
	out := list[:0:0]
	for _, v := range list {
		if text, ok := g.pathOf(t, v.Text, anyCase); ok {
			v.Text, v.Glob = text, strings.ContainsAny(text, "*?[")
			out = append(out, v)
		}
	}
	if len(out) == 0 {
		return []trace.Value{{Text: "."}}
	}
	return out
}

// pathOf converts one pathspec. It returns false if the pathspec excludes files. If it is a glob that may aim at the
// guard, pathOf sets Trace.Pathspecs. A glob such as *.json does not: for it, only Env.Guardless says what git would
// do to the guard's files.
func (g *gitCall) pathOf(t *trace.Trace, text string, anyCase bool) (string, bool) {
	magic, isTop := "", false
	text = trace.Slashes(text)
	if rest, ok := strings.CutPrefix(text, ":"); ok && strings.HasPrefix(rest, "(") { // as in :(top,glob)src/*
		magic, text, _ = strings.Cut(rest, ")")
		magic = "," + magic[1:] + ","
		isTop = strings.Contains(magic, ",top,")
	} else if ok { // as in :/src and :!src
		text = strings.TrimLeft(rest, "/!^")
		if strings.ContainsAny(rest[:len(rest)-len(text)], "!^") {
			return "", false
		}
		isTop = text != rest || text == ""
		text = strings.TrimPrefix(text, ":")
	}
	if strings.Contains(magic, ",exclude,") {
		return "", false
	}
	if !strings.Contains(magic, ",literal,") {
		text = strings.ReplaceAll(text, `\`, "")
		if !strings.Contains(magic, ",glob,") {
			text = strings.ReplaceAll(strings.ReplaceAll(pattern.Plain(text), "?", "*"), "*", "**")
		}
		if anyCase || strings.Contains(magic, ",icase,") {
			text = strings.Map(func(r rune) rune {
				if r|' ' >= 'a' && r|' ' <= 'z' {
					r = '?' // any letter
				}
				return r
			}, text)
		}
		if strings.Trim(text, "*") == "" {
			text = "." // everything
		}
		ending, isEnding := strings.CutPrefix(strings.TrimLeft(text, "*/"), ".")
		isEnding = isEnding && text[0] == '*' && !strings.ContainsAny(ending, "./*?[")
		t.Pathspecs = t.Pathspecs || !isEnding && strings.ContainsAny(text, "*?[")
	}
	if _, inside := trace.Below(g.Scope.Cwd, t.Env.Root); inside && isTop {
		text = t.Env.Root + "/" + text
	}
	return text, true
}
