package service

import "context"

// CheckClock checks the clock of this computer, and compares it with the store of the service's own project. If the
// clock is probably wrong, CheckClock returns a storefault.ClockError. If the store cannot be found, it returns nil.
func (s *Service) CheckClock(ctx context.Context) error {
	from, c, err := s.storeOf(ctx, "")
	if err != nil {
		return nil
	}
	return s.clock.Check(ctx, from, c.Tenant)
}
