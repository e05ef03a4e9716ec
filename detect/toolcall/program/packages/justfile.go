package packages

import (
	"path"
	"strings"

	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
)

// justfile is a parsed file of recipes for just, without modules and imports.
type justfile struct {
	recipes []justRecipe
	// The map values has the variables with a plain text, and the texts for which aliases and parameters stand.
	values map[string]string
	// The field computed lists the commands whose output is the value of a variable. just runs them for every recipe.
	computed []string
	// The field done says which recipes were analyzed before.
	done map[string]bool
}

// justRecipe is a recipe of a justfile.
type justRecipe struct {
	name   string
	params []string
	needs  []string // the words after the colon, among them the recipes that run before this one
	lines  []string
}

const justValues = "f justfile d working-directory"

// justRecipes analyzes the recipes of a justfile that a call names. It returns false if it does not know the justfile or
// a recipe.
func justRecipes(t *trace.Trace, c *trace.Command) bool {
	o := flags.Parse(c.Args(), justValues)
	names := o.Values("f justfile")
	if len(names) == 0 {
		names = []trace.Value{{Text: "justfile"}, {Text: "Justfile"}, {Text: ".justfile"}}
	}
	for _, v := range names {
		p := t.Place(v, c.Scope)
		f := t.ContentOf(p)
		if v.Pipe != nil {
			f = *v.Pipe
		}
		n := t.ScriptAt(&p)
		if n > 0 {
			f.Text = t.Scripts.Read[n-1].Text
		} else if !f.Known {
			t.RunForeign(c, f)
			continue
		}
		if c.Scope.CwdUnknown || !t.Spend(len(f.Text)*trace.StepsOfByte) {
			return false
		}
		sc := c.Scope.Sub()
		sc.Cwd = path.Dir(p.Abs)
		for _, v := range o.Values("d working-directory") {
			sc.Cwd = t.Place(v, c.Scope).Abs
		}
		j := parseJustfile(f.Text)
		j.values["justfile_directory()"] = sc.Cwd
		run := func(inner *trace.Command, _ string) {
			inner.Scope, inner.In = sc, trace.Nothing()
			n = j.runAll(t, inner, o.Operands)
		}
		if n == 0 {
			inner := *c
			run(&inner, "")
		} else if !t.FromDiskTarget(c, &p, "just "+trace.JoinAll(o.Operands), run) {
			return false
		}
		return n > 0
	}
	return false
}

// runAll analyzes the recipes that the operands of a call name, and returns how many. Operands after the name of a
// recipe with parameters are the values of these parameters. Without a name, just runs the first recipe.
func (j *justfile) runAll(t *trace.Trace, c *trace.Command, operands []trace.Value) (count int) {
	for len(operands) > 0 {
		name, text, ok := strings.Cut(operands[0].Text, "=")
		if !ok {
			break
		}
		j.values[name], operands = text, operands[1:]
	}
	if len(operands) == 0 && len(j.recipes) > 0 {
		operands = []trace.Value{{Text: j.recipes[0].name}}
	}
	for len(operands) > 0 {
		name := operands[0].Text
		if alias, ok := j.values["alias "+name]; ok {
			name = alias
		}
		operands = operands[1:]
		r := j.find(name)
		if r == nil {
			return 0
		}
		for _, param := range r.params {
			if len(operands) == 0 {
				break
			}
			if !operands[0].Partial {
				j.values[param] = operands[0].Text
			}
			operands = operands[1:]
		}
		noteTarget(t, c, name)
		j.run(t, c, r)
		count++
	}
	return count
}

func (j *justfile) find(name string) *justRecipe {
	for i := range j.recipes {
		if j.recipes[i].name == name {
			return &j.recipes[i]
		}
	}
	return nil
}

// The method run analyzes a recipe, after the recipes that it needs.
func (j *justfile) run(t *trace.Trace, c *trace.Command, r *justRecipe) {
	if j.done[r.name] || !t.Spend(len(j.recipes)*(1+len(r.needs))) {
		return
	}
	if len(j.done) == 0 {
		for _, text := range j.computed {
			t.RunText(c, trace.Value{Text: text})
		}
	}
	j.done[r.name] = true
	for _, needed := range r.needs {
		if before := j.find(needed); before != nil {
			j.run(t, c, before)
		}
	}
	if len(r.lines) > 0 && strings.HasPrefix(r.lines[0], "#!") {
		inner := *c
		inner.In = trace.Flow{Text: j.expand(t, strings.Join(r.lines, "\n")), Known: true}
		fields := strings.Fields(r.lines[0][len("#!"):] + " sh")
		if trace.BaseName(fields[0]) == "env" {
			fields = fields[1:]
		}
		t.RunInner(&inner, []trace.Value{{Text: trace.BaseName(fields[0])}})
		return
	}
	for _, line := range r.lines {
		t.RunText(c, trace.Value{Text: j.expand(t, strings.TrimLeft(line, "@- "))})
	}
}

// parseJustfile returns the parsed text of a justfile.
func parseJustfile(text string) *justfile {
	j := &justfile{values: map[string]string{}, done: map[string]bool{}}
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			continue
		}
		if line[0] == ' ' || line[0] == '\t' {
			if last := len(j.recipes) - 1; last >= 0 {
				j.recipes[last].lines = append(j.recipes[last].lines, strings.TrimSpace(line))
			}
			continue
		}
		left, right, ok := strings.Cut(line, ":")
		names := strings.Fields(strings.TrimPrefix(left, "@"))
		switch {
		case line[0] == '#' || !ok || len(names) == 0 || len(j.recipes) == MaxMakeRules:
		case strings.HasPrefix(right, "="):
			j.assign(names, strings.Trim(right[1:], " "))
		default:
			right, _, _ = strings.Cut(right, "#")
			r := justRecipe{name: names[0], needs: strings.FieldsFunc(right, func(r rune) bool { return strings.ContainsRune(" &()", r) })}
			for _, param := range names[1:] {
				param, value, _ := strings.Cut(strings.TrimLeft(param, "+*$"), "=")
				if j.values[param] == "" {
					j.values[param] = strings.Trim(value, `"'`)
				}
				r.params = append(r.params, param)
			}
			j.recipes = append(j.recipes, r)
		}
	}
	return j
}

// assign reads an assignment, a setting or an alias.
func (j *justfile) assign(names []string, value string) {
	name := names[len(names)-1]
	bare := strings.Trim(value, "\"'`")
	switch {
	case len(bare) != len(value)-2:
		if names[0] == "alias" {
			j.values["alias "+name] = value
		}
	case value[0] == '`':
		j.computed = append(j.computed, bare)
	default:
		j.values[name] = bare
	}
}

// expand replaces each {{…}} in a text by its value. If the value is not known, it becomes a variable of the shell.
// Commands between backquotes are run.
func (j *justfile) expand(t *trace.Trace, text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{{")
		inside, after, closed := strings.Cut(rest, "}}")
		if !found || !closed || !t.Spend(len(text)/16+1) {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(before)
		inside = strings.TrimSpace(inside)
		if value := j.values[inside]; value != "" {
			b.WriteString(value)
		} else if command := strings.Trim(inside, "`"); command != inside {
			b.WriteString("$(" + command + ")")
		} else {
			b.WriteString(variableFor(inside))
		}
		text = after
	}
}

// variableFor returns a variable of the shell for an expression of just. If the expression is a name, the variable has
// the same name, because names such as build_dir show what is in a folder.
func variableFor(expression string) string {
	name := strings.ReplaceAll(expression, "-", "_")
	if strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
		return "$just"
	}
	return "${" + name + "}"
}
