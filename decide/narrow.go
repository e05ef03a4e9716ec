package decide

import (
	"path"
	"slices"
	"strings"

	"guardrails/detect/effect"
	"guardrails/guideline/pattern"
)

// A command that names its files with a glob can seem to change a denied path, although no file in this path matches
// the glob. For example, find -name '*.py' overlaps the denied folder prod/, even if prod/ contains no Python file. So
// the functions below compare such a glob with the files on disk.

// maxListed limits how many entries are read for one glob. If there are more, a person is asked.
const maxListed = 1000

// onDisk says whether a file on disk matches both a glob and a denied pattern.
type onDisk uint8

const (
	noFile onDisk = iota
	mayBeFile
	someFile
)

// narrow() compares the findings about globs with the files on disk. It removes a finding if the glob matches
// no file that the guideline denies or asks about. If that is not certain, it changes a denial to a question.
func (j *judge) narrow() {
	if j.facts.List == nil {
		return
	}
	kept := j.findings[:0]
	for _, f := range j.findings {
		found := someFile
		if j.judgesGlob(&f) && j.changes.spend(readFolder) {
			found = j.deniedOnDisk(&f)
		}
		if found == mayBeFile && f.Outcome == Deny {
			f.Outcome = Ask
			f.Seen = "the call changes files at " + j.call.Effects[f.Effect].Path +
				", and the pattern " + f.Pattern + " may deny some of them."
		}
		if found != noFile {
			kept = append(kept, f)
		}
	}
	j.findings = kept
}

// judgesGlob reports whether a finding comes from a tool pattern, and whether the effect changes files in the project
// that a glob names.
func (j *judge) judgesGlob(f *Finding) bool {
	if patternsOf(f) == nil || f.Event != "" && !f.Event.IsFileEvent() || f.Effect < 0 {
		return false
	}
	e := &j.call.Effects[f.Effect]
	return e.Glob && !e.Unknown && (e.Kind == effect.Write || e.Kind == effect.Delete) && !pattern.IsRooted(e.Path)
}

// patternsOf returns the tool patterns from which the finding may come, or nil if it comes from none.
func patternsOf(f *Finding) []string {
	switch {
	case f.Outcome == Deny && f.Pattern != "":
		return f.Guideline.Action.ToolsDenied
	case f.Outcome != Deny && f.Pattern == "" && f.Seen == "":
		return f.Guideline.Action.ToolsAsked
	}
	return nil
}

// deniedOnDisk looks for a file that matches the glob of a finding, and that the guideline denies or asks about.
func (j *judge) deniedOnDisk(f *Finding) onDisk {
	e := &j.call.Effects[f.Effect]
	wider := pattern.Wider(e.Path)
	glob, err := pattern.CompileGlob(wider)
	if err != nil {
		return someFile
	}
	found := noFile
	for _, text := range patternsOf(f) {
		p, err := pattern.CompileTool(text)
		switch {
		case err != nil, p.Spec != pattern.NoSpec && p.Family() != pattern.WriteFamily:
			continue
		case p.Spec != pattern.PathSpec:
			return someFile
		case slices.ContainsFunc(e.InsidePlaces(), p.MatchPath):
			return someFile // the call writes such a file into a folder that the glob names
		case !p.MatchPath(e.Place()):
			continue
		case p.CoversPath(e.Place()) || p.Rooted():
			return someFile
		}
		s := &search{changes: j.changes, glob: glob, pattern: p, tree: e.Tree, left: maxListed}
		found = max(found, s.in(commonFolder(text, wider)))
	}
	if found == noFile && j.makesFiles(f.Effect) {
		return mayBeFile
	}
	return found
}

// makesFiles reports whether an effect before the given index may create files. Such files are not on disk yet.
func (j *judge) makesFiles(before int) bool {
	if j.maker == nil {
		first := slices.IndexFunc(j.call.Effects, func(e effect.Effect) bool {
			return e.Kind == effect.Opaque || e.Kind == effect.Write && !e.Glob
		})
		j.maker = &first
	}
	return *j.maker >= 0 && *j.maker < before
}

// The type "search" holds the state of a search for a file that matches both a glob and a denied pattern.
type search struct {
	changes *Changes
	glob    *pattern.Glob
	pattern *pattern.Tool
	tree    bool
	left    int
}

// commonFolder returns a folder that contains all files that match both a tool pattern and a glob.
func commonFolder(pattern, glob string) string {
	_, spec, _ := strings.Cut(pattern, "(")
	one, two := fixedFolder(strings.TrimSuffix(spec, ")")), fixedFolder(glob)
	if len(one) > len(two) {
		return one
	}
	return two
}

// fixedFolder returns the folder that a pattern names before its first wildcard.
func fixedFolder(pattern string) string {
	if i := strings.IndexAny(pattern, "*?[{"); i >= 0 {
		pattern = pattern[:i] + "x"
	}
	return path.Dir(path.Clean(pattern))
}

func (s *search) in(folder string) onDisk {
	if !s.changes.spend(readFolder) {
		return mayBeFile
	}
	entries, complete := s.changes.list(folder, s.left)
	s.changes.spend(len(entries))
	s.left -= len(entries)
	found := noFile
	if !complete || s.left <= 0 {
		found = mayBeFile
	}
	for _, entry := range entries {
		name := path.Join(folder, entry.Name)
		switch {
		case (!entry.Folder || s.tree) && s.glob.Match(name) && s.pattern.MatchPath(pattern.Path{Name: name, Tree: entry.Folder}):
			return someFile
		case entry.Link:
			found = max(found, mayBeFile)
		case entry.Folder && s.left > 0:
			found = max(found, s.in(name))
		}
		if found == someFile {
			break
		}
	}
	return found
}
