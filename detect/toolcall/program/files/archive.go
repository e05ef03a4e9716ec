package files

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// The function tar analyzes the program tar. When tar packs files, it reads these files. When it unpacks an archive, it
// writes to a folder.
func tar(t *trace.Trace, c *trace.Command) trace.Flow {
	args := c.Args()
	if len(args) > 0 && !strings.HasPrefix(args[0].Text, "-") && args[0].Text != "" {
		bundled := args[0]
		bundled.Text = "-" + bundled.Text
		args = append([]trace.Value{bundled}, args[1:]...)
	}
	o := flags.Parse(args, flags.Abbreviates+"f C T X b H I L N g --checkpoint file directory files-from exclude "+
		"exclude-from transform xform to-command rsh-command F info-script new-volume-script "+
		"checkpoint-action use-compress-program owner group mode")
	t.RunTexts(c, o.Values("to-command I use-compress-program rsh-command F info-script new-volume-script"))
	for _, v := range o.Values("checkpoint-action") {
		if script, ok := strings.CutPrefix(v.Text, "exec="); ok {
			v.Text = script
			t.RunText(c, v)
		}
	}
	file := trace.Value{Text: "-"}
	if vs := o.Values("f file"); len(vs) > 0 {
		file = vs[0]
	}
	if o.Has("c r u A create append update") {
		if o.Has("remove-files") {
			for _, v := range o.Operands {
				v.Text = inDir(trace.FirstText(o.Values("C directory")), v.Text)
				t.Remove(v, c.Scope, c.Span, trace.Removal{Tree: true, How: "packs and then deletes"})
			}
		}
		folder := ""
		for _, v := range o.Values("C directory") { // a second -C is relative to the first one
			folder = inDir(folder, v.Text)
		}
		sources := o.Operands
		if folder != "" { // files before -C are in the current folder
			for _, v := range o.Operands {
				v.Text = inDir(folder, v.Text)
				sources = append(sources, v)
			}
		}
		return pack(t, c, sources, file)
	}
	if o.Has("x extract get") {
		if o.Has("P absolute-names absolute-paths") {
			t.Mark(c, "unpacks an archive whose files may replace any file of the system", effect.SystemChange)
		}
		dirs, members := o.Values("C directory one-top-level"), o.Operands
		if len(members) == 0 && file.Text == "-" && !o.Has("strip-components") {
			members = archivedByGit(t, c)
		}
		unpackAll(t, c, dirs, members)
		for _, v := range o.Values("transform xform") { // as in s,^README$,NOTES,
			for _, text := range strings.Split(v.Text, ";") {
				if parts := strings.Split(text, text[min(1, len(text)):min(2, len(text))]); len(parts) > 2 && parts[2] != "" {
					v.Text = parts[2]
					unpackMembers(t, c, dirs, []trace.Value{v})
				}
			}
		}
	}
	return trace.Flow{Taint: c.In.Taint | trace.FromProgram}
}

// archivedByGit returns the paths that git packs in "git archive TREE PATH | tar -x". In the list of effects, the
// effect of git comes directly before the effect of tar. With --prefix=FOLDER/, everything is below this folder. With
// another flag, or with a pattern such as :!src, the paths are unknown, so the function returns nil.
func archivedByGit(t *trace.Trace, c *trace.Command) []trace.Value {
	if c.Run == 0 {
		return nil
	}
	rest, ok := strings.CutPrefix(t.Effects[c.Run-1].Command, "git archive ")
	if !ok {
		return nil
	}
	list := flags.SplitWords(rest, trace.Value{})
	for i := range list {
		if folder, given := strings.CutPrefix(list[i].Text, "--prefix="); given {
			list[i].Text = folder
			return list[i : i+1]
		}
	}
	if strings.Contains(rest, " -") || strings.HasPrefix(rest, "-") || strings.ContainsAny(rest, ":*?[") {
		return nil
	}
	return list[min(1, len(list)):]
}

// pack() adds the effects of reading the packed files and of writing the archive. If the program prints the archive
// instead of writing a file, the function returns the archive as output.
func pack(t *trace.Trace, c *trace.Command, sources []trace.Value, file trace.Value) trace.Flow {
	out := trace.Flow{Taint: c.In.Taint | trace.FromProgram}
	for _, v := range sources {
		p := t.Place(v, c.Scope)
		e := p.Effect(effect.Read, c.Span)
		e.Tree = true
		t.MarkCopied(c, v, true, false)
		if p.Secret {
			e.Note("packs "+p.Name+", which holds secrets", effect.SecretAccess)
			out.Taint |= trace.FromSecret
		}
		out.Taint |= t.SendsSecret(c, &p)
		t.Emit(e)
	}
	if file.Text != "-" && file.Text != "" {
		if name := t.Write(file, c.Scope, c.Span); name != "" {
			t.Remember(name, out)
		}
		return trace.Nothing()
	}
	return out
}

// UnpackInto adds the effects of unpacking a whole archive. The target is the last folder in the list, or the current
// folder if the list is empty.
func UnpackInto(t *trace.Trace, c *trace.Command, folders []trace.Value) {
	unpackAll(t, c, folders, nil)
}

// unpackAll adds the effects of unpacking the named members of an archive, or of all members if the parameter "members"
// is empty.
func unpackAll(t *trace.Trace, c *trace.Command, folders, members []trace.Value) {
	unpackInto(t, c, folders, members)
	unpackMembers(t, c, folders, members)
}

// unpackInto adds the effect of writing to the folder into which an archive is unpacked.
func unpackInto(t *trace.Trace, c *trace.Command, dirs, members []trace.Value) {
	to := trace.Value{Text: "."}
	if len(dirs) > 0 {
		to = dirs[len(dirs)-1]
	}
	if p := t.Place(to, c.Scope); p.Zone != trace.Root {
		var names []string
		if len(members) == 0 {
			names = []string{trace.Everything}
		}
		t.WriteInto(to, names, c.Scope, c.Span)
	} else {
		t.Unanalyzed(c.Span, "unpacks an archive, which may overwrite any file")
	}
	t.MarkReplaced(c, to)
	t.BringIn(c, to)
}

// unpackMembers adds the effect of writing each archive member that the command names. A command that names no members
// may overwrite any file in the target folder. So unpackMembers marks such a command if the target folder contains
// files of the guard.
func unpackMembers(t *trace.Trace, c *trace.Command, dirs, members []trace.Value) {
	folder := trace.FirstText(dirs[max(0, len(dirs)-1):])
	p := t.Place(trace.Value{Text: words.OrElse(folder, ".")}, c.Scope)
	if len(members) == 0 && t.BesideGuarded(p.Abs) {
		reason := "unpacks an archive into " + p.Name + ", which contains files of the guard; name the members to unpack"
		t.Mark(c, reason, effect.GuardTamper)
	}
	for _, v := range members {
		v.Text = inDir(folder, v.Text)
		t.Write(v, c.Scope, c.Span)
		if !trace.NamesFile(v.Text) { // a folder, of which tar unpacks everything
			inside := v
			inside.Text, inside.Glob = strings.TrimSuffix(v.Text, "/")+"/**", true
			t.Write(inside, c.Scope, c.Span)
		}
		t.MarkReplaced(c, v)
	}
}

// unpackPackage analyzes dpkg-deb, which can unpack a package into a folder.
func unpackPackage(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), flags.Abbreviates+"D Z z S")
	if o.Has("x X R extract vextract raw-extract") && len(o.Operands) > 1 {
		UnpackInto(t, c, o.Operands[1:])
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// The function cpio analyzes the program cpio. With -i, the program unpacks its input.
func cpio(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), flags.Abbreviates+"D C E F H I O R directory file pattern-file format")
	t.WriteAll(c, o.Values("O"))
	if o.Has("i extract") && !o.Has("t list") {
		unpackInto(t, c, o.Values("D directory"), o.Operands)
	}
	return trace.Flow{Taint: c.In.Taint | trace.FromProgram}
}

// archive() analyzes zip, 7z and rar.
func archive(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), flags.Abbreviates+"x i t n b P o -TT unzip-command")
	operands := o.Operands
	t.RunTexts(c, o.Values("-TT TT unzip-command"))
	if c.Name != "zip" && len(operands) > 0 {
		switch operands[0].Text {
		case "x", "e":
			if flags.FirstOf(c.Args(), "-so") != "" { // 7z prints the members
				return trace.Flow{Taint: trace.FromProgram}
			}
			unpackAll(t, c, o.Values("o"), operands[min(2, len(operands)):])
			return trace.Nothing()
		case "l", "t":
			return trace.Nothing()
		}
		operands = operands[1:]
	}
	if len(operands) == 0 {
		return trace.Nothing()
	}
	if o.Has("m move -sdel") {
		for _, v := range operands[1:] {
			t.Remove(v, c.Scope, c.Span, trace.Removal{Tree: true, How: "packs and then deletes"})
		}
	}
	return pack(t, c, operands[1:], operands[0])
}

// unpack() analyzes unzip and unrar, and the programs that decompress a single file.
func unpack(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), unpackValues(c.Name))
	if c.Name == "unzip" || c.Name == "unrar" {
		if !o.Has("l t p Z v") {
			unpackAll(t, c, o.Values("d"), o.Operands[min(1, len(o.Operands)):])
		}
		return trace.Flow{Taint: trace.FromProgram}
	}
	return compressed(t, c, o)
}

func unpackValues(name string) string {
	if name == "unzip" || name == "unrar" {
		return "d x P"
	}
	return flags.Abbreviates + "S suffix o"
}

func compress(t *trace.Trace, c *trace.Command) trace.Flow {
	spec := flags.Abbreviates + "S suffix"
	if c.Name == "zstd" {
		spec += " o D M"
	}
	return compressed(t, c, flags.Parse(c.Args(), spec))
}

// compressed() analyzes gzip and similar programs, which replace files or filter their input. Decompressed text counts
// as decoded.
func compressed(t *trace.Trace, c *trace.Command, o flags.Options) trace.Flow {
	taint := c.In.Taint | trace.FromProgram
	unpacks := strings.HasPrefix(c.Name, "gun") || strings.HasPrefix(c.Name, "un") || strings.HasPrefix(c.Name, "bun")
	if unpacks || o.Has("d decompress uncompress") {
		taint |= trace.Decoded
	}
	isZstd := c.Name == "zstd" || c.Name == "unzstd"
	keeps := o.Has("c stdout k keep l t list test") || isZstd && !o.Has("rm")
	if o.Has("r recursive") && !keeps {
		markTree(t, c, o.Operands)
	}
	t.WriteAll(c, o.Values("o"))
	for _, v := range o.Operands {
		if keeps {
			taint |= t.ReadFlow(v, c.Scope, c.Span).Taint
		} else {
			t.WriteInto(v, []string{trace.Everything}, c.Scope, c.Span)
		}
		if unpacked := withoutEnding(v); unpacked.Text != v.Text && !o.Has("c stdout l t list test o") {
			t.Write(unpacked, c.Scope, c.Span)
		}
	}
	return trace.Flow{Taint: taint}
}

// markTree marks a command that replaces all files in a folder, if the folder contains files of the guard.
func markTree(t *trace.Trace, c *trace.Command, folders []trace.Value) {
	for _, v := range folders {
		if p := t.Place(v, c.Scope); p.Zone == trace.Root || trace.IsGuardFolder(p.Name) || t.ContainsGuarded(&p) {
			t.Mark(c, "replaces the files in "+p.Name+", some of which belong to the guard", effect.GuardTamper)
		}
	}
}

// withoutEnding returns the name that a compressed file gets when it is unpacked.
func withoutEnding(v trace.Value) trace.Value {
	for _, ending := range [...]string{".gz", ".bz2", ".xz", ".zst", ".Z", ".lzma"} {
		v.Text = strings.TrimSuffix(v.Text, ending)
	}
	return v
}
