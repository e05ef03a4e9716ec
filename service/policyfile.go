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
	files map[policyPlace]*policyFile
	// report is called when a file gets a mistake.
	report func(problem string)
}

// policyPlace says where a policy file is. isNamed is set if the settings or a flag name the file, so that it must
// exist.
type policyPlace struct {
	path    string
	isNamed bool
}

type policyFile struct {
	// seen is the state of the file when it was read. It is nil if the file had changed so recently that its next
	// change might not be noticed.
	seen memory.Stamps
	set  *policy.Set
	// problems say why the file cannot be used. There are none if it can be used.
	problems document.Problems
}

// read returns the rules of a file, and what is wrong with it. A file that does not exist and need not exist has no
// rules. The path "" has none either.
func (f *policyFiles) read(at policyPlace, now time.Time) (*policy.Set, document.Problems) {
	if at.path == "" {
		return nil, nil
	}
	f.lock.Lock()
	defer f.lock.Unlock()
	known := f.files[at]
	if known == nil {
		known = &policyFile{}
		if f.files == nil {
			f.files = map[policyPlace]*policyFile{}
		}
		f.files[at] = known
	}
	if known.seen == nil || !known.seen.Unchanged() {
		before := known.notice()
		known.load(at, now)
		if notice := known.notice(); notice != before && notice != "" {
			f.report(notice)
		}
	}
	return known.set, known.problems
}

func (k *policyFile) load(at policyPlace, now time.Time) {
	k.seen = nil
	if seen := memory.Look(at.path); seen.Settled(now) {
		k.seen = seen
	}
	text, err := document.ReadRegular(at.path, document.MaxSize)
	switch {
	case errors.Is(err, fs.ErrNotExist) && at.isNamed:
		k.problems = document.Problems{{File: at.path, Message: "does not exist", Remedy: "create it, or name another file in " + policiesSetting}}
		return
	case errors.Is(err, fs.ErrNotExist):
		k.set, k.problems = nil, nil
		return
	case err != nil:
		k.problems = document.Problems{{File: at.path, Message: "cannot be read: " + err.Error()}}
		return
	}
	set, problems := policy.Parse(at.path, text, rules.ParseYAML)
	if k.problems = problems; len(problems) == 0 {
		k.set = set
	}
}

func (k *policyFile) notice() string { return brokenPolicies(k.set, k.problems) }

// policiesSetting is where a person names a policy file.
const policiesSetting = "safety.policies or --policies"

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
