// Package tools has the tools that the MCP server, the command line and the REST API offer: their names, their
// arguments and the functions that they call.
//
// Start with Call.
package tools

import (
	"context"
	"fmt"
	"slices"

	"guardrails/detect/contract"
	"guardrails/internal/document"
	"guardrails/service"
	"guardrails/service/remote"
	"guardrails/service/screening"
)

// The names of the tools that do not check texts.
const (
	GetContext  = remote.Tool
	LogDecision = "guardrails_log_decision"
	List        = "guardrails_list"
	Get         = "guardrails_get"
	Explain     = "guardrails_explain"
	ExplainCall = "guardrails_explain_call"
)

// The names of the tools of the safety gate.
const (
	CheckMessage  = "check_message"
	CheckResponse = "check_response"
)

// Checks returns the names of the tools of the safety gate.
func Checks() []string { return []string{CheckMessage, CheckResponse} }

// Names lists the tools that Call supports.
func Names() []string {
	own := []string{GetContext, LogDecision, List, Get, Explain, ExplainCall}
	return slices.Concat(own, Checks(), contract.Names())
}

// Call calls a tool by its name. If the arguments are invalid, the error has the type document.Problems, or
// advice.Problems for a detector.
func Call(ctx context.Context, s *service.Service, name string, arguments []byte) (any, error) {
	switch name {
	case GetContext:
		return answerOf(decodeAndCall(ctx, arguments, DecodeRequest, s.GetContext))
	case LogDecision:
		return answerOf(decodeAndCall(ctx, arguments, DecodeDecision, s.LogDecision))
	case List:
		return answerOf(decodeAndCall(ctx, arguments, DecodeList, s.List))
	case Get:
		return answerOf(decodeAndCall(ctx, arguments, DecodeGet, s.Get))
	case Explain:
		return answerOf(decodeAndCall(ctx, arguments, DecodeExplain, s.Explain))
	case ExplainCall:
		return answerOf(decodeAndCall(ctx, arguments, DecodeCall, s.ExplainCall))
	}
	if name == CheckMessage {
		return answerOf(decodeAndCall(ctx, arguments, screening.DecodeMessage, s.CheckMessage))
	}
	if name == CheckResponse {
		return answerOf(decodeAndCall(ctx, arguments, screening.DecodeResponse, s.CheckResponse))
	}
	if slices.Contains(contract.Names(), name) {
		return detect(ctx, s, name, arguments)
	}
	return nil, fmt.Errorf("there is no tool %s", document.Excerpt(name))
}

// detect() calls a detector. The answer has the address of the page for reports of false alarms, if the settings of the
// service's own project have one.
func detect(ctx context.Context, s *service.Service, name string, arguments []byte) (any, error) {
	answer, err := contract.Call(name, arguments)
	if r, ok := answer.(interface{ ReportTo(url string) }); ok && err == nil {
		c, _ := s.Settings(ctx, "") // settings with a mistake do not stop a detector; other commands report the mistakes
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

// answerOf returns an answer as the type "any". If err is not nil, it returns nil and err.
func answerOf[A any](a *A, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return a, nil
}
