package intake

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"

	"guardrails/internal/private"
)

// cursor is how far one store has taken a folder's files in. It is written after the store has acknowledged, so that after
// a crash some lines are read again, which are in the audit already and stay as they are.
type cursor struct {
	// Store is the store's name, and Project one of those that keep their audit in it.
	Store   string `json:"store"`
	Project string `json:"project,omitempty"`
	// From is the first file that this store has a part in; what is older was taken in before it was known.
	From  string          `json:"from,omitempty"`
	Files map[string]mark `json:"files"`
}

// mark is a place in a file, and what tells this file from another one of its name.
type mark struct {
	Offset int64  `json:"offset"`
	Head   string `json:"head"`
}

const (
	cursorPrefix = "taken-"
	cursorEnd    = ".json"
	maxCursor    = 1 << 20
)

func cursorName(store string) string {
	sum := sha256.Sum256([]byte(store))
	return cursorPrefix + hex.EncodeToString(sum[:8]) + cursorEnd
}

// readCursor reads how far a store is; one that is missing or damaged has taken nothing, and takes all of it again.
func readCursor(dir *private.Dir, name string) (*cursor, error) {
	text, err := dir.Read(name, maxCursor)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	c := &cursor{}
	if json.Unmarshal(text, c) != nil || cursorName(c.Store) != name {
		return nil, nil
	}
	if c.Files == nil {
		c.Files = map[string]mark{}
	}
	return c, nil
}

func (c *cursor) write(dir *private.Dir) error {
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return dir.Write(cursorName(c.Store), text)
}

// at is where to go on in a file.
func (c *cursor) at(f *file) (int64, error) {
	if f.name < c.From {
		return f.size, nil
	}
	m, known := c.Files[f.name]
	if !known || m.Offset > f.size {
		return 0, nil
	}
	head, err := f.head(m.Offset)
	if err != nil || head != m.Head {
		return 0, err
	}
	return m.Offset, nil
}

// moveTo notes that a file was taken in up to an offset.
func (c *cursor) moveTo(f *file, offset int64) error {
	head, err := f.head(offset)
	if err == nil {
		c.Files[f.name] = mark{offset, head}
	}
	return err
}

// forget drops marks of files that are gone.
func (c *cursor) forget(there map[string]int64) {
	for name := range c.Files {
		if _, is := there[name]; !is {
			delete(c.Files, name)
		}
	}
}
