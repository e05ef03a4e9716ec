package intake

import (
	"path/filepath"
	"strings"
	"time"

	"guardrails/internal/spool"
)

// The type "quiet" has the size of a file, and the time at which this process first saw the file with this size.
type quiet struct {
	size  int64
	since time.Time
}

const (
	// If the size of a file stays the same for this time, probably no process writes to the file any more. This process
	// measures the time itself. The age of the file is not used, because a hook may still write to an old file after a
	// computer wakes up.
	stillness = time.Minute
	// The constant "abandoned" is how long lines are kept while their store is unavailable. After this time, the lines
	// are removed.
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

// taken() reports whether every store has read a file to its end. For a very old file, it ignores stores that are
// unavailable.
func (t *turn) taken(name string) bool {
	f, err := openFile(t.dir, name)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // an error of Close does not matter after reading
	for _, c := range t.stores {
		if t.catalog(c) == nil && t.i.old(name, abandoned) {
			continue
		}
		if at, err := c.positionIn(f); err != nil || at < f.size {
			return false
		}
	}
	return true
}
