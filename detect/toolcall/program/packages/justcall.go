package packages

import (
	"path"
	"strings"

	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
)

// justCall is a call of just.
type justCall struct {
	flags flags.Options
	// The field set has the names and values of variables in turn. The field rest begins with the first recipe. Everything
	// behind a recipe, even a flag, is for the recipes. The field command is a command that just runs itself.
	set, rest, command []trace.Value
}

// The flag --set has two values, and this list has the first one.
const justValues = "f justfile d working-directory set shell shell-arg color chooser list-heading list-prefix dump-format " +
	"command-color tempdir E dotenv-path dotenv-filename timestamp-format"

func readJust(c *trace.Command) (call justCall) {
	args := c.Args()
	for i, v := range args {
		if v.Text != "--command" && v.Text != "-c" {
			continue
		}
		if before := readFlags(args[:i]); len(before.rest) == 0 {
			before.command = args[i+1:]
			return before
		}
		break
	}
	return readFlags(args)
}

func readFlags(args []trace.Value) (call justCall) {
	call.rest = args
	for {
		var o flags.Options
		o, call.rest = flags.ParseLeading(call.rest, justValues)
		call.flags.Flags = append(call.flags.Flags, o.Flags...)
		last := len(o.Flags) - 1
		if last < 0 || o.Flags[last].Name != "set" || len(call.rest) == 0 {
			return call
		}
		call.set, call.rest = append(call.set, o.Flags[last].Value, call.rest[0]), call.rest[1:]
	}
}

// onlyShows lists flags with which just runs no recipe.
const onlyShows = "n dry-run l list summary V version h help s show dump evaluate variables fmt init man groups changelog"

// just analyzes a call of just.
func just(t *trace.Trace, c *trace.Command) trace.Flow {
	call := readJust(c)
	switch {
	case call.command != nil:
		return t.RunInner(c, call.command)
	case call.flags.HasWhole(onlyShows), call.run(t, c):
	case len(call.rest) == 0:
		target(t, c, "", "the file of targets")
	default:
		for _, v := range call.rest[:min(4, len(call.rest))] {
			if !strings.Contains(v.Text, "=") && !strings.HasPrefix(v.Text, "-") {
				target(t, c, v.Text, "the file of targets")
			}
		}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// The method run analyzes the recipes. It returns false if it does not know the justfile or a recipe.
func (call *justCall) run(t *trace.Trace, c *trace.Command) bool {
	names := call.flags.Values("f justfile")
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
		for _, v := range call.flags.Values("d working-directory") {
			sc.Cwd = t.Place(v, c.Scope).Abs
		}
		j := parseJustfile(f.Text)
		for _, name := range [...]string{"justfile_directory()", "justfile_dir()"} {
			j.given[name] = justValue{text: sc.Cwd, raw: sc.Cwd}
		}
		run := func(inner *trace.Command, _ string) {
			inner.Scope, inner.In = sc, trace.Nothing()
			n = j.runAll(t, inner, call)
		}
		if n == 0 {
			inner := *c
			run(&inner, "")
		} else if !t.FromDiskTarget(c, &p, "just "+trace.JoinAll(call.rest), run) {
			return false
		}
		return n > 0
	}
	return false
}

// runAll analyzes the recipes that the operands of a call name, and returns how many. Operands after the name of a
// recipe with parameters are the values of these parameters. Without a name, just runs the first recipe.
func (j *justfile) runAll(t *trace.Trace, c *trace.Command, call *justCall) (count int) {
	set := func(name string, v trace.Value) { j.given[name] = j.give(c.Scope, "just_set_"+shellName(name), v) }
	for i := 0; i+1 < len(call.set); i += 2 {
		set(call.set[i].Text, call.set[i+1])
	}
	operands := call.rest
	for len(operands) > 0 {
		name, text, ok := strings.Cut(operands[0].Text, "=")
		if !ok {
			break
		}
		v := operands[0]
		v.Text, operands = text, operands[1:]
		set(name, v)
	}
	for _, text := range j.computed {
		t.RunText(c, trace.Value{Text: text})
	}
	if len(operands) == 0 && len(j.recipes) > 0 {
		operands = []trace.Value{{Text: j.recipes[0].name}}
	}
	for len(operands) > 0 {
		r := j.find(operands[0].Text)
		operands = operands[1:]
		if r == nil {
			return 0
		}
		var args []justValue
		for _, param := range r.params {
			n := min(1, len(operands))
			if param.takesAll {
				n = len(operands)
			}
			if n > 0 {
				args = append(args, j.give(c.Scope, "just_arg_"+shellName(param.name), joined(operands[:n])))
			}
			operands = operands[n:]
		}
		noteTarget(t, c, r.name)
		j.run(t, c, r, args)
		count++
	}
	return count
}

// shellName returns the name of a shell variable for a name in a justfile.
func shellName(name string) string { return strings.ReplaceAll(name, "-", "_") }

// The function joined returns arguments as one value.
func joined(args []trace.Value) trace.Value {
	if len(args) == 1 {
		return args[0]
	}
	v := trace.Value{Text: trace.JoinAll(args)}
	for _, arg := range args {
		v.Partial, v.Taint = v.Partial || arg.Partial, v.Taint|arg.Taint
	}
	return v
}

func (j *justfile) find(name string) *justRecipe {
	if target, ok := j.aliases[name]; ok {
		name = target
	}
	for i := range j.recipes {
		if j.recipes[i].name == name {
			return &j.recipes[i]
		}
	}
	return nil
}

// The method run analyzes a recipe with the values of its parameters, and the recipes that it needs.
func (j *justfile) run(t *trace.Trace, c *trace.Command, r *justRecipe, args []justValue) {
	key := r.name
	for _, arg := range args {
		key += "\x00" + arg.raw
	}
	if j.done[key] || len(j.done) > MaxMakeRules || !t.Spend(len(j.recipes)*(1+len(r.needs))+len(key)) {
		return
	}
	j.done[key] = true
	inner := *c
	inner.Scope = c.Scope.Sub()
	known := j.bind(t, inner.Scope, r, args)
	for _, need := range r.needs {
		before := j.find(append(need, "")[0])
		if before == nil {
			continue
		}
		var values []justValue
		for _, expression := range need[1:] {
			v, ok := j.value(t, expression, known, 0)
			if !ok {
				v = justValue{text: variableFor(expression), raw: variableFor(expression), own: mentionsOwn(expression, known)}
			}
			values = append(values, v)
		}
		j.run(t, c, before, values)
	}
	if len(r.lines) == 0 {
		return
	}
	indent := r.lines[0][:len(r.lines[0])-len(strings.TrimLeft(r.lines[0], " \t"))]
	text := ""
	for _, line := range r.lines {
		line = strings.TrimPrefix(line, indent)
		if text == "" && !strings.HasPrefix(line, "#!") {
			break
		}
		text += line + "\n"
	}
	if text != "" {
		j.runScript(t, &inner, text, known)
		return
	}
	for _, line := range r.lines {
		line, own := j.expand(t, strings.TrimLeft(line, "@- \t"), known, false)
		j.runText(t, own, func() { t.RunText(&inner, trace.Value{Text: line}) })
	}
}

// bind returns the values of the parameters of a recipe. It sets the variables of the environment.
func (j *justfile) bind(t *trace.Trace, sc *trace.Scope, r *justRecipe, args []justValue) map[string]justValue {
	known := map[string]justValue{}
	exports := func(name string, v justValue) {
		sc.Set(name, trace.Variable{Values: []trace.Value{v.argument()}})
	}
	for name := range j.variables {
		if v, ok := j.value(t, name, nil, 0); ok && j.settings["export"] {
			exports(name, v)
		}
	}
	for _, name := range j.exported {
		if v, ok := j.value(t, name, nil, 0); ok {
			exports(name, v)
		}
	}
	for i, param := range r.params {
		v, ok := justValue{}, i < len(args)
		if ok {
			v = args[i]
		} else if v, ok = j.value(t, param.standard, known, 0); !ok {
			continue
		}
		known[param.name] = v
		if param.export || j.settings["export"] {
			exports(param.name, v)
		}
		if j.settings["positional-arguments"] {
			sc.Args = append(sc.Args[:i:i], v.argument())
		}
	}
	return known
}

// runScript analyzes a recipe that is a script for the interpreter in its first line.
func (j *justfile) runScript(t *trace.Trace, c *trace.Command, text string, known map[string]justValue) {
	first, _, _ := strings.Cut(text, "\n")
	fields := strings.Fields(first[len("#!"):] + " sh")
	if trace.BaseName(fields[0]) == "env" {
		for fields = fields[1:]; len(fields) > 1 && (fields[0][0] == '-' || strings.Contains(fields[0], "=")); {
			fields = fields[1:]
		}
	}
	program := trace.BaseName(fields[0])
	text, own := j.expand(t, text, known, !trace.IsShell(program) || strings.Contains(text, "<<"))
	c.In = trace.Flow{Text: text, Known: true}
	j.runText(t, own, func() { t.RunInner(c, []trace.Value{{Text: program}}) })
}

// runText analyzes a text of a recipe. If the text has values of the call, its effects belong to the call.
func (j *justfile) runText(t *trace.Trace, own bool, analyze func()) {
	if own {
		defer t.Scripts.LeaveAll()()
	}
	analyze()
}
