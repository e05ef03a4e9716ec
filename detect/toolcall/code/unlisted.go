package code

// unlisted.go analyzes code in languages whose functions are not listed. The words in the name of a function say what
// the function does.

import (
	"strings"

	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// codeOptions lists the options with which most interpreters take code.
const codeOptions = "e eval evaluate execute c code batch run r"

// Unlisted analyzes the code that a program without a handler gets, as in janet -e CODE. The program may also be no
// interpreter at all, so only what the code runs or deletes counts. handled is set if the program has a handler. Some
// of these handlers know nothing of code.
func Unlisted(t *trace.Trace, c *trace.Command, handled bool) {
	if handled && c.Name != words.Among(c.Name, buildTools) ||
		program.TakesProse(c.Name) || c.Name == words.Among(c.Name, searchers) {
		return
	}
	args := c.Args()
	for i, v := range args {
		option, code, attached := cutOption(v.Text)
		switch {
		case attached:
			v.Text = code
		case i+1 < len(args) && (option != "" || i < 2 && v.Text == "eval"):
			v = args[i+1]
		default:
			continue
		}
		if looksLikeCode(v.Text) {
			Run(t, c, languageOfProgram(c.Name), v)
		}
	}
}

// buildTools lists programs with a handler that can also run code from their command line, as in crystal eval CODE.
const buildTools = "crystal swift nim mix dotnet lein"

// languageOfProgram returns the language of a program's code, or the language that is most like it.
func languageOfProgram(name string) trace.Language {
	switch name {
	case "crystal":
		return trace.Ruby
	case "nim":
		return trace.Python
	case "swift", "kotlin", "csharp", "dotnet":
		return trace.Compiled
	case "mix":
		return trace.Elixir
	}
	return trace.Other
}

// searchers lists programs that search code for a pattern which is itself code.
const searchers = "semgrep opengrep sg ast-grep ack ag ugrep comby weggli codeql"

// cutOption returns the name of an option that takes code, and its value if the value is in the same argument.
func cutOption(arg string) (option, value string, attached bool) {
	name := strings.TrimLeft(arg, "-")
	if name == arg {
		return "", "", false
	}
	if i := strings.IndexAny(name, "=:"); i > 0 {
		name, value, attached = name[:i], name[i+1:], true
	}
	if !flags.TakesValue(codeOptions, name) {
		return "", "", false
	}
	return name, value, attached
}

// looksLikeCode reports whether a text can be code that does something.
func looksLikeCode(text string) bool { return strings.ContainsAny(text, "`(\"'") }

// startsProgram reports whether code in a language that is not analyzed has a name that means running a command.
func startsProgram(toks []token) bool {
	for i := range toks {
		if toks[i].kind == tokName && words.InName(toks[i].text, "system shell run launch exec execute spawn cmd command sh proc "+
			"process popen program") {
			return true
		}
	}
	return false
}

// noteDeletions adds the deletion of each path that is an argument of a function whose name means deleting, or the
// object of such a method.
func (in *interpreter) noteDeletions(toks []token) {
	for i := range toks {
		name := toks[i].text
		if toks[i].kind != tokName || !words.InName(name, "delete remove unlink rmdir del rm rmtree deltree erase") ||
			otherAction(trace.Other, name).kind != noAction && (i+1 == len(toks) || !toks[i+1].isOp("/")) {
			continue
		}
		path, ok := pathNear(toks, i)
		folder := words.InName(name, "recursively tree rmtree deltree directory") || words.InName(name, "dir") && words.InName(name, "r")
		if !ok && (!folder || !isBareName(path)) || !in.spend(len(path)) {
			continue
		}
		tree := words.InName(name, "recursive recursively tree rmtree deltree rf all r contents files item dir directory rmdir") ||
			i+2 < len(toks) && toks[i+1].isOp(".") && words.InName(toks[i+2].text, "all recursive")
		in.trace.Remove(trace.Value{Text: path}, in.command.Scope, in.command.Span, trace.Removal{Tree: tree, How: "deletes"})
	}
}

// pathNear returns the path that the call at an index of the tokens is about. Most languages put it behind the name.
// Methods have it in front.
func pathNear(toks []token, at int) (path string, ok bool) {
	const reach = 9
	for _, tok := range toks[at+1 : min(at+1+reach, len(toks))] {
		if tok.kind == tokText {
			return tok.text, isPathText(tok.text)
		}
		if tok.isOp(";") || tok.kind == tokLine {
			break
		}
	}
	for i := at - 1; i >= max(0, at-reach) && at > 0 && toks[at-1].isOp("."); i-- {
		if toks[i].kind == tokText {
			return toks[i].text, isPathText(toks[i].text)
		}
	}
	return "", false
}

// isPathText reports whether a text names a file for certain. A slash alone is usually a separator.
func isPathText(text string) bool {
	return len(text) > 1 && strings.IndexByte(text, '/') >= 0 && !strings.ContainsAny(text, " \n()<>") || text == "~"
}

// isBareName reports whether a text can be the name of a folder without a slash.
func isBareName(text string) bool {
	return len(text) > 1 && !strings.ContainsAny(text, " \n()<>,:;=\"")
}
