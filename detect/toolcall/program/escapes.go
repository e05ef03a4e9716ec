package program

// This file finds shell commands in the languages of programs that are not interpreters, such as the commands of a
// pager, the key bindings of fzf, and the macros of m4 and TeX.

import (
	"strings"

	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// Escapes is a function that analyzes the shell commands in texts that a program reads in its own language.
func Escapes(t *trace.Trace, c *trace.Command) {
	switch c.Name {
	case "less", "more", "most":
		for _, v := range c.Args() {
			pagerCommand(t, c, v)
		}
	case "fzf", "sk":
		o := flags.Parse(c.Args(), flags.Abbreviates+"bind q query f filter preview prompt header d delimiter n nth")
		for _, v := range o.Values("bind") {
			eachBinding(v.Text, func(command string) { t.RunText(c, trace.Value{Text: command}) })
		}
	case "dc":
		o := flags.Parse(c.Args(), flags.Abbreviates+"e expression f file")
		inText(t, c, append(o.Values("e expression"), input(c)...), append(o.Values("f file"), o.Operands...), calculatorLines)
	case "m4":
		o := flags.Parse(c.Args(), "D U I F R B S o include define")
		inText(t, c, input(c), o.Operands, macros)
	case "sqlplus":
		inText(t, c, input(c), nil, hostLines)
	case "mvn", "mvnw", "mvnd":
		mavenCommand(t, c)
	case words.Among(c.Name, "tex latex pdftex pdflatex xetex xelatex luatex lualatex etex latexmk"):
		typeset(t, c)
	}
}

// input() returns the input of a command as a text. If the input is not known, the function returns nil.
func input(c *trace.Command) []trace.Value {
	if !c.In.Known {
		return nil
	}
	return []trace.Value{{Text: c.In.Text}}
}

// inText calls analyze() for each text in the parameter "list", and for the text of each file in the parameter "files".
// The text of a file is known if the call has written the file, or if the file is on disk.
func inText(t *trace.Trace, c *trace.Command, list, files []trace.Value, analyze func(*trace.Trace, *trace.Command, string)) {
	for _, v := range list {
		analyze(t, c, v.Text)
	}
	for _, v := range files {
		p := t.Place(v, c.Scope)
		t.TextAt(c, &p, func(inner *trace.Command, text string) { analyze(t, inner, text) })
	}
}

// pagerCommand analyzes an argument such as "+!ls", which a pager executes when it starts. With "+|.wc", the pager
// pipes a part of the file into the command wc.
func pagerCommand(t *trace.Trace, c *trace.Command, v trace.Value) {
	text, ok := strings.CutPrefix(v.Text, "+")
	text = strings.TrimPrefix(text, "+")
	switch {
	case !ok:
	case strings.HasPrefix(text, "!"):
		t.RunText(c, trace.Value{Text: strings.TrimLeft(text, "!#")})
	case strings.HasPrefix(text, "|") && len(text) > 2:
		t.RunText(c, trace.Value{Text: text[2:]})
	}
}

// The constant "bindings" lists the actions of fzf that run a command, such as execute(…) and reload:….
const bindings = "execute execute-silent become reload reload-sync preview change-preview transform transform-query transform-prompt " +
	"transform-header transform-preview-label transform-border-label"

// eachBinding calls run() for each command in a list of key bindings such as ctrl-o:execute(open {}),enter:become:vi
// {}.
func eachBinding(list string, run func(command string)) {
	for list != "" {
		start := strings.IndexFunc(list, func(r rune) bool { return r >= 'a' && r <= 'z' })
		if start < 0 {
			return
		}
		list = list[start:]
		end := strings.IndexFunc(list, func(r rune) bool { return (r < 'a' || r > 'z') && r != '-' && (r < '0' || r > '9') })
		if end < 0 {
			return
		}
		name := list[:end]
		list = list[end:]
		if name != words.Among(name, bindings) {
			continue
		}
		if list[0] == ':' {
			run(list[1:])
			return
		}
		inner, rest := enclosed(list)
		run(inner)
		list = rest
	}
}

// enclosed() splits a text that begins with a bracket or another delimiter. It returns the text between this delimiter
// and the closing delimiter, and the text after the closing delimiter.
func enclosed(text string) (inner, rest string) {
	opening, closing := text[0], words.Closing(text[0])
	depth := 1
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case closing:
			if depth--; depth == 0 {
				return text[1:i], text[i+1:]
			}
		case opening:
			depth++
		}
	}
	return text[1:], ""
}

// calculatorLines analyzes the lines of dc, which runs the rest of a line after an exclamation mark. The operators
// "!<", "!>" and "!=" only compare numbers.
func calculatorLines(t *trace.Trace, c *trace.Command, text string) {
	for _, line := range strings.Split(text, "\n") {
		if _, command, ok := strings.Cut(line, "!"); ok && command != "" && strings.IndexByte("<>=", command[0]) < 0 {
			t.RunText(c, trace.Value{Text: command})
		}
	}
}

// hostLines analyzes the lines of SQL*Plus, which runs a command after "!" or "host".
func hostLines(t *trace.Trace, c *trace.Command, text string) {
	for _, line := range strings.Split(text, "\n") {
		first, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if command, ok := strings.CutPrefix(strings.TrimSpace(line), "!"); ok {
			t.RunText(c, trace.Value{Text: command})
		} else if strings.EqualFold(first, "host") || strings.EqualFold(first, "ho") {
			t.RunText(c, trace.Value{Text: rest})
		}
	}
}

// mavenCommand analyzes the program that Maven runs for the goal exec:exec.
func mavenCommand(t *trace.Trace, c *trace.Command) {
	var command, args string
	runs := false
	for _, v := range c.Args() {
		if name, value, ok := strings.Cut(v.Text, "="); ok && name == "-Dexec.executable" {
			command = value
		} else if ok && name == "-Dexec.args" {
			args = value
		}
		runs = runs || strings.HasPrefix(v.Text, "exec:exec")
	}
	if runs && command != "" {
		t.RunText(c, trace.Value{Text: command + " " + args})
	}
}

// macros() analyzes the commands in the macros syscmd and esyscmd of m4.
func macros(t *trace.Trace, c *trace.Command, text string) {
	for eachAfter(&text, "syscmd(") {
		inner, rest := enclosed(text)
		t.RunText(c, trace.Value{Text: words.Replace(inner, "`", "", "'", "")})
		text = rest
	}
}

// eachAfter finds the next mark, such as "syscmd(", in a text. It removes everything before the last character of the
// mark. It returns false if the text does not contain the mark.
func eachAfter(text *string, mark string) bool {
	i := strings.Index(*text, mark)
	if i < 0 {
		return false
	}
	*text = (*text)[i+len(mark)-1:]
	return true
}

// The function typeset analyzes the commands in a TeX document, if the call lets TeX run commands.
func typeset(t *trace.Trace, c *trace.Command) {
	var code, files []trace.Value
	allowed := false
	for _, v := range c.Args() {
		switch option := strings.TrimLeft(v.Text, "-"); {
		case option == "shell-escape" || option == "enable-write18":
			allowed = true
		case strings.HasPrefix(v.Text, "-"):
		case strings.HasPrefix(v.Text, `\`):
			code = append(code, v)
		default:
			if !strings.HasSuffix(v.Text, ".tex") {
				v.Text += ".tex"
			}
			files = append(files, v)
		}
	}
	if allowed {
		inText(t, c, append(code, input(c)...), files, document)
	}
}

// document() analyzes what a TeX document runs: \write18{…}, \ShellEscape{…}, \input{|…} and the Lua code in
// \directlua{…}.
func document(t *trace.Trace, c *trace.Command, text string) {
	for _, mark := range [...]string{`\write18{`, `\ShellEscape{`, `\input{|`, `\input|`, `\directlua{`} {
		for rest := text; eachAfter(&rest, mark); {
			var inner string
			inner, rest = commandIn(rest)
			if mark == `\directlua{` {
				t.RunInner(c, []trace.Value{{Text: "lua"}, {Text: "-e"}, {Text: inner}})
			} else {
				t.RunText(c, trace.Value{Text: strings.Trim(inner, `"`)})
			}
		}
	}
}

// commandIn returns the command at the beginning of a text, and the rest of the text. The command is in braces, or it
// follows a bar and ends at the end of the line or at the closing brace.
func commandIn(text string) (inner, rest string) {
	if text[0] != '|' {
		return enclosed(text)
	}
	end := strings.IndexAny(text, "}\n")
	if end < 0 {
		end = len(text)
	}
	return text[1:end], text[end:]
}
