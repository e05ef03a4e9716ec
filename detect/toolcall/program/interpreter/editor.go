package interpreter

// editor.go analyzes editors that run commands: vim and ed.

import (
	"strings"

	"guardrails/detect/toolcall/code"
	"guardrails/detect/toolcall/code/lexer"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program/files"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// vimProgram handles vim and similar editors. It analyzes the commands in the arguments and in the input of these
// editors. An operand that begins with a plus is also a command.
func vimProgram(t *trace.Trace, c *trace.Command) trace.Flow {
	spec := "c S T U W i t u w cmd servername startuptime"
	if c.Name == "nvim" {
		spec += " l"
	}
	o := flags.Parse(c.Args(), spec)
	list := o.Values("c cmd")
	for _, v := range o.Values("S u") {
		sourceFile(t, c, v)
	}
	for _, v := range o.Values("l") {
		t.RunInner(c, []trace.Value{{Text: "lua"}, v})
	}
	var opened []trace.Value
	for _, v := range o.Operands {
		if text, ok := strings.CutPrefix(v.Text, "+"); ok {
			list = append(list, trace.Value{Text: text})
		} else if v.Text != "-" {
			opened = append(opened, v)
		}
	}
	commands := c.In.Text
	for _, v := range list {
		commands += "\n" + v.Text
	}
	if len(opened) > 0 {
		c.In = bufferOf(t, c, opened[0])
	}
	ExCommands(t, c, commands)
	for _, v := range opened {
		t.Read(v, c.Scope, c.Span)
		if savesBuffer(commands) {
			t.Write(v, c.Scope, c.Span)
			t.Inserts(v, c.Scope, files.EditText(commands))
		}
	}
	return trace.Unknown()
}

// bufferOf returns the content of the file that an editor has opened. Commands such as "w !sh" get this content as
// input.
func bufferOf(t *trace.Trace, c *trace.Command, v trace.Value) trace.Flow {
	return t.ContentOf(t.Place(v, c.Scope))
}

// sourceFile analyzes a file with commands of vim. NONE and DEFAULTS are not the names of files.
func sourceFile(t *trace.Trace, c *trace.Command, v trace.Value) {
	if strings.HasSuffix(v.Text, ".lua") {
		t.RunInner(c, []trace.Value{{Text: "lua"}, v})
	} else if v.Text != "" && v.Text != "NONE" && v.Text != "DEFAULTS" {
		t.CommandsIn(c, v, func(inner *trace.Command, text string) { ExCommands(t, inner, text) })
	}
}

// savesBuffer reports whether one of the ex commands writes the open file.
func savesBuffer(text string) bool {
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '|' }) {
		switch strings.Trim(part, " \t:%") {
		case "w", "w!", "write", "wq", "wq!", "x", "x!", "xit", "exit", "up", "update", "wa", "wa!", "wall", "wqa", "wqa!",
			"wqall", "xa", "xall", "ZZ":
			return true
		}
	}
	return false
}

// ExCommands analyzes the commands of the editor ex. Commands that only change the text in the editor have no effect.
func ExCommands(t *trace.Trace, c *trace.Command, text string) {
	for text != "" && !t.Full {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		t.Spend(len(line))
		runTextsAfter(t, c, lexer.Tokens(line, trace.Other), "system", "systemlist", "job_start", "jobstart", "term_start", "termopen")
		noteVimDelete(t, c, line)
		for line != "" {
			line = exLine(t, c, strings.TrimLeft(line, " \t:%|"), text)
		}
	}
}

// exLine analyzes one command of the editor ex, which can run a shell command, write or read a file, or run code of
// another language. It returns the rest of the line, which can have more commands. The parameter "later" is the
// text below this line.
func exLine(t *trace.Trace, c *trace.Command, line, later string) string {
	line = strings.TrimPrefix(strings.TrimPrefix(line, "silent! "), "silent ")
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	i := strings.IndexByte(line, '!')
	if i == 0 || i > 0 && line[i-1] != 'w' && strings.Trim(line[:i], "0123456789,$%.'<>r w") == "" {
		t.RunText(c, trace.Value{Text: line[i+1:]})
		return ""
	}
	operand, others, _ := strings.Cut(rest, "|")
	operand = strings.TrimSpace(operand)
	switch word {
	case words.Among(word, "w w! write write! sav saveas wq wq! x x!"):
		if operand != "" {
			t.Write(trace.Value{Text: operand}, c.Scope, c.Span)
		}
	case words.Among(word, "e e! r read edit tabe tabedit sp split vs vsplit new badd"):
		if operand == "" {
			break
		}
		t.Read(trace.Value{Text: operand}, c.Scope, c.Span)
		if word[0] != 'r' && savesBuffer(others+"\n"+later) {
			t.Write(trace.Value{Text: operand}, c.Scope, c.Span)
		}
	case "set", "se":
		if program, ok := strings.CutPrefix(operand, "shell="); ok && !trace.IsShell(trace.ProgramName(program)) {
			t.RunText(c, trace.Value{Text: program})
		}
	case words.Among(word, "so source luafile"):
		sourceFile(t, c, trace.Value{Text: operand})
	case words.Among(word, "exe exec execute"):
		ExCommands(t, c, strings.Trim(rest, `"'`))
		return ""
	case words.Among(word, "py py3 python python3 pyx"):
		code.Run(t, c, trace.Python, trace.Value{Text: rest})
		return ""
	case "lua":
		code.Run(t, c, trace.Lua, trace.Value{Text: rest})
		return ""
	case "perl":
		code.Run(t, c, trace.Perl, trace.Value{Text: rest})
		return ""
	case "ruby":
		code.Run(t, c, trace.Ruby, trace.Value{Text: rest})
		return ""
	default:
		_, others, _ = strings.Cut(line, "|")
	}
	return others
}

// noteVimDelete adds the effect on a file if a text calls Vim's function delete or writefile, as in delete("x") or
// writefile([], "x"). The parameter "call" is this text.
func noteVimDelete(t *trace.Trace, c *trace.Command, call string) {
	if strings.Contains(call, "writefile(") {
		behind := strings.Split(call[strings.LastIndexByte(call, ']')+1:], ",")
		path := strings.Trim(behind[min(1, len(behind)-1)], `'") `)
		t.Write(trace.Value{Text: path}, c.Scope, c.Span)
	}
	if _, rest, ok := strings.Cut(call, "delete("); ok {
		rest, _, _ = strings.Cut(rest, ")")
		name, flags, _ := strings.Cut(rest, ",")
		path := trace.Value{Text: strings.Trim(name, `'" `)}
		t.Remove(path, c.Scope, c.Span, trace.Removal{Tree: strings.Contains(flags, "r"), How: "deletes"})
	}
}

// edProgram handles the editor ed, which reads its commands from the input.
func edProgram(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "p prompt")
	for _, v := range o.Operands {
		if command, ok := strings.CutPrefix(v.Text, "!"); ok {
			t.RunText(c, trace.Value{Text: command, Quality: trace.Quality{Partial: v.Partial, Taint: v.Taint}})
			continue
		}
		if v.Text != "" && v.Text != "-" {
			t.Read(v, c.Scope, c.Span)
			noteEdWrite(t, c, v)
		}
	}
	if in := c.In; in.Known {
		if len(o.Operands) > 0 {
			c.In = bufferOf(t, c, o.Operands[0])
		}
		ExCommands(t, c, in.Text)
	}
	return trace.Unknown()
}

// noteEdWrite adds the effect of writing the file v if the input contains a command that saves the file, or if the
// input is unknown.
func noteEdWrite(t *trace.Trace, c *trace.Command, v trace.Value) {
	for _, line := range strings.Split(c.In.Text, "\n") {
		if !c.In.Known || line == "w" || line == "wq" || line == ",w" {
			t.Write(v, c.Scope, c.Span)
			t.Inserts(v, c.Scope, files.EditText(c.In.Text))
			return
		}
	}
}
