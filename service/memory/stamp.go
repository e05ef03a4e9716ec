package memory

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Stamps records the state of files and folders at one moment. A nil Stamps means that the files cannot be watched.
type Stamps []stamp

// The type "stamp" is the state of one file or folder. The field "info" is nil if the file did not exist.
type stamp struct {
	path string
	info fs.FileInfo
}

// maxStamps limits the number of watched files. A project with more files is read again for every request.
const maxStamps = 2000

// Look is a function that returns the state of files and folders, including everything inside the folders.
func Look(paths ...string) Stamps {
	var out Stamps
	for _, path := range paths {
		s := look(path)
		if out = append(out, s); s.info == nil || !s.info.IsDir() {
			continue
		}
		below, ok := lookBelow(path)
		if out = append(out, below...); !ok || len(out) > maxStamps {
			return nil
		}
	}
	return out
}

func look(path string) stamp {
	info, err := os.Stat(path)
	if err != nil {
		return stamp{path, nil}
	}
	return stamp{path, info}
}

// lookBelow returns the state of everything inside a folder. The result "ok" is false if the folder contains a link to
// another folder, because the other folder cannot be watched.
func lookBelow(dir string) (out Stamps, ok bool) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, os.IsNotExist(err)
	}
	err = filepath.WalkDir(real, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || len(out) > maxStamps {
			return fs.ErrInvalid
		}
		s := look(name)
		if s.info != nil && s.info.IsDir() && !entry.IsDir() {
			return fs.ErrInvalid
		}
		out = append(out, s)
		return nil
	})
	return out, err == nil
}

// Unchanged is a method that reports whether all files are still in the recorded state.
func (s Stamps) Unchanged() bool {
	for i := range s {
		if !s[i].same(look(s[i].path).info) {
			return false
		}
	}
	return true
}

func (s Stamps) equal(other Stamps) bool {
	return slices.EqualFunc(s, other, func(a, b stamp) bool { return a.path == b.path && a.same(b.info) })
}

func (s *stamp) same(now fs.FileInfo) bool {
	if s.info == nil || now == nil {
		return s.info == nil && now == nil
	}
	return os.SameFile(s.info, now) && s.info.Size() == now.Size() && s.info.Mode() == now.Mode() &&
		s.info.ModTime().Equal(now.ModTime()) && changeTime(s.info).Equal(changeTime(now))
}

// If the last change of a file is at least settleTime ago, the file's times are reliable. File systems measure time in
// ticks, so two changes within one tick have the same time, and Memory would not notice the second change.
const settleTime = 2 * time.Second

// Settled is a method that reports whether the last change of every file is longer ago than settleTime.
func (s Stamps) Settled(now time.Time) bool {
	for i := range s {
		if info := s[i].info; info != nil && (now.Sub(info.ModTime()) < settleTime ||
			now.Sub(changeTime(info)) < settleTime) {
			return false
		}
	}
	return len(s) > 0
}
