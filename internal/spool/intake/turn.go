package intake

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"guardrails/internal/document"
	"guardrails/internal/private"
	"guardrails/internal/spool"
	"guardrails/store"
)

// turnChunks is how many chunks one turn reads. Together these chunks have two megabytes, so other work does not have
// to wait long.
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
	// The field "stores" has a cursor for each known store. A line of a new project can add a cursor.
	stores []*cursor
	// The function tries() reports whether a late tenant is tried again.
	tries func(tenant string) bool
	// The field "waits" is set if lines must wait: a store is unavailable, or a late tenant is not tried again in this
	// turn.
	waits  bool
	report Report
}

// run() moves the lines of the spool into the stores that they belong to. If one store fails, run() continues with the
// other stores.
func (t *turn) run() error {
	stores, orphans, err := t.cursors()
	if err != nil {
		return err
	}
	t.stores = stores
	for _, c := range t.stores {
		if err := c.comeBack(t.dir); err != nil {
			return err
		}
	}
	for _, c := range slices.Concat(stores, orphans) {
		if err := t.replaceFrom(c); err != nil {
			return err
		}
	}
	for _, orphan := range orphans {
		if err := t.handOver(orphan); err != nil {
			return err
		}
	}
	if err := t.followMoves(); err != nil {
		return err
	}
	var problems []error
	for at := 0; at < len(t.stores); at++ {
		c := t.stores[at]
		c.forget(t.size)
		if err := t.takeFor(c); err != nil {
			problems, t.report.failures = append(problems, err), append(t.report.failures, failure{c, err})
		}
	}
	return errors.Join(append(problems, t.endLate())...)
}

func (t *turn) takeFor(c *cursor) error {
	if c.Late {
		return t.takeLate(c)
	}
	if home := t.homeOf(c); home.Catalog == nil {
		t.waits = true
		if home.Elsewhere {
			return nil
		}
		c = t.waitingFor(c)
	}
	return t.takeFiles(c)
}

func (t *turn) takeFiles(c *cursor) error {
	for _, name := range t.names {
		if err := t.takeFile(c, name); err != nil {
			return err
		}
	}
	return nil
}

// waitingFor returns the cursor of an unavailable store from the map Intake.waiting. If there is none yet, it adds one.
func (t *turn) waitingFor(c *cursor) *cursor {
	key := t.waitingKey(c)
	if t.i.waiting[key] == nil {
		t.i.waiting[key] = &cursor{Store: c.Store, Project: c.Project, Files: map[string]mark{}}
	}
	return t.i.waiting[key]
}

func (t *turn) waitingKey(c *cursor) string { return t.path + "\x00" + c.Store }

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
			err = t.save()
		} else if c.Late {
			t.budget++ // so that tenants whose entries are refused do not delay other tenants
		}
		if err == nil {
			at, err = next, c.moveTo(f, next)
		}
		if err == nil && t.catalog(c) != nil {
			err = c.write(t.dir)
		}
		t.report.moved = t.report.moved || err == nil
	}
	return err
}

// save() writes every unsaved cursor to the disk. No cursor moves on before this is done.
func (t *turn) save() error {
	for _, c := range t.stores {
		if c.unsaved {
			if err := c.write(t.dir); err != nil {
				return err
			}
		}
	}
	return nil
}

// take() adds lines to the audit of the cursor's store. It adds only the lines that belong to this store.
func (t *turn) take(c *cursor, lines []piece) error {
	batch := map[string][]store.Entry{}
	for _, p := range lines {
		if err := t.sort(c, p, batch); err != nil {
			return err
		}
	}
	into := t.catalog(c)
	if into == nil {
		return nil
	}
	for tenant, entries := range batch {
		err := t.add(into, tenant, entries)
		if err != nil && t.mayBeLate(c, err) {
			t.startLate(c, tenant)
			continue
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (t *turn) add(to Catalog, tenant string, entries []store.Entry) error {
	for part := range slices.Chunk(entries, atOnce) {
		if err := to.Add(t.ctx, tenant, part...); err != nil {
			return err
		}
		t.report.Taken += len(part)
	}
	return nil
}

// sort() adds the entry for a line to the batch of the line's tenant. It makes sure that the store of the line has a
// cursor, and skips the line if it belongs to another store.
func (t *turn) sort(c *cursor, p piece, batch map[string][]store.Entry) error {
	r, err := spool.Parse(p.text)
	if err != nil {
		return t.unreadable(c, p, err, batch)
	}
	l := line{r}
	home := t.home(l.Project)
	if err := t.meet(c, home, l.Project, p); err != nil {
		return err
	}
	if home.Store != c.Store || t.catalog(c) == nil {
		return nil
	}
	if home.Catalog == nil {
		return store.Errorf(store.Unavailable, "the store of the project %s cannot be opened at the moment",
			document.Excerpt(l.Project))
	}
	c.Project = cmp.Or(c.Project, l.Project)
	tenant := cmp.Or(l.Tenant, home.Tenant)
	if l.ProjectID == "" && tenant == home.Tenant {
		l.ProjectID = home.ProjectID
	}
	e, err := l.entry(p.id(p.text), tenant, t.i.o.Now())
	if err = errors.Join(err, store.CheckTenant(tenant)); err != nil {
		tenant = home.Tenant
	}
	if !t.wants(c, p, tenant, l.Tenant != "") {
		return nil
	}
	if wrong := store.CheckTenant(home.Tenant); wrong != nil && l.Tenant == "" {
		return t.postpone(c, tenant, wrong)
	}
	if err != nil {
		return t.damaged(p, tenant, err, batch)
	}
	batch[tenant] = append(batch[tenant], e)
	return nil
}

// meet() adds a cursor for the store of a project, unless the store has one in this folder. The cursor begins at the
// given line. The cursor that found this line (the parameter "by") has searched the older files. In the older files,
// the new cursor begins at the positions of that cursor, because hooks can still add lines to these files.
func (t *turn) meet(by *cursor, home Home, project string, p piece) error {
	if t.known(home.Store) {
		t.note(home.Store, project)
		return nil
	}
	c := &cursor{Store: home.Store, Project: project, Files: map[string]mark{}, unsaved: true}
	for name, m := range by.Files {
		if name < p.file {
			c.Files[name] = m
		}
	}
	f, err := openFile(t.dir, p.file)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // an error of Close does not matter after reading
	if err := c.moveTo(f, p.offset); err != nil {
		return err
	}
	t.stores = append(t.stores, c)
	t.note(home.Store, project)
	return nil
}
