package service

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"guardrails/config"
	"guardrails/detect/pii"
	"guardrails/detect/safety"
	"guardrails/internal/document"
	"guardrails/internal/spool"
	"guardrails/policy"
	"guardrails/service/outputguard"
	"guardrails/service/screening"
)

// The events of the safety gate in the audit.
const (
	safetyInput  = "safety_input"
	safetyOutput = "safety_output"
	// OutputAudit is the event for the output guard's check of an answer.
	OutputAudit = "output_audit"
)

// CheckMessage checks a message from a person to a model.
func (s *Service) CheckMessage(ctx context.Context, in screening.Message) (*screening.Answer, error) {
	root, b, r, err := s.forCheck(ctx, in.SessionID)
	if err != nil {
		return nil, err
	}
	return s.checkMessage(ctx, root, b, r, &in)
}

func (s *Service) checkMessage(
	ctx context.Context, root string, b *rulebook, r *Request, in *screening.Message,
) (*screening.Answer, error) {
	c, err := s.newCheck(ctx, root, b, &in.Common)
	if err != nil {
		return nil, err
	}
	a := in.Check(&c.Setup)
	a.Mode, a.Notices = modeOf(&b.settings.Safety, safetyInput, a), c.notices
	s.count(policy.StageInput, a, in.DryRun)
	if in.DryRun || !a.IsRecorded() {
		return a, nil
	}
	return a, s.recordCheck(ctx, root, b, r, c, safetyInput, a, in.Text)
}

// CheckResponse checks a response of a model.
func (s *Service) CheckResponse(ctx context.Context, in screening.Response) (*screening.ResponseAnswer, error) {
	root, b, r, err := s.forCheck(ctx, in.SessionID)
	if err != nil {
		return nil, err
	}
	a, err := s.checkResponse(ctx, root, b, r, &in)
	if err == nil && !in.DryRun {
		for _, scrub := range a.PIIScrub {
			s.onMasked(scrub.Category)
		}
	}
	return a, err
}

func (s *Service) checkResponse(
	ctx context.Context, root string, b *rulebook, r *Request, in *screening.Response,
) (*screening.ResponseAnswer, error) {
	c, err := s.newCheck(ctx, root, b, &in.Common)
	if err != nil {
		return nil, err
	}
	if in.WithoutGates {
		c.leaveOutGates()
	}
	a := in.Check(&c.Setup, func(trips bool) safety.Dependence {
		if trips || !in.InSession { // hooks do not need the number of trips if this answer is not a trip
			c.remind()
		}
		return s.trips.Count(c.person, b.settings.Tenant, trips, s.now(), in.DryRun)
	})
	a.Mode, a.Notices = modeOf(&b.settings.Safety, safetyOutput, &a.Answer), c.notices
	a.Audited(s.auditAnswer(ctx, &b.settings, a.Intents, in.Text, in.DryRun))
	s.count(policy.StageOutput, &a.Answer, in.DryRun || in.WithoutGates)
	if in.DryRun {
		return a, nil
	}
	if a.OutputAudit.Run {
		err = s.recordAudit(ctx, root, b, r, c, a, in.Text)
	}
	if a.IsRecorded() {
		err = errors.Join(err, s.recordCheck(ctx, root, b, r, c, safetyOutput, &a.Answer, in.Text))
	}
	return a, err
}

// leaveOutGates switches the gates and the policies off.
func (c *check) leaveOutGates() {
	c.Policies, c.Dissent, c.PII = nil, false, map[string]string{}
	for _, category := range pii.Categories() {
		c.PII[category.String()] = string(safety.Off)
	}
	for _, gate := range safety.Gates() {
		c.Off = append(c.Off, string(gate))
	}
}

// recordAudit records the result of the output guard for an answer with the given text.
func (s *Service) recordAudit(
	ctx context.Context, root string, b *rulebook, r *Request, c *check, a *screening.ResponseAnswer, text string,
) error {
	id, err := newID(spool.CheckID)
	if err != nil {
		return err
	}
	record := s.checkRecord(ctx, root, b, r, id)
	record.Kind, record.Outcome = OutputAudit, a.OutputAudit.Result()
	record.Reason = "OutputGuard: " + strings.Join(a.OutputAudit.Risks, ", ")
	record.Details = auditDetails(&a.OutputAudit, &guardDetails{
		Check: a.ID, Mode: b.settings.OutputGuard.Mode, User: c.user, Length: utf8.RuneCountInString(text),
		Preview: s.preview(&b.settings.Safety, text),
	})
	if err := s.spool(record.Line()); err != nil {
		return errors.New("the audit of the answer was not recorded: " + err.Error())
	}
	return nil
}

// guardDetails has the facts that the audit keeps about the output guard's check of an answer. The facts have no text
// from the model that checked the answer. They have a part of the answer only if the settings ask for a preview.
type guardDetails struct {
	// Check is the id of the check in which the gates looked at the same answer.
	Check      string   `json:"check"`
	Mode       string   `json:"mode"`
	Risks      []string `json:"risks"`
	Violation  *string  `json:"violation_type,omitempty"`
	Intervened bool     `json:"intervened"`
	Cached     bool     `json:"cached"`
	Millis     int64    `json:"duration_ms"`
	Length     int      `json:"length"`
	User       string   `json:"user,omitempty"`
	Preview    string   `json:"preview,omitempty"`
}

// auditDetails adds the result of the output guard to the details, and returns them as JSON.
func auditDetails(a *outputguard.Audit, d *guardDetails) string {
	d.Risks, d.Violation, d.Intervened, d.Cached, d.Millis = a.Risks, a.Violation, a.Intervened, a.Cached, a.Millis
	out, err := json.Marshal(d)
	if err != nil {
		return "" // impossible: it has only texts, flags and numbers
	}
	return string(out)
}

// personOf returns the key under which a person's checks are counted. If the person's name is not known, the key
// contains the session instead. If the session is not known either, the key is empty, and nothing is counted.
func personOf(user, session string) string {
	if user == "" && session != "" {
		return "session " + session
	}
	return user
}

// forCheck returns what a check needs: the root of the service's own project, its rulebook, and a request of the
// session.
func (s *Service) forCheck(ctx context.Context, session string) (root string, b *rulebook, r *Request, err error) {
	r = &Request{}
	r.SessionID = session
	if root, err = s.root(r); err == nil {
		b, err = s.rulebook(ctx, root, r)
	}
	return root, b, r, err
}

// A check is one call of the safety gate.
type check struct {
	screening.Setup
	// The field "user" is a hash of the user's name.
	user string
	// The field "person" is the key under which the checks of the person are counted. If it is "", nothing is counted.
	person  string
	notices []string
	// remind() reads the person's earlier cooldowns and trips, if this process does not know them yet. (A trip is an
	// answer that encouraged the person to depend on the model.).
	remind func()
}

type withoutCooldownsKey struct{}

// WithoutCooldowns returns a context for a caller who may try checks, but must not learn what other people did. A check
// with this context ignores the cooldowns of the person who is named in the input of the check.
func WithoutCooldowns(ctx context.Context) context.Context {
	return context.WithValue(ctx, withoutCooldownsKey{}, true)
}

const cooldownsIgnored = "the cooldowns of this person were ignored, because a caller with the role read may not see " +
	"them; use a token with the role decide"

func (s *Service) newCheck(ctx context.Context, root string, b *rulebook, in *screening.Common) (*check, error) {
	id, err := newID(spool.CheckID)
	if err != nil {
		return nil, err
	}
	user, err := s.hashOf(in.User)
	if err != nil {
		return nil, err
	}
	settings := &b.settings.Safety
	found := s.policiesOf(root, b)
	person := personOf(user, in.SessionID)
	if ctx.Value(withoutCooldownsKey{}) != nil && person != "" {
		person, found.Notices = "", append(found.Notices, cooldownsIgnored)
	}
	send := s.cooldowns.Sender(b.settings.Tenant, person, s.now(), in.DryRun)
	remind := func() {
		if person != "" {
			s.remind(ctx, root, b, user, in.SessionID)
		}
	}
	reminded := func(rule, event string, cooldown time.Duration) bool {
		if cooldown > 0 {
			remind()
		}
		return send(rule, event, cooldown)
	}
	return &check{user: user, person: person, notices: found.Notices, remind: remind, Setup: screening.Setup{
		ID: id, Off: settings.OffNames(in.InSession), Observed: observed(settings, in.InSession),
		PII: settings.PII, Dissent: settings.Dissent, Tenant: b.settings.Tenant,
		Policies: found.set, Send: reminded,
	}}, nil
}

// observed() returns the categories and gates in the mode "observe". These categories and gates must not change what
// happens in a session. If a check does not belong to a session, observed returns none.
func observed(s *config.Safety, inSession bool) (out []string) {
	for _, name := range append(document.Texts(safety.Categories()), document.Texts(safety.Gates())...) {
		if inSession && s.ModeOf(name) == config.Observe {
			out = append(out, name)
		}
	}
	return out
}

// checkRecord returns a record of a check. The record has the caller who asked for the check, and the task of the
// session.
func (s *Service) checkRecord(ctx context.Context, root string, b *rulebook, r *Request, id string) *spool.Record {
	record := s.eventRecord(root, b, b.query(ctx, s.env, root, r), r)
	record.ID, record.Source, record.Actor = id, spool.FromService, actorOf(ctx)
	return record
}

// recordCheck records a check in the audit.
func (s *Service) recordCheck(
	ctx context.Context, root string, b *rulebook, r *Request, c *check, event string, a *screening.Answer, text string,
) error {
	record := s.checkRecord(ctx, root, b, r, a.ID)
	record.Kind, record.Outcome, record.Reason = event, strings.ToLower(a.Safety.Action), a.Why()
	record.Details = details(a, c.user, text, s.preview(&b.settings.Safety, text))
	if err := s.spool(record.Line()); err != nil {
		return errors.New("the verdict was not recorded: " + err.Error())
	}
	return nil
}

// modeOf returns the mode that applies to the verdict of a check. For a message, modeOf returns the strictest mode of
// the categories that decided. For an answer, it returns the mode of the gate that decided. If something else decided,
// such as a policy, it returns the strictest mode of all categories or gates.
func modeOf(s *config.Safety, event string, a *screening.Answer) string {
	switch deciding := a.Deciding(); {
	case event == safetyInput && len(deciding) > 0:
		return s.ModeOfAny(deciding)
	case event == safetyInput:
		return s.MessageMode()
	case a.Safety.Gate != nil && !a.IsByRule():
		return s.ModeOf(*a.Safety.Gate)
	}
	return s.AnswerMode()
}

// details() returns the JSON that the audit keeps about a check. The JSON has a part of the text only if the settings
// ask for a preview.
func details(a *screening.Answer, user, text, preview string) string {
	d := a.Details()
	d.User, d.Length, d.Preview = user, utf8.RuneCountInString(text), preview
	out, err := json.Marshal(d)
	if err != nil {
		return "" // impossible: it has only texts and numbers
	}
	return string(out)
}

// previewLength is the number of characters in a preview of a text.
const previewLength = 120

func (s *Service) preview(settings *config.Safety, text string) string {
	if !settings.Preview {
		return ""
	}
	return document.First(screening.Masked(s.masked(text)), previewLength)
}

// hashOf returns a hash of a user's name. The key of the hash stays on this computer.
func (s *Service) hashOf(user string) (string, error) {
	if user == "" {
		return "", nil
	}
	state, _, err := s.keeper().Dir("")
	if err != nil {
		return "", err
	}
	key, err := state.Key()
	if err != nil {
		return "", err
	}
	sum := key.Sum([]byte("user " + user))
	return string(sum), nil
}
