package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"maps"
)

// maxNumbers is how many numbers the cache can hold. When the cache is full, it is emptied before a number is added.
const maxNumbers = 100_000

// The type "numbers" caches the numbers that stand for texts in the file. The cached numbers are valid only while
// nobody else has changed the file. After a backup was restored into the open file, a number can stand for another
// text, such as another tenant. Only the connection that writes has this cache.
type numbers struct {
	ids map[string]int64
	// The field "version" is the data version of the file for which the numbers are valid.
	version int64
}

func (n *numbers) get(text string) (int64, bool) {
	if text == "" {
		return 0, true
	}
	id, known := n.ids[text]
	return id, known
}

// add() adds numbers after their transaction was committed.
func (n *numbers) add(committed map[string]int64) {
	if len(committed) == 0 {
		return
	}
	if n.ids == nil || len(n.ids)+len(committed) > maxNumbers {
		n.ids = map[string]int64{}
	}
	maps.Copy(n.ids, committed)
}

// checkNumbers empties the cache of numbers if somebody else has changed the file since the last transaction.
func (t *tx) checkNumbers() error {
	var version int64
	if err := t.row("PRAGMA data_version")(&version); err != nil {
		return err
	}
	if known := &t.writer.numbers; known.version != version {
		known.ids, known.version = nil, version
	}
	return nil
}

const findName = "SELECT id FROM name WHERE text = ?"

// number() returns the number that stands for a text in the file, and whether the text has one.
func number(ctx context.Context, q querier, text string) (id int64, known bool, err error) {
	if text == "" {
		return 0, true, nil
	}
	err = q.QueryRowContext(ctx, findName, text).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	return id, err == nil, err
}

// number() returns the number that stands for a text in the file. If the text has no number yet, the method assigns
// one.
func (t *tx) number(text string) (int64, error) {
	if id, known := t.writer.numbers.get(text); known {
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
