package code

// unknown.go looks for commands and deletions in code of a language that is not analyzed.

import (
	"strings"

	"guardrails/detect/toolcall/code/lexer"
	"guardrails/detect/toolcall/code/library"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// Names of functions in a language that is not analyzed may contain these words. The words suggest that the function
// starts a program, writes a file or reads a file.
const (
	startWords = "system shell run launch exec execute spawn cmd command sh proc process popen program"
	writeWords = "write spit output out save dump put puts fopen fprintf copy rename move append truncate export temp"
	readWords  = "read slurp input open load contents"
)

// hasWord reports whether the code contains a name with one of the words.
func hasWord(toks []lexer.Token, list string) bool {
	for i := range toks {
		if toks[i].Kind == lexer.Name && words.InName(toks[i].Text, list) {
			return true
		}
	}
	return false
}

// noteDeletions looks for functions whose names suggest a deletion, such as remove, and adds the deletion of a path.
// The path is an argument of the function or, for a method, the object of the method.
func (in *interpreter) noteDeletions(toks []lexer.Token) {
	for i := range toks {
		name := toks[i].Text
		if toks[i].Kind != lexer.Name || !words.InName(name, "delete remove unlink rmdir del rm rmtree deltree erase") ||
			library.ActionOf(trace.Other, name).Kind != library.NoAction && (i+1 == len(toks) || !toks[i+1].IsOp("/")) {
			continue
		}
		path, ok := pathNear(toks, i)
		folder := words.InName(name, "recursively tree rmtree deltree directory") || words.InName(name, "dir") && words.InName(name, "r")
		if !ok && (!folder || !isBareName(path)) || !in.spend(len(path)) {
			continue
		}
		tree := words.InName(name, "recursive recursively tree rmtree deltree rf all r contents files item dir directory rmdir") ||
			i+2 < len(toks) && toks[i+1].IsOp(".") && words.InName(toks[i+2].Text, "all recursive")
		in.Trace.Remove(trace.Value{Text: path}, in.Command.Scope, in.Command.Span, trace.Removal{Tree: tree, How: "deletes"})
	}
}

// pathNear returns the path that belongs to a function. The parameter "at" is the index of the function's name in
// the tokens. pathNear looks for a text after the name. If there is no such text and the function is a method, it looks
// before the name.
func pathNear(toks []lexer.Token, at int) (path string, ok bool) {
	const reach = 9
	for _, tok := range toks[at+1 : min(at+1+reach, len(toks))] {
		if tok.Kind == lexer.Text {
			return tok.Text, isPathText(tok.Text)
		}
		if tok.IsOp(";") || tok.Kind == lexer.Line {
			break
		}
	}
	for i := at - 1; i >= max(0, at-reach) && at > 0 && toks[at-1].IsOp("."); i-- {
		if toks[i].Kind == lexer.Text {
			return toks[i].Text, isPathText(toks[i].Text)
		}
	}
	return "", false
}

// isPathText reports whether a text is certainly the path of a file. A text that is only a slash is usually a
// separator.
func isPathText(text string) bool {
	return len(text) > 1 && strings.IndexByte(text, '/') >= 0 && !strings.ContainsAny(text, " \n()<>") || text == "~"
}

// isBareName reports whether a text without a slash may be the name of a folder.
func isBareName(text string) bool {
	return len(text) > 1 && !strings.ContainsAny(text, " \n()<>,:;=\"")
}
