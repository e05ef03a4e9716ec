package intake

import (
	"errors"

	"guardrails/internal/private"
)

// handOver makes all stores read the lines that an orphan has not read. An orphan is the cursor of a store that is no
// longer used by the project that the cursor names: the project's settings were edited, or the project was removed. The
// lines of the orphan can now belong to any store. A store ignores lines that it already has. A damaged cursor counts
// as an orphan that has read nothing. The other stores may be beyond lines that the store of the damaged cursor has not
// read.
func (t *turn) handOver(orphan *cursor) error {
	for _, name := range t.names {
		if err := t.goBack(orphan, name); err != nil {
			return err
		}
	}
	clear(t.i.waiting) // unavailable stores must search these lines again, too
	if orphan.damaged != "" {
		_, err := t.dir.Remove(orphan.damaged)
		return err
	}
	orphan.Left = true
	return orphan.write(t.dir)
}

// comeBack notes that the store of a cursor is in use again.
func (c *cursor) comeBack(dir *private.Dir) error {
	if !c.Left {
		return nil
	}
	c.Left = false
	return c.write(dir)
}

// If cursors are ahead of an orphan in a file, goBack moves them back to the orphan's position.
func (t *turn) goBack(orphan *cursor, name string) error {
	return t.inFile(name, func(f *file) error {
		at, err := orphan.positionIn(f)
		return errors.Join(err, t.moveBack(t.stores, f, at))
	})
}
