package service

import "time"

// Impatient limits how long a service waits for a server.
func (s *Service) Impatient(d time.Duration) { s.patience = d }

// Now returns the time of the service's clock.
func (s *Service) Now() time.Time { return s.now() }
