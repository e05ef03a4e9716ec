// Package files analyzes programs that read, write, move, delete, pack and edit files.
package files

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// Handler returns the handler of a program that creates, changes, moves or removes files, or nil.
func Handler(name string) trace.Handler {
	switch name {
	case words.Among(name, "rm del grm trash trash-put rimraf del-cli"):
		return removeFiles
	case "rmdir":
		return removeDirs
	case "unlink":
		return removeFiles
	case "gio", "kioclient", "kioclient5":
		return desktopFiles
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
	case "zip", "7z", "7za", "7zz", "rar":
		return archive
	case words.Among(name, "unzip unrar gunzip unxz bunzip2 unzstd"):
		return unpack
	case "dpkg-deb":
		return unpackPackage
	case "cpio":
		return cpio
	case "gzip", "xz", "bzip2", "zstd":
		return compress
	}
	return nil
}

func removeFiles(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), flags.Abbreviates)
	if o.HasWhole("help version") || c.Name == "del-cli" && o.Has("d dry-run") {
		return trace.Nothing()
	}
	tree := o.Has("r R recursive") || c.Name == words.Among(c.Name, "rimraf del-cli")
	if o.Has("no-preserve-root") && !c.Scope.Container.IsEmpty() {
		t.MarkAll(c, "lets rm delete the root folder", effect.SystemDelete, effect.DestructiveOp)
	}
	for _, v := range o.Operands {
		t.Remove(v, c.Scope, c.Span, trace.Removal{Tree: tree, How: "deletes"})
	}
	return trace.Nothing()
}

// removeDirs analyzes rmdir, which deletes only empty folders. With /s on Windows, it deletes everything in them.
func removeDirs(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), flags.Abbreviates)
	how := trace.EmptyFolder
	if o.Has("s S") {
		how = "deletes"
	}
	for _, v := range o.Operands {
		t.Remove(v, c.Scope, c.Span, trace.Removal{Moved: true, Tree: how == "deletes", How: how})
	}
	return trace.Nothing()
}

// desktopFiles analyzes the desktop tools gio and kioclient, which read and delete files.
func desktopFiles(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "")
	operands := o.Operands[min(1, len(o.Operands)):]
	switch o.Word(0) {
	case "copy":
		return t.RunAs(c, "cp", operands)
	case "move":
		return t.RunAs(c, "mv", operands)
	}
	for _, v := range operands {
		switch o.Word(0) {
		case "trash", "remove":
			t.Remove(v, c.Scope, c.Span, trace.Removal{Tree: true, How: "deletes"})
		case "cat":
			t.Read(v, c.Scope, c.Span)
		}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// splitTarget parses the arguments of cp, mv, ln or install and splits the operands into sources and target.
func splitTarget(c *trace.Command, withValue string) (flags.Options, []trace.Value, trace.Value) {
	o := flags.Parse(c.Args(), withValue)
	if dirs := o.Values("t target-directory"); len(dirs) > 0 {
		return o, o.Operands, dirs[0]
	}
	if len(o.Operands) < 2 {
		return o, o.Operands, trace.Value{}
	}
	last := len(o.Operands) - 1
	return o, o.Operands[:last], o.Operands[last]
}

func move(t *trace.Trace, c *trace.Command) trace.Flow {
	o, sources, to := splitTarget(c, flags.Abbreviates+"t S target-directory suffix")
	if c.Name == "rename" {
		rename(t, c, &o)
		return trace.Nothing()
	}
	for _, v := range sources {
		from := t.Remove(v, c.Scope, c.Span, trace.Removal{Tree: true, Moved: to.Text != "/dev/null", How: "moves away"})
		if from.Zone == trace.Root {
			t.Mark(c, "", effect.DestructiveOp)
		}
		MarkLeaving(t, c, &from, to)
	}
	Put(t, c, sources, to, true)
	switch {
	case len(sources) != 1:
	case keepsTarget(&o):
		t.NoteCopy(sources[0], to, c.Scope)
	default:
		t.NoteReplacement(sources[0], to, c.Scope)
	}
	t.MoveSecrets(c, sources, to)
	return trace.Nothing()
}

// MarkLeaving marks a move of a folder out of the project into a temporary folder.
func MarkLeaving(t *trace.Trace, c *trace.Command, from *trace.Place, to trace.Value) {
	if t.LeavesProject(from, to, c.Scope) {
		t.Mark(c, "moves "+from.Name+" out of the project into a temporary folder", effect.DestructiveOp)
	}
}

// rename() analyzes the program "rename". Its first operand is an expression, and the other operands are the files to
// rename.
func rename(t *trace.Trace, c *trace.Command, o *flags.Options) {
	expression := o.Word(0) // Perl runs it in a trial run too
	if o.HasWhole("n no-act nono") && strings.HasPrefix(expression, "s/") && strings.Count(expression, "/") == 3 &&
		strings.Trim(words.AfterLast(expression, "/"), "gix") == "" && !strings.ContainsAny(expression, "@{\n") &&
		(!strings.Contains(expression, "$") || !strings.Contains(expression, "[")) {
		return
	}
	if strings.ContainsAny(expression, "([`") {
		t.RunPerl(c, o.Operands[0])
	}
	for i, v := range o.Operands {
		if p := t.Place(v, c.Scope); trace.IsGuardFolder(p.Name) || i > 0 && p.Glob && t.MayBe(p.Name, ".claude") {
			t.Mark(c, "moves away "+p.Name+", which belongs to the guard", effect.GuardTamper)
		}
		if i > 0 {
			t.Write(v, c.Scope, c.Span)
		}
	}
}

func copyFiles(t *trace.Trace, c *trace.Command) trace.Flow {
	o, sources, to := splitTarget(c, flags.Abbreviates+"t S m o g target-directory suffix mode owner group")
	if c.Name == "install" && o.Has("d directory") {
		for _, v := range o.Operands {
			makeFolder(t, c, v)
		}
		return trace.Nothing()
	}
	if mode := o.LastText("m mode"); program.SetsID(mode) {
		t.Mark(c, "makes a program run with its owner's or group's rights for everyone ("+mode+")", effect.PrivilegeGain)
	}
	var content trace.Flow
	tree := o.Has("r R recursive a archive") || c.Name == "ditto"
	for _, v := range sources {
		content = t.ReadFlow(v, c.Scope, c.Span)
		t.MarkCopied(c, v, tree, o.Has("l link"))
	}
	if len(sources) == 1 {
		content.File = nil
	}
	Put(t, c, sources, to, tree)
	name := t.Place(to, c.Scope).Name
	switch {
	case len(sources) != 1:
	case keepsTarget(&o):
		t.NoteCopy(sources[0], to, c.Scope)
	default:
		t.NoteReplacement(sources[0], to, c.Scope)
	}
	if len(sources) == 1 && (content.Known || content.Taint.Has(trace.FromNetwork|trace.Decoded|trace.FromSecret)) {
		t.RememberPart(name, content)
		if content.Known && content.Text == "" {
			t.NoteEmptied(to, c.Scope, c.Span)
		}
	}
	symbolic := o.Has("s symbolic-link")
	if c.Name != "install" && c.Name != "ditto" && (symbolic || o.Has("l link")) {
		linkTo(t, sources, to, symbolic, c.Scope)
	}
	return trace.Nothing()
}

// keepsTarget reports whether cp or mv keeps a file that exists.
func keepsTarget(o *flags.Options) bool { return o.Has("n no-clobber") && !o.Has("f force") }

// Put adds the effect of copying or moving files to a target. If the target may be a folder, the effect also contains
// the paths that the files get in this folder. The parameter "tree" is set if folders are put there with everything in
// them. A source that ends in "/." stands for everything in a folder. Put returns the path of the target as effects
// show it.
func Put(t *trace.Trace, c *trace.Command, sources []trace.Value, to trace.Value, tree bool) string {
	if to.Text == "" {
		return ""
	}
	names := make([]string, 0, len(sources))
	for _, v := range sources {
		name := trace.NameInside(v)
		names = append(names, name)
		if tree {
			names = append(names, t.WrittenBelow(v, name == trace.Everything, c.Scope)...)
			markFolder(t, c, v, to)
		}
	}
	written := t.WriteInto(to, names, c.Scope, c.Span)
	if len(sources) == 1 {
		t.ForgiveStartup()
	}
	return written
}

// markFolder marks a command that moves or copies a folder, if this folder may replace the content of a protected
// folder. Moving a folder into a protected folder (such as rules into .claude/) replaces nothing.
func markFolder(t *trace.Trace, c *trace.Command, source, to trace.Value) {
	name := trace.BaseName(strings.TrimSuffix(source.Text, "/"))
	inside := to
	inside.Text = strings.TrimSuffix(to.Text, "/") + "/" + name
	if trace.IsGuardFolder(name) || name == ".git" {
		t.MarkReplaced(c, inside)
	}
	if name == "." || !strings.HasSuffix(to.Text, "/") && !trace.NamesFile(name) && !source.Glob {
		t.MarkReplaced(c, to)
	}
}

func tee(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), flags.Abbreviates)
	write, remember := t.Write, t.Remember
	empties := c.In.Known && c.In.Text == "" && !o.Has("a append")
	if o.Has("a append") {
		write, remember = t.AddTo, t.Append
	}
	for _, v := range o.Operands {
		if trace.IsSocket(v.Text) {
			program.Upload(t, c, trace.SocketHost(v.Text), c.In.Taint)
			continue
		}
		if v.Pipe == nil {
			if name := write(v, c.Scope, c.Span); name != "" {
				remember(name, c.In)
				if empties {
					t.NoteEmptied(v, c.Scope, c.Span)
				}
			}
		}
	}
	return c.In
}

// makeNew analyzes touch, mkdir and similar programs, which create their operands.
func makeNew(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), flags.Abbreviates+"m d r t mode date reference")
	for _, v := range o.Operands {
		if c.Name == "mknod" && (v.Text == "p" || v.Text == "b" || v.Text == "c") {
			break
		}
		if c.Name == "mkdir" {
			makeFolder(t, c, v)
		} else {
			t.Write(v, c.Scope, c.Span)
		}
	}
	return trace.Nothing()
}

// makeFolder adds the effect of creating a folder. A new folder outside the project is harmless too, because no file
// changes.
func makeFolder(t *trace.Trace, c *trace.Command, v trace.Value) {
	first := len(t.Effects)
	t.NoteNewFolder(v, c.Scope)
	t.Write(v, c.Scope, c.Span)
	for i := first; i < len(t.Effects); i++ {
		t.Effects[i].Drop(effect.OutsideWrite)
	}
}

// truncate() analyzes the program "truncate". With the size 0, the files lose their content.
func truncate(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), flags.Abbreviates+"s r size reference")
	empties := trace.FirstText(o.Values("s size")) == "0"
	for _, v := range o.Operands {
		t.Write(v, c.Scope, c.Span)
		if empties {
			t.Empty(v, c.Scope, c.Span)
		}
	}
	return trace.Nothing()
}

func splitFile(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), flags.Abbreviates+"a b C l n t f suffix-length bytes lines number prefix filter")
	if len(o.Operands) > 0 {
		t.Read(o.Operands[0], c.Scope, c.Span)
	}
	prefix := o.Values("f prefix")
	if c.Name == "split" {
		prefix = o.Operands[min(1, len(o.Operands)):]
		t.RunTexts(c, o.Values("filter"))
	}
	for _, v := range prefix[:min(1, len(prefix))] {
		v.Text, v.Glob = v.Text+"*", true
		t.Write(v, c.Scope, c.Span)
	}
	return trace.Nothing()
}
