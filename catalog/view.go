package catalog

import (
	"context"
	"sync"
	"time"

	"guardrails/guideline"
)

// View is the guidelines of a tenant as they are known in memory.
type View struct {
	// Guidelines are all of them, disabled ones included. They are shared: nobody may change them.
	Guidelines []guideline.Guideline
	// Generation differs whenever any guideline does.
	Generation int64
	// Read is when the store last confirmed this.
	Read time.Time
	// Err is why the store did not confirm it again since; nil when all is well.
	Err error
}

// view keeps one tenant's View.
type view struct {
	mu     sync.Mutex
	now    View
	loaded bool
}

// pollEvery is how often the store is asked whether others changed something: they are seen within two seconds.
const pollEvery = time.Second

// View gives the guidelines of a tenant. The first question reads the store; from then on they are in memory, and are
// read again in the background when they change. The error is that they were never read.
func (c *Catalog) View(ctx context.Context, tenant string) (View, error) {
	v := c.view(tenant)
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.loaded {
		if err := c.load(ctx, tenant, v); err != nil {
			return View{}, err
		}
		c.watch(tenant, v)
	}
	return v.now, nil
}

func (c *Catalog) view(tenant string) *view {
	c.mu.Lock()
	defer c.mu.Unlock()
	v := c.views[tenant]
	if v == nil {
		v = &view{}
		c.views[tenant] = v
	}
	return v
}

// load reads the store; v is locked.
func (c *Catalog) load(ctx context.Context, tenant string, v *view) error {
	set, err := c.store.All(ctx, tenant)
	if err != nil {
		v.now.Err = err
		return err
	}
	v.now, v.loaded = View{Guidelines: set.Guidelines, Generation: set.Generation, Read: c.now()}, true
	return nil
}

// refresh reads the store again where a tenant is in memory.
func (c *Catalog) refresh(ctx context.Context, tenant string) {
	v := c.view(tenant)
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.loaded {
		_ = c.load(ctx, tenant, v) // the view keeps why, and is asked for it
	}
}

// watch asks the store again and again until the catalog is closed.
func (c *Catalog) watch(tenant string, v *view) {
	c.polling.Go(func() {
		tick := time.NewTicker(pollEvery)
		defer tick.Stop()
		for {
			select {
			case <-c.closed:
				return
			case <-tick.C:
				c.poll(tenant, v)
			}
		}
	})
}

// patience is how long the store may take to say whether something changed.
const patience = 2 * time.Second

func (c *Catalog) poll(tenant string, v *view) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	generation, err := c.store.Generation(ctx, tenant)
	v.mu.Lock()
	known := v.now.Generation
	switch {
	case err != nil:
		v.now.Err = err
	case generation == known:
		v.now.Err, v.now.Read = nil, c.now()
	default:
		err = c.load(ctx, tenant, v)
	}
	v.mu.Unlock()
	if err == nil && generation != known {
		c.tell(Event{Kind: GuidelinesReread, Tenant: tenant})
	}
}
