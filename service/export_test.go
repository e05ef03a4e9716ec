package service

import "context"

import "time"

// LimitWait sets how long the service waits for a server.
func (s *Service) LimitWait(d time.Duration) { s.patience = d }

// Now returns the time of the service's clock.
func (s *Service) Now() time.Time { return s.now() }

// Prune removes old decisions, as Upkeep does.
func (s *Service) Prune(ctx context.Context) error { return s.prune(ctx) }
