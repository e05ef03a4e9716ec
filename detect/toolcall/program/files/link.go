package files

import (
	"path"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
)

// linkTo records the links that ln, cp -l and cp -s create. The target of a symbolic link is relative to the folder of
// the link.
func linkTo(t *trace.Trace, sources []trace.Value, to trace.Value, symbolic bool, sc *trace.Scope) {
	folder := len(sources) > 1 || to.Text == "." || to.Text == ".." || strings.HasSuffix(to.Text, "/")
	for _, v := range sources {
		at := to
		if folder {
			at.Text = strings.TrimSuffix(to.Text, "/") + "/" + trace.BaseName(strings.TrimSuffix(v.Text, "/"))
		}
		link := t.LinkPlace(at, sc)
		if link.Partial && !trace.IsNumbered(link.Abs) || link.Abs == "" {
			continue
		}
		from := *sc
		if symbolic {
			from.Cwd = path.Dir(link.Abs)
		}
		target := t.Place(v, &from)
		if target.Partial || target.Glob {
			target.Abs = ""
		}
		t.Linked(link.Abs, target.Abs)
	}
}

// linkFiles analyzes ln. It adds the effect of writing the link. A link gives access to its target, so a link to a
// secret counts as a read of the secret, and a link to a protected file counts as a write of the file.
func linkFiles(t *trace.Trace, c *trace.Command) trace.Flow {
	o, sources, to := splitTarget(c, "t S target-directory suffix")
	if to.Text == "" {
		to = trace.Value{Text: "."}
	}
	if o.Has("f force n no-dereference T") {
		delete(t.Links, t.LinkPlace(to, c.Scope).Abs)
		t.LinkChanges++
	}
	for _, v := range sources {
		p := t.Place(v, c.Scope)
		if p.Secret {
			t.Read(v, c.Scope, c.Span)
		}
		if p.Guard || p.Startup || p.Zone == trace.Root && p.Name != "." {
			t.Write(v, c.Scope, c.Span)
		}
		if trace.IsGuardFolder(p.Name) {
			t.Mark(c, "creates a link to "+p.Name+", which belongs to the guard", effect.GuardTamper)
		}
		if name := t.Place(to, c.Scope).Name; name != "" {
			content := trace.Flow{Taint: trace.FromFile, File: trace.PathOfFlow(p.Name)}
			if p.Abs == "/dev/null" && o.Has("f force") {
				content = trace.Nothing()
			}
			t.Remember(name, content)
		}
	}
	Put(t, c, sources, to, false)
	if len(sources) == 1 && sources[0].Text == "/dev/null" && o.Has("f force") {
		t.NoteEmptied(to, c.Scope, c.Span)
	}
	linkTo(t, sources, to, o.Has("s symbolic"), c.Scope)
	if len(sources) == 1 && trace.IsAbsolute(sources[0].Text) {
		t.NoteCopy(sources[0], to, c.Scope)
	}
	return trace.Nothing()
}
