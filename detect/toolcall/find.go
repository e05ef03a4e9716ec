package toolcall

import "strings"

// find looks for files and may run commands on them or delete them.
func find(a *analyzer, c *command) flow {
	if c.name != "find" {
		return fd(a, c)
	}
	starts, rest := findStarts(c.args())
	if len(starts) == 0 {
		starts = []value{{text: "."}}
	}
	narrowed := findNarrowed(rest)
	for i := 0; i < len(rest); i++ {
		switch rest[i].text {
		case "-delete":
			for _, v := range starts {
				a.removeFound(c, v, narrowed, rest)
			}
		case "-exec", "-execdir", "-ok", "-okdir":
			end := findEnd(rest, i+1)
			a.execFound(c, rest[i+1:end], starts, narrowed)
			i = end
		case "-fprint", "-fprintf", "-fls", "-fprint0":
			if i+1 < len(rest) {
				a.write(rest[i+1], c.sc, c.span)
			}
		}
	}
	return a.found(c, starts, narrowed)
}

// findStarts are the places where find begins, before its expression.
func findStarts(args []value) (starts, rest []value) {
	for i, v := range args {
		if v.text == "-H" || v.text == "-L" || v.text == "-P" || strings.HasPrefix(v.text, "-O") {
			continue
		}
		if strings.HasPrefix(v.text, "-") && len(v.text) > 1 || v.text == "(" || v.text == "!" {
			return starts, args[i:]
		}
		starts = append(starts, v)
	}
	return starts, nil
}

// findEnd is the index of the ; or + that ends a command.
func findEnd(args []value, from int) int {
	for i := from; i < len(args); i++ {
		if args[i].text == ";" || args[i].text == "+" && args[i-1].text == "{}" {
			return i
		}
	}
	return len(args)
}

// findNarrowed reports whether tests choose among the files, so that not everything below the start is meant.
func findNarrowed(rest []value) bool {
	for i, v := range rest {
		switch v.text {
		case among(v.text, "-name -iname -path -ipath -wholename -regex -iregex"):
			if i+1 < len(rest) && strings.Trim(rest[i+1].text, "*.") != "" {
				return true
			}
		case among(v.text, "-empty -mtime -mmin -newer -size -atime -ctime -inum -xtype -links -perm -user -maxdepth"):
			return true
		}
	}
	return false
}

// removeFound judges a deletion of what find finds: everything below the start, or files of a kind.
func (a *analyzer) removeFound(c *command, start value, narrowed bool, rest []value) {
	name, regenerable := foundName(rest)
	v := start
	p := a.place(start, c.sc)
	how := removal{tree: true, how: "deletes what find finds in"}
	if narrowed && (p.zone == project || p.zone == root || p.zone == scratch || p.zone == unresolved) {
		how.moved = regenerable || p.zone == scratch || name != "" && !namesSources(name)
		v.text = foundBelow(start.text, orStar(name))
		v.glob = true
		how.tree = false
	}
	a.remove(v, c.sc, c.span, how)
}

// foundBelow is the glob for what find finds at any depth. A pattern for the whole path (-path) begins at the start or
// anywhere.
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

// foundName is the name that find looks for, and whether such files can be made again.
func foundName(rest []value) (string, bool) {
	for i, v := range rest {
		if (v.text == "-name" || v.text == "-iname") && i+1 < len(rest) {
			name := rest[i+1].text
			return name, isRegenerable(strings.ReplaceAll(name, "*", "x"))
		}
	}
	return foundPath(rest), false
}

// foundPath is the path that find looks for; one that is left out (! -path, -prune) says nothing.
func foundPath(rest []value) string {
	path := ""
	for i, v := range rest {
		switch v.text {
		case "-prune":
			return ""
		case "-path", "-ipath", "-wholename":
			if i+1 < len(rest) && (i == 0 || rest[i-1].text != "!" && rest[i-1].text != "-not") {
				path = rest[i+1].text
			}
		}
	}
	return path
}

// execFound analyses the command that find runs, with the start in the place of {}.
func (a *analyzer) execFound(c *command, argv, starts []value, narrowed bool) {
	if len(argv) == 0 {
		return
	}
	for _, start := range starts {
		found := start
		if narrowed {
			found.text = strings.TrimSuffix(start.text, "/") + "/$found"
			found.partial = true
		}
		if name, _ := foundName(c.args()); narrowed && name != "" {
			found.text = foundBelow(start.text, name)
			found.partial, found.glob = start.partial, true
		}
		if !narrowed && isGuardFolder(a.place(start, c.sc).name) {
			found.text, found.glob = foundBelow(start.text, "*"), true
		}
		a.dispatch(substitute(argv, "{}", []value{found}), c.span, c.sc, streams{in: nothing()})
		if !narrowed && a.place(start, c.sc).zone == root {
			own := value{text: a.env.Root + "/.claude/settings.json"} // find takes what a glob leaves out
			a.dispatch(substitute(argv, "{}", []value{own}), c.span, c.sc, streams{in: nothing()})
		}
	}
}

// found is the list of names that find prints.
func (a *analyzer) found(c *command, starts []value, narrowed bool) flow {
	if len(starts) != 1 || starts[0].partial {
		return unknown()
	}
	name, _ := foundName(c.args())
	text := starts[0].text
	switch {
	case name != "":
		text = strings.TrimSuffix(text, "/") + "/" + name
	case narrowed:
		return unknown()
	}
	if strings.ContainsAny(text, " \t\n") {
		return unknown()
	}
	return flow{text: text + "\n", known: true, taint: fromProgram}
}

// fd is the other find: -x and -X run a command on what is found.
func fd(a *analyzer, c *command) flow {
	args := c.args()
	start := "."
	for i, v := range args {
		if p := a.place(v, c.sc); !strings.HasPrefix(v.text, "-") && strings.ContainsAny(v.text, "/~") && p.zone != project {
			start = v.text
		}
		if v.text == "-x" || v.text == "-X" || v.text == "--exec" || v.text == "--exec-batch" {
			found := value{text: strings.TrimSuffix(start, "/") + "/$found", quality: quality{partial: true}}
			argv := substitute(args[i+1:], "{}", []value{found})
			if len(argv) == len(args[i+1:]) && !strings.Contains(joinArgs(args[i+1:]), "{}") {
				argv = append(argv, found)
			}
			return a.again(c, argv)
		}
	}
	return unknown()
}
