package intake

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"guardrails/internal/document"
	"guardrails/internal/spool"
)

// The type "quiet" has the size of a file, and the time at which this process first saw the file with this size.
type quiet struct {
	size  int64
	since time.Time
}

const (
	// If the size of a file stays the same for the duration "stillness", probably no process writes to the file any
	// more. This process measures the time itself. The age of the file is not used, because a hook may still write to
	// an old file after a computer wakes up.
	stillness = time.Minute
	// The constant "abandoned" is how long lines are kept if there is no store for them. After this time, the lines are
	// removed. Lines are never removed because of their age if the settings name a store, because the store may come
	// back, and because the clock may be ahead.
	abandoned = 30 * 24 * time.Hour
)

// old() reports whether a file is older than yesterday's file. If the parameter "by" is not 0, the file must be
// older than yesterday's file by this duration. Yesterday's file never counts as old, because a slow hook may still
// write to it, and because clocks differ.
func (i *Intake) old(name string, by time.Duration) bool {
	day, err := time.Parse(time.DateOnly, strings.TrimSuffix(name, spool.Extension))
	return err == nil && i.o.Now().UTC().Sub(day) > 48*time.Hour+by
}

// isStill reports whether the size of a file has been the same for at least the duration stillness.
func (i *Intake) isStill(path, name string, size int64) bool {
	key := filepath.Join(path, name)
	q, known := i.quiet[key]
	if !known || q.size != size {
		i.quiet[key] = quiet{size, time.Now()}
		return false
	}
	return time.Since(q.since) >= stillness
}

// ended() reports whether no more lines will be added to a file.
func (t *turn) ended(name string) bool {
	return t.i.old(name, 0) && t.i.isStill(t.path, name, t.size[name])
}

// due() reports whether a folder has a file that sweep() could remove.
func (i *Intake) due(path string, size map[string]int64) bool {
	for name := range size {
		if i.old(name, 0) && i.isStill(path, name, size[name]) {
			return true
		}
	}
	return false
}

// sweep() removes the finished files that every store has read.
func (t *turn) sweep() error {
	if t.report.More || t.budget == 0 {
		return nil
	}
	for _, name := range t.names {
		if !t.ended(name) {
			continue
		}
		key := filepath.Join(t.path, name)
		if !t.taken(name) {
			t.i.quiet[key] = quiet{t.size[name], time.Now()} // the file is checked again later
			continue
		}
		if err := t.giveUp(name); err != nil {
			return err
		}
		// Forget the positions before removing the file. Otherwise, a new file with the same name would not be read
		// from its beginning.
		for _, c := range t.stores {
			delete(c.Files, name)
			if err := c.write(t.dir); err != nil {
				return err
			}
		}
		if _, err := t.dir.Remove(name); err != nil {
			return err
		}
		delete(t.i.quiet, key)
		delete(t.i.seen, key)
	}
	return nil
}

// taken() reports whether no store still needs a file: each store has read the file to its end, or the lines that the
// file has for this store are given up.
func (t *turn) taken(name string) bool {
	err := t.inFile(name, func(f *file) error {
		for _, c := range t.stores {
			if at, err := c.positionIn(f); err != nil || at < f.size && !t.isAbandoned(c, f) {
				return cmp.Or(err, errWaits)
			}
		}
		return nil
	})
	return err == nil
}

var errWaits = errors.New("lines of the file wait")

// mayBeAbandoned reports whether a file is so old that the lines that it has for a cursor are given up if there is no
// store for these lines.
func (t *turn) mayBeAbandoned(c *cursor, name string) bool {
	return t.homeOf(c).NoStore && t.i.old(name, abandoned)
}

// isAbandoned reports whether the lines that a file has for a cursor are given up.
func (t *turn) isAbandoned(c *cursor, f *file) bool {
	if !t.mayBeAbandoned(c, f.name) {
		return false
	}
	_, err := t.countLines(c, f)
	return err == nil
}

// An owner is the project and the tenant that a line names.
type owner struct{ project, tenant string }

// giveUp() counts those lines of a file that no store has read. It adds a record with their number to the spool for
// each project and tenant, so that the audit of the project shows the gap if there is a store later.
func (t *turn) giveUp(name string) error {
	for _, c := range t.stores {
		if !t.mayBeAbandoned(c, name) {
			continue
		}
		var lines map[owner]int
		err := t.inFile(name, func(f *file) (err error) {
			lines, err = t.countLines(c, f)
			return err
		})
		if err == nil {
			err = t.noteGaps(name, lines)
		}
		if err != nil {
			return err
		}
		for _, n := range lines {
			t.report.GivenUp += n
		}
	}
	return nil
}

// countLines returns how many lines of a file belong to a cursor and have not been read for this cursor. It returns
// errWaits if one of these lines has to wait, because the project of the line may have a store. Projects without a
// store share a cursor with projects whose settings have a mistake.
func (t *turn) countLines(c *cursor, f *file) (map[owner]int, error) {
	n := map[owner]int{}
	at, err := c.positionIn(f)
	for err == nil && at < f.size {
		var lines []piece
		var next int64
		if lines, next, err = f.lines(at, true); next == at {
			break
		}
		for _, p := range lines {
			r, damaged := spool.Parse(p.text)
			if damaged != nil {
				n[owner{}]++
				continue
			}
			home := t.home(r.Project)
			if home.Store != c.Store {
				continue
			}
			if !home.NoStore {
				return nil, errWaits
			}
			n[owner{r.Project, r.Tenant}] += standsFor(r)
		}
		at = next
	}
	return n, err
}

// standsFor returns how many lines a line stands for: 1, or the number in a record that noteGaps wrote.
func standsFor(r *spool.Record) int {
	if r.Kind == gap && r.Outcome == givenUp {
		return max(1, r.Calls)
	}
	return 1
}

// The kind and the outcome of the records that noteGaps writes.
const (
	gap     = "gap"
	givenUp = "given_up"
)

// If lines of a file were given up, noteGaps adds records about this to the spool. The records are on the disk when
// noteGaps returns.
func (t *turn) noteGaps(name string, lines map[owner]int) error {
	if len(lines) == 0 {
		return nil
	}
	now := t.i.o.Now()
	for of, n := range lines {
		r := spool.Record{
			Time: document.FormatTime(now), Kind: gap, Outcome: givenUp, Actor: "guardrails", Calls: n,
			Project: of.project, Tenant: of.tenant,
			Reason: fmt.Sprintf("records of %s were removed from the spool, because there was no store for 30 days: %d",
				strings.TrimSuffix(name, spool.Extension), n),
		}
		if err := t.dir.Append(spool.FileName(now), r.Line()); err != nil {
			return err
		}
	}
	return t.dir.Sync(spool.FileName(now))
}
