package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"sync"
)

// maxNames is how many names are kept in memory; then they are looked up again.
const maxNames = 100_000

// names remembers the numbers of texts. A number never changes its text.
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

// learn takes over what a committed transaction knows.
func (n *names) learn(fresh map[string]int64) {
	if len(fresh) == 0 {
		return
	}
	n.lock.Lock()
	defer n.lock.Unlock()
	if n.ids == nil || len(n.ids)+len(fresh) > maxNames {
		n.ids = map[string]int64{}
	}
	maps.Copy(n.ids, fresh)
}

const findName = "SELECT id FROM name WHERE text = ?"

// number is the number of a text, or false when nothing was ever called so.
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
		s.names.learn(map[string]int64{text: id})
	}
	return id, err == nil, err
}

// number is the number of a text, which it gets when it has none.
func (t *tx) number(text string) (int64, error) {
	if id, known := t.store.names.get(text); known {
		return id, nil
	}
	if id, known := t.fresh[text]; known {
		return id, nil
	}
	var id int64
	err := t.row(findName, text)(&id)
	if errors.Is(err, sql.ErrNoRows) {
		err = t.row("INSERT INTO name (text) VALUES (?) RETURNING id", text)(&id)
	}
	if err == nil {
		t.fresh[text] = id
	}
	return id, err
}
