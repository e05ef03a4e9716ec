package service

import (
	"context"
	"time"

	"guardrails/host"
	"guardrails/internal/changemark"
)

// Watch watches the files of the service's own project, and of every project named in a request, until the context is
// done. When files change, Watch makes the sessions request guidelines again.
func (s *Service) Watch(ctx context.Context) {
	// Watch the service's own project from the start. Sessions that began before this server got their guidelines from the
	// program guardrails, so they have not named the project to this server yet.
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
				changemark.Set(s.env)
				s.onChanged()
			}
		}
	}
}
