package intake

import (
	"path/filepath"
	"strings"
	"time"

	"guardrails/internal/spool"
)

// quiet is since when a file has not grown.
type quiet struct {
	size  int64
	since time.Time
}

const (
	// stillness is how long a file must not have grown before it counts as ended. It is measured while this process runs:
	// the time in which a computer sleeps does not count, for a hook may wake up with it and write.
	stillness = time.Minute
	// abandoned is how old lines become that no store wants.
	abandoned = 30 * 24 * time.Hour
)

// old reports whether a file is of a day before yesterday. A hook that began it may be slow, and clocks differ.
func (i *Intake) old(name string, by time.Duration) bool {
	day, err := time.Parse(time.DateOnly, strings.TrimSuffix(name, spool.Extension))
	return err == nil && i.o.Now().UTC().Sub(day) > 48*time.Hour+by
}

// still reports whether a file has not grown for a while.
func (i *Intake) still(path, name string, size int64) bool {
	key := filepath.Join(path, name)
	q, known := i.quiet[key]
	if !known || q.size != size {
		i.quiet[key] = quiet{size, time.Now()}
		return false
	}
	return time.Since(q.since) >= stillness
}

// ended reports whether nobody writes into a file any more.
func (t *turn) ended(name string) bool {
	return t.i.old(name, 0) && t.i.still(t.path, name, t.size[name])
}

// due reports whether a file of the folder may be ready to be removed.
func (i *Intake) due(path string, size map[string]int64) bool {
	for name := range size {
		if i.old(name, 0) && i.still(path, name, size[name]) {
			return true
		}
	}
	return false
}

// sweep removes the files that have ended and that every store has taken in.
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
			t.i.quiet[key] = quiet{t.size[name], time.Now()} // looked at again in a while
			continue
		}
		// The marks go first: a file of this name that is begun anew must be read from its beginning.
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

// taken reports whether every store has taken a file in. Lines that wait for a store that nobody made are given up in the
// end.
func (t *turn) taken(name string) bool {
	f, err := openFile(t.dir, name)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // it was only read
	for _, c := range t.stores {
		if t.home(c.Project).Catalog == nil && t.i.old(name, abandoned) {
			continue
		}
		if at, err := c.at(f); err != nil || at < f.size {
			return false
		}
	}
	return true
}
