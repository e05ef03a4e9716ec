package store

import (
	"context"
	"errors"

	"guardrails/cli/app"
	"guardrails/internal/product"

	"github.com/spf13/cobra"

	"guardrails/store"
	"guardrails/store/live"
)

// book is the guidelines and the audit of the project's tenant, open for one command.
type book struct {
	*live.TenantStore
	// place says where the store is.
	place, tenant string
}

// absence says what is done where the default store is not there yet.
type absence int

const (
	// mustExist makes it an error.
	mustExist absence = iota
	// create makes the store.
	create
	// mayBeAbsent lets the command work without a book.
	mayBeAbsent
)

// atStore opens the store that the project names, lets a command work with it, and closes it.
func atStore(a *app.App, c *cobra.Command, absent absence, work func(ctx context.Context, b *book) error) error {
	settings, err := a.Config()
	if err != nil {
		return err
	}
	ctx, stop := app.Interruptible(c.Context())
	defer stop()
	openStore := a.OpenExisting
	if absent == create {
		openStore = a.OpenOrCreate
	}
	opened, err := openStore(ctx, settings)
	if absent == mayBeAbsent && errors.Is(err, live.ErrNoStore) {
		return work(ctx, nil)
	}
	if err != nil {
		return storeFailure(c, "", err)
	}
	b := &book{opened.For(live.Caller{Tenant: settings.Tenant, Actor: a.User()}), opened.Location(), settings.Tenant}
	return storeFailure(c, b.place, errors.Join(work(ctx, b), opened.Close()))
}

// changeStore is atStore for a command that changes what holds: that is for people alone.
func changeStore(a *app.App, c *cobra.Command, absent absence, work func(ctx context.Context, b *book) error) error {
	if err := forPeople(a, c); err != nil {
		return err
	}
	return atStore(a, c, absent, work)
}

// forPeople refuses a command in a shell of the agent.
func forPeople(a *app.App, c *cobra.Command) error {
	if !product.IsAgentShell(a.Env) {
		return nil
	}
	return app.Failf("%s: this is a shell of Claude Code (CLAUDECODE is set), and an agent does not change what holds for it; run it in a terminal of your own", c.CommandPath())
}

// storeFailure names the command and, where something is not there, the place that was looked at.
func storeFailure(c *cobra.Command, place string, err error) error {
	if err == nil || app.HasExitCode(err) {
		return err
	}
	remedy := ""
	if store.CodeOf(err) == store.NotFound {
		remedy = " (the store is " + place + "; guardrails list shows what it has)"
	}
	return app.Failf("%s: %v%s", c.CommandPath(), err, remedy)
}
