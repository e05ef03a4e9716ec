package service

import (
	"context"
	"strings"

	"guardrails/config"
	"guardrails/detect/safety"
	"guardrails/internal/document"
	"guardrails/policy"
	"guardrails/service/screening"
)

// screen checks the prompt of a person with the safety gate, if the settings switch it on. In the mode enforce, the
// answer to a blocked prompt has the referral in Refusal, and the prompt does not reach the model.
func (s *Service) screen(ctx context.Context, root string, b *rulebook, r *Request, a *Answer) {
	settings := &b.settings.Safety
	if !settings.IsOn() || !r.Hook || !r.MainThread || r.Prompt == "" {
		return
	}
	a.Notices = append(a.Notices, watched(settings))
	in := screening.Message{Common: screening.Common{SessionID: r.SessionID}, Text: document.First(r.Prompt, safety.MaxText)}
	v, err := s.checkMessage(ctx, root, b, r, &in)
	if err != nil {
		a.Notices = append(a.Notices, "guardrails cannot check what you write: "+err.Error()+". Your prompt is not stopped")
		return
	}
	for _, notice := range v.Notices {
		a.Notices = append(a.Notices, "guardrails: "+notice)
	}
	switch {
	case settings.ModeOfAny(v.Safety.Flags) != config.Enforce:
	case v.Safety.Action == policy.Block:
		a.Refusal = v.Referral
	case v.Safety.Action == policy.Hold:
		a.Message = strings.TrimSpace(a.Message + "\n" + v.Referral)
	}
}

// watched says that the safety gate is on. A session says it once.
func watched(s *config.Safety) string {
	text := "guardrails checks what you type for signs of danger (safety.mode: " + s.Mode + "). "
	if s.Mode == config.Enforce {
		text += "A message that asks for harm does not reach the model. "
	} else {
		text += "Nothing is stopped. "
	}
	return text + "What it finds is recorded without your words: guardrails audit list --event safety_input"
}
