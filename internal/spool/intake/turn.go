package intake

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"guardrails/internal/private"
	"guardrails/internal/spool"
	"guardrails/store"
	"guardrails/store/live"
)

// turnChunks is how many chunks one turn reads: a megabyte, so that nobody waits long for others.
const turnChunks = 4

// atOnce is how many entries are appended at once.
const atOnce = 2000

// turn takes in a part of one folder.
type turn struct {
	i      *Intake
	ctx    context.Context
	dir    *private.Dir
	path   string
	names  []string
	size   map[string]int64
	budget int
	// stores are the cursors; more are added when lines of other projects are met.
	stores []*cursor
	report Report
}

// run goes through the files for each store. One that fails keeps the others from nothing.
func (t *turn) run() error {
	var err error
	if t.stores, err = t.cursors(); err != nil {
		return err
	}
	var problems []error
	for at := 0; at < len(t.stores); at++ {
		c := t.stores[at]
		c.forget(t.size)
		problems = append(problems, t.takeFor(c))
	}
	return errors.Join(problems...)
}

// takeFor takes in what belongs to one store.
func (t *turn) takeFor(c *cursor) error {
	if t.home(c.Project).Catalog == nil {
		c = t.waitingFor(c)
	}
	for _, name := range t.names {
		if err := t.takeFile(c, name); err != nil {
			return err
		}
	}
	return nil
}

// waitingFor is how far the lines of a store that is not there were looked through for lines of others.
func (t *turn) waitingFor(c *cursor) *cursor {
	key := t.path + "\x00" + c.Store
	if t.i.waiting[key] == nil {
		t.i.waiting[key] = &cursor{Store: c.Store, Project: c.Project, Files: map[string]mark{}}
	}
	return t.i.waiting[key]
}

func (t *turn) takeFile(c *cursor, name string) error {
	f, err := openFile(t.dir, name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	at, err := c.at(f)
	for err == nil && at < f.size {
		if t.budget == 0 {
			t.report.More = true
			return nil
		}
		t.budget--
		var lines []piece
		var next int64
		if lines, next, err = f.lines(at, t.ended(name)); err != nil || next == at {
			break
		}
		if err = t.take(c, lines); err == nil {
			at, err = next, c.moveTo(f, next)
		}
		if err == nil && t.home(c.Project).Catalog != nil {
			err = c.write(t.dir)
		}
	}
	return err
}

// take puts lines of a store into its audit.
func (t *turn) take(c *cursor, lines []piece) error {
	batch := map[string][]store.Entry{}
	for _, p := range lines {
		if err := t.sort(c, p, batch); err != nil {
			return err
		}
	}
	into := t.home(c.Project).Catalog
	if into == nil {
		return nil
	}
	for tenant, entries := range batch {
		book := into.For(live.Caller{Tenant: tenant})
		for part := range slices.Chunk(entries, atOnce) {
			if _, err := book.Append(t.ctx, part...); err != nil {
				return err
			}
			t.report.Taken += len(part)
		}
	}
	return nil
}

// sort finds out what a line is and whose. What belongs to another store is left to that one.
func (t *turn) sort(c *cursor, p piece, batch map[string][]store.Entry) error {
	r, err := spool.Parse(p.text)
	if err != nil {
		return t.unreadable(c, p, err, batch)
	}
	l := line{r}
	home := t.home(l.Project)
	if home.Store != c.Store {
		return t.meet(home, l.Project, p)
	}
	if home.Catalog == nil {
		return nil
	}
	tenant := cmp.Or(l.Tenant, home.Tenant)
	e, err := l.entry(p.id(p.text), tenant, t.i.o.Now())
	if err = errors.Join(err, store.CheckTenant(tenant)); err != nil {
		return t.damaged(p, home.Tenant, err, batch)
	}
	batch[tenant] = append(batch[tenant], e)
	return nil
}

// meet notes a store that was not known: from this line on it has a part in the folder.
func (t *turn) meet(home Home, project string, p piece) error {
	if t.known(home.Store) {
		return nil
	}
	c := &cursor{Store: home.Store, Project: project, From: p.file, Files: map[string]mark{}}
	f, err := openFile(t.dir, p.file)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	if err := c.moveTo(f, p.offset); err != nil {
		return err
	}
	t.stores = append(t.stores, c)
	return c.write(t.dir)
}
