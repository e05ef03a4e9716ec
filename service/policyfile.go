package service

import (
	"errors"
	"io/fs"
	"os"
	"sync"
	"time"

	"guardrails/internal/document"
	"guardrails/policy"
	"guardrails/rules"
)

// policyFiles keeps the rules of policy files until the files change. If a file has a mistake, the rules that it had before
// go on to apply.
type policyFiles struct {
	lock  sync.Mutex
	files map[string]*policyFile
}

type policyFile struct {
	modified time.Time
	size     int64
	set      *policy.Set
	// problem says why the file cannot be used. It is empty if the file can be used.
	problem string
}

// read returns the rules of a file, and notices if the file cannot be used. A file that does not exist has no rules.
func (f *policyFiles) read(path string) (*policy.Set, []string) {
	f.lock.Lock()
	defer f.lock.Unlock()
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		delete(f.files, path)
		return nil, nil
	}
	known := f.files[path]
	if known == nil {
		known = &policyFile{}
		if f.files == nil {
			f.files = map[string]*policyFile{}
		}
		f.files[path] = known
	}
	if err != nil {
		known.problem = path + ": cannot be read: " + err.Error()
	} else if !info.ModTime().Equal(known.modified) || info.Size() != known.size || known.modified.IsZero() {
		known.modified, known.size = info.ModTime(), info.Size()
		known.load(path, info)
	}
	return known.set, known.notices()
}

func (k *policyFile) load(path string, info fs.FileInfo) {
	if !info.Mode().IsRegular() || info.Size() > document.MaxSize {
		k.problem = path + ": is not a regular file, or is too large"
		return
	}
	text, err := os.ReadFile(path)
	if err != nil {
		k.problem = path + ": cannot be read: " + err.Error()
		return
	}
	set, problems := policy.Parse(path, text, rules.ParseYAML)
	if len(problems) > 0 {
		k.problem = problems.Error()
		return
	}
	k.set, k.problem = set, ""
}

func (k *policyFile) notices() []string {
	switch {
	case k.problem == "":
		return nil
	case k.set == nil:
		return []string{"no policy applies, because the policy file has a mistake: " + k.problem}
	}
	return []string{"the last good policies apply, because the policy file has a mistake: " + k.problem}
}
