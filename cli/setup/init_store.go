package setup

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/config"
	"guardrails/guideline"
	"guardrails/service/files"
	"guardrails/setup"
	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/open"
)

// initStore is what init did with the store, or would do.
type initStore struct {
	// Place says where it is; empty where it cannot be opened.
	Place string `json:"place,omitempty"`
	// Tenant is whose guidelines were looked at.
	Tenant string   `json:"tenant"`
	Packs  []string `json:"packs"`
	// Added are the guidelines that were not there; Differ are those that are there with other words than the pack's.
	Added  []string `json:"added"`
	Differ []string `json:"differ"`
	Error  string   `json:"error,omitempty"`
}

// fillStore takes the guidelines of the packs in force into the store, where they can be tuned. What is there stays.
func fillStore(a *app.App, c *cobra.Command, o *setup.Options, f *initFlags) *initStore {
	settings, err := initSettings(a, o, f)
	if err != nil {
		return &initStore{Error: err.Error()}
	}
	if settings.Server != nil {
		return nil // its guidelines are the server's
	}
	s := &initStore{Tenant: settings.Tenant, Packs: packsInForce(o.Root, settings), Added: []string{}, Differ: []string{}}
	loaded, err := files.Load(s.Packs...)
	if err == nil {
		ctx, stop := app.Interruptible(c.Context())
		defer stop()
		err = fill(a, ctx, settings, s, loaded.Plain(), f.dryRun)
		if err == nil && !f.dryRun {
			err = acceptStore(a, ctx)
		}
	}
	if err != nil {
		s.Error = err.Error()
	}
	return s
}

// acceptStore lets the store hold as it is now, and says so where hooks saw more in it than there is.
func acceptStore(a *app.App, ctx context.Context) error {
	s := a.Service()
	told, err := s.AcceptStore(ctx)
	if told != "" {
		a.Note(told)
	}
	return errors.Join(err, s.Close())
}

// initSettings are the project's settings as they are after init; in a dry run they are not written yet.
func initSettings(a *app.App, o *setup.Options, f *initFlags) (*config.Config, error) {
	c, err := a.Config()
	if err != nil || !f.dryRun {
		return c, err
	}
	packs := f.packs
	if _, err := o.Read(o.Config); errors.Is(err, fs.ErrNotExist) && len(packs) == 0 {
		packs = []string{"core"}
	}
	for _, name := range packs {
		if !slices.Contains(c.Packs, name) {
			c.Packs = append(c.Packs, name)
		}
	}
	return c, nil
}

// packsInForce are the packs that hold in a project, as sources.
func packsInForce(root string, c *config.Config) []string {
	sources, _ := files.Sources(root, c) // what is wrong with files is told by those who read them
	return slices.DeleteFunc(sources, func(name string) bool { return !strings.HasPrefix(name, files.PackPrefix) })
}

func fill(a *app.App, ctx context.Context, settings *config.Config, s *initStore, items []guideline.Guideline, dry bool) error {
	place, there, err := storePlace(a, settings)
	if err != nil {
		return err
	}
	if dry && !there {
		s.Place = place
		for i := range items {
			s.Added = append(s.Added, items[i].ID)
		}
		return nil
	}
	openStore := a.OpenOrCreate
	if dry {
		openStore = a.OpenExisting
	}
	opened, err := openStore(ctx, settings)
	if err != nil {
		return err
	}
	s.Place = opened.Location()
	return errors.Join(s.take(ctx, opened.For(live.Caller{Tenant: settings.Tenant, Actor: a.User()}), items, dry), opened.Close())
}

// storePlace says where the store of the settings is, and whether it is there. Of a cluster that is known when it is asked.
func storePlace(a *app.App, c *config.Config) (place string, there bool, err error) {
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

// take looks at what is there otherwise, and then takes in what is not there.
func (s *initStore) take(ctx context.Context, b *live.TenantStore, items []guideline.Guideline, dry bool) error {
	would, err := b.Import(ctx, items, store.ImportOptions{OnConflict: store.UpdateOnConflict, DryRun: true})
	if err != nil {
		return err
	}
	if s.note(&would); dry || len(s.Added) == 0 {
		return nil
	}
	_, err = b.Import(ctx, items, store.ImportOptions{OnConflict: store.SkipOnConflict})
	return err
}

// note keeps which guidelines are not there, and which are there otherwise.
func (s *initStore) note(r *store.ImportResult) {
	for _, item := range r.Items {
		switch item.Outcome {
		case store.ItemCreated:
			s.Added = append(s.Added, item.ID)
		case store.ItemUpdated:
			s.Differ = append(s.Differ, item.ID)
		}
	}
}

// keptStore says that the store stays when everything else is taken out.
func keptStore(a *app.App) {
	c, err := a.Config()
	if err != nil {
		return
	}
	if place, there, err := storePlace(a, c); err == nil && there {
		a.Note("the store " + place + " stays as it is, with its history and audit; other projects may use it")
	}
}
