package packages

import (
	"path"
	"strings"

	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
	"guardrails/internal/document"
)

// maxFolders is the maximum number of folders to search for a package.json: the first folder and its parents.
const maxFolders = 6

// targetOnDisk analyzes a script of package.json or a target of a Makefile. It returns false if it cannot find the
// script or target.
func targetOnDisk(t *trace.Trace, c *trace.Command, name, where string) bool {
	switch {
	case c.Scope.CwdUnknown:
	case where == packageFile:
		return packageScript(t, c, name)
	case where == makeFile:
		return makeTarget(t, c, name)
	}
	return false
}

// installScript is the name of the script that npm runs when it installs the packages of a project. npm also runs the
// scripts "preinstall" and "postinstall", even if a project has no script named "install".
const installScript = "install"

// These names of analyzed files appear in reasons.
const (
	packageFile = "package.json"
	makeFile    = "the Makefile"
)

// packageScript analyzes a script of the nearest package.json, with the scripts that npm runs before and after it.
func packageScript(t *trace.Trace, c *trace.Command, name string) bool {
	o := flags.Parse(c.Args(), npmValues)
	if name == "" || o.Has("w workspace filter F") {
		return false
	}
	dir := c.Scope.Cwd
	if vs := o.Values("prefix C cwd dir"); len(vs) > 0 {
		dir = t.Place(vs[len(vs)-1], c.Scope).Abs
	}
	for range maxFolders {
		p := t.Place(trace.Value{Text: dir + "/package.json"}, c.Scope)
		if f, ok := t.Content[p.Name]; ok {
			t.RunForeign(c, f)
			lines := PackageLines(f.Text, name)
			packageLines(t, c, &p, lines)
			return len(lines) > 0
		}
		if n := t.ScriptAt(&p); n > 0 {
			return packageScripts(t, c, &p, name, t.Scripts.Read[n-1].Text)
		}
		if _, inside := trace.Below(dir, t.Env.Root); !inside || dir == t.Env.Root {
			break
		}
		dir = path.Dir(dir)
	}
	return false
}

func packageScripts(t *trace.Trace, c *trace.Command, p *trace.Place, name, text string) bool {
	lines := PackageLines(text, name)
	if len(lines) == 0 {
		return false
	}
	if name != installScript {
		lines[len(lines)-1].Text += argumentsBehind(c, name)
	}
	return t.FromDiskTarget(c, p, name, func(inner *trace.Command, _ string) {
		packageLines(t, inner, p, lines)
	})
}

// packageLines analyzes the commands of a script of a package.json.
func packageLines(t *trace.Trace, c *trace.Command, p *trace.Place, lines []trace.Value) {
	inner := *c
	inner.Scope = c.Scope.Sub()
	inner.Scope.Cwd = path.Dir(p.Abs)
	for _, v := range lines {
		inner.In = trace.Nothing()
		t.RunText(&inner, v)
	}
}

// PackageLines returns the commands that run for a script of a package.json: its pre and post scripts, and the script
// itself.
func PackageLines(text, name string) []trace.Value {
	var before, behind, own []trace.Value
	for _, m := range members([]byte(text), "scripts") {
		script, ok := document.Text(m.Raw)
		switch {
		case !ok && m.Name == name:
			list, _ := document.Members(m.Raw) // in composer.json, a script may be a list, and @php is the program php
			for _, item := range list {
				script, _ = document.Text(item.Raw)
				own = append(own, trace.Value{Text: strings.TrimPrefix(script, "@")})
			}
		case !ok:
		case m.Name == name:
			own = append(own, trace.Value{Text: script})
		case m.Name == "pre"+name:
			before = append(before, trace.Value{Text: script})
		case m.Name == "post"+name:
			behind = append(behind, trace.Value{Text: script})
		}
	}
	if len(own) == 0 && name != installScript {
		return nil
	}
	return append(append(before, behind...), own...)
}

// members() returns the members of the object that is stored under a name in another JSON object.
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

// argumentsBehind returns the arguments after the name of a script. The caller appends them to the text of the script.
func argumentsBehind(c *trace.Command, name string) string {
	out, behind := "", false
	for _, v := range c.Args() {
		switch {
		case behind && v.Text != "--" && !v.Partial:
			out += " " + words.Quote(v.Text)
		case v.Text == name:
			behind = true
		}
	}
	return out
}

// makeTarget analyzes a target of the Makefile, together with its prerequisites. If the call names no target, it
// analyzes the first target of the Makefile.
func makeTarget(t *trace.Trace, c *trace.Command, name string) bool {
	if !t.Spend(len(c.Argv) * stepsOfTarget) {
		return false
	}
	o := flags.Parse(c.Args(), makeValues)
	dry := o.HasWhole(onlyPrints)
	sc := c.Scope.Sub()
	for _, v := range o.Values("C directory") {
		p := t.Place(v, sc)
		if p.Partial || p.Glob {
			return false
		}
		sc.Cwd = p.Abs
	}
	names := o.Values("f file makefile")
	if len(names) == 0 {
		names = []trace.Value{{Text: "GNUmakefile"}, {Text: "makefile"}, {Text: "Makefile"}}
	}
	for _, v := range names {
		p := t.Place(v, sc)
		f, written := t.Content[p.Name]
		if v.Text == "-" {
			p = t.Place(trace.Value{Text: c.In.From()}, &trace.Scope{Cwd: t.Env.Root})
		}
		n := t.ScriptAt(&p)
		if n > 0 {
			f.Text = t.Scripts.Read[n-1].Text
		} else if !f.Known {
			t.RunForeign(c, f)
			continue
		}
		t.Spend(len(f.Text) * trace.StepsOfByte / 2)
		m := ParseMakefile(f.Text)
		m.set("CURDIR", sc.Cwd)
		for _, word := range o.Operands {
			if key, text, ok := strings.Cut(word.Text, "="); ok && !word.Partial {
				m.give(sc, strings.TrimRight(key, ":?+"), trace.Value{Text: text})
			}
		}
		wanted := m.Needed(words.OrElse(name, m.first))
		if written {
			inner := *c
			recipes(t, &inner, sc, m, wanted, dry)
			return len(wanted) > 0
		}
		return len(wanted) > 0 && t.FromDiskTarget(c, &p, words.OrElse(name, m.first), func(inner *trace.Command, _ string) {
			recipes(t, inner, sc, m, wanted, dry)
		})
	}
	return false
}

// stepsOfTarget is the number of steps that makeTarget counts for each argument of the command.
const stepsOfTarget = 20

const makeValues = flags.Abbreviates + "C f directory file makefile o W I E eval"

// onlyPrints lists flags with which the program "make" only prints the lines of recipes. See onlyPrinted() for the
// exceptions.
const onlyPrints = "n dry-run just-print q question"

// recipes() analyzes the recipes of targets, and the commands that the program "make" runs while it reads a Makefile.
// The parameter "dry" is set if the call has one of the flags in onlyPrints.
func recipes(t *trace.Trace, c *trace.Command, sc *trace.Scope, m *makefile, targets []*makeRule, dry bool) {
	c.Scope, c.In = sc, trace.Nothing()
	m.set("MAKE", makeName(dry))
	for _, line := range m.computed {
		t.RunText(c, trace.Value{Text: m.Expand(line, nil)})
	}
	if shell := m.vars["SHELL"]; shell != "" && !trace.IsShell(trace.ProgramName(strings.Fields(shell + " sh")[0])) {
		t.RunText(c, trace.Value{Text: m.Expand(shell, nil)})
	}
	for _, rule := range targets {
		for _, line := range rule.Recipe {
			if dry && onlyPrinted(line) {
				continue
			}
			t.RunText(c, trace.Value{Text: strings.TrimLeft(m.Expand(line, rule), "@-+ \t")})
		}
	}
}

// onlyPrinted reports whether a line of a recipe does not run if the call has one of the flags in onlyPrints. Two kinds
// of lines run anyway: a line that begins with a plus sign, and a line that calls make again.
func onlyPrinted(line string) bool {
	return !strings.HasPrefix(strings.TrimLeft(line, "@- \t"), "+") && !strings.Contains(line, "$(MAKE)") &&
		!strings.Contains(line, "${MAKE}")
}

// makeName returns the command for which $(MAKE) stands. A call of make passes -n on to the calls in its recipes.
func makeName(dry bool) string {
	if dry {
		return "make -n"
	}
	return "make"
}
