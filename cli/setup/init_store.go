package setup

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/config"
	"guardrails/guideline"
	"guardrails/internal/product"
	"guardrails/service"
	"guardrails/service/files"
	"guardrails/setup"
	"guardrails/store/live"
	"guardrails/store/open"
)

// storeChange describes the changes of init to the store. With --dry-run, they are only planned.
type storeChange struct {
	// Location is empty if the store cannot be opened.
	Location string   `json:"place,omitempty"`
	Tenant   string   `json:"tenant"`
	Packs    []string `json:"packs"`
	// Added are the guidelines that were missing. Differ are the guidelines whose content in the store is different.
	Added  []string `json:"added"`
	Differ []string `json:"differ"`
	Error  string   `json:"error,omitempty"`
}

// fillStore adds the missing guidelines of the project's packs to the store, where they can be changed. It returns nil
// if the project uses a server, which has its own guidelines.
func fillStore(
	a *app.App, c *cobra.Command, o *setup.Options, f *initFlags, plan *setup.Plan,
) *storeChange {
	settings, err := settingsAfterInit(a, f, plan)
	if err != nil {
		return &storeChange{Error: err.Error()}
	}
	if settings.Server != nil {
		return nil
	}
	folder := cmp.Or(o.Root, filepath.Dir(o.Settings))
	s := &storeChange{
		Tenant: settings.Tenant, Packs: packSources(folder, settings), Added: []string{}, Differ: []string{},
	}
	loaded, err := files.Load(s.Packs...)
	if err == nil {
		ctx, stop := app.Interruptible(c.Context())
		defer stop()
		err = s.fill(ctx, a, settings, loaded.Plain(), f.dryRun)
		if err == nil && !f.dryRun {
			err = acceptStore(ctx, a, folder)
		}
	}
	if err != nil {
		s.Error = err.Error()
	}
	return s
}

// acceptStore makes hooks accept the current content of the store. It prints a note if they have seen more in it
// before.
func acceptStore(ctx context.Context, a *app.App, folder string) error {
	s := service.New(service.Options{Env: a.Env, Now: a.Clock(), Dir: folder, Open: a.OpenExisting})
	note, err := s.AcceptStore(ctx)
	if note != "" {
		a.Note(note)
	}
	return errors.Join(err, s.Close())
}

// settingsAfterInit returns the settings of the project or the user after init. In a dry run, init has not written the
// packs.
func settingsAfterInit(a *app.App, f *initFlags, plan *setup.Plan) (*config.Config, error) {
	c, err := a.Config()
	if f.user {
		l := config.Read(config.Places{User: product.ConfigDir(a.Env)}, a.Env)
		own := l.Combine(false)
		own.Packs = own.Layers[0].Packs
		c, err = &own, l.Problems().Err()
	}
	if plan.Packs != nil && a.Env(product.VariablePacks) == "" {
		c.Packs = plan.Packs
	}
	return c, err
}

// packSources returns the packs that a project uses, such as pack:core.
func packSources(root string, c *config.Config) []string {
	sources, _ := files.Sources(root, c) // other commands report problems with files
	return slices.DeleteFunc(sources, func(name string) bool { return !strings.HasPrefix(name, files.PackPrefix) })
}

func (s *storeChange) fill(
	ctx context.Context, a *app.App, settings *config.Config, guidelines []guideline.Guideline, dryRun bool,
) error {
	location, exists, err := storeLocation(a, settings)
	if err != nil {
		return err
	}
	if dryRun && !exists {
		s.Location = location
		for i := range guidelines {
			s.Added = append(s.Added, guidelines[i].ID)
		}
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
	s.Location = opened.Location()
	tenant := opened.For(live.Caller{Tenant: settings.Tenant, Actor: a.User()})
	added, differ, err := service.AddMissing(ctx, tenant, guidelines, dryRun)
	s.Added, s.Differ = append(s.Added, added...), append(s.Differ, differ...)
	return errors.Join(err, opened.Close())
}

// storeLocation says where the store of the settings is, and whether it exists. A cluster is assumed to exist.
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

// noteStoreStays says that --uninstall does not remove the store.
func noteStoreStays(a *app.App) {
	c, err := a.Config()
	if err != nil {
		return
	}
	if location, exists, err := storeLocation(a, c); err == nil && exists {
		a.Note("init does not remove the store " + location +
			", which has history and audit, and which other projects may use")
	}
}
