package intake

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"guardrails/internal/private"
	"guardrails/internal/product"
	"guardrails/internal/spool"
	"guardrails/store"
)

// maxDamaged is the largest number of damaged lines that are kept. Any further damaged line only gets an entry in the
// audit.
const maxDamaged = 1000

// DamagedRecord is the audit event for a line that could not be read.
const DamagedRecord = "damaged_record"

// unreadable() handles a line that cannot be parsed. Because the line's project is unknown, the line goes to the store
// for lines without a project.
func (t *turn) unreadable(c *cursor, p piece, why error, batch map[string][]store.Entry) error {
	home := t.home("")
	if home.Store != c.Store || home.Catalog == nil || !t.wants(c, p, home.Tenant, false) {
		return nil
	}
	return t.damaged(p, home.Tenant, why, batch)
}

// damaged() keeps a damaged line in a file of its own, and adds an entry about it to the audit of a tenant.
func (t *turn) damaged(p piece, tenant string, why error, batch map[string][]store.Entry) error {
	where, err := t.keepAside(p)
	if err != nil {
		return err
	}
	batch[tenant] = append(batch[tenant], store.Entry{
		ID: p.id(p.text), Kind: store.KindDecision, Event: DamagedRecord, Actor: "guardrails", Time: t.i.o.Now(),
		Decision: &store.Decision{
			Result: "unknown",
			Reason: fmt.Sprintf("a record at byte %d of %s cannot be read: %s; %s", p.offset, p.file, why, where),
		},
	})
	t.report.Damaged++
	return nil
}

// keepAside writes a line to a file of its own. It returns a message that names this file. If there are too many of
// these files already, keepAside writes nothing, and the message says that there are too many.
func (t *turn) keepAside(p piece) (where string, err error) {
	dir, err := private.Open(t.dir.Path(product.DamagedFolder))
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(p.text)
	name := fmt.Sprintf("%s-%d-%s", strings.TrimSuffix(p.file, spool.Extension), p.offset, hex.EncodeToString(sum[:8]))
	kept, err := dir.List("")
	if err != nil {
		return "", err
	}
	if len(kept) >= maxDamaged {
		return "it is not kept, because too many damaged records are kept already", nil
	}
	return "it is kept in " + dir.Path(name), dir.WriteSynced(name, p.text)
}

// Damaged counts the damaged lines in a folder of the spool that were moved to files of their own.
func Damaged(path string) (int, error) {
	dir, err := existing(filepath.Join(path, product.DamagedFolder))
	if dir == nil || err != nil {
		return 0, err
	}
	names, err := dir.List("")
	return len(names), err
}

// existing() opens a folder. If the folder does not exist, it returns nil.
func existing(path string) (*private.Dir, error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return private.Open(path)
}
