package toolcall

import "strings"

// shellScript follows a script on disk that a shell of its own runs.
func (a *analyzer) shellScript(c *command, p *place, name string, args []value) bool {
	return a.fromDisk(c, p, func(inner *command, text string) {
		sc := c.sc.sub()
		sc.funcs, sc.aliases, sc.vars = nil, nil, clone(sc.vars)
		sc.args = append([]value{}, args...)
		named(sc, name)
		a.inside(c.span, func() flow { return a.script(text, sc, inner.in) })
	})
}

// named tells a script its own name.
func named(sc *scope, name string) {
	self := variable{values: []value{{text: name}}}
	sc.set("0", self)
	sc.set("BASH_SOURCE", self)
}

// sourcedScript follows a script on disk in the shell that reads it.
func (a *analyzer) sourcedScript(c *command, v value) bool {
	p := a.place(v, c.sc)
	return a.fromDisk(c, &p, func(_ *command, text string) {
		before := c.sc.save("BASH_SOURCE")
		c.sc.set("BASH_SOURCE", variable{values: []value{{text: v.text}}})
		if args := c.argv[2:]; len(args) > 0 {
			outer := c.sc.args
			c.sc.args = append([]value{}, args...)
			defer func() { c.sc.args = outer }()
		}
		a.inside(c.span, func() flow { return a.script(text, c.sc, nothing()) })
		c.sc.restore(before)
	})
}

// codeScript follows a script on disk that an interpreter runs.
func (a *analyzer) codeScript(c *command, t tongue, p *place) bool {
	return a.fromDisk(c, p, func(inner *command, text string) {
		a.runSource(inner, t, value{text: text})
	})
}

// inputScript follows a script on disk that a shell or another interpreter reads from its input; the file is named as
// effects show it.
func (a *analyzer) inputScript(c *command, file string, analyse func(inner *command, text string)) bool {
	if a.env.Script == nil || strings.Contains(file, "$") {
		return false
	}
	if rest, ok := strings.CutPrefix(file, "~/"); ok {
		file = a.env.Home + "/" + rest
	}
	p := a.place(value{text: file}, &scope{cwd: a.env.Root})
	return a.fromDisk(c, &p, analyse)
}

// programFile follows a program that is called by its path and is a script: ./build.sh, bin/tool.
func (a *analyzer) programFile(c *command) {
	v := c.argv[0]
	if a.env.Script == nil || v.partial || v.glob || strings.IndexByte(v.text, '/') < 0 || strings.HasPrefix(v.text, "/usr/") || strings.HasPrefix(v.text, "/bin/") {
		return
	}
	p := a.place(v, c.sc)
	number := a.scriptAt(&p, c.sc)
	if number == 0 {
		return
	}
	before := shebang(a.scripts.read[number-1].Text)
	if len(before) == 0 || isShell(before[0].text) {
		a.shellScript(c, &p, v.text, c.args())
		return
	}
	handle := languageHandler(before[0].text)
	if handle == nil {
		return
	}
	inner := *c
	inner.name = before[0].text
	inner.argv = append(append(before, v), c.args()...)
	handle(a, &inner)
}

// shebang is the interpreter that a script names in its first line, with its options; nothing when it names none, so
// that a shell runs it.
func shebang(text string) []value {
	line, ok := strings.CutPrefix(text, "#!")
	if !ok {
		return nil
	}
	line, _, _ = strings.Cut(line, "\n")
	words := strings.Fields(line)
	if len(words) > 1 && programName(words[0]) == "env" {
		words = words[1:]
		for len(words) > 1 && (strings.HasPrefix(words[0], "-") || strings.Contains(words[0], "=")) {
			words = words[1:]
		}
	}
	out := make([]value, 0, len(words)+1)
	for i, word := range words {
		if i == 0 {
			word = programName(word)
		}
		out = append(out, value{text: word})
	}
	return out
}
