package interpreter

// unlisted.go analyzes code in languages for which there is no list of functions. A function is judged by the words in
// its name.

import (
	"strings"

	"guardrails/detect/toolcall/code"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// codeOptions lists the names of options whose value is code in most interpreters.
const codeOptions = "e eval evaluate execute c code batch run r"

// Unlisted analyzes the code in a call of a program without a handler, such as janet -e CODE. It is not certain that
// such a program is an interpreter, so only the commands and deletions in the code count. If the program has a handler
// ("handled"), Unlisted does nothing, except for the programs in buildTools, whose handlers do not analyze code.
func Unlisted(t *trace.Trace, c *trace.Command, handled bool) {
	if handled && c.Name != words.Among(c.Name, buildTools) ||
		program.TakesProse(c.Name) || c.Name == words.Among(c.Name, searchers) {
		return
	}
	args := c.Args()
	for i, v := range args {
		option, value, attached := cutOption(v.Text)
		switch {
		case attached:
			v.Text = value
		case i+1 < len(args) && (option != "" || i < 2 && v.Text == "eval"):
			v = args[i+1]
		default:
			continue
		}
		if looksLikeCode(v.Text) {
			code.Run(t, c, languageOfProgram(c.Name), v)
		}
	}
}

// buildTools lists programs that have a handler and can also run code that is on their command line, as in crystal eval
// CODE.
const buildTools = "crystal swift nim mix dotnet lein"

// languageOfProgram returns the language in which a program's code is analyzed: the program's own language, or the most
// similar known language.
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

// The constant "searchers" lists programs that search code for a pattern. The pattern looks like code too.
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

// looksLikeCode reports whether a text may be code that calls something. Such code contains a bracket or a quote.
func looksLikeCode(text string) bool { return strings.ContainsAny(text, "`(\"'") }
