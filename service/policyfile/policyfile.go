// Package policyfile reads the policy files of the safety gate, and finds the policy file of a project.
//
// Start with Files.Read. Path finds the file of a project, Report lists the mistakes in files, and Try tries out
// policies.
package policyfile

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"sync"
	"time"

	"guardrails/internal/document"
	"guardrails/policy"
	"guardrails/rules"
	"guardrails/service/memory"
)

// Files keeps the rules of policy files until the files change. If a file has a mistake, the rules that it had
// before continue to apply. The zero value is ready to use.
type Files struct {
	// Report is called when a file gets a mistake. It may be nil.
	Report func(problem string)

	lock  sync.Mutex
	files map[Place]*file
}

// Place says where a policy file is. IsNamed is set if the settings or a flag name the file. The file must then exist.
type Place struct {
	Path    string
	IsNamed bool
}

type file struct {
	// The field "seen" is the state of the file when it was read. It is nil if the file had changed so recently that
	// its next change might not be noticed.
	seen memory.Stamps
	set  *policy.Set
	// The field "hash" is a hash of the text from which the set was read.
	hash string
	// The field "problems" says why the file cannot be used. The list is empty if the file can be used.
	problems document.Problems
}

// Read returns the rules of a file, and what is wrong with the file. If the file does not exist and need not exist,
// there are no rules. There are no rules for the path "" either.
func (f *Files) Read(at Place, now time.Time) (*policy.Set, document.Problems) {
	if at.Path == "" {
		return nil, nil
	}
	f.lock.Lock()
	defer f.lock.Unlock()
	known := f.current(at, now)
	return known.set, known.problems
}

// Version identifies the rules of a policy file that are in force. It is the zero value if there are none.
type Version struct {
	// Hash is a hash of the file. Rules is the number of rules that are switched on.
	Hash  string
	Rules int
}

// Version returns the version of the rules of a file that are in force. If no rule is in force because the file has a
// mistake, it returns the zero value, as for a file that does not exist.
func (f *Files) Version(at Place, now time.Time) Version {
	f.lock.Lock()
	defer f.lock.Unlock()
	known := f.current(at, now)
	return Version{known.hash, known.set.Rules()}
}

// current() returns what is known about a file. It reads the file again if the file has changed.
func (f *Files) current(at Place, now time.Time) *file {
	known := f.files[at]
	if known == nil {
		known = &file{}
		if f.files == nil {
			f.files = map[Place]*file{}
		}
		f.files[at] = known
	}
	if known.seen == nil || !known.seen.Unchanged() {
		before := known.notice()
		known.load(at, now)
		if notice := known.notice(); notice != before && notice != "" && f.Report != nil {
			f.Report(notice)
		}
	}
	return known
}

func (k *file) load(at Place, now time.Time) {
	k.seen = nil
	if seen := memory.Look(at.Path); seen.Settled(now) {
		k.seen = seen
	}
	text, err := document.ReadRegular(at.Path, document.MaxSize)
	switch {
	case errors.Is(err, fs.ErrNotExist) && at.IsNamed:
		k.problems = document.Problems{{
			File: at.Path, Message: "does not exist",
			Remedy: "create it, or name another file in " + policiesSetting,
		}}
		return
	case errors.Is(err, fs.ErrNotExist):
		k.set, k.hash, k.problems = nil, "", nil
		return
	case err != nil:
		k.problems = document.Problems{{File: at.Path, Message: "cannot be read: " + err.Error()}}
		return
	}
	set, problems := policy.Parse(at.Path, text, rules.ParseYAML)
	if k.problems = problems; len(problems) == 0 {
		sum := sha256.Sum256(text)
		k.set, k.hash = set, "sha256:"+hex.EncodeToString(sum[:])
	}
}

func (k *file) notice() string { return Broken(k.set, k.problems) }

// policiesSetting names the setting and the flag with which a person chooses a policy file.
const policiesSetting = "safety.policies or --policies"

// Broken is a function that says which policies apply while a policy file has a mistake. It returns "" if the file has
// no mistake.
func Broken(set *policy.Set, problems document.Problems) string {
	switch {
	case len(problems) == 0:
		return ""
	case set == nil:
		return "no policy applies, because the policy file has a mistake: " + problems.Error()
	}
	return "the last good policies apply, because the policy file has a mistake: " + problems.Error()
}
