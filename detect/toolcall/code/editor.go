package code

import (
	"strings"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// vimProgram is vim and its kind, told on the command line what to do.
func vimProgram(a *trace.Trace, c *trace.Command) trace.Flow {
	files := []trace.Value{}
	args := c.Args()
	said := c.In.Text
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		switch {
		case t == "-c" || t == "--cmd" || t == "-S" || t == "-s" || t == "-u" || t == "-i" || t == "-W":
			i++
			if i < len(args) && (t == "-c" || t == "--cmd") {
				ExCommands(a, c, args[i].Text)
				said += "\n" + args[i].Text
			}
		case t == "-sc" || t == "-Esc" || t == "-esc" || t == "-Nesc":
			i++
			ExCommands(a, c, trace.ArgAt(args, i))
			said += "\n" + trace.ArgAt(args, i)
		case strings.HasPrefix(t, "-c") && len(t) > 2:
			ExCommands(a, c, t[2:])
			said += "\n" + t[2:]
		case strings.HasPrefix(t, "+"):
			ExCommands(a, c, t[1:])
			said += "\n" + t[1:]
		case !strings.HasPrefix(t, "-"):
			files = append(files, args[i])
		}
	}
	if c.In.Known && strings.TrimSpace(c.In.Text) != "" {
		ExCommands(a, c, c.In.Text)
	}
	for _, v := range files {
		a.Read(v, c.Scope, c.Span)
		if exSaves(said) {
			a.Write(v, c.Scope, c.Span)
		}
	}
	return trace.Unknown()
}

// exSaves reports whether commands of ex write the file that is open.
func exSaves(text string) bool {
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '|' }) {
		switch strings.Trim(part, " \t:%") {
		case "w", "w!", "write", "wq", "wq!", "x", "x!", "xit", "exit", "up", "update", "wa", "wa!", "wall", "wqa", "wqa!", "wqall", "xa", "xall", "ZZ":
			return true
		}
	}
	return false
}

// ExCommands follows the commands of ex that reach outside the buffer.
func ExCommands(t *trace.Trace, c *trace.Command, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		exLine(t, c, strings.TrimLeft(line, " \t:%"))
	}
}

func exLine(t *trace.Trace, c *trace.Command, line string) {
	line = strings.TrimPrefix(strings.TrimPrefix(line, "silent! "), "silent ")
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	if i := strings.IndexByte(line, '!'); i == 0 || i > 0 && line[i-1] != 'w' && strings.Trim(line[:i], "0123456789,$%.'<>r w") == "" {
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
		textsAfter(t, c, lex(rest, trace.Other), "system")
		vimDelete(t, c, rest)
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

// vimDelete is call delete("x").
func vimDelete(t *trace.Trace, c *trace.Command, call string) {
	if rest, ok := strings.CutPrefix(call, "delete("); ok {
		name, flags, _ := strings.Cut(strings.Trim(rest, `)`), ",")
		t.Remove(trace.Value{Text: strings.Trim(name, `'" `)}, c.Scope, c.Span, trace.Removal{Tree: strings.Contains(flags, "r"), How: "deletes"})
	}
}

// edProgram is ed: its commands come in as text.
func edProgram(t *trace.Trace, c *trace.Command) trace.Flow {
	for _, v := range c.Args() {
		if command, ok := strings.CutPrefix(v.Text, "!"); ok {
			t.RunText(c, trace.Value{Text: command, Quality: trace.Quality{Partial: v.Partial, Taint: v.Taint}})
			continue
		}
		if v.Text != "" && v.Text[0] != '-' {
			t.Read(v, c.Scope, c.Span)
			edSaves(t, c, v)
		}
	}
	if c.In.Known {
		ExCommands(t, c, c.In.Text)
	}
	return trace.Unknown()
}

// edSaves notes that the file is written when the commands say so.
func edSaves(t *trace.Trace, c *trace.Command, v trace.Value) {
	for line := range strings.SplitSeq(c.In.Text, "\n") {
		if line == "w" || line == "wq" || line == ",w" {
			t.Write(v, c.Scope, c.Span)
			return
		}
	}
}
