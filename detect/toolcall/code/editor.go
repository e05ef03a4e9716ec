package code

// Editors that run commands: vim and ed.

import (
	"strings"

	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// vimProgram handles vim and similar editors. It analyzes the commands in their arguments and in their input. An
// operand that begins with a plus is also a command.
func vimProgram(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "c S T U W i t u w cmd servername startuptime")
	list := o.Values("c cmd")
	var files []trace.Value
	for _, v := range o.Operands {
		if text, ok := strings.CutPrefix(v.Text, "+"); ok {
			list = append(list, trace.Value{Text: text})
		} else if v.Text != "-" {
			files = append(files, v)
		}
	}
	commands := c.In.Text
	for _, v := range list {
		ExCommands(t, c, v.Text)
		commands += "\n" + v.Text
	}
	if c.In.Known && strings.TrimSpace(c.In.Text) != "" {
		ExCommands(t, c, c.In.Text)
	}
	for _, v := range files {
		t.Read(v, c.Scope, c.Span)
		if savesBuffer(commands) {
			t.Write(v, c.Scope, c.Span)
		}
	}
	return trace.Unknown()
}

// savesBuffer reports whether one of the ex commands writes the open file.
func savesBuffer(text string) bool {
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '|' }) {
		switch strings.Trim(part, " \t:%") {
		case "w", "w!", "write", "wq", "wq!", "x", "x!", "xit", "exit", "up", "update", "wa", "wa!", "wall", "wqa", "wqa!",
			"wqall", "xa", "xall", "ZZ":
			return true
		}
	}
	return false
}

// ExCommands analyzes commands of the editor ex that do more than change the text in the editor.
func ExCommands(t *trace.Trace, c *trace.Command, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		exLine(t, c, strings.TrimLeft(line, " \t:%"))
	}
}

// exLine analyzes one command of the editor ex, which can run a shell command, write or read a file, or run code of
// another language.
func exLine(t *trace.Trace, c *trace.Command, line string) {
	line = strings.TrimPrefix(strings.TrimPrefix(line, "silent! "), "silent ")
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	i := strings.IndexByte(line, '!')
	if i == 0 || i > 0 && line[i-1] != 'w' && strings.Trim(line[:i], "0123456789,$%.'<>r w") == "" {
		t.RunText(c, trace.Value{Text: line[i+1:]})
		return
	}
	switch word {
	case words.Among(word, "w w! write sav saveas wq x"):
		if rest != "" {
			target, _, _ := strings.Cut(rest, "|")
			t.Write(trace.Value{Text: strings.TrimSpace(target)}, c.Scope, c.Span)
		}
	case "e", "r", "read", "edit":
		if rest != "" {
			t.Read(trace.Value{Text: rest}, c.Scope, c.Span)
		}
	case "call":
		runTextsAfter(t, c, lex(rest, trace.Other), "system")
		noteVimDelete(t, c, rest)
	case words.Among(word, "py py3 python python3 pyx"):
		Run(t, c, trace.Python, trace.Value{Text: rest})
	case "lua":
		Run(t, c, trace.Lua, trace.Value{Text: rest})
	case "perl":
		Run(t, c, trace.Perl, trace.Value{Text: rest})
	case "ruby":
		Run(t, c, trace.Ruby, trace.Value{Text: rest})
	}
}

// noteVimDelete adds the deletion of a file if call is a call of Vim's delete function, such as delete("x").
func noteVimDelete(t *trace.Trace, c *trace.Command, call string) {
	if rest, ok := strings.CutPrefix(call, "delete("); ok {
		name, flags, _ := strings.Cut(strings.Trim(rest, `)`), ",")
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
	if c.In.Known {
		ExCommands(t, c, c.In.Text)
	}
	return trace.Unknown()
}

// noteEdWrite adds a write of the file v if the input contains a command that saves the file, or if the input is
// unknown.
func noteEdWrite(t *trace.Trace, c *trace.Command, v trace.Value) {
	for line := range strings.SplitSeq(c.In.Text, "\n") {
		if !c.In.Known || line == "w" || line == "wq" || line == ",w" {
			t.Write(v, c.Scope, c.Span)
			return
		}
	}
}
