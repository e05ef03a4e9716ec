package service

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"guardrails/internal/document"
	"guardrails/service/policyfile"
	"guardrails/store"
	"guardrails/store/live"
	"guardrails/webhook"
)

// The fields of the audit entry about a change of the policies in force.
const (
	changedPath  = "path"
	changedHash  = "hash"
	changedRules = "rules"
)

// maxPolicyFiles is the maximum number of policy files whose changes are recorded. A file counts once for each project
// that uses it.
const maxPolicyFiles = 1000

// These constants limit how long recordPolicies works, and how many files it tries to record in one call. recordAgain is
// how long a file waits after a failure.
const (
	recordingTime = 2 * time.Second
	maxRecorded   = 20
	recordAgain   = time.Minute
)

// followedPolicies has the policy files that a server has read. The server adds an entry to the audit when the policies
// in force change. The zero value is ready to use.
type followedPolicies struct {
	lock sync.Mutex
	of   map[policyUse]*followedFile
}

// policyUse is the use of a policy file by a project. The field "root" is the root of the project. It is "" for the
// policy file of all callers, whose changes are recorded for the service's own project.
type policyUse struct {
	at   policyfile.Place
	root string
}

// followedFile says what the audit of a project has about a policy file.
type followedFile struct {
	// The field "recorded" is the version that the audit has. It is nil if this is not known yet. The field "failed" is
	// when the last attempt did not record the version, and "problem" is the error of this attempt. If the audit has
	// the present version, both fields are empty. Only recordPolicies uses these fields.
	recorded *policyfile.Version
	failed   time.Time
	problem  error
}

func (f *followedPolicies) add(use policyUse) {
	f.lock.Lock()
	defer f.lock.Unlock()
	if f.of == nil {
		f.of = map[policyUse]*followedFile{}
	}
	if f.of[use] == nil && use.at.Path != "" && len(f.of) < maxPolicyFiles {
		f.of[use] = &followedFile{}
	}
}

// recordPolicies compares the policies of each policy file with the last entry about this file in the audit. If they
// differ, it adds an entry to the audit. While a file has a mistake, its earlier policies stay in force, so there is no
// entry. But if the file had the mistake when the server started, no policy of the file is in force, so the entry has 0
// rules.
//
// The other regular work of the server waits for recordPolicies. So one call looks at only a few stores, and takes only
// a short time. After a failure, a file is tried again after a minute. Until then, each call returns the error of the
// failure.
func (s *Service) recordPolicies(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.recordingTime)
	defer cancel()
	s.followed.lock.Lock()
	files := maps.Clone(s.followed.of)
	s.followed.lock.Unlock()
	// The files that wait for the longest time come first.
	inOrder := slices.SortedFunc(maps.Keys(files), func(a, b policyUse) int { return files[a].failed.Compare(files[b].failed) })
	var problems []error
	attempts := 0
	for _, use := range inOrder {
		file, now := files[use], s.policies.Version(use.at, s.now())
		switch {
		case file.recorded != nil && *file.recorded == now:
			file.failed, file.problem = time.Time{}, nil
		case attempts < maxRecorded && ctx.Err() == nil && s.now().Sub(file.failed) >= recordAgain:
			attempts++
			isRecorded, err := s.recordVersion(ctx, use, now)
			if file.failed, file.problem = s.now(), err; isRecorded {
				file.recorded, file.failed = &now, time.Time{}
			}
		}
		problems = append(problems, file.problem)
	}
	return distinct(problems)
}

// distinct() joins errors in alphabetical order. The result has each text only once.
func distinct(problems []error) error {
	problems = slices.DeleteFunc(problems, func(err error) bool { return err == nil })
	slices.SortFunc(problems, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(slices.CompactFunc(problems, func(a, b error) bool { return a.Error() == b.Error() })...)
}

// recordVersion adds an entry to the audit of a project, unless the last entry about the same path has this version. If
// the project has no store on this computer, or if the settings of the project have a mistake, the result "isRecorded"
// is false and the error is nil.
func (s *Service) recordVersion(ctx context.Context, use policyUse, now policyfile.Version) (isRecorded bool, err error) {
	from, c, err := s.storeOf(ctx, use.root)
	_, isMistake := errors.AsType[document.Problems](err)
	switch {
	case isMistake || errors.Is(err, live.ErrNoStore):
		return false, nil // mistakes in the settings are reported elsewhere
	case err != nil || c.RemoteAudit:
		return false, err
	}
	of := from.For(live.Caller{Tenant: c.Tenant, Actor: webhook.Actor})
	last, before, err := lastVersion(ctx, of, c.Project, use.at.Path)
	if err != nil || before == now {
		return err == nil, err
	}
	// The id depends on the last entry. So if two servers record the same change, the audit has one entry.
	sum := sha256.Sum256([]byte(last + "\x00" + c.Project + "\x00" + use.at.Path + "\x00" + now.Hash))
	_, err = of.Append(ctx, store.Entry{
		ID: "policies:" + hex.EncodeToString(sum[:16]), Kind: store.KindChange, Event: store.PoliciesChanged, Time: s.now(),
		Actor: webhook.Actor, ProjectID: c.Project,
		Changes: []store.FieldChange{
			{Field: changedPath, New: webhook.Value(use.at.Path)},
			{Field: changedHash, Old: webhook.Value(before.Hash), New: webhook.Value(now.Hash)},
			{Field: changedRules, Old: webhook.Value(before.Rules), New: webhook.Value(now.Rules)},
		},
	})
	return err == nil, err
}

// lastVersion returns the id of a project's last entry about a policy file, and the version in this entry. If there is no
// entry, both are empty.
func lastVersion(
	ctx context.Context, of *live.TenantStore, project, path string,
) (id string, v policyfile.Version, err error) {
	next := store.Paging{Size: store.MaxPageSize}
	for {
		page, err := of.Audit(ctx, store.AuditQuery{
			AuditFilter: store.AuditFilter{Kind: store.KindChange, Event: store.PoliciesChanged, Project: project}, Paging: next,
		})
		if err != nil {
			return "", v, err
		}
		for i := range page.Items {
			if about, v := versionIn(&page.Items[i]); about == path {
				return page.Items[i].ID, v, nil
			}
		}
		if page.Next == "" {
			return "", v, nil
		}
		next.Cursor = page.Next
	}
}

// versionIn returns the path of the policy file that an entry is about, and the version in the entry.
func versionIn(e *store.Entry) (path string, v policyfile.Version) {
	for _, change := range e.Changes {
		switch change.Field {
		case changedPath:
			_ = json.Unmarshal(change.New, &path) // a value of another type belongs to no policy file
		case changedHash:
			_ = json.Unmarshal(change.New, &v.Hash)
		case changedRules:
			_ = json.Unmarshal(change.New, &v.Rules)
		}
	}
	return path, v
}
