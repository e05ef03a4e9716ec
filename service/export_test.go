package service

import (
	"context"
	"time"

	"guardrails/detect/effect"
	"guardrails/service/detectors"
)

// LimitWait sets how long the service waits for a server.
func (s *Service) LimitWait(d time.Duration) { s.patience = d }

// Now returns the time of the service's clock.
func (s *Service) Now() time.Time { return s.now() }

// Prune removes old decisions, as Upkeep does.
func (s *Service) Prune(ctx context.Context) error { return s.prune(ctx) }

// Restore reads the cooldowns and the trips from the audit, as Upkeep does.
func (s *Service) Restore(ctx context.Context, began time.Time) error {
	return s.Restoring(began)(ctx, true)
}

// Restoring is a method that returns a function. The function does one round of the work of Restore.
func (s *Service) Restoring(began time.Time) func(ctx context.Context, settled bool) error {
	return (&restoring{s: s, began: began}).turn
}

// React returns the instructions of the guidelines that name an event of a detector.
func (s *Service) React(ctx context.Context, r *Request, event effect.Event) (string, error) {
	root, err := s.root(r)
	if err != nil {
		return "", err
	}
	b, err := s.rulebook(ctx, root, r)
	if err != nil {
		return "", err
	}
	return s.react(ctx, root, b, r, &detectors.Detection{Event: event, Result: detectors.Detected, Count: 3, Confidence: 0.9})
}

// MemoryUsed returns the number of bytes that the rulebooks in memory take, as the service counts them.
func (s *Service) MemoryUsed() int64 { return s.budget.Used() }

// RecordPolicies records changes of policies, as Upkeep does.
func (s *Service) RecordPolicies(ctx context.Context) error { return s.recordPolicies(ctx) }

// LimitRecording sets how long RecordPolicies works.
func (s *Service) LimitRecording(d time.Duration) { s.recordingTime = d }
