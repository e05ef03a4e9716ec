package service

import (
	"context"
	"fmt"

	"guardrails/guideline/document"
)

// The names of the tools that only read, beside ToolGetContext.
const (
	ToolList    = "guardrails_list"
	ToolGet     = "guardrails_get"
	ToolExplain = "guardrails_explain"
)

// ToolNames lists what Call can be asked for.
func ToolNames() []string {
	return []string{ToolGetContext, ToolLogDecision, ToolList, ToolGet, ToolExplain}
}

// Call answers a tool by its name; an error of type document.Problems says what is wrong with the arguments.
func (s *Service) Call(ctx context.Context, name string, arguments []byte) (any, error) {
	switch name {
	case ToolGetContext:
		return called(ctx, arguments, DecodeRequest, s.GetContext)
	case ToolLogDecision:
		return called(ctx, arguments, DecodeDecision, s.LogDecision)
	case ToolList:
		return called(ctx, arguments, DecodeFilter, s.List)
	case ToolGet:
		return called(ctx, arguments, DecodeGet, s.Get)
	case ToolExplain:
		return called(ctx, arguments, DecodeExplain, s.Explain)
	}
	return nil, fmt.Errorf("there is no tool %s", document.Excerpt(name))
}

// called reads the arguments and gives them to what answers.
func called[R, A any](ctx context.Context, arguments []byte, decode func([]byte) (R, error), answer func(context.Context, R) (*A, error)) (any, error) {
	request, err := decode(arguments)
	if err != nil {
		return nil, err
	}
	a, err := answer(ctx, request)
	if err != nil {
		return nil, err
	}
	return a, nil
}
