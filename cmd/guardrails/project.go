package main

import (
	"context"

	"guardrails/config"
	"guardrails/hooks"
	"guardrails/service"
	"guardrails/store/live"
)

func (a *app) service() *service.Service {
	return service.New(service.Options{Env: a.env, Now: a.clock(), Dir: a.cwd, Mask: hooks.Mask, Open: a.open})
}

// open opens the store that settings name, for those who only look.
func (a *app) open(ctx context.Context, c *config.Config) (*live.Catalog, error) {
	return a.openStore(ctx, c, isError)
}

func (a *app) projectRoot(dir string) string { return service.Root(a.env, dir) }

func (a *app) config() (*config.Config, error) {
	c, problems := config.Load(a.projectRoot(a.cwd), a.env)
	return &c, problems.Err()
}
