package main

import (
	"context"

	"guardrails/catalog"
	"guardrails/config"
	"guardrails/hooks"
	"guardrails/service"
)

func (a *app) service() *service.Service {
	open := func(ctx context.Context, c *config.Config) (*catalog.Catalog, error) {
		return a.openStore(ctx, c, isError)
	}
	return service.New(service.Options{Env: a.env, Now: a.clock(), Dir: a.cwd, Mask: hooks.Mask, Open: open})
}

func (a *app) projectRoot(dir string) string { return service.Root(a.env, dir) }

func (a *app) config() (*config.Config, error) {
	c, problems := config.Load(a.projectRoot(a.cwd), a.env)
	return &c, problems.Err()
}
