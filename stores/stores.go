// Package stores joins the drivers: it opens the store that the settings name.
//
// Start with Open.
package stores

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"guardrails/catalog"
	"guardrails/config"
	"guardrails/store"
	"guardrails/store/sqlite"
)

// Options is what an open store needs from outside.
type Options struct {
	Env  func(string) string
	Now  func() time.Time
	Mask func(string) string
	// Make makes the default database when it is not there yet; otherwise the error is ErrNone.
	Make bool
}

// ErrNone is the error where nobody named a store and the default one was never made.
var ErrNone = errors.New("there is no store yet: guardrails init makes one")

// Open opens the store that the settings name: by default a database in the user's data folder.
func Open(ctx context.Context, c *config.Config, o Options) (*catalog.Catalog, error) {
	path, err := databasePath(c, &o)
	if err != nil {
		return nil, err
	}
	s, err := sqlite.Open(ctx, sqlite.Options{Path: path, Now: o.Now})
	if err != nil {
		return nil, err
	}
	return catalog.New(catalog.Options{Store: s, Place: "sqlite:" + path, Now: o.Now, Mask: o.Mask}), nil
}

// databasePath is where the database lies.
func databasePath(c *config.Config, o *Options) (string, error) {
	if c.Store != nil {
		return c.Store.Path, nil
	}
	path, err := DefaultPath(o.Env)
	if err != nil || o.Make {
		return path, err
	}
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return "", ErrNone
	}
	return path, nil
}

// DefaultPath is where the database lies that nobody chose another place for.
func DefaultPath(env func(string) string) (string, error) {
	base := env("XDG_DATA_HOME")
	if !filepath.IsAbs(base) {
		home := env("HOME")
		if !filepath.IsAbs(home) {
			return "", store.Errorf(store.Invalid, "the data folder cannot be found; set HOME or XDG_DATA_HOME")
		}
		base = filepath.Join(home, ".local", "share")
	}
	return filepath.Join(base, "guardrails", "guardrails.db"), nil
}
