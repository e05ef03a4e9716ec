package intake

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"

	"guardrails/internal/private"
)

// cursor records how far one store has read the files of a folder. It is written only when the store has the entries.
// So after a crash, some lines are read again, but this does not change their entries in the audit.
type cursor struct {
	// Store is the store's name. Project is one of the projects whose audit is in this store.
	Store   string `json:"store"`
	Project string `json:"project,omitempty"`
	// From is the first file that has a line for this store. All older files had already been searched when this line was
	// found, so they have none.
	From  string          `json:"from,omitempty"`
	Files map[string]mark `json:"files"`
}

// mark is a position in a file. Head is a fingerprint of the beginning of the file.
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

// readCursor reads the cursor in a file. If the file is missing or damaged, it returns nil, so the store reads
// everything from the beginning.
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

// positionIn returns the position in a file from which the store must continue to read. It returns 0 if the file
// is not the one that the store has read before.
func (c *cursor) positionIn(f *file) (int64, error) {
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

func (c *cursor) moveTo(f *file, offset int64) error {
	head, err := f.head(offset)
	if err == nil {
		c.Files[f.name] = mark{offset, head}
	}
	return err
}

// forget removes the position in each file that is not in the given map.
func (c *cursor) forget(there map[string]int64) {
	for name := range c.Files {
		if _, is := there[name]; !is {
			delete(c.Files, name)
		}
	}
}
