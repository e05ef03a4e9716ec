package packages

import (
	"path"
	"strings"

	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

const justValues = "f justfile d working-directory"

// justRecipe is a recipe of a justfile.
type justRecipe struct {
	name  string
	needs []string // the words after the colon, among them the recipes that run before this one
	lines []string
}

// justTarget analyzes a recipe of the justfile, together with the recipes that it needs. If the call names no recipe, it
// analyzes the first recipe.
func justTarget(t *trace.Trace, c *trace.Command, name string) bool {
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
		sc := c.Scope.Sub()
		sc.Cwd = path.Dir(p.Abs)
		for _, v := range o.Values("d working-directory") {
			sc.Cwd = t.Place(v, c.Scope).Abs
		}
		n := t.ScriptAt(&p)
		if n > 0 {
			f.Text = t.Scripts.Read[n-1].Text
		} else if !f.Known {
			continue
		}
		list := parseJustfile(f.Text)
		if name == "" && len(list) > 0 {
			name = list[0].name
		}
		run := func(inner *trace.Command, _ string) {
			inner.Scope, inner.In = sc, trace.Nothing()
			runRecipe(t, inner, list, name, make([]bool, len(list)))
		}
		if n > 0 {
			return t.FromDiskTarget(c, &p, name, run)
		}
		inner := *c
		run(&inner, "")
		return true
	}
	return false
}

// runRecipe analyzes the recipe with a name, after the recipes that it needs. The slice done says which recipes were
// analyzed before.
func runRecipe(t *trace.Trace, c *trace.Command, list []justRecipe, name string, done []bool) {
	for i, r := range list {
		if r.name != name || done[i] {
			continue
		}
		done[i] = true
		for _, needed := range r.needs {
			runRecipe(t, c, list, needed, done)
		}
		for _, line := range r.lines {
			t.RunText(c, trace.Value{Text: line})
		}
	}
}

// parseJustfile returns the recipes of a justfile. In their lines, a variable has its value if that is a plain text.
// Everything else between {{ and }} becomes a shell variable without a known value.
func parseJustfile(text string) (list []justRecipe) {
	var values []string // each variable as it stands in a recipe, followed by its value
	for line := range strings.Lines(words.Replace(text, "{{ ", "{{", " }}", "}}")) {
		line = strings.TrimRight(line, "\r\n")
		left, right, ok := strings.Cut(line, ":")
		names := strings.Fields(strings.TrimPrefix(left, "@"))
		switch {
		case line == "" || line[0] == '#':
		case line[0] == ' ' || line[0] == '\t':
			if last := len(list) - 1; last >= 0 && len(list[last].lines) < MaxMakeRules {
				list[last].lines = append(list[last].lines, strings.TrimLeft(line, "@- \t"))
			}
		case !ok || len(names) == 0 || len(list) == MaxMakeRules:
		case strings.HasPrefix(right, "="):
			value := strings.Trim(right[1:], " ")
			if bare := strings.Trim(value, `"'`); len(bare) == len(value)-2 {
				values = append(values, "{{"+names[len(names)-1]+"}}", bare)
			}
		default:
			needs := strings.FieldsFunc(right, func(r rune) bool { return strings.ContainsRune(" &()", r) })
			list = append(list, justRecipe{name: names[0], needs: needs})
		}
	}
	for _, r := range list {
		for i, line := range r.lines {
			r.lines[i] = withoutBraces(words.Replace(line, values...))
		}
	}
	return list
}

// withoutBraces replaces each {{…}} in a line by a shell variable.
func withoutBraces(line string) string {
	before, rest, found := strings.Cut(line, "{{")
	_, after, closed := strings.Cut(rest, "}}")
	if !found || !closed {
		return line
	}
	return before + "$just" + withoutBraces(after)
}
