package server

import (
	"context"
	"encoding/json"

	"guardrails/hooks/run"
	"guardrails/service/tools"
)

// inside() returns the handler for the hooks of the client that started this process. These hooks have the same
// environment variables as the process.
func (s *Server) inside(ctx context.Context) *run.Inside {
	// Requests that arrived before shutdown are still answered.
	ctx = context.WithoutCancel(ctx)
	return &run.Inside{Env: s.env, Ask: func(request []byte) ([]byte, error) {
		answer, err := tools.Call(ctx, s.own, tools.GetContext, request)
		if err != nil {
			return nil, err
		}
		return json.Marshal(answer)
	}}
}
