package service

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"guardrails/config"
	"guardrails/internal/document"
	"guardrails/internal/private"
	"guardrails/internal/product"
	"guardrails/internal/spool/intake"
	"guardrails/service/remote"
	"guardrails/service/retention"
	"guardrails/service/storefault"
	"guardrails/store"
	"guardrails/store/live"
)

// These constants say how often a server does its regular work, and how long some of its steps may take.
const (
	turnEvery  = time.Second
	pruneEvery = time.Hour
	// noteEvery is how often the server notes the newest entries (heads) of the audit outside of the store.
	noteEvery = 15 * time.Second
	// lastTurn limits how long the server works on the spool after the context is done.
	lastTurn = 3 * time.Second
	// settleTime is how long a command waits for records that another process is adding to the audit.
	settleTime = 10 * time.Second
	// catchUpTime is how long a reader of the audit waits for the records in the spool.
	catchUpTime = 8 * time.Second
	// deliveryTime limits how long a remote server may take to add decisions to its audit.
	deliveryTime = 5 * time.Second
)

// Upkeep does the regular work of a server until the context is done. It adds the records in the spool to the audit,
// removes old decisions, and records changes of policies. Before it returns, it empties the spool once more. Upkeep
// calls report() for each error that differs from the previous error of the same step. The parameter "problem" of
// report() says what the step could not do.
func (s *Service) Upkeep(ctx context.Context, report func(problem string, err error)) {
	if s.stores == nil {
		return
	}
	in := s.intake()
	errs := reporters{report: report, steps: map[string]*reporter{}, isOver: func() bool { return ctx.Err() != nil }}
	tick := time.NewTicker(turnEvery)
	defer tick.Stop()
	var pruned, noted time.Time
	checks := restoring{s: s, began: s.now()}
	for {
		moved, err := in.All(ctx)
		errs.add(notTaken, err)
		errs.add(notKept, lost(moved))
		errs.add(notRestored, checks.turn(ctx, err == nil && !moved.Busy))
		errs.add(notRecorded, s.recordPolicies(ctx))
		if pruned.IsZero() || time.Since(pruned) >= pruneEvery {
			pruned = time.Now()
			errs.add(notPruned, s.prune(ctx))
			errs.add(notMaintained, s.maintain(ctx))
		}
		if noted.IsZero() || time.Since(noted) >= noteEvery {
			noted = time.Now()
			errs.add(notNoted, s.noteHeads(ctx))
		}
		select {
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastTurn)
			moved, err = in.Settle(last, lastTurn)
			cancel()
			errs.isOver = func() bool { return false }
			errs.add(notTaken, err)
			errs.add(notKept, lost(moved))
			return
		case <-tick.C:
		}
	}
}

// These texts say what a step of Upkeep could not do.
const (
	notTaken      = "records of hooks cannot be added to the audit"
	notKept       = "records of hooks were removed, because there is no store"
	notRestored   = "earlier checks of the safety gate cannot be read from the audit"
	notRecorded   = "changes of the policies cannot be added to the audit"
	notPruned     = "old decisions cannot be removed from the audit"
	notMaintained = "the store cannot be maintained"
	notNoted      = "the newest entries (heads) of the audit cannot be noted"
)

// lost() returns an error with the number of records that were given up, or nil.
func lost(r intake.Report) error {
	if r.GivenUp == 0 {
		return nil
	}
	return fmt.Errorf("%d records were in the spool for longer than 30 days", r.GivenUp)
}

// The type "reporters" has a reporter for each step of Upkeep. After the end of the work, the steps fail only because
// the work has ended. So while isOver() returns true, nothing is reported.
type reporters struct {
	report func(problem string, err error)
	steps  map[string]*reporter
	isOver func() bool
}

func (r *reporters) add(problem string, err error) {
	if r.isOver() {
		return
	}
	if r.steps[problem] == nil {
		r.steps[problem] = &reporter{report: func(err error) { r.report(problem, err) }}
	}
	r.steps[problem].add(err)
}

// The type "reporter" reports errors. It does not report the same error twice in a row.
type reporter struct {
	report func(error)
	last   string
}

func (r *reporter) add(err error) {
	text := ""
	if err != nil {
		text = err.Error()
	}
	if text != r.last && err != nil {
		r.report(err)
	}
	r.last = text
}

// TakeIn adds all records in the spool to the audit. Commands call TakeIn before they read the audit, because there may
// be no server that adds the records. If a server is adding records at the moment, TakeIn waits until it has finished.
func (s *Service) TakeIn(ctx context.Context) (intake.Report, error) {
	return s.intake().Settle(ctx, settleTime)
}

// CatchUp adds the records in the spool to the audit. A server calls it before it reads the audit of a tenant, so that
// the audit has every decision that was acknowledged before the call. If the store is unavailable or needs longer than
// catchUpTime, CatchUp returns an error, because the newest decisions would be missing. If the store can be read but
// not changed, CatchUp returns no error, because people then need the audit in its present state. CatchUp ignores
// errors that concern only other tenants. It leaves out records for a remote server.
func (s *Service) CatchUp(ctx context.Context, tenant string) error {
	if s.stores == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, catchUpTime)
	defer cancel()
	if err := s.intake().CatchUp(ctx, catchUpTime, tenant); store.CodeOf(err) == store.Unavailable {
		return store.Errorf(store.Unavailable, "the newest decisions are not in the audit yet; try again: %w", err)
	}
	return nil
}

func (s *Service) intake() *intake.Intake {
	return intake.New(intake.Options{Dirs: s.spools(), Home: s.home, Now: s.now})
}

// spools() returns the folders that can contain records. Records are in the runtime folder if the state folder could
// not be used.
func (s *Service) spools() []string {
	var out []string
	if state, err := private.StateDir(s.env); err == nil {
		out = append(out, filepath.Join(state, product.SpoolFolder))
	}
	if runtime, err := private.Runtime(s.env); err == nil {
		out = append(out, runtime.Path(product.SpoolFolder),
			filepath.Join(runtime.Path(product.StateFallback), product.SpoolFolder))
	}
	return out
}

// home() returns the audit and the tenant for the records that a project has in the spool.
func (s *Service) home(ctx context.Context, project string) intake.Home {
	root := ""
	if filepath.IsAbs(project) {
		root = project
	}
	// Ignore mistakes in the settings here: they are reported elsewhere, and the valid settings are enough.
	c, problems := s.readLocation(ctx, root)
	h := intake.Home{Store: c.StoreKey(), Tenant: c.Tenant, ProjectID: c.Project}
	if c.RemoteAudit {
		// The server decides separately for each token and tenant whether it accepts decisions.
		h.Store, h.Elsewhere = fmt.Sprintf("server:%q", []string{c.Server.URL, c.Server.TokenFile, c.Tenant}), true
		h.Catalog = &remote.Audit{
			Client: &remote.Client{Env: s.env, Timeout: deliveryTime}, Server: c.Server, Failed: s.failed, Now: s.now,
		}
		return h
	}
	from, err := s.stores.get(ctx, c)
	if err == nil {
		h.Catalog = from
	}
	h.NoStore = s.stores != nil && errors.Is(err, live.ErrNoStore) && problems.Err() == nil &&
		s.keeper().WasNeverSeen("sqlite:"+product.DatabasePath(s.env))
	return h
}

// GivesUpRecords reports whether the records of a project are removed after 30 days, because there is no store for them.
func (s *Service) GivesUpRecords(ctx context.Context, project string) bool {
	return s.home(ctx, project).NoStore
}

// Backlog describes the part of the spool that has not been added to the audit yet.
func (s *Service) Backlog() (intake.Backlog, error) { return intake.Waiting(s.spools()) }

// BacklogBytes returns the size of the records that have not been added to the audit yet.
func (s *Service) BacklogBytes() (int64, error) { return intake.WaitingBytes(s.spools()) }

// noteHeads notes the newest entries (heads) of the audit for the tenant of the service's own project, and for all
// tenants to which this process wrote.
func (s *Service) noteHeads(ctx context.Context) error {
	var problems []error
	if from, c, err := s.storeOf(ctx, ""); err == nil {
		_, err := from.For(live.Caller{Tenant: c.Tenant}).NoteHeads(ctx)
		problems = append(problems, err)
	}
	for _, opened := range s.stores.openStores() {
		problems = append(problems, opened.NoteHeads(ctx))
	}
	return errors.Join(problems...)
}

// maintain() does the regular work of all open stores.
func (s *Service) maintain(ctx context.Context) error {
	var problems []error
	for _, opened := range s.stores.openStores() {
		problems = append(problems, opened.Maintain(ctx))
	}
	return errors.Join(problems...)
}

// prune() removes old decisions of all tenants. The settings of the service's own project limit the age and the number
// of the decisions.
func (s *Service) prune(ctx context.Context) error {
	c, err := s.Settings(ctx, "")
	if err != nil || c.Audit == (config.Audit{}) {
		return nil // mistakes in the settings are reported elsewhere
	}
	from, err := s.stores.get(ctx, c)
	if errors.Is(err, live.ErrNoStore) {
		return nil
	}
	if err != nil {
		return err
	}
	var problems []error
	limits := c.Audit
	if clock, wrong := errors.AsType[*storefault.ClockError](s.clock.Check(ctx, from, c.Tenant)); wrong && clock.Ahead > 0 {
		limits.KeepDays = 0
		problems = append(problems, fmt.Errorf("no decisions are deleted, because their age is not certain: %w", clock))
	}
	for _, tenant := range s.pruned(from, c.Tenant) {
		if err := retention.Prune(ctx, from.For(live.Caller{Tenant: tenant, Actor: "guardrails"}), limits, s.now()); err != nil {
			problems = append(problems, fmt.Errorf("cannot remove old decisions of the tenant %s: %w", document.Excerpt(tenant), err))
		}
	}
	return errors.Join(problems...)
}

// pruned() returns the tenants whose old decisions are removed: the service's own tenant, the tenants whose callers may
// use the server, and the tenants whose callers have sent a request.
func (s *Service) pruned(from *live.Store, own string) []string {
	all := append([]string{own}, from.Tenants()...)
	if s.tenants != nil {
		all = append(all, s.tenants()...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
