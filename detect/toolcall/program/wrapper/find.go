package wrapper

import (
	"strings"

	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// find analyzes find, which looks for files and may delete them or run commands on them.
func find(t *trace.Trace, c *trace.Command) trace.Flow {
	if c.Name != "find" {
		return fd(t, c)
	}
	starts, rest := findStarts(c.Args())
	if len(starts) == 0 {
		starts = []trace.Value{{Text: "."}}
	}
	narrowed := findNarrowed(rest)
	for i := 0; i < len(rest); i++ {
		switch rest[i].Text {
		case "-delete":
			for _, v := range starts {
				removeFound(t, c, v, narrowed, rest)
			}
		case "-exec", "-execdir", "-ok", "-okdir":
			end := findEnd(rest, i+1)
			execFound(t, c, rest[i+1:end], starts, narrowed)
			i = end
		case "-fprint", "-fprintf", "-fls", "-fprint0":
			if i+1 < len(rest) {
				t.Write(rest[i+1], c.Scope, c.Span)
			}
		}
	}
	return foundNames(c, starts, narrowed)
}

// findStarts splits the arguments of find into the folders in which it begins and the expression.
func findStarts(args []trace.Value) (starts, rest []trace.Value) {
	for i, v := range args {
		if v.Text == "-H" || v.Text == "-L" || v.Text == "-P" || strings.HasPrefix(v.Text, "-O") {
			continue
		}
		if strings.HasPrefix(v.Text, "-") && len(v.Text) > 1 || v.Text == "(" || v.Text == "!" {
			return starts, args[i:]
		}
		starts = append(starts, v)
	}
	return starts, nil
}

// findEnd returns the index of the ; or + that ends a command.
func findEnd(args []trace.Value, from int) int {
	for i := from; i < len(args); i++ {
		if args[i].Text == ";" || args[i].Text == "+" && args[i-1].Text == "{}" {
			return i
		}
	}
	return len(args)
}

// findNarrowed reports whether the expression has tests, which exclude some of the files below the start.
func findNarrowed(rest []trace.Value) bool {
	for i, v := range rest {
		switch v.Text {
		case words.Among(v.Text, "-name -iname -path -ipath -wholename -regex -iregex"):
			if i+1 < len(rest) && strings.Trim(rest[i+1].Text, "*.") != "" {
				return true
			}
		case words.Among(v.Text, "-empty -mtime -mmin -newer -size -atime -ctime -inum -xtype -links -perm -user -maxdepth"):
			return true
		}
	}
	return false
}

// removeFound adds the deletion of everything below the start or, if the expression has tests, of the files that pass
// them.
func removeFound(t *trace.Trace, c *trace.Command, start trace.Value, narrowed bool, rest []trace.Value) {
	name, regenerable := foundName(rest)
	v := start
	p := t.Place(start, c.Scope)
	how := trace.Removal{Tree: true, Found: true, How: "deletes", Part: "files that find matches"}
	inProject := p.Zone == trace.Project || p.Zone == trace.Root
	if narrowed && (inProject || p.Zone == trace.Scratch || p.Zone == trace.Unresolved) {
		how.Moved = regenerable || p.Zone == trace.Scratch || name != "" && !trace.NamesSources(name)
		v.Text = foundBelow(start.Text, orStar(name))
		v.Glob = true
		how.Tree = false
	}
	t.Remove(v, c.Scope, c.Span, how)
}

// foundBelow returns the glob of the files that find finds at any depth. A pattern of the whole path (-path) begins at
// the start or anywhere.
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

// foundName returns the name that find looks for, and whether tools can create such files again.
func foundName(rest []trace.Value) (string, bool) {
	for i, v := range rest {
		if (v.Text == "-name" || v.Text == "-iname") && i+1 < len(rest) {
			name := rest[i+1].Text
			return name, trace.IsRegenerable(strings.ReplaceAll(name, "*", "x"))
		}
	}
	return foundPath(rest), false
}

// foundPath returns the path that find looks for, or "". A path that find excludes (! -path, -prune) does not count.
func foundPath(rest []trace.Value) string {
	path := ""
	for i, v := range rest {
		switch v.Text {
		case "-prune":
			return ""
		case "-path", "-ipath", "-wholename":
			if i+1 < len(rest) && (i == 0 || rest[i-1].Text != "!" && rest[i-1].Text != "-not") {
				path = rest[i+1].Text
			}
		}
	}
	return path
}

// execFound analyzes the command that find runs. It replaces {} with the start or with a glob below it.
func execFound(t *trace.Trace, c *trace.Command, argv, starts []trace.Value, narrowed bool) {
	if len(argv) == 0 {
		return
	}
	for _, start := range starts {
		found := start
		if narrowed {
			found.Text = strings.TrimSuffix(start.Text, "/") + "/$found"
			found.Partial = true
		}
		if name, _ := foundName(c.Args()); narrowed && name != "" {
			found.Text = foundBelow(start.Text, name)
			found.Partial, found.Glob = start.Partial, true
		}
		if !narrowed && trace.IsGuardFolder(t.Place(start, c.Scope).Name) {
			found.Text, found.Glob = foundBelow(start.Text, "*"), true
		}
		t.Dispatch(substitute(argv, "{}", []trace.Value{found}), c.Span, c.Scope, trace.Streams{In: trace.Nothing()})
		if !narrowed && t.Place(start, c.Scope).Zone == trace.Root {
			// find also finds hidden files, which a glob does not match.
			settings := trace.Value{Text: t.Env.Root + "/.claude/settings.json"}
			t.Dispatch(substitute(argv, "{}", []trace.Value{settings}), c.Span, c.Scope, trace.Streams{In: trace.Nothing()})
		}
	}
}

// foundNames returns the names that find prints.
func foundNames(c *trace.Command, starts []trace.Value, narrowed bool) trace.Flow {
	if len(starts) != 1 || starts[0].Partial {
		return trace.Unknown()
	}
	name, _ := foundName(c.Args())
	text := starts[0].Text
	switch {
	case name != "":
		text = strings.TrimSuffix(text, "/") + "/" + name
	case narrowed:
		return trace.Unknown()
	}
	if strings.ContainsAny(text, " \t\n") {
		return trace.Unknown()
	}
	return trace.Flow{Text: text + "\n", Known: true, Taint: trace.FromProgram}
}

// fd analyzes fd, which also looks for files. Its flags -x and -X run a command on the files that it finds. As with
// -exec of find, all arguments behind them belong to the command.
func fd(t *trace.Trace, c *trace.Command) trace.Flow {
	args := c.Args()
	start := "."
	for i, v := range args {
		o := flags.Parse(args[i:i+1], "e t d E S c j")
		isPath := len(o.Operands) > 0 && strings.ContainsAny(v.Text, "/~")
		if isPath && t.Place(v, c.Scope).Zone != trace.Project {
			start = v.Text
		}
		if o.Has("x X exec exec-batch") {
			found := trace.Value{Text: strings.TrimSuffix(start, "/") + "/$found", Quality: trace.Quality{Partial: true}}
			argv := substitute(args[i+1:], "{}", []trace.Value{found})
			if len(argv) == len(args[i+1:]) && !strings.Contains(trace.JoinArgs(args[i+1:]), "{}") {
				argv = append(argv, found)
			}
			return t.RunInner(c, argv)
		}
	}
	return trace.Unknown()
}
