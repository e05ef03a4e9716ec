package server

import (
	"context"
	"encoding/json"

	"guardrails/hooks/run"
	"guardrails/service"
)

// inside answers the hooks of the client that started this process. The process has the environment of the session.
func (s *Server) inside(ctx context.Context) *run.Inside {
	// Requests from before the end are still answered.
	ctx = context.WithoutCancel(ctx)
	return &run.Inside{Env: s.env, Ask: func(request []byte) ([]byte, error) {
		answer, err := s.own.Call(ctx, service.ToolGetContext, request)
		if err != nil {
			return nil, err
		}
		return json.Marshal(answer)
	}}
}
