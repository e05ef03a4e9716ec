// Package find analyzes find and fd, which look for files and delete them or run commands on them.
package find

import (
	"slices"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/program/wrapper"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
	"guardrails/guideline/pattern"
	"guardrails/internal/product"
)

// stepsOfStart is the number of steps that the analysis counts for each action, in each start folder and with each
// filter.
const stepsOfStart = 50

// maxStarts is the maximum number of start folders for which the output of find is known.
const maxStarts = 8

// Handler returns the handler of a program that looks for files, or nil.
func Handler(name string) trace.Handler {
	switch name {
	case "find", "fd", "fdfind":
		return find
	}
	return nil
}

// The function find analyzes the program "find", which looks for files and may delete them or run commands on them.
func find(t *trace.Trace, c *trace.Command) trace.Flow {
	if c.Name != "find" {
		return fd(t, c)
	}
	e := parseExpression(c.Args())
	for _, a := range e.actions {
		for _, v := range e.starts {
			for i := range a.found {
				if !t.Spend(stepsOfStart) {
					return trace.Unknown()
				}
				if a.command == nil {
					removeFound(t, c, v, &a.found[i])
				} else {
					execFound(t, c, a.command, v, &a.found[i])
				}
			}
		}
	}
	for _, v := range e.outputs {
		t.Write(v, c.Scope, c.Span)
	}
	return foundNames(t, c, e.starts, e.printed)
}

// guardFiles returns the files of the guard that match the tests -name and -path.
func (f *filter) guardFiles(t *trace.Trace, c *trace.Command, start trace.Value) []string {
	if f.name == "" && f.path == "" || f.hollow || f.skipsHidden || start.Partial {
		return nil
	}
	name, err := pattern.CompileGlob(strings.ToLower(words.OrElse(f.name, "*")))
	path, err2 := pattern.CompileGlob(strings.ToLower(words.OrElse(f.path, "*")))
	if err != nil || err2 != nil {
		return nil
	}
	var out []string
	folder := t.Place(start, c.Scope).Abs
	for _, file := range t.GuardFiles() {
		below, inside := trace.Below(file, folder)
		if inside && name.Match(trace.BaseName(file)) &&
			(path.Match(strings.TrimSuffix(start.Text, "/")+"/"+below) || path.Match(file)) &&
			(t.Env.Missing == nil || !t.Env.Missing(strings.TrimSuffix(file, "/x.yaml"))) {
			out = append(out, file)
		}
	}
	return out
}

// guardFound returns the files of the guard that the program "find" passes to a command. If there is a test such as
// -name or -path, the result has the files that guardFiles returns. Otherwise, it returns only the guard's key, if the
// start folder contains the key.
func (f *filter) guardFound(t *trace.Trace, c *trace.Command, start trace.Value) []string {
	if f.name != "" || f.path != "" || f.hollow || f.skipsHidden || start.Partial {
		return f.guardFiles(t, c, start)
	}
	p := t.Place(start, c.Scope)
	if key := t.KeyIn(&p); key != "" {
		return []string{key}
	}
	return nil
}

// removeFound adds the effect of deleting everything below the start folder. If there are tests, it adds only the
// effect of deleting the files that pass the tests.
func removeFound(t *trace.Trace, c *trace.Command, start trace.Value, f *filter) {
	name, regenerable := f.found()
	isFolder := f.namesFolder(name)
	if isFolder {
		name += "/**"
	}
	if len(f.guardFiles(t, c, start)) > 0 {
		t.Mark(c, "deletes files of the guard in "+product.ClientFolder, effect.GuardTamper)
	}
	v := start
	p := t.Place(start, c.Scope)
	how := trace.Removal{Tree: true, Found: true, How: "deletes", Part: "files that find matches"}
	inProject := p.Zone == trace.Project || p.Zone == trace.Root
	if temporary := !inProject && effect.IsTemporaryPath(p.Abs+"/x"); f.narrowed &&
		(temporary || inProject || p.Zone == trace.Scratch || p.Zone == trace.Unresolved) {
		how.Moved = f.hollow || regenerable || temporary || p.Zone == trace.Scratch ||
			name != "" && !strings.HasSuffix(name, "/*") && !isFolder && !trace.NamesKept(name)
		v.Text = foundBelow(start.Text, orStar(name))
		v.Glob = true
		how.Tree = false
	}
	t.Remove(v, c.Scope, c.Span, how)
}

// namesFolder reports whether a pattern is the value of -path and matches everything in a folder, as "./src*" does. It
// returns false if tools can create the folder again.
func (f *filter) namesFolder(name string) bool {
	begin, ok := strings.CutSuffix(name, "*")
	return ok && name == f.path && !trace.NamesFile(begin) && !trace.IsRegenerable(begin)
}

// foundBelow returns a glob for the files that "find" finds at any depth. The parameter "name" is the pattern after
// -name or, for a whole path, after -path.
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

// execFound analyzes the command that the program "find" runs. It replaces {} with the start folder. If tests select
// only some of the files below the start folder, it replaces {} with a glob or with a text such as "./$found".
func execFound(t *trace.Trace, c *trace.Command, argv []trace.Value, start trace.Value, f *filter) {
	found := start
	if f.narrowed {
		found.Text = strings.TrimSuffix(start.Text, "/") + "/$found"
		found.Partial = true
		if f.hollow {
			found.Text = strings.TrimSuffix(start.Text, "/") + "/$empty"
		}
	}
	if name, _ := f.found(); f.narrowed && name != "" {
		found.Text = foundBelow(start.Text, name)
		found.Partial, found.Glob = start.Partial, true
	}
	if !f.narrowed && isFolder(t, c, start) {
		found.Text, found.Glob = foundBelow(start.Text, "**"), true
	}
	everything := !f.narrowed && t.Place(start, c.Scope).Zone == trace.Root
	changesModes := trace.ArgAt(argv, 0) == "chmod"
	if everything && changesModes { // the handler of chmod -R knows which modes would harm the guard's files
		argv = slices.Insert(slices.Clone(argv), 1, trace.Value{Text: "-R"})
	}
	t.Dispatch(wrapper.Substitute(argv, "{}", []trace.Value{found}), c.Span, c.Scope, trace.Streams{In: trace.Nothing()})
	// The program "find" also finds hidden files, which a glob does not match.
	files := f.guardFound(t, c, start)
	if everything && !changesModes && trace.ArgAt(argv, 0) != "touch" {
		files = t.GuardFiles()
	}
	for _, name := range files[:min(1, len(files))] {
		settings := trace.Value{Text: name}
		t.Dispatch(wrapper.Substitute(argv, "{}", []trace.Value{settings}), c.Span, c.Scope, trace.Streams{In: trace.Nothing()})
	}
}

// isFolder reports whether the search starts in a folder of the project, and not in the project's root or at a file.
func isFolder(t *trace.Trace, c *trace.Command, start trace.Value) bool {
	p := t.Place(start, c.Scope)
	return p.Zone == trace.Project && !start.Partial && (trace.IsGuardFolder(p.Name) || !trace.NamesFile(p.Name))
}

// foundNames returns the output of find, as far as it is known. The order of find is
// not known, so the guard's files come first.
func foundNames(t *trace.Trace, c *trace.Command, starts []trace.Value, filters []filter) trace.Flow {
	if len(starts) > maxStarts {
		return trace.Unknown()
	}
	var first, text string
	for i := range len(starts) * len(filters) {
		f, start := &filters[i%len(filters)], starts[i/len(filters)]
		if start.Partial || strings.ContainsAny(start.Text, " \t\n") {
			return trace.Unknown()
		}
		name, _ := f.found()
		if len(starts) > 1 && (name == "" || trace.NamesKept(name) || t.Place(start, c.Scope).Zone != trace.Project) {
			return trace.Unknown() // some programs that read the output are judged only by its first line
		}
		line := start.Text
		switch {
		case strings.ContainsAny(name, " \t"):
			return trace.Unknown()
		case name != "":
			line = strings.TrimSuffix(line, "/") + "/" + name
		case f.narrowed:
			return trace.Unknown()
		case isFolder(t, c, start):
			line += "\n" + foundBelow(line, "**")
		}
		for _, file := range f.guardFound(t, c, start) {
			first += file + "\n"
		}
		text += line + "\n"
	}
	return trace.Flow{Text: first + text, Known: true, Taint: trace.FromProgram}
}
