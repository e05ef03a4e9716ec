package setup

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/config"
	"guardrails/internal/product"
	"guardrails/service"
	"guardrails/service/packcopies"
	"guardrails/setup"
	"guardrails/store/live"
	"guardrails/store/open"
)

// storeChange describes the changes that init makes to the store. With --dry-run, init only plans the changes.
type storeChange struct {
	// Location is empty if the store cannot be opened.
	Location string `json:"place,omitempty"`
	Tenant   string `json:"tenant"`
	Created  bool   `json:"created"`
	*packcopies.Updated
	Error string `json:"error,omitempty"`
}

// prepareStore creates the store if there is none. It also updates copies of older packs in the store. It returns nil
// if the project uses a server, because the server has its own guidelines.
func prepareStore(
	a *app.App, c *cobra.Command, o *setup.Options, f *initFlags,
) *storeChange {
	settings, err := storeSettings(a, f)
	if err != nil {
		return &storeChange{Error: err.Error()}
	}
	if settings.Server != nil {
		return nil
	}
	ctx, stop := app.Interruptible(c.Context())
	defer stop()
	s := &storeChange{Tenant: settings.Tenant}
	if !f.dryRun {
		err = acceptStore(ctx, a, cmp.Or(o.Root, filepath.Dir(o.Settings)))
	}
	if err == nil {
		err = s.prepare(ctx, a, settings, f.dryRun)
	}
	if err != nil {
		s.Error = err.Error()
	}
	return s
}

// acceptStore makes hooks accept the current content of the store, even if they have already seen newer content. It
// prints a note about the lost changes.
func acceptStore(ctx context.Context, a *app.App, folder string) error {
	s := service.New(service.Options{Env: a.Env, Now: a.Clock(), Dir: folder, Open: a.OpenExisting})
	note, err := s.AcceptStore(ctx)
	if note != "" {
		a.Note(note)
	}
	before, renamed := s.AcceptProjectID()
	if before != "" {
		a.Note("the id of this project in the store was " + before + "; the guidelines with this id no longer apply")
	}
	return errors.Join(err, renamed, s.Close())
}

// storeSettings returns the settings that determine the store of the project or the user.
func storeSettings(a *app.App, f *initFlags) (*config.Config, error) {
	if !f.user {
		return a.Config()
	}
	l := config.Read(config.Places{User: product.ConfigDir(a.Env)}, a.Env)
	own := l.Combine(false)
	return &own, l.Problems().Err()
}

func (s *storeChange) prepare(ctx context.Context, a *app.App, settings *config.Config, dryRun bool) error {
	location, exists, err := storeLocation(a, settings)
	if err != nil {
		return err
	}
	if dryRun && !exists {
		s.Location, s.Created = location, true
		return nil
	}
	openStore := a.OpenOrCreate
	if dryRun {
		openStore = a.OpenExisting
	}
	opened, err := openStore(ctx, settings)
	if err != nil {
		return err
	}
	s.Location, s.Created = opened.Location(), !exists
	tenant := opened.For(live.Caller{Tenant: settings.Tenant, ProjectID: settings.Project, Actor: a.User()})
	s.Updated, err = packcopies.Update(ctx, tenant, nil, dryRun)
	return errors.Join(err, opened.Close())
}

// storeLocation returns the location of the store in the settings, and whether this store exists. If the store is an
// Elasticsearch cluster, storeLocation assumes that it exists.
func storeLocation(a *app.App, c *config.Config) (location string, exists bool, err error) {
	path, err := open.Path(c, a.Env)
	switch {
	case err != nil:
		return "", false, err
	case path == "":
		return c.Store.String(), true, nil
	}
	_, err = os.Lstat(path)
	return "sqlite:" + path, err == nil, nil
}

// noteStoreStays prints a note that --uninstall does not remove the store.
func noteStoreStays(a *app.App) {
	c, err := a.Config()
	if err != nil {
		return
	}
	if location, exists, err := storeLocation(a, c); err == nil && exists {
		a.Note("init does not remove the store " + location +
			", because the store contains the history of guidelines and the audit, and other projects may use it")
	}
}
