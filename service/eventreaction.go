package service

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"guardrails/detect/effect"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/internal/spool"
	"guardrails/service/detectors"
)

// react() returns the instructions of all guidelines that name the detected event. It records the detection only if the
// settings ask for this, because a detection can be about a person. It also records the reaction of a guideline if the
// guideline's action requires this.
func (s *Service) react(ctx context.Context, root string, b *rulebook, r *Request, d *detectors.Detection) (text string, err error) {
	q := b.query(ctx, s.env, root, r)
	var lines []string
	var records []*spool.Record
	record := func(kind, outcome, reason string) *spool.Record {
		out := s.eventRecord(root, b, q, r)
		out.Kind, out.Outcome, out.Reason, out.Events = kind, outcome, reason, []string{string(d.Event)}
		records = append(records, out)
		return out
	}
	if b.settings.Detectors.Record && !d.Event.IsOfSafetyGate() { // the safety gate itself records what it finds
		record("detector", d.Result, fmt.Sprintf("%s: count %d, confidence %.4f", d.Event, d.Count, d.Confidence))
	}
	for _, g := range guidelinesAbout(q, d.Event) {
		if text := strings.TrimSpace(g.Action.Instruction); text != "" {
			lines = append(lines, text+" ("+g.ID+")")
		}
		if isRecorded(&g.Action) && (b.settings.Detectors.Record || !d.Event.IsAboutPerson()) {
			of := record("decision", "warn", noticed(d.Event))
			of.GuidelineID, of.GuidelineName, of.Version = g.ID, g.Name, g.Version
		}
	}
	for _, record := range records {
		if err := s.spool(record.Line()); err != nil {
			return strings.Join(lines, "\n"), err
		}
	}
	return strings.Join(lines, "\n"), nil
}

// noticed() returns the text that the record of a reaction gives as the reason.
func noticed(event effect.Event) string {
	if event.IsOfSafetyGate() {
		return "the safety gate sent " + string(event)
	}
	return "a detector noticed " + string(event)
}

// isRecorded reports whether the reaction of a guideline with this action must be recorded.
func isRecorded(a *guideline.Action) bool {
	return a.Type != guideline.Telemetry || a.Parameters["log"] != "none"
}

// eventRecord returns a record of an event in a session.
func (s *Service) eventRecord(root string, b *rulebook, q question, r *Request) *spool.Record {
	c := q.own()
	out := s.newRecord(root, b)
	out.SessionID, out.AgentID, out.Source = r.SessionID, r.AgentID, b.source
	out.Agent, out.Domain, out.Action = c.Agent, c.Domain, c.Action
	return out
}

// newRecord returns a record of an event in a project, with the current time.
func (s *Service) newRecord(root string, b *rulebook) *spool.Record {
	return &spool.Record{
		Time: s.now().UTC().Format(time.RFC3339Nano), Project: root, ProjectID: b.settings.Project, Tenant: b.settings.Tenant,
	}
}

// guidelinesAbout returns the guidelines that name an event, and whose other conditions are met. It leaves out gates
// that ask a person, because the hook of the next call asks the person.
func guidelinesAbout(q question, event effect.Event) []*guideline.Guideline {
	var out []*guideline.Guideline
	for _, a := range q {
		query := *a.query
		query.Event, query.Unknown = string(event), query.Unknown&^guideline.FieldEvent
		for _, m := range a.layer.set.Match(&query, nil) {
			names := slices.Contains(m.Guideline.Condition.Events, string(event))
			if names && m.Residual == 0 && !asks(&m.Guideline.Action) && !slices.Contains(out, m.Guideline) {
				out = append(out, m.Guideline)
			}
		}
	}
	return out
}

func asks(a *guideline.Action) bool { return a.GateType != "" && a.Threshold() == guideline.Mandatory }

// onlyReacts reports whether a guideline only gives an instruction when a detector notices something. Hooks do not need
// such a guideline, because the service gives the instruction.
func onlyReacts(m evaluator.Match) bool {
	events := m.Guideline.Condition.Events
	if len(events) == 0 || slices.ContainsFunc(events, func(e string) bool { return !effect.Event(e).IsOfDetector() }) {
		return false
	}
	a := &m.Guideline.Action
	onlyAbout := !slices.Contains(events, string(effect.ToolLoop))
	return onlyAbout || !asks(a) && len(a.ToolsAllowed)+len(a.ToolsDenied)+len(a.ToolsAsked) == 0
}
