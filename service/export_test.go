package service

import (
	"context"
	"time"

	"guardrails/config"
	"guardrails/detect/effect"
	"guardrails/service/advisory"
)

// LimitWait sets how long the service waits for a server.
func (s *Service) LimitWait(d time.Duration) { s.patience = d }

// Now returns the time of the service's clock.
func (s *Service) Now() time.Time { return s.now() }

// Prune removes old decisions, as Upkeep does.
func (s *Service) Prune(ctx context.Context) error { return s.prune(ctx) }

// React sends what a detector noticed to the guidelines.
func (s *Service) React(ctx context.Context, r *Request, event effect.Event) (string, error) {
	root, err := s.root(r)
	if err != nil {
		return "", err
	}
	b, err := s.rulebook(ctx, root, r)
	if err != nil {
		return "", err
	}
	return s.react(ctx, root, b, r, &advisory.Detection{Event: event, Result: advisory.Detected, Count: 3, Confidence: 0.9})
}

// PolicyPath returns the path of a policy file, and why it cannot make verdicts milder.
func PolicyPath(root, home string, s *config.Safety, trusted bool) (path, onlyStricter string) {
	return policyPath(root, home, s, trusted)
}
