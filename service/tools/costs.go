package tools

import (
	"context"

	"guardrails/service"
	"guardrails/service/screening"
)

// Costs reports whether a call of one of the safety gate's tools counts as a change. A call counts as a change if it is
// recorded, or if it can ask a model, which costs money.
func Costs(ctx context.Context, s *service.Service, tool string, arguments []byte) bool {
	if !isDryRun(tool, arguments) {
		return true
	}
	if tool != CheckResponse {
		return false
	}
	settings, err := s.Settings(ctx, "")
	return err != nil || settings.Model.AsksAboutAnswers()
}

// isDryRun reports whether a call of a tool of the safety gate is a dry run, which records and counts nothing.
func isDryRun(tool string, arguments []byte) bool {
	switch tool {
	case CheckMessage:
		in, err := screening.DecodeMessage(arguments)
		return err == nil && in.DryRun
	case CheckResponse:
		in, err := screening.DecodeResponse(arguments)
		return err == nil && in.DryRun
	}
	return false
}
