// Package open joins the drivers: it opens the store that the settings name.
//
// Start with Open. reopening.go says what becomes of a store that is away or comes back as another one.
package open

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"guardrails/config"
	"guardrails/hooks/session"
	"guardrails/internal/product"
	"guardrails/internal/secret"
	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/sqlite"
)

// Options is what an open store needs from outside.
type Options struct {
	Env  func(string) string
	Now  func() time.Time
	Mask func(string) string
	// Make makes the database when it is not there yet. Otherwise the error is ErrNone where nobody named a store, and a
	// database that was named is away. One that was open and is gone is away in any case.
	Make bool
	// Made is told of a database that was made; nil where nobody wants to know.
	Made func(path string)
}

// ErrNone is the error where nobody named a store and the default one was never made.
var ErrNone = live.ErrNone

// Open gives the store that the settings name: by default a database in the user's data folder. It is opened with the
// first call that needs it, so that a store that is away is an error of that call, and ends by itself.
func Open(_ context.Context, c *config.Config, o Options) (*live.Catalog, error) {
	if c.Store != nil && c.Store.Path == "" {
		of := *c.Store
		return o.catalog(of.String(), func(ctx context.Context) (store.Store, error) { return openCluster(ctx, &of, &o) }), nil
	}
	path, err := Path(c, o.Env)
	if err != nil {
		return nil, unplaced(c, err)
	}
	if c.Store == nil && !o.Make && missing(path) {
		return nil, ErrNone
	}
	return o.catalog("sqlite:"+path, o.file(path)), nil
}

// file opens a database, which it makes the first time at most: an empty one in the place of one that was open would let go
// of every guideline in silence. It is called by one at a time.
func (o *Options) file(path string) func(context.Context) (store.Store, error) {
	of, known := *o, false
	return func(ctx context.Context) (store.Store, error) {
		absent := missing(path)
		if absent && (known || !of.Make) {
			return nil, store.Errorf(store.Unavailable, "the database %s is not there; put it back, or make a new one by guardrails init", path)
		}
		s, err := sqlite.Open(ctx, sqlite.Options{Path: path, Now: of.Now})
		if err != nil {
			return nil, err
		}
		if known = true; absent && of.Made != nil {
			of.Made(path)
		}
		return s, nil
	}
}

// catalog makes a store at a place one in use.
func (o *Options) catalog(place string, open func(context.Context) (store.Store, error)) *live.Catalog {
	env := o.Env
	kept := newReopening(open)
	return live.New(live.Options{Store: kept, Place: place, Reopen: kept.again, Now: o.Now, Mask: o.Mask, Changed: func() { session.SignalChange(env) }})
}

// unplaced is the error that nobody can say where the database is. Where none was named, there is none.
func unplaced(c *config.Config, err error) error {
	if c.Store == nil {
		return &nowhere{err}
	}
	return err
}

// nowhere is an ErrNone that says why.
type nowhere struct{ error }

// Is tells that there is no store.
func (*nowhere) Is(target error) bool { return target == ErrNone }

// Unwrap gives the cause.
func (n *nowhere) Unwrap() error { return n.error }

func missing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// Path is where the database of the settings lies: the named one, or the one in the user's data folder.
func Path(c *config.Config, env func(string) string) (string, error) {
	if c.Store == nil {
		return DefaultPath(env)
	}
	path, err := secret.Path(env, c.Store.Path)
	if err != nil {
		return "", store.Errorf(store.Invalid, "the store %s lies below the home, and %w", c.Store, err)
	}
	return path, nil
}

// DefaultPath is where the database lies that nobody chose another place for.
func DefaultPath(env func(string) string) (string, error) {
	path := product.DatabasePath(env)
	if path == "" {
		return "", store.Errorf(store.Invalid, "the data folder cannot be found; set HOME or XDG_DATA_HOME")
	}
	return path, nil
}
