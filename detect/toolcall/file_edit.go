package toolcall

import "strings"

// sed reads its files, or with -i writes them.
func sed(a *analyzer, c *command) flow {
	o := parseOptions(withoutSuffix(c.args()), "e f l expression file line-length")
	inPlace := false
	for _, f := range o.flags {
		inPlace = inPlace || f.name == "i" || f.name == "in-place" || strings.HasPrefix(f.name, "-i")
	}
	files := o.operands
	scripts := o.values("e expression")
	if len(scripts) == 0 && len(o.values("f file")) == 0 && len(files) > 0 {
		scripts, files = files[:1], files[1:]
	}
	for _, s := range scripts {
		sedScript(a, c, s)
	}
	out := flow{taint: c.in.taint | fromProgram}
	for _, v := range files {
		if v.text == "" {
			continue
		}
		if inPlace {
			a.write(v, c.sc, c.span)
			continue
		}
		out.taint |= a.readFlow(v, c.sc, c.span).taint
	}
	return out
}

// withoutSuffix takes the empty suffix out that sed of the BSDs wants behind -i.
func withoutSuffix(args []value) []value {
	for i, v := range args {
		if v.text == "-i" && i+1 < len(args) && args[i+1].text == "" && !args[i+1].partial {
			return append(append([]value{}, args[:i+1]...), args[i+2:]...)
		}
	}
	return args
}

// patchFiles applies a diff: the file it names is written, or else what is written is not known.
func patchFiles(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "p i d o B D F g r V Y z input directory output strip")
	if o.has("dry-run") {
		return nothing()
	}
	diff := c.in
	for _, v := range o.values("i input") {
		diff = a.readFlow(v, c.sc, c.span)
	}
	into := append(o.values("o output"), o.operands[:min(1, len(o.operands))]...)
	if len(into) > 0 {
		a.write(into[0], c.sc, c.span)
		return nothing()
	}
	if len(o.operands) > 1 {
		diff = a.readFlow(o.operands[1], c.sc, c.span)
	}
	for _, v := range o.values("d directory") {
		a.patchInto(c, v, diff, false)
	}
	a.diffTargets(c, diff, firstText(o.values("d directory")))
	return nothing()
}

// diffTargets notes the files that a diff changes or deletes below a folder, if the diff is known.
func (a *analyzer) diffTargets(c *command, diff flow, folder string) {
	if !diff.known {
		a.opaque(c.span, "applies a patch, and it is not known to which files")
		return
	}
	old := ""
	for line := range strings.Lines(diff.text) {
		line = strings.TrimRight(line, "\r\n")
		if name, ok := strings.CutPrefix(line, "--- "); ok {
			old = diffName(name, "a/")
			continue
		}
		if name, ok := diffDeletes(line, old); ok {
			a.remove(value{text: inDir(folder, name)}, c.sc, c.span, removal{how: "deletes"})
		} else if name, ok := diffWrites(line); ok {
			a.write(value{text: inDir(folder, name)}, c.sc, c.span)
		}
	}
}

// diffDeletes finds the file that a line of a diff takes away; old is the one its --- line named.
func diffDeletes(line, old string) (string, bool) {
	if name, ok := strings.CutPrefix(line, "rename from "); ok {
		return name, true
	}
	name, ok := strings.CutPrefix(line, "+++ ")
	return old, ok && diffName(name, "b/") == "/dev/null" && old != ""
}

// diffWrites finds the file that a line of a diff makes or changes.
func diffWrites(line string) (string, bool) {
	if name, ok := strings.CutPrefix(line, "+++ "); ok {
		return diffName(name, "b/"), true
	}
	if name, ok := strings.CutPrefix(line, "rename to "); ok {
		return name, true
	}
	return strings.CutPrefix(line, "copy to ")
}

// diffName is a name in a diff without the time behind it and the letter before it.
func diffName(name, letter string) string {
	name, _, _ = strings.Cut(name, "\t")
	return strings.TrimPrefix(strings.TrimSpace(name), letter)
}

func inDir(folder, name string) string {
	if folder == "" || isAbsolute(name) {
		return name
	}
	return strings.TrimSuffix(folder, "/") + "/" + name
}
