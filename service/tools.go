package service

import (
	"context"
	"fmt"

	"guardrails/internal/document"
)

// The names of the tools that only read, beside ToolGetContext.
const (
	ToolList    = "guardrails_list"
	ToolGet     = "guardrails_get"
	ToolExplain = "guardrails_explain"
)

// ToolNames lists what Call can be asked for.
func ToolNames() []string {
	return []string{ToolGetContext, ToolLogDecision, ToolList, ToolGet, ToolExplain, ToolExplainCall}
}

// Call answers a tool by its name; an error of type document.Problems says what is wrong with the arguments.
func (s *Service) Call(ctx context.Context, name string, arguments []byte) (any, error) {
	switch name {
	case ToolGetContext:
		return anything(called(ctx, arguments, DecodeRequest, s.GetContext))
	case ToolLogDecision:
		return anything(called(ctx, arguments, DecodeDecision, s.LogDecision))
	case ToolList:
		return anything(called(ctx, arguments, DecodeFilter, s.List))
	case ToolGet:
		return anything(called(ctx, arguments, DecodeGet, s.Get))
	case ToolExplain:
		return anything(called(ctx, arguments, DecodeExplain, s.Explain))
	case ToolExplainCall:
		return anything(called(ctx, arguments, DecodeCall, s.ExplainCall))
	}
	return nil, fmt.Errorf("there is no tool %s", document.Excerpt(name))
}

// called reads the arguments and gives them to what answers.
func called[R, A any](ctx context.Context, arguments []byte, decode func([]byte) (R, error), answer func(context.Context, R) (*A, error)) (*A, error) {
	request, err := decode(arguments)
	if err != nil {
		return nil, err
	}
	return answer(ctx, request)
}

// anything is an answer of whatever kind; an error has none.
func anything[A any](a *A, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return a, nil
}
