package main

import (
	"time"

	"guardrails/config"
	"guardrails/hooks"
	"guardrails/service"
)

func (a *app) service() *service.Service {
	now := a.now
	if now == nil {
		now = time.Now
	}
	return service.New(service.Options{Env: a.env, Now: now, Dir: a.cwd, Mask: hooks.Mask})
}

func (a *app) projectRoot(dir string) string { return service.Root(a.env, dir) }

func (a *app) config() (*config.Config, error) {
	c, problems := config.Load(a.projectRoot(a.cwd), a.env)
	return &c, problems.Err()
}
