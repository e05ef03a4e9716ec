package service

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"guardrails/config"
	"guardrails/detect/safety"
	"guardrails/internal/document"
	"guardrails/policy"
	"guardrails/service/screening"
)

// screen() checks a person's prompt with the safety gate, if the settings switch the gate on. In the mode "enforce", a
// blocked prompt does not reach the model, and a.Refusal tells the person where to find help.
func (s *Service) screen(ctx context.Context, root string, b *rulebook, r *Request, a *Answer) {
	settings := &b.settings.Safety
	if !r.Hook || !r.MainThread || r.Prompt == "" {
		return
	}
	if m := &b.settings.Model; m.AsksAboutPrompts() {
		a.Notices = append(a.Notices, sending(m))
	}
	if b.settings.OutputGuard.IsOn() {
		a.Notices = append(a.Notices, guarded(&b.settings))
	}
	if settings.IsOn() {
		a.Notices = append(a.Notices, watched(settings))
	}
	if settings.MessageMode() == config.Off {
		s.expectAnswer(b, r, a)
		return
	}
	in := screening.Message{Common: screening.Common{SessionID: r.SessionID, InSession: true}, Text: document.First(r.Prompt, safety.MaxText)}
	v, err := s.checkMessage(ctx, root, b, r, &in)
	switch {
	case v == nil:
		a.Notices = append(a.Notices, "guardrails cannot check what you write: "+err.Error()+". Your prompt is not stopped")
		return
	case err != nil:
		a.Notices = append(a.Notices, "guardrails cannot record what it found in your prompt: "+err.Error())
	}
	s.beginTurn(b, r, a, v.Intents)
	for _, notice := range v.Notices {
		a.Notices = append(a.Notices, "guardrails: "+notice)
	}
	a.Note = joinLines(a.Note, s.boundary(ctx, b, r))
	said, err := s.reactToEvents(ctx, root, b, r, messageEvents(v))
	if err != nil {
		a.Notices = append(a.Notices, "guardrails cannot record which guidelines apply to your prompt: "+err.Error())
	}
	if v.Mode != config.Enforce {
		return
	}
	a.Note = joinLines(a.Note, said)
	switch v.Safety.Action {
	case policy.Block:
		a.Refusal = v.Referral
	case policy.Hold:
		a.tell(cmp.Or(v.Referral, heldByPolicy))
	}
}

// heldByPolicy is the text that a person is shown if only a policy holds their prompt.
const heldByPolicy = "guardrails: the people who run this service have a rule about messages like yours, and may read " +
	"your message. It was sent to the model."

// expectAnswer prepares the check of the model's answer to a prompt. It is called if the prompt itself is not checked.
func (s *Service) expectAnswer(b *rulebook, r *Request, a *Answer) {
	if checksAnswers(&b.settings) {
		s.beginTurn(b, r, a, namesOf(safety.Intents(document.First(r.Prompt, safety.MaxText))))
	}
}

// guarded() returns the notice that the output guard is on. The notice names the model that receives the answers. A
// session shows the notice once.
func guarded(c *config.Config) string {
	text := "guardrails checks what the model answers to a person in danger (output_guard.mode: " + c.OutputGuard.Mode + "). "
	if c.Model.AsksAboutAnswers() {
		text += "It sends such an answer to the model " + c.Model.Name + " at " + c.Model.URL + ", with personal data masked. "
	}
	return text + recorded(&c.Safety, OutputAudit)
}

// recorded() returns the part of a notice that says what is recorded, and how to see the records of the given events.
func recorded(s *config.Safety, events ...string) string {
	text := "It records what it finds, but not the text. "
	if s.Preview {
		text = fmt.Sprintf("It records what it finds, and the first %d characters of the text, with secrets and personal "+
			"data masked. ", previewLength)
	}
	return text + "To see the records, run: guardrails audit list --event " + strings.Join(events, ", or ")
}

func namesOf(intents []safety.Intent) []string {
	out := make([]string, len(intents))
	for i, intent := range intents {
		out[i] = string(intent)
	}
	return out
}

// boundary() returns a line for the model if the model's last answers have too often encouraged the person to depend on
// the model.
func (s *Service) boundary(ctx context.Context, b *rulebook, r *Request) string {
	settings := &b.settings.Safety
	if settings.ModeOf(string(safety.EmotionalDependenceGate)) != config.Enforce {
		return ""
	}
	s.remindOfTrips(ctx, b, r.SessionID)
	if !s.trips.Count(personOf("", r.SessionID), b.settings.Tenant, false, s.now(), true).Active {
		return ""
	}
	return "In your last answers, you promised always to be there for the person, or to understand them better than anyone else (" +
		safety.ToneBoundary + "). " +
		"Be friendly, make no such promise, and remind the person of the people around them where it fits."
}

// watched() returns the notice that the safety gate is on. A session shows the notice once.
func watched(s *config.Safety) string {
	var texts, events []string
	if s.MessageMode() != config.Off {
		texts, events = append(texts, "what you type"), append(events, safetyInput)
	}
	if s.AnswerMode() != config.Off {
		texts, events = append(texts, "what the model answers"), append(events, safetyOutput+" for answers")
	}
	text := "guardrails checks " + strings.Join(texts, " and ") + " for signs of danger (safety.mode: " + s.Mode + "). "
	if s.MessageMode() == config.Enforce {
		text += "A message that asks for harm does not reach the model. "
	}
	if s.AnswerMode() == config.Enforce {
		text += "The model is asked once to replace an answer that does harm. "
	}
	if s.Strictest() != config.Enforce {
		text += "Nothing is stopped. "
	}
	return text + recorded(s, events...)
}
