package wrapper

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
	"guardrails/guideline/pattern"
	"guardrails/internal/product"
)

// stepsOfStart is how many steps a command of find takes for each place where find starts.
const stepsOfStart = 50

// find analyzes the program "find", which looks for files and may delete them or run commands on them.
func find(t *trace.Trace, c *trace.Command) trace.Flow {
	if c.Name != "find" {
		return fd(t, c)
	}
	e := parseExpression(c.Args())
	for _, v := range e.starts {
		if e.deletes {
			removeFound(t, c, v, &e)
		}
	}
	for _, command := range e.commands {
		execFound(t, c, command, &e)
	}
	for _, v := range e.outputs {
		t.Write(v, c.Scope, c.Span)
	}
	return foundNames(t, c, &e)
}

// guardFiles returns the files of the guard that match the tests -name and -path of an expression.
func (e *expression) guardFiles(t *trace.Trace, c *trace.Command, start trace.Value) []string {
	if e.name == "" && e.path == "" || e.hollow || e.skipsHidden || start.Partial {
		return nil
	}
	name, err := pattern.CompileGlob(strings.ToLower(words.OrElse(e.name, "*")))
	path, err2 := pattern.CompileGlob(strings.ToLower(words.OrElse(e.path, "*")))
	if err != nil || err2 != nil {
		return nil
	}
	var out []string
	folder := t.Place(start, c.Scope).Abs
	for _, file := range t.GuardFiles() {
		below, inside := trace.Below(file, folder)
		if inside && name.Match(trace.BaseName(file)) &&
			(path.Match(strings.TrimSuffix(start.Text, "/")+"/"+below) || path.Match(file)) &&
			(t.Env.Missing == nil || !t.Env.Missing(file)) {
			out = append(out, file)
		}
	}
	return out
}

// guardFound returns the files of the guard that find passes to a command. With -name or -path, these are the files
// that guardFiles returns. Without these tests, it returns only the guard's key, if the start folder contains the key.
func (e *expression) guardFound(t *trace.Trace, c *trace.Command, start trace.Value) []string {
	if e.name != "" || e.path != "" || e.hollow || e.skipsHidden || start.Partial {
		return e.guardFiles(t, c, start)
	}
	p := t.Place(start, c.Scope)
	if key := t.KeyIn(&p); key != "" {
		return []string{key}
	}
	return nil
}

// removeFound adds the deletion of everything below the start folder. If the expression has tests, it adds only the
// deletion of the files that pass them.
func removeFound(t *trace.Trace, c *trace.Command, start trace.Value, e *expression) {
	name, regenerable := e.found()
	if len(e.guardFiles(t, c, start)) > 0 {
		t.Mark(c, "deletes files of the guard in "+product.ClientFolder, effect.GuardTamper)
	}
	v := start
	p := t.Place(start, c.Scope)
	how := trace.Removal{Tree: true, Found: true, How: "deletes", Part: "files that find matches"}
	inProject := p.Zone == trace.Project || p.Zone == trace.Root
	if temporary := !inProject && effect.IsTemporaryPath(p.Abs+"/x"); e.narrowed &&
		(temporary || inProject || p.Zone == trace.Scratch || p.Zone == trace.Unresolved) {
		how.Moved = e.hollow || regenerable || temporary || p.Zone == trace.Scratch ||
			name != "" && !strings.HasSuffix(name, "/*") && !trace.NamesSources(name)
		v.Text = foundBelow(start.Text, orStar(name))
		v.Glob = true
		how.Tree = false
	}
	t.Remove(v, c.Scope, c.Span, how)
}

// foundBelow returns a glob for the files that "find" finds at any depth. name is a pattern for a file name, or for a
// whole path (-path).
func foundBelow(start, name string) string {
	start = strings.TrimSuffix(start, "/")
	switch {
	case name == "**" || strings.HasPrefix(name, "**/"):
		return start + "/" + name
	case strings.HasPrefix(name, "*/"):
		return start + "/*" + name
	case name == start || strings.HasPrefix(name, start+"/"):
		return name
	}
	return start + "/**/" + name
}

func orStar(name string) string {
	if name == "" {
		return "**"
	}
	return name
}

// execFound analyzes the command that find runs. It replaces {} with the start folder, or with a text for the files
// below it.
func execFound(t *trace.Trace, c *trace.Command, argv []trace.Value, e *expression) {
	if len(argv) == 0 {
		return
	}
	for _, start := range e.starts {
		if !t.Spend(stepsOfStart) {
			return
		}
		found := start
		if e.narrowed {
			found.Text = strings.TrimSuffix(start.Text, "/") + "/$found"
			found.Partial = true
			if e.hollow {
				found.Text = strings.TrimSuffix(start.Text, "/") + "/$empty"
			}
		}
		if name, _ := e.found(); e.narrowed && name != "" {
			found.Text = foundBelow(start.Text, name)
			found.Partial, found.Glob = start.Partial, true
		}
		if !e.narrowed && isFolder(t, c, start) {
			found.Text, found.Glob = foundBelow(start.Text, "**"), true
		}
		t.Dispatch(substitute(argv, "{}", []trace.Value{found}), c.Span, c.Scope, trace.Streams{In: trace.Nothing()})
		// The program "find" also finds hidden files, which a glob does not match.
		files := e.guardFound(t, c, start)
		if !e.narrowed && t.Place(start, c.Scope).Zone == trace.Root {
			files = t.GuardFiles()
		}
		for _, name := range files[:min(1, len(files))] {
			settings := trace.Value{Text: name}
			t.Dispatch(substitute(argv, "{}", []trace.Value{settings}), c.Span, c.Scope, trace.Streams{In: trace.Nothing()})
		}
	}
}

// isFolder reports whether find starts in a folder of the project, and not in the project's root or at a file.
func isFolder(t *trace.Trace, c *trace.Command, start trace.Value) bool {
	p := t.Place(start, c.Scope)
	return p.Zone == trace.Project && !start.Partial && (trace.IsGuardFolder(p.Name) || !trace.NamesFile(p.Name))
}

// foundNames returns the output of find, if it is known.
func foundNames(t *trace.Trace, c *trace.Command, e *expression) trace.Flow {
	if len(e.starts) != 1 || e.starts[0].Partial {
		return trace.Unknown()
	}
	name, _ := e.found()
	text := e.starts[0].Text
	switch {
	case name != "":
		text = strings.TrimSuffix(text, "/") + "/" + name
	case e.narrowed:
		return trace.Unknown()
	case isFolder(t, c, e.starts[0]):
		text += "\n" + foundBelow(text, "**")
	}
	if strings.ContainsAny(text, " \t") || strings.Contains(e.starts[0].Text, "\n") {
		return trace.Unknown()
	}
	for _, file := range e.guardFound(t, c, e.starts[0]) {
		text += "\n" + file
	}
	return trace.Flow{Text: text + "\n", Known: true, Taint: trace.FromProgram}
}

// maxBeforeCommand is the number of arguments, from the beginning of the call, in which fd() looks for the search
// folder and the flag -e.
const maxBeforeCommand = 16

// fd analyzes fd, which also looks for files. Its flags -x and -X run a command on the files that it finds. As with
// find's -exec, all arguments after such a flag belong to the command.
func fd(t *trace.Trace, c *trace.Command) trace.Flow {
	args := c.Args()
	const values = "e t d E S c j extension type max-depth exclude size color threads"
	start := "."
	for i, v := range args {
		o := flags.Parse(args[i:i+1], values)
		if i < maxBeforeCommand {
			before := flags.Parse(args[:i+1], values).Operands
			if len(before) > 1 && before[len(before)-1].Text == v.Text {
				start = v.Text
			}
		}
		if o.Has("x X exec exec-batch") {
			found := trace.Value{Text: strings.TrimSuffix(start, "/") + "/$found", Quality: trace.Quality{Partial: true}}
			given := flags.Parse(args[:min(i, maxBeforeCommand)], values)
			if ends := given.Values("e extension"); len(ends) > 0 {
				found = trace.Value{Text: foundBelow(start, "*."+ends[0].Text), Quality: trace.Quality{Glob: true}}
			}
			argv := substitute(args[i+1:], "{}", []trace.Value{found})
			if len(argv) == len(args[i+1:]) && !strings.Contains(trace.JoinArgs(args[i+1:]), "{}") {
				argv = append(argv, found)
			}
			return t.RunInner(c, argv)
		}
	}
	return trace.Unknown()
}
