package interpreter

// automation.go analyzes programs that automate other programs: osascript, expect and Tcl.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/code"
	"guardrails/detect/toolcall/code/lexer"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// osascriptProgram analyzes the shell commands in the AppleScript or JavaScript code that osascript runs.
func osascriptProgram(t *trace.Trace, c *trace.Command) trace.Flow {
	p := parseCommandLine(c.Args(), "e", "l s")
	if len(p.code) == 0 && (len(p.operands) > 0 || !c.In.Known) {
		return interpretFile(t, c, trace.Other, p.operands)
	}
	source := trace.Value{Text: c.In.Text}
	if len(p.code) > 0 {
		source = joinCode(p.code)
	}
	if strings.Contains(source.Text, "with administrator privileges") {
		t.Mark(c, "runs a command as root", effect.Privilege)
	}
	toks := lexer.Tokens(source.Text, trace.Other)
	runTextsAfter(t, c, toks, "script", "doShellScript")
	if strings.Contains(source.Text, "Finder") || strings.Contains(source.Text, "System Events") {
		finderDeletions(t, c, toks)
	}
	return trace.Unknown()
}

// finderDeletions adds the deletions in AppleScript code for the Finder, such as delete folder "x" of home.
func finderDeletions(t *trace.Trace, c *trace.Command, toks []lexer.Token) {
	for i := range toks {
		if !toks[i].IsWord("delete") && !toks[i].IsWord("empty") {
			continue
		}
		folder, name := "", ""
		for _, tok := range toks[i+1:] {
			if tok.Kind == lexer.Line || tok.IsWord("login") { // a login item is not a file
				break
			}
			switch {
			case tok.Kind == lexer.Text:
				name = words.OrElse(name, tok.Text)
			case tok.IsWord("home"):
				folder = "/"
			case tok.IsWord("desktop"):
				folder = "/Desktop/"
			case tok.IsWord("trash"):
				folder = "/.Trash/"
			}
		}
		path := t.Env.Home + words.OrElse(folder, "/") + words.OrElse(name, "*")
		if strings.HasPrefix(name, "/") {
			path = name
		}
		if folder+name != "" {
			t.Remove(trace.Value{Text: path}, c.Scope, c.Span, trace.Removal{Tree: true, How: "deletes"})
		}
	}
}

// runTextsAfter looks for texts that follow one of the words, and analyzes each of these texts as a command.
func runTextsAfter(t *trace.Trace, c *trace.Command, toks []lexer.Token, words ...string) {
	for i := range toks {
		for _, word := range words {
			if !toks[i].IsWord(word) {
				continue
			}
			j := i + 1
			for j < len(toks) && toks[j].IsOp("(") {
				j++
			}
			if j < len(toks) && toks[j].Kind == lexer.Text {
				t.RunText(c, trace.Value{Text: toks[j].Text})
			}
		}
	}
}

// expectProgram analyzes the script of expect, which can start programs with "spawn" and "exec".
func expectProgram(t *trace.Trace, c *trace.Command) trace.Flow {
	p := parseCommandLine(c.Args(), "c", "f b")
	if len(p.code) == 0 {
		return tclProgram(t, c)
	}
	Tcl(t, c, joinCode(p.code).Text)
	return trace.Unknown()
}

// tclProgram analyzes the script that tclsh runs, or the input if there is no script.
func tclProgram(t *trace.Trace, c *trace.Command) trace.Flow {
	p := parseCommandLine(c.Args(), "", "encoding")
	if len(p.operands) == 0 && c.In.Known {
		Tcl(t, c, c.In.Text)
		return trace.Unknown()
	}
	if len(p.operands) > 0 {
		if f, ok := t.Content[t.Place(p.operands[0], c.Scope).Name]; ok && f.Known {
			Tcl(t, c, f.Text)
			return trace.Unknown()
		}
	}
	return interpretFile(t, c, trace.Other, p.operands)
}

// Tcl analyzes a Tcl script. It adds the effects of the commands that the script runs, the files that it opens for
// writing, and the deletions of files.
func Tcl(t *trace.Trace, c *trace.Command, src string) {
	if len(src) > trace.MaxCommandSize {
		t.Opaque(c.Span, code.TooLarge, effect.TooLarge)
		return
	}
	split := func(r rune) bool { return r == '\n' || r == ';' || r == '[' || r == ']' }
	for _, line := range strings.FieldsFunc(src, split) {
		word, rest, _ := strings.Cut(strings.Trim(line, " \t{}"), " ")
		rest = strings.TrimRight(rest, " }")
		switch word {
		case "exec", "spawn", "system":
			rest = strings.TrimPrefix(strings.TrimSpace(rest), "-noecho ")
			t.RunText(c, trace.Value{Text: words.Replace(rest, "{", "'", "}", "'")})
		case "open":
			if fields := strings.Fields(rest); len(fields) > 1 && strings.ContainsAny(fields[1], "wa+") {
				path := trace.Value{Text: strings.Trim(fields[0], `"{}`)}
				path.Partial = strings.Contains(path.Text, "$")
				t.Write(path, c.Scope, c.Span)
			}
		case "file":
			if names, ok := strings.CutPrefix(strings.TrimSpace(rest), "delete"); ok {
				for _, name := range strings.Fields(names) {
					if !strings.HasPrefix(name, "-") {
						path := trace.Value{Text: strings.Trim(name, `"{}`)}
						path.Partial = strings.Contains(name, "$")
						t.Remove(path, c.Scope, c.Span, trace.Removal{Tree: true, How: "deletes"})
					}
				}
			}
		}
	}
}
