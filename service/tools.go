package service

import (
	"context"
	"fmt"
	"slices"

	"guardrails/detect/contract"
	"guardrails/internal/document"
	"guardrails/service/screening"
)

// The names of further tools. They only read.
const (
	ToolList    = "guardrails_list"
	ToolGet     = "guardrails_get"
	ToolExplain = "guardrails_explain"
)

// ToolNames lists the tools that Call supports.
func ToolNames() []string {
	own := []string{ToolGetContext, ToolLogDecision, ToolList, ToolGet, ToolExplain, ToolExplainCall}
	return slices.Concat(own, CheckTools(), contract.Names())
}

// Call calls a tool by its name. If the arguments are invalid, the error has the type document.Problems, or
// advice.Problems for a detector.
func (s *Service) Call(ctx context.Context, name string, arguments []byte) (any, error) {
	switch name {
	case ToolGetContext:
		return answerOf(decodeAndCall(ctx, arguments, DecodeRequest, s.GetContext))
	case ToolLogDecision:
		return answerOf(decodeAndCall(ctx, arguments, DecodeDecision, s.LogDecision))
	case ToolList:
		return answerOf(decodeAndCall(ctx, arguments, DecodeFilter, s.List))
	case ToolGet:
		return answerOf(decodeAndCall(ctx, arguments, DecodeGet, s.Get))
	case ToolExplain:
		return answerOf(decodeAndCall(ctx, arguments, DecodeExplain, s.Explain))
	case ToolExplainCall:
		return answerOf(decodeAndCall(ctx, arguments, DecodeCall, s.ExplainCall))
	}
	if name == ToolCheckMessage {
		return answerOf(decodeAndCall(ctx, arguments, screening.DecodeMessage, s.CheckMessage))
	}
	if name == ToolCheckResponse {
		return answerOf(decodeAndCall(ctx, arguments, screening.DecodeResponse, s.CheckResponse))
	}
	if slices.Contains(contract.Names(), name) {
		return s.detect(ctx, name, arguments)
	}
	return nil, fmt.Errorf("there is no tool %s", document.Excerpt(name))
}

// detect calls a detector. The answer names the page for reports of false alarms, if the settings of the service's own
// project have one.
func (s *Service) detect(ctx context.Context, name string, arguments []byte) (any, error) {
	answer, err := contract.Call(name, arguments)
	if r, ok := answer.(interface{ ReportTo(url string) }); ok && err == nil {
		c, _ := s.Settings(ctx, "") // settings with a mistake do not stop a detector; other commands report them
		r.ReportTo(c.Detectors.FeedbackURL)
	}
	return answer, err
}

// decodeAndCall decodes the arguments of a tool into a request, calls the tool's function with it, and returns the
// function's answer.
func decodeAndCall[R, A any](
	ctx context.Context, arguments []byte, decode func([]byte) (R, error), answer func(context.Context, R) (*A, error),
) (*A, error) {
	request, err := decode(arguments)
	if err != nil {
		return nil, err
	}
	return answer(ctx, request)
}

// answerOf returns an answer as the type any. If err is not nil, it returns nil and err.
func answerOf[A any](a *A, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return a, nil
}
