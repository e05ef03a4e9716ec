package service

import (
	"guardrails/evaluator"
	"guardrails/service/advisory"
)

// clientInTerminal is the entry point of a client that a person uses in a terminal.
const clientInTerminal = "cli"

func (s *Service) event(b *rulebook, r *Request) advisory.Event {
	return advisory.Event{Session: r.SessionID, Settings: &b.settings.Detectors, Now: s.now()}
}

// advise shows a prompt that a person typed to the detectors, and adds what they say to the answer.
func (s *Service) advise(b *rulebook, r *Request, a *Answer) {
	var err error
	a.Message, err = s.desk.Prompt(&advisory.Prompt{
		Event: s.event(b, r), Text: r.Prompt, Terminal: r.Typed == clientInTerminal,
	})
	a.reportUnkept(err)
}

// observe shows the last calls of an agent or a final answer of the model to the detectors.
func (s *Service) observe(b *rulebook, r *Request) (*Answer, error) {
	a := &Answer{Result: *evaluator.EvaluateAll(nil), Context: r.Context, Source: b.source}
	var err error
	if r.Calls != "" {
		a.Note, err = s.desk.Calls(&advisory.Calls{Event: s.event(b, r), Agent: r.AgentID, Text: r.Calls})
	} else {
		var reply advisory.Reply
		reply, err = s.desk.Answer(&advisory.Answer{Event: s.event(b, r), Text: r.Answer, Again: r.Again})
		a.Message, a.Counter = reply.Line, reply.Counter
	}
	a.reportUnkept(err)
	return a, nil
}

// reportUnkept tells the user why the detectors cannot keep what they need.
func (a *Answer) reportUnkept(err error) {
	if err != nil {
		a.Notices = append(a.Notices, "the detectors do not work in this session: "+err.Error())
	}
}
