// Package intake takes what hooks and the service have written into the spool into the audit: every line once, also when a
// process is killed in between, when two do it at once, and when a store is away for a while.
//
// Start with Intake. A line's id is made of its place and its content, and the audit leaves an entry alone that it has;
// so a line that is taken in again is the same entry. cursor.go keeps how far each store is, line.go is what becomes of a
// line, damage.go of one that is none, and sweep.go removes files that nobody needs any more.
package intake

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"guardrails/internal/spool"
	"guardrails/store/live"
)

// Home is where lines of a project go.
type Home struct {
	// Store names the store; it is the same for all projects that share one.
	Store string
	// Tenant is whose audit it is, where a line does not say.
	Tenant string
	// Catalog is the store; nil where there is none, and then the lines wait.
	Catalog *live.Store
}

// Options is what an intake needs from outside.
type Options struct {
	// Dirs are the folders of the spool; those that are not there are empty.
	Dirs []string
	// Home finds where lines of a project go. The empty project is that of lines that belong to none.
	Home func(ctx context.Context, project string) Home
	Now  func() time.Time
}

// Intake takes in the spool of one user. It is used by one goroutine.
type Intake struct {
	o     Options
	homes map[string]Home
	// seen are the sizes of files when there was nothing left to take.
	seen map[string]int64
	// waiting is how far lines of stores that are not there were looked through.
	waiting map[string]*cursor
	quiet   map[string]quiet
}

// Report is what a turn did.
type Report struct {
	// Taken counts the lines that are in the audit now, Damaged those that could not be read.
	Taken, Damaged int
	// More is set when there is more to take, Busy when another process was at it.
	More, Busy bool
}

func (r *Report) add(other Report) {
	r.Taken += other.Taken
	r.Damaged += other.Damaged
	r.More, r.Busy = r.More || other.More, r.Busy || other.Busy
}

// New makes an intake.
func New(o Options) *Intake {
	return &Intake{o: o, seen: map[string]int64{}, waiting: map[string]*cursor{}, quiet: map[string]quiet{}}
}

const (
	lockName = "lock"
	// askAgain is how soon it is seen that another process is done.
	askAgain = 10 * time.Millisecond
)

// isDay reports whether a name is that of a day's file.
func isDay(name string) bool {
	day, ok := strings.CutSuffix(name, spool.Extension)
	_, err := time.Parse(time.DateOnly, day)
	return ok && err == nil
}

// All takes in everything that there is.
func (i *Intake) All(ctx context.Context) (Report, error) {
	var all Report
	for {
		r, err := i.Turn(ctx)
		all.add(r)
		if all.More, all.Busy = r.More, r.Busy; err != nil || !r.More {
			return all, err
		}
	}
}

// Settle is All that waits for another process that is at it, as long as patience lasts: afterwards everything that there
// was is in the audit.
func (i *Intake) Settle(ctx context.Context, patience time.Duration) (Report, error) {
	var all Report
	for end := time.Now().Add(patience); ; time.Sleep(askAgain) {
		r, err := i.All(ctx)
		all.add(r)
		if all.More, all.Busy = r.More, r.Busy; err != nil || !r.Busy {
			return all, err
		}
		if time.Now().After(end) {
			return all, fmt.Errorf("another process has been taking records in for %s; see whether a server of guardrails hangs", patience)
		}
	}
}

// Turn takes in a bounded part of what there is. The error is what could not be taken and why; it stays for the next turn.
func (i *Intake) Turn(ctx context.Context) (Report, error) {
	i.homes = map[string]Home{}
	var all Report
	var problems []error
	for _, path := range i.o.Dirs {
		r, err := i.folder(ctx, path)
		all.add(r)
		problems = append(problems, err)
	}
	return all, errors.Join(problems...)
}

// folder takes in a part of a folder, unless somebody else does.
func (i *Intake) folder(ctx context.Context, path string) (Report, error) {
	dir, err := existing(path)
	if dir == nil || err != nil {
		return Report{}, err
	}
	names, size, err := sizes(dir)
	if err != nil || i.nothingNew(path, size) {
		return Report{}, err
	}
	held, err := lock(dir)
	if held == nil || err != nil {
		return Report{Busy: err == nil}, err
	}
	defer func() { _ = held.Close() }() // nothing was written
	t := &turn{i: i, ctx: ctx, dir: dir, path: path, names: names, size: size, budget: turnChunks}
	err = t.run()
	if err == nil && !t.report.More {
		i.note(path, size)
	}
	return t.report, errors.Join(err, t.sweep())
}

// nothingNew reports whether a folder's files are as they were when nothing was left in them.
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

// home is where a project's lines go, asked once a turn.
func (i *Intake) home(ctx context.Context, project string) Home {
	h, known := i.homes[project]
	if !known {
		h = i.o.Home(ctx, project)
		i.homes[project] = h
	}
	return h
}

// cursors are those of all stores that have a part in the folder, that of lines of no project first.
func (t *turn) cursors() ([]*cursor, error) {
	files, err := t.dir.List(cursorPrefix)
	if err != nil {
		return nil, err
	}
	out := []*cursor{{Store: t.home("").Store, Files: map[string]mark{}}}
	for _, name := range files {
		c, err := readCursor(t.dir, name)
		switch {
		case err != nil:
			return nil, err
		case c == nil:
		case c.Store == out[0].Store:
			out[0] = c
		case t.home(c.Project).Store == c.Store:
			out = append(out, c)
		}
	}
	return out, nil
}

func (t *turn) home(project string) Home { return t.i.home(t.ctx, project) }

// known reports whether a store has a cursor already.
func (t *turn) known(store string) bool {
	return slices.ContainsFunc(t.stores, func(c *cursor) bool { return c.Store == store })
}
