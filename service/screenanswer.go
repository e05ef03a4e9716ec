package service

import (
	"context"
	"strings"
	"time"

	"guardrails/config"
	"guardrails/detect/safety"
	"guardrails/internal/document"
	"guardrails/policy"
	"guardrails/service/screening"
)

// These constants limit how long the check of a final answer waits for a model. warmAuditTime applies in a server, and
// coldAuditTime applies in a process that the hook starts itself. The hook waits a little longer.
const (
	warmAuditTime = 1700 * time.Millisecond
	coldAuditTime = 1500 * time.Millisecond
)

// checksAnswers reports whether the settings switch on one of the checks of final answers: the gates or the output
// guard.
func checksAnswers(c *config.Config) bool {
	return c.Safety.AnswerMode() != config.Off || c.OutputGuard.IsOn()
}

// screenAnswer checks a final answer of the model with the safety gate and the output guard, if the settings switch
// them on. In the mode "enforce", the model is asked for another answer if the answer is blocked or unsafe. The text
// that asks for another answer is in a.Counter. The model is asked only once.
func (s *Service) screenAnswer(ctx context.Context, root string, b *rulebook, r *Request, a *Answer) {
	if !checksAnswers(&b.settings) {
		return
	}
	ctx, stop := s.auditTime(ctx)
	defer stop()
	in, err := s.finalAnswer(b, r)
	if err != nil {
		a.tell("guardrails checks this answer without your prompt, because the data that it stored about the prompt cannot be read: " +
			err.Error())
	}
	v, err := s.checkResponse(ctx, root, b, r, in)
	switch {
	case v == nil:
		a.tell("guardrails cannot check this answer: " + err.Error())
		return
	case err != nil:
		a.tell("guardrails cannot record what it found in this answer: " + err.Error())
	}
	said, err := s.reactToEvents(ctx, root, b, r, answerEvents(v))
	if err != nil {
		a.tell("guardrails cannot record which guidelines apply to this answer: " + err.Error())
	}
	isBlocked := v.Mode == config.Enforce && v.Safety.Action == policy.Block
	switch {
	case !isBlocked && !v.OutputAudit.Intervened:
	case r.Again:
		a.tell("guardrails: this answer does not pass the check either (" + v.Cause() + "). The model is not asked again.")
		if v.OutputAudit.Intervened {
			a.tell(v.OutputAudit.Grounding())
		}
	default:
		a.Counter = joinLines(joinLines(a.Counter, v.Again()), said)
		a.tell("guardrails asked the model for another answer (" + v.Cause() + "). The first one is still shown above.")
	}
}

func (s *Service) auditTime(ctx context.Context) (context.Context, context.CancelFunc) {
	if s.memory != nil {
		return context.WithTimeout(ctx, warmAuditTime)
	}
	return context.WithTimeout(ctx, coldAuditTime)
}

// finalAnswer returns the input for the check of a final answer, with the stored facts about the prompt. If these facts
// could not be read, the error says why.
func (s *Service) finalAnswer(b *rulebook, r *Request) (*screening.Response, error) {
	in := &screening.Response{
		Common: screening.Common{SessionID: r.SessionID, InSession: true}, Text: document.First(r.Answer, safety.MaxText),
		WithoutGates: b.settings.Safety.AnswerMode() == config.Off,
	}
	err := s.addTurn(r, in)
	if !b.settings.OutputGuard.IsOn() {
		in.Intents = []string{} // without a risk, the output guard does nothing
	}
	return in, err
}

// tell() adds a line to the message for the user.
func (a *Answer) tell(line string) { a.Message = joinLines(a.Message, line) }

func joinLines(text, line string) string { return strings.TrimSpace(text + "\n" + line) }
