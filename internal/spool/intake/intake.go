// Package intake moves the lines of the spool into the audit. It moves each line once, even if a process is killed
// during the move, if two processes work at the same time, or if a store is unavailable for a while.
//
// Start with Intake. The id of a line depends on its position and its content, and the audit ignores an entry that it
// already has. So reading a line again does no harm. cursor.go records how far each store has read. line.go converts a
// line to an entry. damage.go handles damaged lines. sweep.go removes files that every store has read. orphan.go
// handles stores that are no longer in use. moved.go handles projects that change their store. late.go handles tenants
// whose entries a store refuses.
package intake

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"guardrails/internal/spool"
	"guardrails/store"
)

// Home is the destination of a project's lines: a store and a tenant.
type Home struct {
	// Store is the store's name. It is the same for all projects that share the store.
	Store string
	// Tenant is the owner of lines that name no tenant. If no store accepts this name, the lines wait.
	Tenant string
	// ProjectID is the id of the project in the store, for lines that name no project.
	ProjectID string
	// Catalog adds entries to the audit of the store. It is nil if the store is unavailable. Until
	// the store is available again, the lines stay in the spool.
	Catalog Catalog
	// Elsewhere is set if the audit is on another server. CatchUp does not send lines to another server, because a
	// caller waits for CatchUp.
	Elsewhere bool
	// NoStore is set if the settings name no store, and it is certain that this computer has never used the default
	// store. Only in this case, lines that wait for a long time are given up.
	NoStore bool
}

// Catalog adds entries to the audit of a tenant. It ignores an entry that the audit already has.
type Catalog interface {
	Add(ctx context.Context, tenant string, entries ...store.Entry) error
}

// Options configures an Intake.
type Options struct {
	// Dirs are the folders of the spool. A missing folder counts as empty.
	Dirs []string
	// Home returns the destination of a project's lines. The empty name stands for lines without a project.
	Home func(ctx context.Context, project string) Home
	Now  func() time.Time
}

// Intake moves the spool of one user. Only one goroutine may use it at a time.
type Intake struct {
	o     Options
	homes map[string]Home
	// The field "seen" contains the files that were read to their end. It maps the path of a file to the size that the
	// file had when its end was read.
	seen map[string]int64
	// The field "waiting" has a cursor for each unavailable store. The cursor records how far the files were searched
	// for lines of stores that have no cursor yet. This cursor is kept only in memory, because a cursor on the disk would
	// mean that the unavailable store has received its own lines before the position.
	waiting map[string]*cursor
	quiet   map[string]quiet
	// The field onlyHere is set while lines for other servers are left out.
	onlyHere bool
}

// Report is the result of a turn.
type Report struct {
	// The field "Taken" counts the lines that were added to the audit. The field "Damaged" counts the lines that could
	// not be read. The field "GivenUp" counts the lines that were removed because there was no store for a long time.
	Taken, Damaged, GivenUp int
	// The field "More" is set if the spool has more lines to move. The field "Busy" is set if another process held the
	// lock.
	More, Busy bool
	// The field "moved" is set if at least one cursor moved.
	moved bool
	// The field "failures" lists the cursors that could not read everything, each with its error.
	failures []failure
}

// The type "failure" is the reason why a cursor could not read everything.
type failure struct {
	of  *cursor
	err error
}

func (r *Report) add(other Report) {
	r.Taken += other.Taken
	r.Damaged += other.Damaged
	r.GivenUp += other.GivenUp
	r.More, r.Busy, r.moved = r.More || other.More, r.Busy || other.Busy, r.moved || other.moved
	r.failures = append(r.failures, other.failures...)
}

// goesOn reports whether the next turn should follow at once. After an error, the next turn should follow only if this
// turn made progress.
func (r *Report) goesOn(err error) bool { return r.More && (err == nil || r.moved) }

// New returns an Intake.
func New(o Options) *Intake {
	return &Intake{o: o, seen: map[string]int64{}, waiting: map[string]*cursor{}, quiet: map[string]quiet{}}
}

const (
	lockName = "lock"
	// askAgain is how long Settle and CatchUp wait before they try to get the lock again.
	askAgain = 10 * time.Millisecond
)

// isDay reports whether a name has the form of a spool file's name, such as 2026-02-05.jsonl. Each file has the records
// of one day.
func isDay(name string) bool {
	day, ok := strings.CutSuffix(name, spool.Extension)
	_, err := time.Parse(time.DateOnly, day)
	return ok && err == nil
}

// All moves everything in the spool.
func (i *Intake) All(ctx context.Context) (Report, error) {
	var all Report
	for {
		r, err := i.Turn(ctx)
		all.add(r)
		if all.More, all.Busy = r.More, r.Busy; !r.goesOn(err) {
			return all, err
		}
	}
}

// Settle is like All, but if another process holds the lock, it waits up to the given time. When it succeeds,
// everything that was in the spool is in the audit.
func (i *Intake) Settle(ctx context.Context, patience time.Duration) (Report, error) {
	var all Report
	for end := time.Now().Add(patience); ; time.Sleep(askAgain) {
		r, err := i.All(ctx)
		all.add(r)
		if all.More, all.Busy = r.More, r.Busy; err != nil || !r.Busy {
			return all, err
		}
		if time.Now().After(end) {
			return all, stillBusy(patience)
		}
	}
}

// Turn moves a limited number of lines. If some lines could not be moved, it returns an error, and the next turn tries
// again.
func (i *Intake) Turn(ctx context.Context) (Report, error) {
	return i.turn(ctx, func(string) bool { return true })
}

// turn() is like Turn, but it leaves out the late tenants for which tries() returns false.
func (i *Intake) turn(ctx context.Context, tries func(tenant string) bool) (Report, error) {
	i.homes = map[string]Home{}
	var all Report
	var problems []error
	for _, path := range i.o.Dirs {
		r, err := i.folder(ctx, path, tries)
		all.add(r)
		problems = append(problems, err)
	}
	return all, errors.Join(problems...)
}

// folder() moves some lines of one folder of the spool to the audit, unless another process holds the lock.
func (i *Intake) folder(ctx context.Context, path string, tries func(tenant string) bool) (Report, error) {
	dir, err := existing(path)
	if dir == nil || err != nil {
		return Report{}, err
	}
	names, size, err := sizes(dir)
	if err != nil || i.nothingNew(path, size) {
		return Report{}, err
	}
	locked, err := lock(dir)
	if locked == nil || err != nil {
		return Report{Busy: err == nil}, err
	}
	defer func() { _ = locked.Close() }() // closing loses nothing, because nothing was written
	t := &turn{i: i, ctx: ctx, dir: dir, path: path, names: names, size: size, budget: turnChunks, tries: tries}
	err = t.run()
	if err == nil && !t.report.More && !t.waits {
		i.note(path, size)
	}
	return t.report, errors.Join(err, t.sweep())
}

// nothingNew reports whether a turn has nothing to do in a folder: every file was read to its end and still has the
// same size, and no file is due for removal.
func (i *Intake) nothingNew(path string, size map[string]int64) bool {
	for name, bytes := range size {
		known, is := i.seen[filepath.Join(path, name)]
		if !is || known != bytes {
			return false
		}
	}
	return !i.due(path, size)
}

func (i *Intake) note(path string, size map[string]int64) {
	for name, bytes := range size {
		i.seen[filepath.Join(path, name)] = bytes
	}
}

// home() returns the destination of a project's lines. In each turn, it calls Options.Home only once for a project.
func (i *Intake) home(ctx context.Context, project string) Home {
	h, known := i.homes[project]
	if !known {
		h = i.o.Home(ctx, project)
		if i.onlyHere && h.Elsewhere {
			h.Catalog = nil
		}
		i.homes[project] = h
	}
	return h
}

// cursors() reads the cursors of all stores from the folder. Lines without a project go to one particular store, and
// the cursor of this store comes first. The result "orphans" has two kinds of cursors: damaged cursors, and the cursors
// of stores that are no longer used by their projects.
func (t *turn) cursors() (out, orphans []*cursor, err error) {
	all, err := readCursors(t.dir)
	if err != nil {
		return nil, nil, err
	}
	out = []*cursor{{Store: t.home("").Store, Files: map[string]mark{}}}
	for _, c := range all {
		switch {
		case c.damaged != "":
			orphans = append(orphans, c)
		case c.Store == out[0].Store && !c.Late:
			out[0] = c
		case c.Store == out[0].Store || t.home(c.Project).Store == c.Store:
			out = append(out, c)
		case !c.Left:
			orphans = append(orphans, c)
		}
	}
	return out, orphans, nil
}

func (t *turn) home(project string) Home { return t.i.home(t.ctx, project) }

// catalog() returns the store of a cursor. It returns nil if the store is unavailable.
func (t *turn) catalog(c *cursor) Catalog { return t.homeOf(c).Catalog }

// homeOf returns a destination in the store of a cursor.
func (t *turn) homeOf(c *cursor) Home {
	if own := t.home(""); own.Store == c.Store {
		return own
	}
	return t.home(c.Project)
}

func (t *turn) known(store string) bool { return t.mainCursor(store) != nil }
