package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// Conflicts returns problems with the client's other settings files. There are three kinds of problems: copies of our
// entries, which would run twice; switches that turn hooks off; and files that cannot be read.
func (p *Plan) Conflicts(files []File, read func(path string) ([]byte, error)) []string {
	var notes []string
	for _, f := range files {
		if f.Path == p.settings {
			continue
		}
		text, err := read(f.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			notes = append(notes, err.Error())
		default:
			notes = append(notes, f.conflicts(text, p.entries)...)
		}
	}
	return notes
}

func (f *File) conflicts(text []byte, planned []Entry) []string {
	entries, err := Hooks(f.Path, text)
	if err != nil {
		return []string{err.Error()}
	}
	var notes []string
	if line, _ := Off(f.Path, text); line > 0 {
		notes = append(notes, fmt.Sprintf("%s:%d: disableAllHooks disables every hook, so nothing is guarded; remove it",
			f.Path, line))
	}
	for i := range entries {
		once := slices.ContainsFunc(planned, entries[i].RunsOnceWith)
		if e := &entries[i]; e.Ours() && !once {
			return append(notes, fmt.Sprintf("%s:%d: also has hooks of guardrails, so they run twice; %s",
				f.Path, e.Line, f.remedy()))
		}
	}
	return notes
}

func (f *File) remedy() string {
	switch f.Scope {
	case User:
		return "keep them in one file only (guardrails init --user --uninstall)"
	case Project:
		return "keep them in one file only (guardrails init --uninstall in the project)"
	case Local:
		return "keep them in one file only (guardrails init --local --uninstall in the project)"
	}
	return "remove them by hand"
}
