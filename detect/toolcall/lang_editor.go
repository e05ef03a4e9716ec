package toolcall

import "strings"

// vimProgram is vim and its kind, told on the command line what to do.
func vimProgram(a *analyzer, c *command) flow {
	files := []value{}
	args := c.args()
	said := c.in.text
	for i := 0; i < len(args); i++ {
		t := args[i].text
		switch {
		case t == "-c" || t == "--cmd" || t == "-S" || t == "-s" || t == "-u" || t == "-i" || t == "-W":
			i++
			if i < len(args) && (t == "-c" || t == "--cmd") {
				a.exCommands(c, args[i].text)
				said += "\n" + args[i].text
			}
		case t == "-sc" || t == "-Esc" || t == "-esc" || t == "-Nesc":
			i++
			a.exCommands(c, argAt(args, i))
			said += "\n" + argAt(args, i)
		case strings.HasPrefix(t, "-c") && len(t) > 2:
			a.exCommands(c, t[2:])
			said += "\n" + t[2:]
		case strings.HasPrefix(t, "+"):
			a.exCommands(c, t[1:])
			said += "\n" + t[1:]
		case !strings.HasPrefix(t, "-"):
			files = append(files, args[i])
		}
	}
	if c.in.known && strings.TrimSpace(c.in.text) != "" {
		a.exCommands(c, c.in.text)
	}
	for _, v := range files {
		a.read(v, c.sc, c.span)
		if exSaves(said) {
			a.write(v, c.sc, c.span)
		}
	}
	return unknown()
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

// exCommands follows the commands of ex that reach outside the buffer.
func (a *analyzer) exCommands(c *command, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		a.exLine(c, strings.TrimLeft(line, " \t:%"))
	}
}

func (a *analyzer) exLine(c *command, line string) {
	line = strings.TrimPrefix(strings.TrimPrefix(line, "silent! "), "silent ")
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	if i := strings.IndexByte(line, '!'); i == 0 || i > 0 && line[i-1] != 'w' && strings.Trim(line[:i], "0123456789,$%.'<>r w") == "" {
		a.runText(c, value{text: line[i+1:]})
		return
	}
	switch word {
	case among(word, "w w! write sav saveas wq x"):
		if rest != "" {
			target, _, _ := strings.Cut(rest, "|")
			a.write(value{text: strings.TrimSpace(target)}, c.sc, c.span)
		}
	case "e", "r", "read", "edit":
		if rest != "" {
			a.read(value{text: rest}, c.sc, c.span)
		}
	case "call":
		a.textsAfter(c, lex(rest, other), "system")
		a.vimDelete(c, rest)
	case among(word, "py py3 python python3 pyx"):
		a.runSource(c, python, value{text: rest})
	case "lua":
		a.runSource(c, lua, value{text: rest})
	case "perl":
		a.runSource(c, perl, value{text: rest})
	case "ruby":
		a.runSource(c, ruby, value{text: rest})
	}
}

// vimDelete is call delete("x").
func (a *analyzer) vimDelete(c *command, call string) {
	if rest, ok := strings.CutPrefix(call, "delete("); ok {
		name, flags, _ := strings.Cut(strings.Trim(rest, `)`), ",")
		a.remove(value{text: strings.Trim(name, `'" `)}, c.sc, c.span, removal{tree: strings.Contains(flags, "r"), how: "deletes"})
	}
}

// edProgram is ed: its commands come in as text.
func edProgram(a *analyzer, c *command) flow {
	for _, v := range c.args() {
		if command, ok := strings.CutPrefix(v.text, "!"); ok {
			a.runText(c, value{text: command, quality: quality{partial: v.partial, taint: v.taint}})
			continue
		}
		if v.text != "" && v.text[0] != '-' {
			a.read(v, c.sc, c.span)
			a.edSaves(c, v)
		}
	}
	if c.in.known {
		a.exCommands(c, c.in.text)
	}
	return unknown()
}

// edSaves notes that the file is written when the commands say so.
func (a *analyzer) edSaves(c *command, v value) {
	for line := range strings.SplitSeq(c.in.text, "\n") {
		if line == "w" || line == "wq" || line == ",w" {
			a.write(v, c.sc, c.span)
			return
		}
	}
}
