package service

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"guardrails/config"
	"guardrails/host"
	"guardrails/internal/private"
	"guardrails/internal/product"
	"guardrails/internal/spool/intake"
	"guardrails/store"
	"guardrails/store/live"
)

// How often a server does what has to be done again and again.
const (
	turnEvery  = time.Second
	pruneEvery = time.Hour
	// farewell is how long the last turn may take.
	farewell = 3 * time.Second
	// settleTime is how long a command waits for what another process is taking in.
	settleTime = 10 * time.Second
)

// Upkeep does what a server does beside answering, until the context ends: it takes the spool into the audit, and gives up
// decisions that are too old. At the end it takes in once more. tell hears what goes wrong, once until it is another thing.
func (s *Service) Upkeep(ctx context.Context, tell func(error)) {
	if s.stores == nil {
		return
	}
	in := s.intake()
	said := complaints{tell: tell}
	tick := time.NewTicker(turnEvery)
	defer tick.Stop()
	var pruned time.Time
	for {
		_, err := in.All(ctx)
		if pruned.IsZero() || time.Since(pruned) >= pruneEvery {
			pruned = time.Now()
			err = errors.Join(err, s.prune(ctx))
		}
		if ctx.Err() == nil {
			said.of(err)
		}
		select {
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell)
			_, err = in.All(last)
			cancel()
			said.of(err)
			return
		case <-tick.C:
		}
	}
}

// complaints passes on what is not the same as the last time.
type complaints struct {
	tell func(error)
	last string
}

func (t *complaints) of(err error) {
	text := ""
	if err != nil {
		text = err.Error()
	}
	if text != t.last && err != nil {
		t.tell(err)
	}
	t.last = text
}

// TakeIn takes everything in the spool into the audit, for a command that reads the audit and runs where no server may be.
// What a server is taking in at that moment is waited for.
func (s *Service) TakeIn(ctx context.Context) (intake.Report, error) {
	return s.intake().Settle(ctx, settleTime)
}

func (s *Service) intake() *intake.Intake {
	return intake.New(intake.Options{Dirs: s.spools(), Home: s.home, Now: s.now})
}

// spools are the folders in which records can lie: beside the sessions' files where the state folder cannot be used.
func (s *Service) spools() []string {
	var out []string
	if state, err := private.StateDir(s.env); err == nil {
		out = append(out, filepath.Join(state, product.SpoolFolder))
	}
	if runtime, err := private.Runtime(s.env); err == nil {
		out = append(out, runtime.Path(product.SpoolFolder), filepath.Join(runtime.Path(product.StateFallback), product.SpoolFolder))
	}
	return out
}

// home is the store of a project and the tenant whose decisions the project's are.
func (s *Service) home(ctx context.Context, project string) intake.Home {
	var c config.Config
	if filepath.IsAbs(project) {
		// What is wrong with the settings is told by everything else; what can be read of them counts.
		c, _ = config.Load(project, s.env)
	} else {
		c, _ = config.Environment(s.env)
	}
	h := intake.Home{Store: storeKey(&c), Tenant: c.Tenant}
	if from, err := s.stores.catalog(ctx, &c); err == nil && store.CheckTenant(c.Tenant) == nil {
		h.Catalog = from
	}
	return h
}

// Backlog says how much of the spool waits to be taken into the audit.
func (s *Service) Backlog() (intake.Backlog, error) { return intake.Waiting(s.spools()) }

// prune gives up decisions as the settings of the project say that the service runs in.
func (s *Service) prune(ctx context.Context) error {
	c, problems := config.Load(host.Root(s.env, s.dir), s.env)
	if len(problems) > 0 || c.Audit == (config.Audit{}) {
		return nil
	}
	from, err := s.stores.catalog(ctx, &c)
	if errors.Is(err, live.ErrNoStore) {
		return nil
	}
	if err != nil {
		return err
	}
	keep := store.Retention{Keep: c.Audit.KeepEntries}
	if c.Audit.KeepDays > 0 {
		keep.Before = s.now().AddDate(0, 0, -c.Audit.KeepDays)
	}
	_, err = from.For(live.Caller{Tenant: c.Tenant, Actor: "guardrails"}).Prune(ctx, keep)
	return err
}
