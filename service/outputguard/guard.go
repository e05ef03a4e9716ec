// Package outputguard checks whether an answer is safe for the person who wrote the message. It asks a model only if
// the message shows a risk.
//
// Start with Guard.Check. question.go has the question to the model.
package outputguard

import (
	"context"
	"slices"
	"strings"
	"time"

	"guardrails/config"
	"guardrails/detect/safety"
	"guardrails/internal/document"
	"guardrails/model"
)

// Asker asks a model.
type Asker interface {
	Ask(ctx context.Context, q model.Question) (model.Answer, error)
}

// Guard checks answers.
type Guard struct {
	// Asker is nil if no model is set.
	Asker    Asker
	Settings *config.OutputGuard
}

// The results of an audit.
const (
	Safe         = "safe"
	Unsafe       = "unsafe"
	FailedOpen   = "failed_open"
	FailedClosed = "failed_closed"
)

// Audit says whether an answer is safe for the person who wrote the message.
type Audit struct {
	// Run is set if the answer was checked, because the message shows a risk. Risks lists the risks of the message, the
	// most severe one first.
	Run   bool     `json:"run"`
	Risks []string `json:"risks"`
	// IsSafe is false if the answer is unsafe. It is also false if the answer could not be checked and therefore must not
	// pass.
	IsSafe bool   `json:"is_safe"`
	Reason string `json:"reason"`
	// Violation is the kind of the unsafe answer, or nil.
	Violation *string `json:"violation_type"`
	// Intervened is set if the answer was replaced.
	Intervened bool `json:"intervened"`
	// Failed is config.FailsOpen or config.FailsClosed if the answer could not be checked.
	Failed *string `json:"failed"`
	Cached bool    `json:"cached"`
	// Millis is how long the check took, in milliseconds.
	Millis int64 `json:"duration_ms"`
}

// Result returns the result of an audit that was run.
func (a *Audit) Result() string {
	switch {
	case a.Failed != nil && a.IsSafe:
		return FailedOpen
	case a.Failed != nil:
		return FailedClosed
	case a.IsSafe:
		return Safe
	}
	return Unsafe
}

// maxReason is the largest number of characters of a reason.
const maxReason = 280

// Risks returns those of the given intents for which an answer must be checked, the most severe one first.
func Risks(intents []string) []string {
	out := []string{}
	for _, intent := range safety.AllIntents() {
		if intent.IsRisk() && slices.Contains(intents, string(intent)) {
			out = append(out, string(intent))
		}
	}
	return out
}

// Check checks an answer to a message that has the given intents. If there is no risk, it asks no model.
func (g *Guard) Check(ctx context.Context, intents []string, answer string) Audit {
	a := Audit{Risks: Risks(intents), IsSafe: true}
	if len(a.Risks) == 0 || strings.TrimSpace(answer) == "" || !g.Settings.IsOn() && g.Asker == nil {
		return a
	}
	began := time.Now()
	a.Run = true
	if safety.EncouragesSelfHarm(answer) {
		harm := harmEncouragement
		a.IsSafe, a.Violation, a.Reason = false, &harm, "its words encourage self-harm"
	} else {
		g.ask(ctx, &a, answer)
	}
	a.Intervened = !a.IsSafe && g.Settings.Mode == config.Enforce
	a.Millis = time.Since(began).Milliseconds()
	return a
}

func (g *Guard) ask(ctx context.Context, a *Audit, answer string) {
	if g.Asker == nil {
		g.fail(a, "no model is set")
		return
	}
	reply, err := g.Asker.Ask(ctx, question(a.Risks, answer))
	if err != nil {
		g.fail(a, string(model.OutcomeOf(err)))
		return
	}
	v, ok := readVerdict(reply.Input)
	if a.Cached = reply.IsCached; !ok {
		g.fail(a, string(model.Unreadable))
		return
	}
	a.IsSafe, a.Violation = v.IsSafe, v.Violation
	a.Reason = document.First(document.OneLine(v.Reason), maxReason)
}

// fail() decides what happens to an answer that could not be checked. It uses the setting for the most severe risk.
func (g *Guard) fail(a *Audit, why string) {
	policy := config.FailsOpen
	if g.Settings.FailsClosed(a.Risks[0]) {
		policy = config.FailsClosed
	}
	a.Failed, a.IsSafe, a.Reason = &policy, policy == config.FailsOpen, "the answer could not be checked: "+why
}

// Grounding returns the text that replaces an unsafe answer.
func (a *Audit) Grounding() string { return safety.Grounding(safety.Intent(a.Risks[0])) }
