package service

import (
	"context"
	"time"

	"guardrails/internal/spool/intake"
)

const (
	// reliefEvery is how often a request of a hook may add records to the audit. reliefTime limits the work each
	// time, because the user's prompt waits for it.
	reliefEvery = 10 * time.Minute
	reliefTime  = time.Second
)

// Relieve adds a part of the spool to the audit, unless this was done recently. Hooks that find no server run the
// command line. Without a server, only Relieve empties the spool.
func (s *Service) Relieve(ctx context.Context) error {
	dirs := s.spools()
	if s.now().Sub(intake.Last(dirs)) < reliefEvery || s.home(ctx, "").Catalog == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, reliefTime)
	defer cancel()
	_, err := s.intake().Turn(ctx)
	return err
}
