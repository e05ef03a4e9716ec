// Package open opens the store that the configuration names.
//
// Start with Open.
package open

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"guardrails/config"
	"guardrails/internal/changemark"
	"guardrails/internal/private"
	"guardrails/internal/product"
	"guardrails/internal/secretfile"
	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/notedheads"
	"guardrails/store/sqlite"
)

// Options configure how a store is opened.
type Options struct {
	Env  func(string) string
	Now  func() time.Time
	Mask func(string) string
	// If Make is set and the database is missing, the first call that needs the database creates it. Without Make, a
	// missing database is an error. If the path of the database is in the configuration, calls that need the database
	// fail. Otherwise, Open returns live.ErrNoStore. If a database was open and then disappeared, it is never created
	// again.
	Make bool
	// Seen reports whether this computer has seen a store at a location. If such a store is missing, it was lost, so no
	// new store is created in its place. Seen may be nil.
	Seen func(location string) bool
	// Made is called with the path of the database after it was created. It may be nil.
	Made func(path string)
	// Memory is how much memory the guidelines of all tenants may take, in bytes. If it is 0, a default applies.
	Memory int64
}

// Open returns the store that the configuration names. If no store is configured, Open returns the database in the
// user's data folder. The first call that needs the store opens it. If the store is unavailable, that call fails, and
// later calls may succeed.
func Open(_ context.Context, c *config.Config, o Options) (*live.Store, error) {
	if c.Store != nil && c.Store.Path == "" {
		cluster := *c.Store
		return o.live(cluster.String(), o.clusterOpener(&cluster)), nil
	}
	path, err := Path(c, o.Env)
	if err != nil {
		if c.Store == nil {
			err = &noDefaultPath{err}
		}
		return nil, err
	}
	if c.Store == nil && !o.Make && missing(path) {
		return nil, live.ErrNoStore
	}
	location := "sqlite:" + path
	return o.live(location, o.sqliteOpener(location, path)), nil
}

func (o *Options) live(location string, open func(context.Context) (store.Store, error)) *live.Store {
	env := o.Env
	return live.New(live.Options{
		Open: open, Location: location, Now: o.Now, Mask: o.Mask, Memory: o.Memory, Changed: func() { changemark.Set(env) },
		Notes: notedheads.Open(func() (string, error) { return private.StateDir(env) }, location, o.Now),
	})
}

// clusterOpener returns a function that connects to a cluster. After the returned function has opened the store once,
// it no longer creates a missing store.
func (o *Options) clusterOpener(c *config.Store) func(context.Context) (store.Store, error) {
	options, opened := *o, false
	return func(ctx context.Context) (store.Store, error) {
		s, err := openElastic(ctx, c, &options, !opened && options.mayMake(c.String()))
		opened = opened || err == nil
		return s, err
	}
}

// sqliteOpener returns a function that opens a database. After it has opened the database once, it no longer creates a
// missing database. If an empty database took the place of a database that disappeared, every guideline would be lost
// without a message. The function must not be called concurrently.
func (o *Options) sqliteOpener(location, path string) func(context.Context) (store.Store, error) {
	options, opened := *o, false
	return func(ctx context.Context) (store.Store, error) {
		create := missing(path)
		if create && (opened || !options.mayMake(location)) {
			return nil, store.Missing(
				"the database %s does not exist; restore it, or create a new one with guardrails init", path)
		}
		s, err := sqlite.Open(ctx, sqlite.Options{Path: path, Now: options.Now})
		if err != nil {
			return nil, err
		}
		if opened = true; create && options.Made != nil {
			options.Made(path)
		}
		return s, nil
	}
}

// mayMake reports whether a missing store may be created at a location.
func (o *Options) mayMake(location string) bool {
	return o.Make && (o.Seen == nil || !o.Seen(location))
}

// noDefaultPath is an error that says why there is no default path. The function errors.Is treats it as
// live.ErrNoStore.
type noDefaultPath struct{ error }

func (*noDefaultPath) Is(target error) bool { return target == live.ErrNoStore }

func (n *noDefaultPath) Unwrap() error { return n.error }

func missing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// Path returns the path of the configured database. If none is configured, it returns DefaultPath.
func Path(c *config.Config, env func(string) string) (string, error) {
	if c.Store == nil {
		return DefaultPath(env)
	}
	path, err := secretfile.Path(env, c.Store.Path)
	if err != nil {
		return "", store.Errorf(store.Invalid, "the store %s is in the home folder, and %w", c.Store, err)
	}
	return path, nil
}

// DefaultPath returns the database path used when none is configured.
func DefaultPath(env func(string) string) (string, error) {
	path := product.DatabasePath(env)
	if path == "" {
		return "", store.Errorf(store.Invalid, "cannot find the data folder; set HOME or XDG_DATA_HOME")
	}
	return path, nil
}
