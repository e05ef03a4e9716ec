package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"sync"
)

// maxNames is the maximum number of cached names. A cache that would grow beyond it is emptied first.
const maxNames = 100_000

// names caches the numbers that stand for texts in the file. The number of a text never changes.
type names struct {
	lock sync.RWMutex
	ids  map[string]int64
}

func (n *names) get(text string) (int64, bool) {
	if text == "" {
		return 0, true
	}
	n.lock.RLock()
	defer n.lock.RUnlock()
	id, known := n.ids[text]
	return id, known
}

// add adds names after their transaction was committed.
func (n *names) add(committed map[string]int64) {
	if len(committed) == 0 {
		return
	}
	n.lock.Lock()
	defer n.lock.Unlock()
	if n.ids == nil || len(n.ids)+len(committed) > maxNames {
		n.ids = map[string]int64{}
	}
	maps.Copy(n.ids, committed)
}

const findName = "SELECT id FROM name WHERE text = ?"

// number returns the number that stands for a text in the file, and whether the text has one.
func (s *Store) number(ctx context.Context, q querier, text string) (int64, bool, error) {
	if id, known := s.names.get(text); known {
		return id, true, nil
	}
	var id int64
	err := q.QueryRowContext(ctx, findName, text).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	if err == nil {
		s.names.add(map[string]int64{text: id})
	}
	return id, err == nil, err
}

// number returns the number that stands for a text in the file. If the text has no number yet, number assigns one.
func (t *tx) number(text string) (int64, error) {
	if id, known := t.store.names.get(text); known {
		return id, nil
	}
	if id, known := t.newNames[text]; known {
		return id, nil
	}
	var id int64
	err := t.row(findName, text)(&id)
	if errors.Is(err, sql.ErrNoRows) {
		err = t.row("INSERT INTO name (text) VALUES (?) RETURNING id", text)(&id)
	}
	if err == nil {
		t.newNames[text] = id
	}
	return id, err
}
