package service

import (
	"context"
	"time"

	"guardrails/internal/spool/intake"
)

const (
	// reliefEvery is the shortest time between two calls of Relieve that add records to the audit. reliefTime limits
	// how long such a call takes, because the user's prompt waits.
	reliefEvery = 10 * time.Minute
	reliefTime  = 500 * time.Millisecond
)

// Relieve adds some of the records in the spool to the audit, unless another call has added records a short time ago.
// If a hook finds no server, it runs the program guardrails, which calls Relieve. If there is no server, only Relieve
// empties the spool.
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
