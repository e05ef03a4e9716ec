package service

import (
	"context"

	"guardrails/detect/effect"
	"guardrails/detect/pii"
	"guardrails/service/detectors"
)

// display() masks the personal data in a part of an answer, if the settings say so.
func (s *Service) display(ctx context.Context, root string, b *rulebook, r *Request) *Answer {
	a := &Answer{Success: true, Context: r.Context, Source: b.source}
	if !b.settings.Display.Mask {
		return a
	}
	masked, found := pii.MaskFound(r.Display, pii.Default)
	if len(found) == 0 {
		return a
	}
	a.Display = masked
	for _, f := range found {
		s.onMasked(f.Category.String())
	}
	// The text is masked even if the event cannot be recorded. The instruction is ignored, because the client cannot pass
	// an instruction to the model at this event.
	_, _ = s.react(ctx, root, b, r,
		&detectors.Detection{Event: effect.PIIFound, Result: detectors.Detected, Count: len(found), Confidence: 1})
	return a
}
