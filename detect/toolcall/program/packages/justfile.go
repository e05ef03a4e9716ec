package packages

import (
	"strings"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// justfile is a parsed file of recipes for just, without modules and imports.
type justfile struct {
	recipes []justRecipe
	// The maps hold the expressions of the variables, the targets of the aliases, and the settings that are on.
	variables, aliases map[string]string
	settings           map[string]bool
	// The field exported lists the variables that just puts into the environment.
	exported []string
	// The field computed lists the commands whose output is the value of a variable. just runs them for every recipe.
	computed []string
	// The map given has the variables that the call sets. The map done says which recipes were analyzed before.
	given map[string]justValue
	done  map[string]bool
}

// justRecipe is a recipe of a justfile.
type justRecipe struct {
	name   string
	params []justParam
	needs  [][]string // the recipes that run before and after this one, each with expressions for its parameters
	lines  []string
}

// justParam is a parameter of a recipe. The field standard is the expression of its default value.
type justParam struct {
	name, standard   string
	takesAll, export bool
}

// parseJustfile returns the parsed text of a justfile.
func parseJustfile(text string) *justfile {
	j := &justfile{
		variables: map[string]string{}, aliases: map[string]string{}, settings: map[string]bool{},
		given: map[string]justValue{}, done: map[string]bool{},
	}
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		line = strings.TrimRight(line, " \t\r\n")
		switch {
		case line == "" || line[0] == '#' || line[0] == '[': // a line such as [private] describes the next recipe
		case line[0] == ' ' || line[0] == '\t':
			if last := len(j.recipes) - 1; last >= 0 {
				j.recipes[last].lines = append(j.recipes[last].lines, line)
			}
		default:
			j.line(line)
		}
	}
	return j
}

// The method line reads an assignment, a setting, an alias or the head of a recipe.
func (j *justfile) line(line string) {
	names, right, ok := justFields(strings.TrimPrefix(line, "@"), ':')
	if len(names) == 0 {
		return
	}
	value, assigns := strings.CutPrefix(right, "=")
	value = strings.TrimSpace(value)
	name := names[len(names)-1]
	switch {
	case names[0] == "set":
		j.settings[name] = value != "false"
	case !ok || len(j.recipes) == MaxMakeRules:
	case assigns && names[0] == "alias":
		j.aliases[name] = value
	case assigns:
		j.variables[name] = value
		if value != "" && value[0] == '`' {
			j.computed = append(j.computed, strings.Trim(value, "`"))
		}
		if names[0] == "export" {
			j.exported = append(j.exported, name)
		}
	default:
		j.recipes = append(j.recipes, recipeOf(names, right))
	}
}

func recipeOf(names []string, right string) justRecipe {
	r := justRecipe{name: names[0]}
	for _, text := range names[1:] {
		name := strings.TrimLeft(text, "+*$")
		marks := text[:len(text)-len(name)]
		p := justParam{takesAll: strings.ContainsAny(marks, "+*"), export: strings.Contains(marks, "$")}
		p.name, p.standard, _ = strings.Cut(name, "=")
		r.params = append(r.params, p)
	}
	needs, _, _ := justFields(right, '#')
	for _, need := range needs {
		need = strings.TrimPrefix(need, "&&")
		if inner, ok := strings.CutPrefix(need, "("); ok {
			fields, _, _ := justFields(strings.TrimSuffix(inner, ")"), 0)
			r.needs = append(r.needs, fields)
		} else {
			r.needs = append(r.needs, []string{need})
		}
	}
	return r
}

// justFields splits a text at the spaces outside of quotes and brackets. It stops at the character end. The results are
// the parts, the text behind the character, and whether the text has it.
func justFields(text string, end byte) (fields []string, rest string, ended bool) {
	start, depth, quote := 0, 0, byte(0)
	add := func(i int) {
		if start < i {
			fields = append(fields, text[start:i])
		}
		start = i + 1
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0 && c == '\\' && quote == '"':
			i++
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
		case depth > 0:
		case c == end && c != 0:
			add(i)
			return fields, text[i+1:], true
		case c == ' ' || c == '\t':
			add(i)
		}
	}
	add(len(text))
	return fields, "", false
}

// justValue is the value of an expression.
type justValue struct {
	// A recipe contains the field text. It is the value itself, raw, or a shell variable with this value.
	text, raw string
	// The field own is set if the value comes from the call, so the people who reviewed the justfile have not seen it. The
	// field pasted is set if such a value itself must be in the recipe, because it has special characters.
	own, pasted bool
}

// followedBy returns the value that consists of two values.
func (v justValue) followedBy(other justValue) justValue {
	return justValue{v.text + other.text, v.raw + other.raw, v.own || other.own, v.pasted || other.pasted}
}

// argument returns the value as an argument of a command.
func (v justValue) argument() trace.Value {
	out := trace.Value{Text: v.raw}
	if v.own {
		out.Taint = trace.FromArgument
	}
	out.Partial = strings.Contains(v.raw, "$")
	return out
}

// give returns the value of a variable or a parameter that the call sets. A simple value becomes a shell variable with
// the taint FromArgument; see the method give of makefile.
func (j *justfile) give(sc *trace.Scope, name string, v trace.Value) justValue {
	special := "`\"'\\;|&<>()*?[#~\n=!"
	if !v.Partial {
		special += "${}"
	}
	if strings.ContainsAny(v.Text, special) {
		return justValue{text: v.Text, raw: v.Text, own: true, pasted: true}
	}
	v.Taint |= trace.FromArgument
	sc.Set(name, trace.Variable{Values: []trace.Value{v}})
	return justValue{text: "${" + name + "}", raw: v.Text, own: true}
}

// The method value returns the value of an expression. The map known has the parameters of the recipe. The method
// returns false if it does not know the value.
func (j *justfile) value(t *trace.Trace, text string, known map[string]justValue, depth int) (out justValue, ok bool) {
	parts, _, _ := justFields(text, 0)
	if !t.Spend(len(text)/4+1) || depth > maxMakeDepth {
		return out, false
	}
	for i, part := range parts {
		if i%2 == 1 {
			if part == "/" {
				out = out.followedBy(justValue{text: "/", raw: "/"})
			} else if part != "+" {
				return out, false
			}
			continue
		}
		v, ok := j.operand(t, part, known, depth)
		if !ok || len(out.raw)+len(v.raw) > trace.MaxCommandSize {
			return out, false
		}
		out = out.followedBy(v)
	}
	return out, len(parts)%2 == 1
}

func (j *justfile) operand(t *trace.Trace, part string, known map[string]justValue, depth int) (justValue, bool) {
	if text, ok := plainText(part); ok {
		return justValue{text: text, raw: text}, true
	}
	if v, ok := known[part]; ok {
		return v, true
	}
	if v, ok := j.given[part]; ok {
		return v, true
	}
	if expression, ok := j.variables[part]; ok {
		return j.value(t, expression, known, depth+1)
	}
	function, rest, _ := strings.Cut(part, "(")
	args := strings.TrimSuffix(rest, ")")
	switch function {
	case "quote":
		v, ok := j.value(t, args, known, depth+1)
		v.text, v.raw = `"`+v.text+`"`, words.Quote(v.raw)
		return v, ok
	case "env", "env_var":
		name, ok := plainText(args)
		return justValue{text: "${" + name + "}", raw: "${" + name + "}"}, ok
	}
	return justValue{}, false
}

// plainText returns the text between quotes.
func plainText(part string) (string, bool) {
	last := len(part) - 1
	if last < 1 || part[0] != part[last] || part[0] != '"' && part[0] != '\'' || strings.IndexByte(part[1:last], part[0]) >= 0 {
		return "", false
	}
	return part[1:last], part[0] == '\'' || !strings.Contains(part, `\`)
}

// expand replaces each {{…}} in a text by its value. If the value is not known, it becomes a variable of the shell.
// Commands between backquotes are run. The parameter plain says that the text is not for a shell. The result own is set
// if the text then contains text of the call.
func (j *justfile) expand(t *trace.Trace, text string, known map[string]justValue, plain bool) (out string, own bool) {
	var b strings.Builder
	var quotes words.Quotes
	for {
		before, rest, found := strings.Cut(text, "{{")
		inside, after, closed := strings.Cut(rest, "}}")
		if !found || !closed || b.Len() > trace.MaxCommandSize || !t.Spend(len(text)/16+1) {
			b.WriteString(text)
			return b.String(), own
		}
		b.WriteString(before)
		quotes.Read(before)
		inside = strings.TrimSpace(inside)
		value, ok := j.value(t, inside, known, 0)
		t.Spend(len(value.raw))
		command := strings.Trim(inside, "`")
		switch {
		case ok && (plain && value.own || value.pasted):
			b.WriteString(value.raw)
			own = true
		case ok && !strings.Contains(value.text, "${"):
			b.WriteString(value.text)
		case ok:
			b.WriteString(quotes.Within(value.text))
		case command != inside:
			b.WriteString("$(" + command + ")")
		default:
			b.WriteString(quotes.Within(variableFor(inside)))
			own = own || mentionsOwn(inside, known) || mentionsOwn(inside, j.given)
		}
		text = after
	}
}

// mentionsOwn reports whether an expression contains the name of a value that the call sets.
func mentionsOwn(expression string, known map[string]justValue) bool {
	for _, name := range strings.FieldsFunc(expression, isNoName) {
		if known[name].own {
			return true
		}
	}
	return false
}

func isNoName(r rune) bool {
	return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
}

// variableFor returns a variable of the shell for an expression of just. The variable has the words of the expression,
// because words such as build show what is in a folder.
func variableFor(expression string) string {
	name := strings.Join(strings.FieldsFunc(strings.ReplaceAll(expression, "-", "_"), isNoName), "_")
	return "${just_" + name + "}"
}
