// Package live is a store as the doors of the product use it: every change has an author and is seen at once by those
// who evaluate, the guidelines of each tenant are kept in memory, and listeners hear of what happened.
//
// Start with Catalog. view.go keeps the guidelines in memory, book.go is what one caller can do, events.go tells of it.
package live

import (
	"context"
	"errors"
	"sync"
	"time"

	"guardrails/store"
)

// ErrNone is the error where nobody named a store and none was made.
var ErrNone = errors.New("there is no store yet: guardrails init makes one")

// Options is what a catalog needs from outside.
type Options struct {
	Store store.Store
	// Place says where the store is, for people: without user names, passwords and keys.
	Place string
	Now   func() time.Time
	// Mask hides secrets in what is written down for good.
	Mask func(string) string
	// Changed is called when guidelines became others, or their store went away or came back, and whoever asks is already
	// told so; nil where nobody keeps what they were told.
	Changed func()
	// Reopen opens the store anew, with new secrets; nil where there is nothing to open.
	Reopen func(context.Context) error
}

// Catalog is one store in use. It may be used by several goroutines at once.
type Catalog struct {
	store store.Store
	place string
	now   func() time.Time
	mask  func(string) string
	began time.Time
	// changed has those who keep answers ask anew.
	changed func()
	reopen  func(context.Context) error

	mu        sync.Mutex
	views     map[string]*view
	listeners map[*listener]bool
	observers []func(Event)
	polling   sync.WaitGroup
	// living ends when the catalog is closed, and with it what is done in the background.
	living context.Context
	end    context.CancelFunc
}

// New makes a catalog of a store, which it closes.
func New(o Options) *Catalog {
	c := &Catalog{
		store: o.Store, place: o.Place, now: o.Now, mask: o.Mask, began: time.Now(), changed: o.Changed, reopen: o.Reopen,
		views: map[string]*view{}, listeners: map[*listener]bool{},
	}
	if c.mask == nil {
		c.mask = func(text string) string { return text }
	}
	if c.changed == nil {
		c.changed = func() {}
	}
	c.living, c.end = context.WithCancel(context.Background())
	return c
}

// Place says where the store is, for people.
func (c *Catalog) Place() string { return c.place }

// Reopen opens the store anew, with what the files say now in which its secrets are. Where that fails, what is open stays so.
func (c *Catalog) Reopen(ctx context.Context) error {
	if c.reopen == nil {
		return nil
	}
	return c.reopen(ctx)
}

// Close ends what is done in the background, and closes the store. Closing twice is no error.
func (c *Catalog) Close() error {
	c.mu.Lock()
	c.end()
	c.mu.Unlock()
	c.polling.Wait()
	return c.store.Close()
}
