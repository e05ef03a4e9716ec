package service

import (
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"guardrails/config"
	"guardrails/internal/product"
)

// stamp is how a file or folder looked before it was read. A file that is missing has a stamp too.
type stamp struct {
	path string
	info fs.FileInfo
}

// maxStamps is how many files are watched; a project with more is read at each question.
const maxStamps = 2000

// stampsOf are the stamps of everything that a project's settings and guidelines are read from; nil where that cannot be
// watched.
func stampsOf(root string) []stamp {
	out := []stamp{stampOf(filepath.Join(root, filepath.FromSlash(config.File)))}
	for _, name := range []string{product.GuidelinesFolder, product.RulesFolder} {
		dir := filepath.Join(root, name)
		out = append(out, stampOf(dir))
		below, ok := stampsBelow(dir)
		if out = append(out, below...); !ok || len(out) > maxStamps {
			return nil
		}
	}
	return out
}

func stampOf(path string) stamp {
	info, err := os.Stat(path)
	if err != nil {
		return stamp{path, nil}
	}
	return stamp{path, info}
}

// stampsBelow are those of all that lies below a folder. A link to another folder cannot be watched.
func stampsBelow(dir string) (out []stamp, ok bool) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, os.IsNotExist(err)
	}
	err = filepath.WalkDir(real, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || len(out) > maxStamps {
			return fs.ErrInvalid
		}
		s := stampOf(name)
		if s.info != nil && s.info.IsDir() && !entry.IsDir() {
			return fs.ErrInvalid
		}
		out = append(out, s)
		return nil
	})
	return out, err == nil
}

// unchanged reports whether every file still looks as it did.
func unchanged(stamps []stamp) bool {
	for i := range stamps {
		if !stamps[i].same(stampOf(stamps[i].path).info) {
			return false
		}
	}
	return true
}

func (s *stamp) same(now fs.FileInfo) bool {
	if s.info == nil || now == nil {
		return s.info == nil && now == nil
	}
	return os.SameFile(s.info, now) && s.info.Size() == now.Size() && s.info.Mode() == now.Mode() &&
		s.info.ModTime().Equal(now.ModTime()) && changedAt(s.info).Equal(changedAt(now))
}

// restless is how young a file may not be: one that was written a moment ago can be written again without its time
// becoming another one, because file systems count time in ticks.
const restless = 2 * time.Second

// settled reports whether files are old enough for their times to tell of the next change.
func settled(stamps []stamp, now time.Time) bool {
	for i := range stamps {
		if info := stamps[i].info; info != nil && (now.Sub(info.ModTime()) < restless || now.Sub(changedAt(info)) < restless) {
			return false
		}
	}
	return len(stamps) > 0
}
