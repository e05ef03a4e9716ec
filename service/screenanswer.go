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

// screenAnswer checks a final answer of the model with the safety gate, if the settings switch it on. In the mode enforce,
// the answer to a blocked one has a text in Counter that asks the model for another one. The model is asked once.
func (s *Service) screenAnswer(ctx context.Context, root string, b *rulebook, r *Request, a *Answer) {
	settings := &b.settings.Safety
	if settings.Mode == config.Off {
		return
	}
	in := screening.Response{Common: screening.Common{SessionID: r.SessionID}, Text: document.First(r.Answer, safety.MaxText)}
	s.addTurn(r, &in)
	v, err := s.checkResponse(ctx, root, b, r, &in)
	if err != nil {
		a.tell("guardrails cannot check this answer: " + err.Error())
		return
	}
	said, err := s.reactToEvents(ctx, root, b, r, answerEvents(v))
	if err != nil {
		a.tell("guardrails cannot record how guidelines react: " + err.Error())
	}
	if settings.Mode != config.Enforce || v.Safety.Action != policy.Block {
		return
	}
	if r.Again {
		a.tell("guardrails: the safety gate does not let this answer through either (" + v.Cause() + "). It does not ask again.")
		return
	}
	a.Counter = joinLines(joinLines(a.Counter, v.Again()), said)
	a.tell("guardrails asked the model for another answer (" + v.Cause() + "). The first one stands above.")
}

// tell adds a line for the user.
func (a *Answer) tell(line string) { a.Message = joinLines(a.Message, line) }

func joinLines(text, line string) string { return strings.TrimSpace(text + "\n" + line) }
