package toolcall

import (
	"path"
	"strings"

	"guardrails/internal/document"
)

// maxFolders is how many folders are looked through upwards for a package.json.
const maxFolders = 6

// targetOnDisk follows a script of package.json or a target of a Makefile, if the file is there and has it.
func (a *analyzer) targetOnDisk(c *command, name, where string) bool {
	switch {
	case a.env.Script == nil || c.sc.cwdUnknown:
	case where == packageFile:
		return a.packageScript(c, name)
	case where == makeFile:
		return a.makeTarget(c, name)
	}
	return false
}

// The files whose targets are followed, as reasons name them.
const (
	packageFile = "package.json"
	makeFile    = "the Makefile"
)

// packageScript follows a script of the nearest package.json, with those that npm runs before and after it.
func (a *analyzer) packageScript(c *command, name string) bool {
	o := parseOptions(c.args(), npmValues)
	if name == "" || o.has("prefix C w workspace filter F cwd dir") {
		return false
	}
	dir := c.sc.cwd
	for range maxFolders {
		p := a.place(value{text: dir + "/package.json"}, c.sc)
		if n := a.scriptAt(&p, c.sc); n > 0 {
			return a.packageScripts(c, &p, name, a.scripts.read[n-1].Text)
		}
		if _, inside := Below(dir, a.env.Root); !inside || dir == a.env.Root {
			break
		}
		dir = path.Dir(dir)
	}
	return false
}

func (a *analyzer) packageScripts(c *command, p *place, name, text string) bool {
	lines := packageLines(text, name)
	if len(lines) == 0 {
		return false
	}
	lines[len(lines)-1].text += argumentsBehind(c, name)
	return a.fromDiskTarget(c, p, name, func(inner *command, _ string) {
		inner.sc = c.sc.sub()
		inner.sc.cwd = path.Dir(p.abs)
		for _, v := range lines {
			inner.in = nothing()
			a.runText(inner, v)
		}
	})
}

// packageLines are the texts of a script in a package.json, the script itself last.
func packageLines(text, name string) []value {
	var before, behind, own []value
	for _, m := range members([]byte(text), "scripts") {
		script, ok := document.Text(m.Raw)
		switch {
		case !ok:
		case m.Name == name:
			own = append(own, value{text: script})
		case m.Name == "pre"+name:
			before = append(before, value{text: script})
		case m.Name == "post"+name:
			behind = append(behind, value{text: script})
		}
	}
	if len(own) == 0 {
		return nil
	}
	return append(append(before, behind...), own...)
}

// members are those of an object inside an object.
func members(raw []byte, name string) []document.Member {
	outer, err := document.Members(raw)
	if err != nil {
		return nil
	}
	for _, m := range outer {
		if m.Name == name {
			inner, _ := document.Members(m.Raw)
			return inner
		}
	}
	return nil
}

// argumentsBehind are the words behind the name of a script, which are put behind its text.
func argumentsBehind(c *command, name string) string {
	out, behind := "", false
	for _, v := range c.args() {
		switch {
		case behind && v.text != "--" && !v.partial:
			out += " " + quote(v.text)
		case v.text == name:
			behind = true
		}
	}
	return out
}

// makeTarget follows a target of the Makefile with what it needs; the first target when none is named.
func (a *analyzer) makeTarget(c *command, name string) bool {
	o := parseOptions(c.args(), makeValues)
	sc := c.sc.sub()
	for _, v := range o.values("C directory") {
		p := a.place(v, sc)
		if p.partial || p.glob {
			return false
		}
		sc.cwd = p.abs
	}
	names := o.values("f file makefile")
	if len(names) == 0 {
		names = []value{{text: "GNUmakefile"}, {text: "makefile"}, {text: "Makefile"}}
	}
	for _, v := range names {
		p := a.place(v, sc)
		n := a.scriptAt(&p, sc)
		if n == 0 {
			continue
		}
		m := parseMakefile(a.scripts.read[n-1].Text)
		m.set("CURDIR", sc.cwd)
		for _, word := range o.operands {
			if key, text, ok := strings.Cut(word.text, "="); ok && !word.partial {
				m.set(key, text)
			}
		}
		wanted := m.needed(orElse(name, m.first))
		return len(wanted) > 0 && a.fromDiskTarget(c, &p, orElse(name, m.first), func(inner *command, _ string) {
			a.recipes(inner, sc, m, wanted)
		})
	}
	return false
}

// makeValues are the options of make that take a value.
const makeValues = "C f directory file makefile o W I eval"

// recipes runs what a Makefile computes when it is read, and the recipes of targets.
func (a *analyzer) recipes(c *command, sc *scope, m *makefile, targets []*makeRule) {
	c.sc, c.in = sc, nothing()
	for _, line := range m.computed {
		a.runText(c, value{text: m.expand(line, nil)})
	}
	if shell := m.vars["SHELL"]; shell != "" && !isShell(programName(strings.Fields(shell + " sh")[0])) {
		a.runText(c, value{text: m.expand(shell, nil)})
	}
	for _, rule := range targets {
		for _, line := range rule.recipe {
			a.runText(c, value{text: strings.TrimLeft(m.expand(line, rule), "@-+ \t")})
		}
	}
}
