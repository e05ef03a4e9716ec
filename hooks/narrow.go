package hooks

import (
	"path"
	"slices"
	"strings"

	"guardrails/decide"
	"guardrails/detect/toolcall"
	"guardrails/guideline"
)

// A glob that a command changes files by may meet a denied path and yet stand for no file there: find -name '*.py' where
// only prod/ is denied, which holds none. So it is held against what lies on disk.

// Entry is what a folder holds under a name.
type Entry struct {
	Name         string
	Folder, Link bool
}

// maxListed is how many names are looked at for one glob; where there are more, a person is asked.
const maxListed = 1000

// onDisk says whether a denied path holds something that a glob stands for.
type onDisk uint8

const (
	holdsNone onDisk = iota
	maybe
	holds
)

// narrow takes away the denials of globs that stand for nothing denied, and turns those of which that is not known into
// questions.
func (j *judging) narrow(d *decide.Decision) {
	if j.w.List == nil {
		return
	}
	d.Findings = slices.DeleteFunc(d.Findings, func(f decide.Finding) bool {
		return j.byGlob(&f) && j.found(&f) == holdsNone
	})
	for i := range d.Findings {
		if f := &d.Findings[i]; j.byGlob(f) && j.found(f) == maybe {
			f.Outcome = decide.Ask
			f.Seen = "the call changes files at " + j.call.Effects[f.Effect].Path + ", of which some may be what the pattern " + f.Pattern + " denies."
		}
	}
}

// byGlob reports whether a finding denies what is changed by a glob in the project.
func (j *judging) byGlob(f *decide.Finding) bool {
	if f.Outcome != decide.Deny || f.Pattern == "" || f.Event != "" || f.Effect < 0 {
		return false
	}
	e := &j.call.Effects[f.Effect]
	return e.Glob && !e.Unknown && (e.Kind == toolcall.Write || e.Kind == toolcall.Delete) && !guideline.IsRooted(e.Path)
}

// found holds the glob of a finding against every path that its guideline denies.
func (j *judging) found(f *decide.Finding) onDisk {
	e := &j.call.Effects[f.Effect]
	glob, err := guideline.CompileGlob(e.Path)
	if err != nil {
		return holds
	}
	most := holdsNone
	for _, text := range f.Guideline.Action.ToolsDenied {
		p, err := guideline.CompileToolPattern(text)
		switch {
		case err != nil, p.Spec != guideline.SpecNone && p.Family() != guideline.WriteFamily:
			continue
		case p.Spec != guideline.SpecPath:
			return holds
		case !p.MatchPath(e.Place()):
			continue
		case p.CoversPath(e.Place()) || p.Rooted():
			return holds
		}
		s := &search{list: j.w.List, root: j.w.resolved(j.w.root(j.e)), glob: glob, pattern: p, tree: e.Tree, left: maxListed}
		most = max(most, s.in(s.start(text, e.Path)))
	}
	if most == holdsNone && j.makesFiles(f.Effect) {
		return maybe
	}
	return most
}

// makesFiles reports whether the call may make files before one of its effects, which then lie there when it happens.
func (j *judging) makesFiles(before int) bool {
	return slices.ContainsFunc(j.call.Effects[:before], func(e toolcall.Effect) bool {
		return e.Kind == toolcall.Opaque || e.Kind == toolcall.Write && !e.Glob
	})
}

// search looks for a file that both a glob and a denied pattern mean.
type search struct {
	list    func(dir string, most int) ([]Entry, bool)
	root    string
	glob    *guideline.Glob
	pattern *guideline.ToolPattern
	tree    bool
	left    int
}

// start is the folder that all of what a pattern and a glob both mean lies in.
func (s *search) start(pattern, glob string) string {
	_, spec, _ := strings.Cut(pattern, "(")
	one, two := fixedFolder(strings.TrimSuffix(spec, ")")), fixedFolder(glob)
	if len(one) > len(two) {
		return one
	}
	return two
}

// fixedFolder is the folder of a pattern before its first wildcard.
func fixedFolder(pattern string) string {
	if i := strings.IndexAny(pattern, "*?[{"); i >= 0 {
		pattern = pattern[:i] + "x"
	}
	return path.Dir(path.Clean(pattern))
}

func (s *search) in(dir string) onDisk {
	entries, complete := s.list(path.Join(s.root, dir), s.left)
	s.left -= len(entries)
	most := holdsNone
	if !complete || s.left <= 0 {
		most = maybe
	}
	for _, entry := range entries {
		name := path.Join(dir, entry.Name)
		switch {
		case (!entry.Folder || s.tree) && s.glob.Match(name) && s.pattern.MatchPath(guideline.Path{Name: name, Tree: entry.Folder}):
			return holds
		case entry.Link:
			most = max(most, maybe)
		case entry.Folder && s.left > 0:
			most = max(most, s.in(name))
		}
		if most == holds {
			break
		}
	}
	return most
}
