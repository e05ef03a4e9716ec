package server

import (
	"context"
	"encoding/json"

	"guardrails/hooks/run"
	"guardrails/service"
)

// inside answers hooks of the client that started this process, which is in its session's environment.
func (s *Server) inside(ctx context.Context) *run.Inside {
	// What was asked before the end is answered.
	ctx = context.WithoutCancel(ctx)
	return &run.Inside{Env: s.env, Ask: func(request []byte) ([]byte, error) {
		answer, err := s.own.Call(ctx, service.ToolGetContext, request)
		if err != nil {
			return nil, err
		}
		return json.Marshal(answer)
	}}
}
