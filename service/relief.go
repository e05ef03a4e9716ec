package service

import (
	"context"
	"time"

	"guardrails/internal/spool/intake"
)

const (
	// reliefEvery is how often questions of hooks add records to the audit. reliefTime limits each time: a prompt waits.
	reliefEvery = 10 * time.Minute
	reliefTime  = time.Second
)

// Relieve adds a part of the spool to the audit, if nobody has done so for a while. Hooks that find no server run the
// command line, and without a server nobody else would empty the spool.
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
