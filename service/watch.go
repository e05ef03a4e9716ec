package service

import (
	"context"
	"time"

	"guardrails/hooks/session"
	"guardrails/host"
)

// Watch watches the files of the service's own project, and of projects that requests were about, until the context
// ends. When files change, it makes sessions ask for guidelines again.
func (s *Service) Watch(ctx context.Context) {
	// The command line answered sessions that began before this server started.
	root := host.Root(s.env, s.dir)
	s.memory.Watch(root, s.watched(root))
	tick := time.NewTicker(turnEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if s.memory.Changed() {
				session.SignalChange(s.env)
			}
		}
	}
}
