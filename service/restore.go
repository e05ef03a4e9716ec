package service

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"guardrails/detect/safety"
	"guardrails/internal/product"
	"guardrails/service/policyfile"
	"guardrails/service/screening"
	"guardrails/store"
	"guardrails/store/live"
)

// When a server starts, it reads the checks of the last days from the audit. Otherwise, cooldowns could end early. A
// process without a memory reads only what it needs (see remind).
// leastRestored is the shortest period that the server reads. If a policy of the server or of its project has a longer
// cooldown, the server reads further back. The shortest period is long, because the server does not know the policies
// of other projects yet.
const leastRestored = 7 * 24 * time.Hour

// The type "restoring" reads earlier checks from the audit. The checks show when events with a cooldown were last sent,
// and when an answer encouraged a user to depend on the model (a trip). The method turn() reads the checks of each
// tenant when the server starts. If records were still in the spool at that time, turn() reads the checks of each
// tenant again once the records are in the audit. It reads only checks that are older than the start of the server (the
// field "began").
type restoring struct {
	s     *Service
	began time.Time
	read  perTenant
	// The field "from" is the store of the service's own project. The field "own" is the project's tenant in this
	// store. The store and the tenant are looked up again after the time foundFor, because people edit settings.
	from  *live.Store
	own   string
	found time.Time
	// The field "settled" is set once all records that were in the spool are in the audit.
	settled bool
}

// The type "restoring" uses its store and its tenant for the duration foundFor. Then it looks them up again.
const foundFor = 10 * time.Second

// turn() reads the checks of the tenants whose checks were not read yet. The parameter "settled" reports whether the
// last attempt to empty the spool succeeded. When this parameter is true for the first time, turn() reads all checks
// again, because some of them were still in the spool.
func (r *restoring) turn(ctx context.Context, settled bool) error {
	if settled && !r.settled {
		r.settled, r.read = true, perTenant{}
	}
	if err := r.find(ctx); r.from == nil || err != nil {
		return err
	}
	s := r.s
	tenants := s.pruned(r.from, r.own)
	if r.read.isDone(tenants) {
		return nil
	}
	since := sync.OnceValue(func() time.Time { return r.began.Add(-s.restored(ctx)) })
	return r.read.turn(tenants, func(tenant string) error {
		of := r.from.For(live.Caller{Tenant: tenant, Actor: "guardrails"})
		var problems []error
		for _, event := range []string{safetyInput, safetyOutput} {
			problems = append(problems, s.restoreFrom(ctx, of, tenant, store.AuditFilter{
				Kind: store.KindDecision, Event: event, From: since(), To: r.began,
			}))
		}
		return errors.Join(problems...)
	})
}

// find() looks up the store and the tenant of the service's own project. If there is no store, r.from is nil.
func (r *restoring) find(ctx context.Context) error {
	if !r.found.IsZero() && time.Since(r.found) < foundFor {
		return nil
	}
	c, err := r.s.Settings(ctx, "")
	if err != nil {
		return nil // mistakes in the settings are reported elsewhere
	}
	from, err := r.s.stores.get(ctx, c)
	if err != nil && !errors.Is(err, live.ErrNoStore) {
		return err
	}
	if from != r.from {
		r.read = perTenant{} // the checks in another store were not read yet
	}
	r.from, r.own, r.found = from, c.Tenant, time.Now()
	return nil
}

// restored() returns how far back the checks are read: the longest cooldown of the project's and the server's policies,
// but at least leastRestored.
func (s *Service) restored(ctx context.Context) time.Duration {
	longest := leastRestored
	root, b, _, err := s.forCheck(ctx, "")
	if err != nil {
		return longest // mistakes in the settings are reported elsewhere
	}
	own, _ := policyfile.Path(root, s.env(product.VariableHome), &b.settings.Safety, b.written.Trusted())
	for _, use := range []policyUse{
		{policyfile.Place{Path: own, IsNamed: b.settings.Safety.Policies != ""}, root},
		{policyfile.Place{Path: s.policyFile, IsNamed: true}, ""},
	} {
		set, _ := s.policies.Read(use.at, s.now())
		s.followed.add(use)
		longest = max(longest, set.LongestCooldown())
	}
	s.cooldowns.Expect(longest)
	return longest
}

func (s *Service) restoreFrom(ctx context.Context, of *live.TenantStore, tenant string, filter store.AuditFilter) error {
	for e, err := range of.Entries(ctx, filter) {
		if err != nil {
			return err
		}
		s.restoreEntry(tenant, &e)
	}
	return nil
}

// restoreEntry notes which events a check fired, so that the cooldowns of these events continue. It also notes a trip
// that the check found. It ignores an entry that another computer has sent, because everybody who may log decisions
// could have invented the entry.
func (s *Service) restoreEntry(tenant string, e *store.Entry) {
	if e.IsSent() {
		return
	}
	d := detailsOf(e)
	person := personOf(d.User, e.Session)
	for _, fired := range d.Fired {
		s.cooldowns.Note(tenant, fired.Rule, fired.Event, person, e.Time)
	}
	isTrip := func(flag string) bool {
		return slices.Contains(safety.EmotionalDependenceGate.Categories(), safety.Category(flag))
	}
	if e.Event == safetyOutput && slices.ContainsFunc(d.Flags, isTrip) {
		s.trips.Note(person, tenant, e.ID, e.Time)
	}
}

// detailsOf returns the details that the audit has about a check. It leaves out details that cannot be read.
func detailsOf(e *store.Entry) (d screening.Details) {
	if e.Context == nil {
		return d
	}
	text, err := json.Marshal(e.Context.Metadata["details"])
	if err == nil {
		_ = json.Unmarshal(text, &d)
	}
	return d
}
