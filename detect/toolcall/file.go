package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// fileHandler knows the programs that make, change, move and remove files.
func fileHandler(name string) handler {
	switch name {
	case among(name, "rm del grm trash trash-put rimraf"):
		return removeFiles
	case "rmdir":
		return removeDirs
	case "unlink":
		return removeFiles
	case "mv", "gmv", "rename":
		return move
	case "cp", "gcp", "install", "ditto":
		return copyFiles
	case "ln", "gln", "link":
		return linkFiles
	case "tee", "sponge":
		return tee
	case "touch", "mkdir", "mkfifo", "mknod":
		return makeNew
	case "truncate":
		return truncate
	case "sed", "gsed":
		return sed
	case "patch":
		return patchFiles
	case "split", "csplit":
		return splitFile
	case "tar", "bsdtar", "gtar":
		return tar
	case "zip", "7z", "7za", "rar":
		return archive
	case among(name, "unzip unrar gunzip unxz bunzip2 unzstd"):
		return unpack
	case "gzip", "xz", "bzip2", "zstd":
		return compress
	}
	return nil
}

// removeFiles is rm.
func removeFiles(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "")
	if o.has("help version") {
		return nothing()
	}
	tree := o.has("r R recursive") || c.name == "rimraf"
	// rm -rf spelled with the flags behind the operands works too; parseOptions has sorted them.
	if o.has("no-preserve-root") {
		a.mark(c, "asks rm to delete the root", effect.SystemDelete, effect.DestructiveOp)
	}
	for _, v := range o.operands {
		a.remove(v, c.sc, c.span, removal{tree: tree, how: "deletes"})
	}
	return nothing()
}

func removeDirs(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "")
	for _, v := range o.operands {
		a.remove(v, c.sc, c.span, removal{moved: true, tree: o.has("s S"), how: "deletes"})
	}
	return nothing()
}

// targets sorts the operands of cp, mv, ln and install into sources and the place they go to.
func (a *analyzer) targets(c *command, withValue string) (options, []value, value) {
	o := parseOptions(c.args(), withValue)
	if dirs := o.values("t target-directory"); len(dirs) > 0 {
		return o, o.operands, dirs[0]
	}
	if len(o.operands) < 2 {
		return o, o.operands, value{}
	}
	last := len(o.operands) - 1
	return o, o.operands[:last], o.operands[last]
}

func move(a *analyzer, c *command) flow {
	o, sources, to := a.targets(c, "t S target-directory suffix")
	if c.name == "rename" {
		a.rename(c, &o)
		return nothing()
	}
	for _, v := range sources {
		from := a.remove(v, c.sc, c.span, removal{tree: true, moved: to.text != "/dev/null", how: "moves away"})
		if from.zone == root {
			a.mark(c, "", effect.DestructiveOp)
		}
		if where := a.place(to, c.sc).zone; from.zone == project && where == scratch && !isRegenerable(from.name) && !namesFile(from.name) && !from.glob {
			a.mark(c, "moves "+from.name+" out of the project into a temporary folder", effect.DestructiveOp)
		}
	}
	a.writeInto(to, sources, c)
	a.markFolders(c, sources, to)
	return nothing()
}

// rename changes the names of the files behind its expressions.
func (a *analyzer) rename(c *command, o *options) {
	for i, v := range o.operands {
		if p := a.place(v, c.sc); isGuardFolder(p.name) || i > 0 && p.glob && mayBe(p.name, ".claude") {
			a.mark(c, "moves away "+p.name+", which belongs to the guard", effect.GuardTamper)
		}
		if i > 0 {
			a.write(v, c.sc, c.span)
		}
	}
}

func copyFiles(a *analyzer, c *command) flow {
	o, sources, to := a.targets(c, "t S m o g target-directory suffix mode owner group")
	if c.name == "install" && o.has("d directory") {
		for _, v := range o.operands {
			a.write(v, c.sc, c.span)
		}
		return nothing()
	}
	var held flow
	tree := o.has("r R recursive a archive") || c.name == "ditto"
	for _, v := range sources {
		held = a.readFlow(v, c.sc, c.span)
		a.markCopied(c, v, tree, o.has("l link"))
	}
	if len(sources) == 1 {
		held.file = nil
	}
	a.writeInto(to, sources, c)
	if tree {
		a.markFolders(c, sources, to)
	}
	if name := a.place(to, c.sc).name; len(sources) == 1 && (held.known || held.taint.has(fromNetwork|decoded|fromSecret)) {
		a.remember(name, held)
	}
	if symbolic := o.has("s symbolic-link"); c.name != "install" && c.name != "ditto" && (symbolic || o.has("l link")) {
		a.linkTo(sources, to, symbolic, c.sc)
	}
	return nothing()
}

// markFolders notes that moved or copied folders take the place of what a protected folder holds. A folder that is put
// into it beside the others (rules into .claude/) does not.
func (a *analyzer) markFolders(c *command, sources []value, to value) {
	for _, v := range sources {
		name := baseName(strings.TrimSuffix(v.text, "/"))
		inside := to
		inside.text = strings.TrimSuffix(to.text, "/") + "/" + name
		if isGuardFolder(name) || name == ".git" {
			a.markReplaced(c, inside)
		}
		if name == "." || !strings.HasSuffix(to.text, "/") && !namesFile(name) && !v.glob {
			a.markReplaced(c, to)
		}
	}
}

// writeInto notes the writing of a target that may be a file or a folder: both the target itself and the files that
// would come to lie in it count.
func (a *analyzer) writeInto(to value, sources []value, c *command) {
	if to.text == "" {
		return
	}
	a.write(to, c.sc, c.span)
	p := a.place(to, c.sc)
	folder := strings.HasSuffix(to.text, "/") || to.text == "." || to.text == ".." || p.zone == root || !strings.Contains(baseName(to.text), ".") || strings.HasPrefix(baseName(to.text), ".")
	if !folder {
		return
	}
	for _, v := range sources {
		name := baseName(strings.TrimSuffix(v.text, "/"))
		if name == "" || v.partial || name == baseName(to.text) {
			continue
		}
		inside := to
		inside.text = strings.TrimSuffix(to.text, "/") + "/" + name
		inside.glob = inside.glob || v.glob
		if q := a.place(inside, c.sc); q.guard || q.startup || strings.HasPrefix(q.name, "contracts/") || p.zone != system && p.zone != outside {
			a.write(inside, c.sc, c.span)
		}
	}
}

func baseName(p string) string { return p[strings.LastIndexByte(p, '/')+1:] }

func tee(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "")
	for _, v := range o.operands {
		if isSocket(v.text) {
			a.upload(c, socketHost(v.text), c.in.taint)
			continue
		}
		if v.pipe == nil {
			if name := a.write(v, c.sc, c.span); name != "" {
				a.remember(name, c.in)
			}
		}
	}
	return c.in
}

// makeNew is touch, mkdir and their kind: what they make is new.
func makeNew(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "m d r t mode date reference")
	for _, v := range o.operands {
		if c.name == "mknod" && (v.text == "p" || v.text == "b" || v.text == "c") {
			break
		}
		a.write(v, c.sc, c.span)
	}
	return nothing()
}

func truncate(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "s r size reference")
	for _, v := range o.operands {
		a.write(v, c.sc, c.span)
	}
	return nothing()
}

func splitFile(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "a b C l n t f suffix-length bytes lines number prefix filter")
	if len(o.operands) > 0 {
		a.read(o.operands[0], c.sc, c.span)
	}
	prefix := o.values("f prefix")
	if c.name == "split" {
		prefix = o.operands[min(1, len(o.operands)):]
		for _, v := range o.values("filter") {
			a.runText(c, v)
		}
	}
	for _, v := range prefix[:min(1, len(prefix))] {
		v.text, v.glob = v.text+"*", true
		a.write(v, c.sc, c.span)
	}
	return nothing()
}
