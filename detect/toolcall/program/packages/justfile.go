package packages

import (
	"path"
	"strconv"
	"strings"

	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// justfile is a parsed file of recipes for the program "just", without modules and imports.
type justfile struct {
	recipes []justRecipe
	// The map "values" holds the expressions of the variables and parameters, and the names for which aliases
	// stand. An entry that begins with the constant "plain" is a text and not an expression.
	values map[string]string
	// The field "computed" lists the commands whose output is the value of a variable. The program "just" runs
	// these commands in every call, for any recipe.
	computed []string
	// The field "done" says which recipes were analyzed before, and with which arguments.
	done map[string]bool
}

// justRecipe is a recipe of a justfile.
type justRecipe struct {
	head  []string // the name and the parameters
	needs []string // the recipes that run before and after this one, some of them in brackets with arguments
	lines []string
}

// Each of these constants is a character that stands at the beginning of a text. The constant "plain" shows that the
// text is not an expression. The constant "pasted" shows that the text comes from the call and becomes a part of a
// recipe.
const (
	plain  = "\x00"
	pasted = "\x01"
)

// The flag --set has two values. In the parsed flags, the second value is the first operand.
const justValues = "f justfile d working-directory set"

// justRecipes analyzes the recipes of a justfile that a call names. It returns false if it does not know the justfile
// or a recipe.
func justRecipes(t *trace.Trace, c *trace.Command, o *flags.Options) bool {
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
		j.values["justfile_directory()"] = plain + sc.Cwd
		operands := o.Operands
		if f, ok := o.Flag("set"); ok && len(operands) > 0 {
			j.values[f.Value.Text], operands = giveJust(sc, operands[0], len(operands), false), operands[1:]
		}
		run := func(inner *trace.Command, _ string) {
			inner.Scope, inner.In = sc, trace.Nothing()
			n = j.runAll(t, inner, operands)
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

// runAll analyzes the recipes that the operands of a call name, and returns the number of these recipes. Operands after
// the name of a recipe with parameters are the values of these parameters. If the call names no recipe, the program
// "just" runs the first recipe.
func (j *justfile) runAll(t *trace.Trace, c *trace.Command, operands []trace.Value) (count int) {
	for len(operands) > 0 {
		name, _, ok := strings.Cut(operands[0].Text, "=")
		if !ok {
			break
		}
		v := operands[0]
		v.Text = v.Text[len(name)+1:]
		j.values[name], operands = giveJust(c.Scope, v, len(operands), false), operands[1:]
	}
	if len(operands) == 0 && len(j.recipes) > 0 {
		operands = []trace.Value{{Text: j.recipes[0].head[0]}}
	}
	for len(operands) > 0 {
		r := j.find(operands[0].Text)
		operands = operands[1:]
		if r == nil {
			return 0
		}
		var args []string
		for _, param := range r.head[1:] {
			n := min(1, len(operands))
			if strings.ContainsAny(param[:1], "+*") {
				n = len(operands)
			}
			if n > 0 {
				paste := r.isScript() && !strings.Contains(r.lines[0], "sh") // the recipe is not for a shell
				args = append(args, giveJust(c.Scope, trace.Joined(operands[:n]), len(operands), paste))
			}
			operands = operands[n:]
		}
		noteTarget(t, c, r.head[0])
		j.run(t, c, r, args)
		count++
	}
	return count
}

// giveJust returns the value of a variable or parameter that the call sets. If the parameter "paste" is set, the result
// is the text itself. The parameter "number" is different for each value of the call.
func giveJust(sc *trace.Scope, v trace.Value, number int, paste bool) string {
	name := "just_" + strconv.Itoa(number)
	if paste || strings.ContainsAny(v.Text, "=!") || !giveVariable(sc, name, v) {
		return plain + pasted + v.Text
	}
	return plain + "${" + name + "}"
}

// paramName returns the name of a parameter, without its default value.
func paramName(param string) string {
	name, _, _ := strings.Cut(strings.TrimLeft(param, "+*$"), "=")
	return name
}

func (r *justRecipe) isScript() bool {
	return len(r.lines) > 0 && strings.HasPrefix(strings.TrimLeft(r.lines[0], " \t"), "#!")
}

func (j *justfile) find(name string) *justRecipe {
	name = words.OrElse(j.values["alias "+name], name)
	for i := range j.recipes {
		if j.recipes[i].head[0] == name {
			return &j.recipes[i]
		}
	}
	return nil
}

// run() analyzes a recipe with the values of its parameters, and the other recipes that this recipe needs.
func (j *justfile) run(t *trace.Trace, c *trace.Command, r *justRecipe, args []string) {
	key := r.head[0] + strings.Join(args, "")
	steps := len(j.recipes)*(1+len(r.needs)) + len(j.values)*10 + len(key)
	if j.done[key] || len(j.done) > MaxMakeRules || !t.Spend(steps) {
		return
	}
	if len(j.done) == 0 {
		for _, text := range j.computed {
			t.RunText(c, trace.Value{Text: text})
		}
	}
	j.done[key] = true
	own := *j
	j = &own
	j.values = trace.Clone(j.values)
	for i, param := range r.head[1:] {
		name := paramName(param)
		if i < len(args) {
			j.values[name] = args[i]
		} else if _, standard, ok := strings.Cut(param, "="); ok {
			j.values[name] = standard
		}
	}
	for _, need := range r.needs {
		fields, _ := justFields(strings.Trim(need, "()&"), 0)
		if len(fields) == 0 {
			continue
		}
		before := j.find(fields[0])
		for i := range fields {
			fields[i] = plain + j.valueOr(t, fields[i])
		}
		if before != nil {
			j.run(t, c, before, fields[1:])
		}
	}
	lines := r.lines
	if r.isScript() {
		indent := lines[0][:strings.IndexByte(lines[0], '#')]
		fields := strings.Fields(lines[0][len(indent)+len("#!"):] + " sh")
		for trace.BaseName(fields[0]) == "env" || fields[0][0] == '-' {
			fields = fields[1:]
		}
		text := strings.ReplaceAll(strings.Join(lines, "\n"), "\n"+indent, "\n")
		text = strings.ReplaceAll(text, scriptEnd, "")
		lines = []string{trace.BaseName(fields[0]) + " <<'" + scriptEnd + "'\n" + text + "\n" + scriptEnd}
	}
	for _, line := range lines {
		text := j.expand(t, strings.TrimLeft(line, "@- \t"))
		given := strings.ReplaceAll(text, pasted, "")
		resume := t.Scripts.LeaveAll()
		if given == text {
			resume() // the people who reviewed the justfile have seen the whole text
		}
		t.RunText(c, trace.Value{Text: given})
		resume()
	}
}

// scriptEnd is the line that marks the end of a script. The shell passes this script to an interpreter.
const scriptEnd = "END_OF_RECIPE"

// parseJustfile returns the parsed text of a justfile.
func parseJustfile(text string) *justfile {
	j := &justfile{values: map[string]string{}, done: map[string]bool{}}
	for _, line := range strings.Split(strings.ReplaceAll(text, "\\\n", " "), "\n") {
		line = strings.TrimRight(line, " \t\r")
		last := len(j.recipes) - 1
		if line == "" || line[0] == '#' || line[0] == '[' { // a line such as [private] describes the next recipe
			continue
		}
		if line[0] == ' ' || line[0] == '\t' {
			if last >= 0 {
				j.recipes[last].lines = append(j.recipes[last].lines, line)
			}
			continue
		}
		names, right := justFields(strings.TrimPrefix(line, "@"), ':')
		if right == "" || len(names) == 0 || last == MaxMakeRules {
			continue
		}
		if right[1:] == "" || right[1] != '=' {
			needs, _ := justFields(right[1:], '#')
			j.recipes = append(j.recipes, justRecipe{head: names, needs: needs})
			continue
		}
		name, value := names[len(names)-1], strings.TrimSpace(right[2:])
		if names[0] == "alias" {
			name = "alias " + name
		}
		if strings.HasPrefix(value, "`") {
			j.computed = append(j.computed, strings.Trim(value, "`"))
		}
		j.values[name] = value
	}
	return j
}

// justFields splits a text at the spaces outside of quotes and brackets. It stops at the character in the parameter
// "end". The result "rest" begins with this character.
func justFields(text string, end byte) (fields []string, rest string) {
	start, depth, quote := 0, 0, byte(0)
	for i := 0; i <= len(text); i++ {
		c := byte(' ')
		if i < len(text) {
			c = text[i]
		}
		switch {
		case i == len(text), quote == 0 && depth <= 0 && (c == end && c != 0 || c == ' ' || c == '\t'):
			if start < i {
				fields = append(fields, text[start:i])
			}
			if start = i + 1; c == end {
				return fields, text[i:]
			}
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			depth--
		}
	}
	return fields, ""
}

// value() returns the value of an expression. It returns false if it does not know the value.
func (j *justfile) value(t *trace.Trace, text string, depth int) (out string, ok bool) {
	parts, _ := justFields(text, 0)
	for i, part := range parts {
		if !t.Spend(10+(len(part)+len(out))/16) || depth > maxMakeDepth || len(out) > trace.MaxCommandSize {
			return "", false
		}
		if inner, ok := strings.CutPrefix(part, "quote("); ok {
			part = strings.TrimSuffix(inner, ")")
		}
		quoted := strings.Trim(part, part[:min(1, len(part))])
		known, found := j.values[part]
		switch {
		case i%2 == 1 && part == "/":
			out += part
		case i%2 == 1 && part == "+":
		case i%2 == 1:
			return "", false
		case len(quoted) == len(part)-2 && strings.ContainsAny(part[:1], `"'`):
			out += quoted
		case !found:
			return "", false
		case strings.HasPrefix(known, plain):
			out += known[len(plain):]
		default:
			known, found = j.value(t, known, depth+1)
			if !found {
				return "", false
			}
			out += known
		}
	}
	return out, len(parts)%2 == 1
}

// valueOr returns the value of an expression. If the value is not known, it returns a variable of the shell. The name
// of this variable consists of the words of the expression, because words such as build show what is in a folder.
func (j *justfile) valueOr(t *trace.Trace, expression string) string {
	if value, ok := j.value(t, expression, 0); ok {
		return value
	}
	name := strings.Join(strings.FieldsFunc(expression, isNoName), "_")
	return "${just_" + name + "}"
}

func isNoName(r rune) bool { return r != '_' && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z') }

// expand() replaces each {{…}} in a text with its value. A command between backquotes becomes a command substitution of
// the shell.
func (j *justfile) expand(t *trace.Trace, text string) string {
	var b strings.Builder
	var quotes words.Quotes
	for {
		before, rest, found := strings.Cut(text, "{{")
		inside, after, closed := strings.Cut(rest, "}}")
		if !found || !closed || b.Len() > trace.MaxCommandSize || !t.Spend(len(text)/16+1) {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(before)
		quotes.Read(before)
		inside = strings.TrimSpace(inside)
		if command := strings.Trim(inside, "`"); command != inside {
			inside = "$(" + command + ")"
		} else {
			inside = j.valueOr(t, inside)
		}
		if strings.HasPrefix(inside, "${just_") {
			inside = quotes.Within(inside)
		}
		b.WriteString(inside)
		text = after
	}
}
