package service

import (
	"errors"
	"io/fs"
	"sync"
	"time"

	"guardrails/internal/document"
	"guardrails/policy"
	"guardrails/rules"
	"guardrails/service/memory"
)

// policyFiles keeps the rules of policy files until the files change. If a file has a mistake, the rules that it had before
// go on to apply.
type policyFiles struct {
	lock  sync.Mutex
	files map[string]*policyFile
}

type policyFile struct {
	// seen is the state of the file when it was read. It is nil if the file could have changed in the same moment.
	seen memory.Stamps
	set  *policy.Set
	// problem says why the file cannot be used. It is empty if the file can be used.
	problem string
}

// read returns the rules of a file, and notices if the file cannot be used. A file that does not exist has no rules.
func (f *policyFiles) read(path string, now time.Time) (*policy.Set, []string) {
	f.lock.Lock()
	defer f.lock.Unlock()
	known := f.files[path]
	if known == nil {
		known = &policyFile{}
		if f.files == nil {
			f.files = map[string]*policyFile{}
		}
		f.files[path] = known
	}
	if known.seen == nil || !known.seen.Unchanged() {
		known.load(path, now)
	}
	return known.set, known.notices()
}

func (k *policyFile) load(path string, now time.Time) {
	k.seen = nil
	if seen := memory.Look(path); seen.Settled(now) {
		k.seen = seen
	}
	text, err := document.ReadRegular(path, document.MaxSize)
	if errors.Is(err, fs.ErrNotExist) {
		k.set, k.problem = nil, ""
		return
	}
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
