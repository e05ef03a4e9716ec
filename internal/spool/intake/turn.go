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

// turnChunks is how many chunks one turn reads. Together they have two megabytes, so other work does not have to wait
// long.
const turnChunks = 4

const atOnce = 2000

type turn struct {
	i      *Intake
	ctx    context.Context
	dir    *private.Dir
	path   string
	names  []string
	size   map[string]int64
	budget int
	// stores has a cursor for each known store. A line of a new project can add one.
	stores []*cursor
	report Report
}

// run moves the lines of the spool into the stores that they belong to. If one store fails, it continues with the
// others.
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

// waitingFor returns the cursor of an unavailable store from the map Intake.waiting. If there is none yet, it adds one.
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
	defer func() { _ = f.Close() }() // an error of Close does not matter after reading
	at, err := c.positionIn(f)
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

// take adds the lines that belong to the cursor's store to the audit of this store.
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

// sort adds the entry for a line to the batch of its tenant. It skips a line that belongs to another store, and makes
// sure that this store has a cursor.
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
	if l.ProjectID == "" && tenant == home.Tenant {
		l.ProjectID = home.ProjectID
	}
	e, err := l.entry(p.id(p.text), tenant, t.i.o.Now())
	if err = errors.Join(err, store.CheckTenant(tenant)); err != nil {
		return t.damaged(p, home.Tenant, err, batch)
	}
	batch[tenant] = append(batch[tenant], e)
	return nil
}

// meet adds a cursor for a store, unless it has one in this folder. The store reads from the given line on.
func (t *turn) meet(home Home, project string, p piece) error {
	if t.known(home.Store) {
		return nil
	}
	c := &cursor{Store: home.Store, Project: project, From: p.file, Files: map[string]mark{}}
	f, err := openFile(t.dir, p.file)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // an error of Close does not matter after reading
	if err := c.moveTo(f, p.offset); err != nil {
		return err
	}
	t.stores = append(t.stores, c)
	return c.write(t.dir)
}
