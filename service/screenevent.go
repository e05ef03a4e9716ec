package service

import (
	"context"
	"errors"
	"strings"

	"guardrails/detect/effect"
	"guardrails/policy"
	"guardrails/service/detectors"
	"guardrails/service/screening"
)

// reactToEvents calls react() for each event of the safety gate, and returns the instructions of the guidelines.
func (s *Service) reactToEvents(ctx context.Context, root string, b *rulebook, r *Request, events []effect.Event) (string, error) {
	var lines []string
	var problems []error
	for _, event := range events {
		text, err := s.react(ctx, root, b, r, &detectors.Detection{Event: event, Result: detectors.Detected, Count: 1, Confidence: 1})
		lines, problems = append(lines, text), append(problems, err)
	}
	return strings.TrimSpace(strings.Join(lines, "\n")), errors.Join(problems...)
}

// messageEvents returns the events of a checked prompt.
func messageEvents(a *screening.Answer) []effect.Event {
	switch a.Safety.Action {
	case policy.Hold:
		return []effect.Event{effect.SafetyHold}
	case policy.Block:
		return []effect.Event{effect.SafetyBlocked}
	}
	return nil
}

// answerEvents returns the events of a checked answer.
func answerEvents(a *screening.ResponseAnswer) (out []effect.Event) {
	switch {
	case a.Safety.Action == policy.Block, !a.OutputAudit.IsSafe:
		out = append(out, effect.OutputBlocked)
	case a.Safety.Action == policy.Hold:
		out = append(out, effect.OutputHold)
	}
	if a.HasPersonalData() {
		out = append(out, effect.PIIFound)
	}
	return out
}
