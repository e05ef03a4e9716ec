package intake

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"slices"

	"guardrails/internal/private"
)

// The type "cursor" records how far one store has read the files of a folder. Its new position is written to the disk
// only after the store has received the entries. So after a crash, some lines may be read again, but this does not
// change their entries in the audit.
type cursor struct {
	// Store is the store's name. Project is one of the projects whose audit is in this store.
	Store   string `json:"store"`
	Project string `json:"project,omitempty"`
	// Projects are the projects that are known to use the store, in alphabetical order. Only a main cursor has this
	// list.
	Projects []string `json:"projects,omitempty"`
	// The field "Late" is set if the store refused the entries of one tenant. In that case, the cursor records up to
	// which line the store has the lines of this tenant, and Tenant is the name of the tenant.
	Late   bool            `json:"late,omitempty"`
	Tenant string          `json:"tenant_id,omitempty"`
	Files  map[string]mark `json:"files"`
	// The field "From" is set if an earlier version of the program made the cursor. That earlier version had searched all
	// files that are older than the file From. The file From was the first one with a line for this store.
	From string `json:"from,omitempty"`
	// The field "Left" is set if the project no longer uses the store, and the other stores have taken over the lines. If
	// the project uses the store again, for example after a mistake in its settings, reading continues at the positions of
	// this cursor.
	Left bool `json:"left,omitempty"`

	// The field "damaged" is the name of the cursor's file if the file cannot be read. In that case, it is unknown to
	// which store the cursor belongs. So the cursor counts as a cursor that has read nothing.
	damaged string
	// The field "unsaved" is set if the cursor must be written to the disk before this cursor or any other cursor
	// moves on.
	unsaved bool
}

// The type "mark" is a position in a file. Head is a fingerprint of the beginning of the file.
type mark struct {
	Offset int64  `json:"offset"`
	Head   string `json:"head"`
}

const (
	cursorPrefix = "taken-"
	cursorEnd    = ".json"
	maxCursor    = 1 << 20
)

// fileName returns the name of the cursor's file.
func (c *cursor) fileName() string {
	key := c.Store
	if c.Late {
		key += "\x00" + c.Tenant
	}
	sum := sha256.Sum256([]byte(key))
	return cursorPrefix + hex.EncodeToString(sum[:8]) + cursorEnd
}

// readCursors reads all cursors in a folder.
func readCursors(dir *private.Dir) (out []*cursor, err error) {
	files, err := dir.List(cursorPrefix)
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		c, err := readCursor(dir, name)
		if err != nil {
			return nil, err
		}
		if c != nil {
			out = append(out, c)
		}
	}
	return out, nil
}

// readCursor reads the cursor in a file. If the file is missing, it returns nil.
func readCursor(dir *private.Dir, name string) (*cursor, error) {
	text, err := dir.Read(name, maxCursor)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	c := &cursor{}
	if json.Unmarshal(text, c) != nil || c.fileName() != name {
		return &cursor{damaged: name}, nil
	}
	if c.Files == nil {
		c.Files = map[string]mark{}
	}
	return c, nil
}

// ofStore returns the cursors of a store: the main cursor, and the cursors of the late tenants.
func ofStore(all []*cursor, store string) (out []*cursor) {
	for _, c := range all {
		if c.Store == store && c.damaged == "" {
			out = append(out, c)
		}
	}
	return out
}

// mainOf returns the main cursor among the cursors of one store, or nil. The main cursor is for the tenants that have
// no late cursor.
func mainOf(cursors []*cursor) *cursor {
	i := slices.IndexFunc(cursors, func(c *cursor) bool { return !c.Late })
	if i < 0 {
		return nil
	}
	return cursors[i]
}

// write() stores a cursor. The order of writes matters, even after a power failure. If another store or tenant still
// needs some lines, its cursor must be on the disk before this cursor moves past the lines.
func (c *cursor) write(dir *private.Dir) error {
	text, err := json.Marshal(c)
	if err == nil {
		err = dir.WriteSynced(c.fileName(), text)
	}
	c.unsaved = c.unsaved && err != nil
	return err
}

// positionIn returns the position from which a file must still be read for the store. It returns 0 if the file is not
// the file that was read before.
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

// replaceFrom replaces the field From with positions at the ends of the older files. Hooks may still add lines to these
// files.
func (t *turn) replaceFrom(c *cursor) error {
	for _, name := range t.names {
		if name >= c.From {
			continue
		}
		if err := t.inFile(name, func(f *file) error { return c.moveTo(f, f.size) }); err != nil {
			return err
		}
	}
	c.unsaved = c.unsaved || c.From != ""
	c.From = ""
	return nil
}

// forget() removes the positions of files that are not in the given map.
func (c *cursor) forget(there map[string]int64) {
	for name := range c.Files {
		if _, is := there[name]; !is {
			delete(c.Files, name)
		}
	}
}

// firstPosition returns the smallest of the positions that the cursors have in a file. Without cursors, it returns 0.
func firstPosition(cursors []*cursor, f *file) (first int64, err error) {
	for i, c := range cursors {
		at, err := c.positionIn(f)
		if err != nil {
			return 0, err
		}
		if i == 0 || at < first {
			first = at
		}
	}
	return first, nil
}
