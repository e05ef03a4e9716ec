package files

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// The function sed analyzes the program sed, which reads files. With -i, the program changes these files.
func sed(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(withoutSuffix(c.Args()), flags.Abbreviates+"e f l expression file line-length")
	inPlace := o.Has("i in-place")
	files := o.Operands
	scripts := o.Values("e expression")
	if len(scripts) == 0 && len(o.Values("f file")) == 0 && len(files) > 0 {
		scripts, files = files[:1], files[1:]
	}
	for _, s := range scripts {
		SedScript(t, c, s)
	}
	for _, v := range o.Values("f file") {
		t.CommandsIn(c, v, func(inner *trace.Command, text string) { SedScript(t, inner, trace.Value{Text: text}) })
	}
	out := trace.Flow{Taint: c.In.Taint | trace.FromProgram, File: c.In.File}
	for _, v := range files {
		if v.Text == "" {
			continue
		}
		if inPlace {
			t.Write(v, c.Scope, c.Span)
			for _, s := range scripts {
				if s.Text == "d" || s.Text == "1,$d" {
					t.Empty(v, c.Scope, c.Span)
				}
				EditFile(t, v, c.Scope, s.Text)
			}
			continue
		}
		f := t.ReadFlow(v, c.Scope, c.Span)
		out = trace.Flow{Taint: out.Taint | f.Taint, File: f.File}
	}
	if len(files) > 1 || o.Has("n quiet silent") {
		out.File = nil
	}
	if len(files) == 0 && len(scripts) == 1 && !o.Has("f file") && c.In.Known && !o.Has("n quiet silent") {
		if text, ok := substituted(scripts[0].Text, c.In.Text); ok && !scripts[0].Partial {
			out.Text, out.Known, out.Taint = text, true, c.In.Taint
		}
	}
	return out
}

// withoutSuffix removes the empty suffix that BSD sed requires after -i.
func withoutSuffix(args []trace.Value) []trace.Value {
	for i, v := range args {
		if v.Text == "-i" && i+1 < len(args) && args[i+1].Text == "" && !args[i+1].Partial {
			return append(append([]trace.Value{}, args[:i+1]...), args[i+2:]...)
		}
	}
	return args
}

// patchFiles adds the effect of writing each file that a patch changes. If the command names a file, the patch changes
// only this file. Otherwise, it changes each file in the diff.
func patchFiles(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), flags.Abbreviates+"p i d o B D F g r V Y z input directory output strip")
	if o.Has("dry-run") {
		return trace.Nothing()
	}
	diff := c.In
	for _, v := range o.Values("i input") {
		diff = t.ReadFlow(v, c.Scope, c.Span)
	}
	MarkDiscards(t, c, diff, o.Has("R reverse"))
	into := append(o.Values("o output"), o.Operands[:min(1, len(o.Operands))]...)
	if len(into) > 0 {
		t.Write(into[0], c.Scope, c.Span)
		return trace.Nothing()
	}
	if len(o.Operands) > 1 {
		diff = t.ReadFlow(o.Operands[1], c.Scope, c.Span)
	}
	for _, v := range o.Values("d directory") {
		PatchInto(t, c, v, diff, false)
	}
	DiffTargets(t, c, diff, trace.FirstText(o.Values("d directory")))
	return trace.Nothing()
}

// MarkDiscards marks a command that removes uncommitted changes by applying a patch forwards or in reverse.
func MarkDiscards(t *trace.Trace, c *trace.Command, patch trace.Flow, isReversed bool) {
	undo := trace.FromReversal
	if isReversed {
		undo = trace.FromChanges
	}
	if patch.Taint.Has(undo) {
		t.Mark(c, "discards uncommitted changes", effect.DiscardChanges)
	}
}

// DiffTargets adds the changes and deletions that a diff makes. The paths in the diff are relative to the given folder.
func DiffTargets(t *trace.Trace, c *trace.Command, diff trace.Flow, folder string) {
	if diff = t.OnDisk(diff, trace.MaxOnDisk); !diff.Known {
		t.Unanalyzed(c.Span, "applies an unknown patch")
		if to := (trace.Value{Text: words.OrElse(folder, ".")}); t.Place(to, c.Scope).Zone != trace.Root {
			t.WriteInto(to, []string{trace.Everything}, c.Scope, c.Span)
		}
		return
	}
	old, into, added := "", "", ""
	insert := func() { t.Inserts(trace.Value{Text: inDir(folder, into)}, c.Scope, added) }
	defer func() { insert() }()
	for _, line := range strings.Split(diff.Text, "\n") {
		line = strings.TrimRight(line, "\r\n")
		if name, ok := strings.CutPrefix(line, "--- "); ok {
			old = diffName(name, "a/")
			continue
		}
		if name, ok := diffDeletes(line, old); ok {
			t.Remove(trace.Value{Text: inDir(folder, name)}, c.Scope, c.Span, trace.Removal{How: "deletes"})
		} else if name, ok := diffWrites(line); ok {
			t.Write(trace.Value{Text: inDir(folder, name)}, c.Scope, c.Span)
			insert()
			into, added = name, ""
		} else if text, ok := strings.CutPrefix(line, "+"); ok {
			added += text + "\n"
		}
	}
}

// diffDeletes returns the file that a line of a diff deletes or renames. The parameter "old" is the file name in
// the last line that began with ---.
func diffDeletes(line, old string) (string, bool) {
	if name, ok := strings.CutPrefix(line, "rename from "); ok {
		return name, true
	}
	name, ok := strings.CutPrefix(line, "+++ ")
	return old, ok && diffName(name, "b/") == "/dev/null" && old != ""
}

// diffWrites returns the file that is created or changed by a line of a diff.
func diffWrites(line string) (string, bool) {
	if name, ok := strings.CutPrefix(line, "+++ "); ok {
		return diffName(name, "b/"), true
	}
	if name, ok := strings.CutPrefix(line, "rename to "); ok {
		return name, true
	}
	return strings.CutPrefix(line, "copy to ")
}

// diffName returns a file name from a diff. It removes the timestamp and the prefix a/ or b/ from the name.
func diffName(name, prefix string) string {
	name, _, _ = strings.Cut(name, "\t")
	return strings.TrimPrefix(strings.TrimSpace(name), prefix)
}

func inDir(folder, name string) string {
	if folder == "" || trace.IsAbsolute(name) {
		return name
	}
	return strings.TrimSuffix(folder, "/") + "/" + name
}

// PatchInto marks a command that applies a patch to a folder with files of the guard, if the content of the patch is
// not known.
func PatchInto(t *trace.Trace, c *trace.Command, folder trace.Value, diff trace.Flow, fromFile bool) {
	if diff.Known && !fromFile {
		return
	}
	if p := t.Place(folder, c.Scope); p.Guard || trace.IsGuardFolder(p.Name) || t.BesideGuarded(p.Abs) {
		t.Mark(c, "applies an unknown patch to "+p.Name+", which contains files of the guard", effect.GuardTamper)
	}
}
