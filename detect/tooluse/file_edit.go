package tooluse

import "strings"

// sed reads its files, or with -i writes them.
func sed(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "e f l expression file line-length")
	inPlace := false
	for _, f := range o.flags {
		inPlace = inPlace || f.name == "i" || f.name == "in-place" || strings.HasPrefix(f.name, "-i")
	}
	files := o.operands
	scripts := o.values("e", "expression")
	if len(scripts) == 0 && len(o.values("f", "file")) == 0 && len(files) > 0 {
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

// patchFiles applies a diff: the file it names is written, or else what is written is not known.
func patchFiles(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "p i d o B D F g r V Y z input directory output strip")
	if o.has("dry-run") {
		return nothing()
	}
	if len(o.operands) > 0 {
		a.write(o.operands[0], c.sc, c.span)
		return nothing()
	}
	a.diffTargets(c, c.in)
	return nothing()
}

// diffTargets notes the files that a diff changes, if the diff is known.
func (a *analyzer) diffTargets(c *command, diff flow) {
	if !diff.known {
		a.opaque(c.span, "applies a patch, and it is not known to which files")
		return
	}
	for line := range strings.Lines(diff.text) {
		name, ok := strings.CutPrefix(strings.TrimSpace(line), "+++ ")
		if !ok {
			continue
		}
		name, _, _ = strings.Cut(name, "\t")
		if name != "/dev/null" {
			a.write(value{text: strings.TrimPrefix(name, "b/")}, c.sc, c.span)
		}
	}
}
