package live

import (
	"context"
	"sync/atomic"
	"time"

	"guardrails/guideline"
	"guardrails/store"
)

// View is the guidelines of a tenant as they are known in memory.
type View struct {
	// Guidelines are all of them, disabled ones included. They are shared: nobody may change them.
	Guidelines []guideline.Guideline
	// Generation differs whenever any guideline does.
	Generation int64
	// Read is when the store last confirmed this.
	Read time.Time
	// Err is why the store does not confirm it any more; nil when all is well.
	Err error
}

// view keeps one tenant's View. Who asks takes what is there and waits for nobody who reads the store.
type view struct {
	tenant string
	// now is nil until the guidelines were read for the first time.
	now atomic.Pointer[View]
	// tried is closed after the first attempt; failed is how that and later ones went wrong.
	tried  chan struct{}
	failed atomic.Pointer[error]
	// asked is when somebody last wanted to know.
	asked atomic.Int64
	// turn is had by who reads the store, failures counts how often that failed in a row, and begun is when the last reading
	// began that went well.
	turn     chan struct{}
	failures int
	begun    int64
}

// How a view is kept up to date.
const (
	// pollEvery is how often the store is asked whether others changed something: they are seen within two seconds.
	pollEvery = time.Second
	// patience is how long the store may take to say so.
	patience = 2 * time.Second
	// enough failures in a row, and a store is away; one alone is a hiccup.
	enough = 2
	// interest is how long after the last question the store is still asked: longer than any session keeps an answer.
	interest = 65 * time.Minute
)

// View gives the guidelines of a tenant. The first question reads the store, as long as its context lets it wait; from
// then on they are in memory, and are read again in the background when they change. The error is that they were never
// read.
func (c *Catalog) View(ctx context.Context, tenant string) (View, error) {
	v := c.view(tenant)
	if v == nil {
		return View{}, store.Errorf(store.Unavailable, "the store is closed")
	}
	select {
	case <-v.tried:
	case <-ctx.Done():
		return View{}, store.Interrupted(ctx)
	}
	if now := v.now.Load(); now != nil {
		return *now, nil
	}
	return View{}, *v.failed.Load()
}

// view finds what is kept of a tenant, or begins to keep it; nil when the catalog is closed.
func (c *Catalog) view(tenant string) *view {
	c.mu.Lock()
	defer c.mu.Unlock()
	v := c.views[tenant]
	if v == nil {
		if c.living.Err() != nil {
			return nil
		}
		v = &view{tenant: tenant, tried: make(chan struct{}), turn: make(chan struct{}, 1)}
		c.views[tenant] = v
		c.polling.Go(func() { c.watch(v) })
	}
	v.asked.Store(c.clock())
	return v
}

// clock is time that passes whatever the catalog's own clock says.
func (c *Catalog) clock() int64 { return int64(time.Since(c.began)) }

// watch reads the store again and again, until nobody is interested any more.
func (c *Catalog) watch(v *view) {
	c.poll(v)
	close(v.tried)
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		select {
		case <-c.living.Done():
			return
		case <-tick.C:
			if c.forget(v) {
				return
			}
			c.poll(v)
		}
	}
}

// forget gives a view up that nobody asked for in a while.
func (c *Catalog) forget(v *view) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.clock()-v.asked.Load() < int64(interest) {
		return false
	}
	delete(c.views, v.tenant)
	return true
}

// poll asks the store whether others changed something, and reads it if so.
func (c *Catalog) poll(v *view) {
	ctx, cancel := context.WithTimeout(c.living, patience)
	defer cancel()
	v.turn <- struct{}{}
	defer func() { <-v.turn }()
	before := v.known()
	c.ask(ctx, v)
	if v.known() != before {
		c.changed()
	}
}

// ask does so; the caller has the turn.
func (c *Catalog) ask(ctx context.Context, v *view) {
	now := v.now.Load()
	generation, err := c.store.Generation(ctx, v.tenant)
	switch {
	case err != nil:
		v.fail(err)
	case now == nil || now.Generation != generation:
		if c.load(ctx, v) == nil && now != nil {
			c.tell(Event{Kind: GuidelinesReread, Tenant: v.tenant})
		}
	default:
		v.is(View{Guidelines: now.Guidelines, Generation: generation, Read: c.now()})
	}
}

// known is what answers depend on. That something was read for the first time counts as a change: answers that somebody
// keeps may be of a process that ended.
func (v *view) known() (is struct {
	generation int64
	read, away bool
},
) {
	if now := v.now.Load(); now != nil {
		is.generation, is.read, is.away = now.Generation, true, now.Err != nil
	}
	return is
}

// load reads all guidelines; the caller has the turn.
func (c *Catalog) load(ctx context.Context, v *view) error {
	begun := c.clock()
	set, err := c.store.All(ctx, v.tenant)
	if err != nil {
		v.fail(err)
		return err
	}
	v.begun = begun
	v.is(View{Guidelines: set.Guidelines, Generation: set.Generation, Read: c.now()})
	return nil
}

func (v *view) is(now View) {
	v.failures = 0
	v.now.Store(&now)
}

// fail notes that the store did not answer. What is known is believed until that happened often enough.
func (v *view) fail(err error) {
	v.failures++
	v.failed.Store(&err)
	if now := v.now.Load(); now != nil && v.failures >= enough {
		then := *now
		then.Err = err
		v.now.Store(&then)
	}
}

// refresh reads the store again where a tenant is in memory. Where that cannot be at once, the next poll sees to it. Of many
// who change something at the same time, one reads it for all who wait.
func (c *Catalog) refresh(ctx context.Context, tenant string) {
	c.mu.Lock()
	v := c.views[tenant]
	c.mu.Unlock()
	if v == nil {
		return
	}
	changed := c.clock()
	select {
	case v.turn <- struct{}{}:
		if v.begun <= changed {
			_ = c.load(ctx, v) // the view keeps why
		}
		<-v.turn
	case <-ctx.Done():
	}
}
