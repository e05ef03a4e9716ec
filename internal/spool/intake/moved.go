package intake

import (
	"errors"
	"maps"
	"slices"
)

// The limits of what a cursor remembers: the number of its projects, and the length of a project's name.
const (
	maxProjects = 1000
	maxProject  = 500
)

// When a project changes its store, some of its lines may still wait for the old store. If the cursor of the new store
// has already passed these lines, it has skipped them, because these lines belonged to another store. So each main
// cursor remembers the projects of its store. If the cursor of another store is ahead of a main cursor, followMoves
// looks for projects that have changed their store. It then moves the cursors of the new store back.

// note() records that a project uses a store. A turn calls it when a cursor reads a line of the project.
func (t *turn) note(of, project string) {
	c := t.mainCursor(of)
	if c == nil || len(project) > maxProject || len(c.Projects) >= maxProjects {
		return
	}
	if at, known := slices.BinarySearch(c.Projects, project); !known {
		c.Projects, c.unsaved = slices.Insert(c.Projects, at, project), true
	}
}

// followMoves finds projects that have changed their store, and makes the new store read the lines that the old store
// has not read.
func (t *turn) followMoves() error {
	for _, c := range slices.Clone(t.stores) {
		if c.Late {
			continue
		}
		isBehind, err := t.isBehind(c)
		if err != nil {
			return err
		}
		if !isBehind {
			if err := t.forgetProjects(c); err != nil {
				return err
			}
			continue
		}
		for _, project := range slices.Clone(c.Projects) {
			if home := t.home(project); home.Store != c.Store {
				if err := t.move(project, c, home.Store); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// forgetProjects removes the projects of a cursor if there are too many of them. It is called only if no cursor of
// another store is ahead of this cursor in any file. In that case, this cursor need not remember its projects.
func (t *turn) forgetProjects(c *cursor) error {
	if len(c.Projects) < maxProjects {
		return nil
	}
	c.Projects = nil
	return c.write(t.dir)
}

// isBehind reports whether another store has read lines that this store has not read. If the store is unavailable, it
// has a second cursor, which only searched the spool. isBehind treats this second cursor like a cursor of another
// store.
func (t *turn) isBehind(c *cursor) (bool, error) {
	var ahead []*cursor
	for _, other := range t.stores {
		if other.Store != c.Store {
			ahead = append(ahead, other)
		}
	}
	if searched := t.i.waiting[t.waitingKey(c)]; searched != nil {
		ahead = append(ahead, searched)
	}
	own := ofStore(t.stores, c.Store)
	for _, name := range t.names {
		behind := false
		err := t.inFile(name, func(f *file) error {
			at, err := firstPosition(own, f)
			for _, other := range ahead {
				end, problem := other.positionIn(f)
				behind, err = behind || at < end, errors.Join(err, problem)
			}
			return err
		})
		if err != nil || behind {
			return behind, err
		}
	}
	return false, nil
}

// move() makes the new store of a project continue in each file at the position that the old store has reached. If the
// process is killed before move() has ended, the next turn does the same again.
func (t *turn) move(project string, from *cursor, to string) error {
	if t.mainCursor(to) == nil {
		t.stores = append(t.stores, &cursor{Store: to, Project: project, Files: maps.Clone(from.Files)})
	}
	own := ofStore(t.stores, from.Store)
	for _, name := range t.names {
		if err := t.inFile(name, func(f *file) error {
			at, err := firstPosition(own, f)
			return errors.Join(err, t.moveBack(ofStore(t.stores, to), f, at))
		}); err != nil {
			return err
		}
	}
	t.note(to, project)
	if err := t.mainCursor(to).write(t.dir); err != nil {
		return err
	}
	from.Projects = slices.DeleteFunc(from.Projects, func(p string) bool { return p == project })
	return from.write(t.dir)
}

// moveBack finds the cursors that are ahead of a position in a file, and moves them back to this position.
func (t *turn) moveBack(cursors []*cursor, f *file, at int64) error {
	for _, c := range cursors {
		own, err := c.positionIn(f)
		if err == nil && at < own {
			err = errors.Join(c.moveTo(f, at), c.write(t.dir))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// inFile calls the function use() with an open file of the spool.
func (t *turn) inFile(name string, use func(f *file) error) error {
	f, err := openFile(t.dir, name)
	if err != nil {
		return err
	}
	return errors.Join(use(f), f.Close())
}
