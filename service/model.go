package service

import (
	"context"
	"time"

	"guardrails/config"
	"guardrails/model"
	"guardrails/service/modelclients"
	"guardrails/service/outputguard"
)

// modelOf returns the client for the model in the settings.
func (s *Service) modelOf(c *config.Model) *model.Client {
	return s.models.Of(&modelclients.Caller{Env: s.env, Now: s.now, Mask: s.masked, Meter: s.meter}, c)
}

// guard() returns the output guard of a project.
func (s *Service) guard(c *config.Config) *outputguard.Guard {
	g := &outputguard.Guard{Settings: &c.OutputGuard}
	if c.Model.AsksAboutAnswers() {
		g.Asker = s.modelOf(&c.Model)
	}
	return g
}

// Meter counts what the service does with models and answers.
type Meter interface {
	model.Meter
	// OutputAudited is called for each answer to a message with a risk. The parameter "unsafe" is set if the answer is
	// unsafe. It is also set if the answer could not be checked and therefore must not pass.
	OutputAudited(risk, result string, unsafe bool)
}

// noMeter counts nothing.
type noMeter struct{}

func (noMeter) ModelAsked(string, string, time.Duration) {}
func (noMeter) ModelCached(string, bool)                 {}
func (noMeter) OutputAudited(string, string, bool)       {}

// auditAnswer checks whether an answer is safe for the person who wrote the message.
func (s *Service) auditAnswer(ctx context.Context, c *config.Config, intents []string, answer string, dry bool) outputguard.Audit {
	a := s.guard(c).Check(ctx, intents, answer)
	if a.Run && !dry {
		s.meter.OutputAudited(a.Risks[0], a.Result(), !a.IsSafe)
	}
	return a
}
