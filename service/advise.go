package service

import (
	"context"
	"errors"
	"strings"

	"guardrails/config"
	"guardrails/service/detectors"
)

// clientInTerminal is the value of Request.Typed if a person uses the client in a terminal.
const clientInTerminal = "cli"

func (s *Service) event(b *rulebook, r *Request) detectors.Event {
	return detectors.Event{Session: r.SessionID, Settings: &b.settings.Detectors, Now: s.now()}
}

// advise() lets the detectors look at a prompt that a person typed, and adds their reply to the answer.
func (s *Service) advise(ctx context.Context, root string, b *rulebook, r *Request, a *Answer) {
	reply, err := s.desk.Prompt(&detectors.Prompt{
		Event: s.event(b, r), Text: r.Prompt, Terminal: r.Typed == clientInTerminal,
	})
	s.add(ctx, root, b, r, a, &reply, err)
}

// observe() lets the detectors look at the last calls of an agent or at a final answer of the model. For a final
// answer, it also runs the safety gate and the output guard. It returns all results.
func (s *Service) observe(ctx context.Context, root string, b *rulebook, r *Request) *Answer {
	a := &Answer{Success: true, Context: r.Context, Source: b.source}
	var reply detectors.Reply
	var err error
	if r.Calls != "" {
		reply, err = s.desk.Calls(&detectors.Calls{Event: s.event(b, r), Agent: r.AgentID, Text: r.Calls})
	} else if r.Typed != "" {
		reply, err = s.desk.Answer(&detectors.Answer{Event: s.event(b, r), Text: r.Answer, Again: r.Again})
	}
	s.add(ctx, root, b, r, a, &reply, err)
	if r.Answer != "" {
		s.screenAnswer(ctx, root, b, r, a)
	}
	return a
}

// add() puts the reply of the detectors into an answer. If guidelines name the event that a detector noticed, add()
// also puts the instructions of these guidelines into the answer. The parameter "unkept" is the error from saving
// the state of the detectors, or nil if the state was saved.
func (s *Service) add(
	ctx context.Context, root string, b *rulebook, r *Request, a *Answer, reply *detectors.Reply, unkept error,
) {
	a.Message, a.Note, a.Counter = reply.Line, reply.Note, reply.Counter
	if reply.Ask {
		a.Loop = config.Ask
	}
	if d := reply.Detection; d != nil {
		text, err := s.react(ctx, root, b, r, d)
		a.Note = strings.TrimSpace(a.Note + "\n" + text)
		unkept = errors.Join(unkept, err)
	}
	if unkept != nil {
		a.Notices = append(a.Notices, "guardrails cannot save the state or the findings of the detectors: "+unkept.Error())
	}
}
