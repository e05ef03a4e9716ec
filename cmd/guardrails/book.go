package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"os/user"
	"strconv"
	"syscall"

	"github.com/spf13/cobra"

	"guardrails/config"
	"guardrails/hooks"
	"guardrails/internal/product"
	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/open"
)

// book is the guidelines and the audit of the project's tenant, open for one command.
type book struct {
	*live.Book
	// place says where the store is.
	place, tenant string
}

// absence says what is done where the default store is not there yet.
type absence int

const (
	// isError makes it an error.
	isError absence = iota
	// isMade makes the store.
	isMade
	// isEmpty lets the command work without a book.
	isEmpty
)

// atStore opens the store that the project names, lets a command work with it, and closes it.
func (a *app) atStore(c *cobra.Command, absent absence, work func(ctx context.Context, b *book) error) error {
	settings, err := a.config()
	if err != nil {
		return err
	}
	ctx, stop := interruptible(c.Context())
	defer stop()
	opened, err := a.openStore(ctx, settings, absent)
	if absent == isEmpty && errors.Is(err, open.ErrNone) {
		return work(ctx, nil)
	}
	if err != nil {
		return storeFailure(c, "", err)
	}
	b := &book{opened.For(live.Who{Tenant: settings.Tenant, Actor: a.user()}), opened.Place(), settings.Tenant}
	return storeFailure(c, b.place, errors.Join(work(ctx, b), opened.Close()))
}

func (a *app) openStore(ctx context.Context, settings *config.Config, absent absence) (*live.Catalog, error) {
	return open.Open(ctx, settings, open.Options{Env: a.env, Now: a.clock(), Mask: hooks.Mask, Make: absent == isMade})
}

// changeStore is atStore for a command that changes what holds: that is for people alone.
func (a *app) changeStore(c *cobra.Command, absent absence, work func(ctx context.Context, b *book) error) error {
	if err := a.forPeople(c); err != nil {
		return err
	}
	return a.atStore(c, absent, work)
}

// forPeople refuses a command in a shell of the agent.
func (a *app) forPeople(c *cobra.Command) error {
	if !product.IsAgentShell(a.env) {
		return nil
	}
	return failure("%s: this is a shell of Claude Code (CLAUDECODE is set), and an agent does not change what holds for it; run it in a terminal of your own", c.CommandPath())
}

// storeFailure names the command and, where something is not there, the place that was looked at.
func storeFailure(c *cobra.Command, place string, err error) error {
	if _, known := errors.AsType[*outcome](err); err == nil || known {
		return err
	}
	remedy := ""
	if store.CodeOf(err) == store.NotFound {
		remedy = " (the store is " + place + "; guardrails list shows what it has)"
	}
	return failure("%s: %v%s", c.CommandPath(), err, remedy)
}

// interruptible is a context that Ctrl-C ends, so that what was begun is ended in order.
func interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	if ctx == nil {
		ctx = context.Background()
	}
	return signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
}

// currentUser is how the audit calls whoever runs this.
func currentUser() string {
	u, err := user.Current()
	if err != nil || u.Username == "" {
		return "uid " + strconv.Itoa(os.Getuid())
	}
	return u.Username
}
