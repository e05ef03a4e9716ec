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

// policyFiles keeps the rules of policy files until the files change. If a file has a mistake, the rules that it had
// before continue to apply.
type policyFiles struct {
	lock  sync.Mutex
	files map[string]*policyFile
	// report is called when a file gets a mistake.
	report func(problem string)
}

type policyFile struct {
	// seen is the state of the file when it was read. It is nil if the file had changed so recently that its next
	// change might not be noticed.
	seen memory.Stamps
	set  *policy.Set
	// problems say why the file cannot be used. There are none if it can be used.
	problems document.Problems
}

// read returns the rules of a file, and what is wrong with it. A file that does not exist has no rules. The path "" has
// none either.
func (f *policyFiles) read(path string, now time.Time) (*policy.Set, document.Problems) {
	if path == "" {
		return nil, nil
	}
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
		before := known.notice()
		known.load(path, now)
		if notice := known.notice(); notice != before && notice != "" {
			f.report(notice)
		}
	}
	return known.set, known.problems
}

func (k *policyFile) load(path string, now time.Time) {
	k.seen = nil
	if seen := memory.Look(path); seen.Settled(now) {
		k.seen = seen
	}
	text, err := document.ReadRegular(path, document.MaxSize)
	if errors.Is(err, fs.ErrNotExist) {
		k.set, k.problems = nil, nil
		return
	}
	if err != nil {
		k.problems = document.Problems{{File: path, Message: "cannot be read: " + err.Error()}}
		return
	}
	set, problems := policy.Parse(path, text, rules.ParseYAML)
	if k.problems = problems; len(problems) == 0 {
		k.set = set
	}
}

func (k *policyFile) notice() string { return brokenPolicies(k.set, k.problems) }

// brokenPolicies says which policies apply while a policy file has a mistake. It returns "" if the file has none.
func brokenPolicies(set *policy.Set, problems document.Problems) string {
	switch {
	case len(problems) == 0:
		return ""
	case set == nil:
		return "no policy applies, because the policy file has a mistake: " + problems.Error()
	}
	return "the last good policies apply, because the policy file has a mistake: " + problems.Error()
}
