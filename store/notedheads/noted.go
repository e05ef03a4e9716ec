// Package notedheads notes the heads of audit chains outside of the store. If somebody who can write only to the store
// rewrites, cuts off or rolls back a chain, Verify notices it by comparing the chain with the notes.
//
// Start with Book. For each tenant of each store, there is a file in the state folder. Each of its lines has the heads
// of all chains at one moment. New lines are added at the end, and old lines are removed only when the file has become
// too large. If there is a key (keys.go), every line is signed.
package notedheads

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"guardrails/internal/private"
	"guardrails/internal/product"
	"guardrails/store"
)

// Note is the generation of a tenant and the heads of its chains at one moment.
type Note struct {
	At time.Time `json:"at"`
	// Store identifies the store. It is a hash, because the location of a store can be a path on this computer.
	Store      string       `json:"store"`
	Tenant     string       `json:"tenant_id,omitempty"`
	Generation int64        `json:"generation"`
	Heads      []store.Head `json:"heads"`
	// AcceptedBy is the person who accepted the state that the store had when this note was written. If AcceptedBy is not
	// empty, earlier notes are ignored.
	AcceptedBy string `json:"accepted_by,omitempty"`
	// Key is the id of the key that signed the note. If there was no key, Key and Signature are empty.
	Key       string `json:"key,omitempty"`
	Signature []byte `json:"signature,omitempty"`
}

// Book has the notes about one store. Several processes may use the same book at once.
type Book struct {
	state func() (string, error)
	place string
	now   func() time.Time

	mu sync.Mutex
	// The map "last" has the newest note of each tenant. The map dueAt says for each tenant at which size its file is
	// shortened again.
	last  map[string]Note
	dueAt map[string]int64
}

// Open returns the Book with the notes about a store. The parameter "place" is the location of the store. The function
// state() returns the user's state folder. Open does not call state(). The methods of Book call it.
func Open(state func() (string, error), place string, now func() time.Time) *Book {
	sum := sha256.Sum256([]byte(place))
	return &Book{state: state, place: hex.EncodeToString(sum[:12]), now: now, last: map[string]Note{}, dueAt: map[string]int64{}}
}

// The limits of a file in bytes. A file that has reached maxFile is shortened. Then it keeps at most about maxRecent
// bytes of lines from the last day. A file that is larger than maxRead is not read.
const (
	maxFile   = 1 << 20
	maxRecent = 8 << 20
	maxRead   = 64 << 20
)

func (b *Book) dir() (*private.Dir, error) {
	state, err := b.state()
	if err != nil {
		return nil, err
	}
	return private.Open(filepath.Join(state, product.AuditFolder))
}

const headsPrefix = "heads-"

func (b *Book) file(tenant string) string {
	sum := sha256.Sum256([]byte(tenant))
	return headsPrefix + b.place + "-" + hex.EncodeToString(sum[:6]) + ".jsonl"
}

// Add adds a note, unless its content is the same as the content of the previous note. Add sets the time, the store and
// the signature. If another process has noted newer heads, the new note gets these heads.
func (b *Book) Add(n Note) (Note, error) {
	dir, err := b.dir()
	if err != nil {
		return n, err
	}
	n, added, err := b.add(dir, n)
	if added && err == nil {
		err = b.shorten(dir, n.Tenant)
	}
	return n, err
}

// add() does everything that Add does, except for shortening the file.
func (b *Book) add(dir *private.Dir, n Note) (_ Note, added bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if last := b.last[n.Tenant]; n.AcceptedBy == "" && n.saysSame(&last) {
		return last, false, nil
	}
	err = dir.WithLock(func() error {
		n, added, err = b.addTo(dir, n)
		return err
	})
	return n, added, err
}

// saysSame reports whether two notes have the same content.
func (n *Note) saysSame(as *Note) bool {
	return n.Generation == as.Generation && slices.Equal(n.Heads, as.Heads)
}

// raise() merges an earlier note of another process into n. The parameter "to" is the earlier note. For the generation
// and for the head of each chain, n gets the newer of the two values.
func (n *Note) raise(to *Note) {
	n.Generation, n.Heads = max(n.Generation, to.Generation), slices.Clone(n.Heads)
	for _, h := range to.Heads {
		at := slices.IndexFunc(n.Heads, func(own store.Head) bool { return own.Chain == h.Chain })
		switch {
		case at < 0:
			n.Heads = append(n.Heads, h)
		case n.Heads[at].Seq < h.Seq:
			n.Heads[at] = h
		}
	}
	slices.SortStableFunc(n.Heads, compareHeads)
}

// addTo does the work of add(). The folder must be locked.
func (b *Book) addTo(dir *private.Dir, n Note) (_ Note, added bool, err error) {
	var last Note
	keys, err := readKeys(dir)
	if err == nil && n.AcceptedBy == "" {
		last, err = b.Last(n.Tenant)
		n.raise(&last)
	}
	n.At, n.Store = b.now().UTC().Truncate(time.Millisecond), b.place
	if err == nil {
		err = keys.sign(dir, &n)
	}
	if err != nil {
		return n, false, err
	}
	if n.AcceptedBy == "" && n.saysSame(&last) && n.Key == last.Key {
		b.last[n.Tenant] = last
		return last, false, nil
	}
	line, err := json.Marshal(n)
	if err != nil {
		return n, false, err
	}
	if err := dir.Append(b.file(n.Tenant), line); err != nil {
		return n, false, err
	}
	if n.AcceptedBy != "" {
		if err := b.forget(dir, n.Tenant); err != nil {
			return n, true, err
		}
	}
	b.last[n.Tenant] = n
	return n, true, nil
}

// Notes returns the notes about a tenant since a person last accepted the store, oldest first. A fault describes a line
// that cannot be read or has a wrong signature.
func (b *Book) Notes(tenant string) (notes []Note, faults []string, err error) {
	dir, err := b.dir()
	if err != nil {
		return nil, nil, err
	}
	keys, err := readKeys(dir)
	if err != nil {
		return nil, nil, err
	}
	text, err := dir.Read(b.file(tenant), maxRead)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	for i, line := range bytes.Split(text, []byte{'\n'}) {
		if !bytes.HasSuffix(line, []byte{'}'}) {
			continue // the line is empty, or the process that wrote it ended before the line was complete
		}
		n, why := b.read(line, tenant, keys)
		switch {
		case why != "":
			faults = append(faults, fmt.Sprintf("line %d of %s %s", i+1, dir.Path(b.file(tenant)), why))
		case n.AcceptedBy != "":
			notes, faults = []Note{n}, nil
		default:
			notes = append(notes, n)
		}
	}
	return notes, faults, nil
}

// OtherTenants returns tenants about which there are notes: at most the given number, and not the tenant in the
// parameter "tenant". It skips files whose first line cannot be read. The result "left" is the number of further files,
// which were not read.
func (b *Book) OtherTenants(tenant string, most int) (out []string, left int, err error) {
	dir, err := b.dir()
	if err != nil {
		return nil, 0, err
	}
	names, err := dir.List(headsPrefix + b.place + "-")
	if err != nil {
		return nil, 0, err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return name == b.file(tenant) })
	now := min(len(names), most)
	for _, name := range names[:now] {
		if other, ok := b.tenantOf(dir, name); ok {
			out = append(out, other)
		}
	}
	return out, len(names) - now, nil
}

// tenantOf returns the tenant that the first line of a file is about.
func (b *Book) tenantOf(dir *private.Dir, name string) (string, bool) {
	f, info, err := dir.OpenFile(name)
	if err != nil {
		return "", false
	}
	defer func() { _ = f.Close() }() // the file is only read, so an error does not matter
	text, err := dir.ReadPart(f, name, 0, min(info.Size(), maxFile))
	line, _, _ := bytes.Cut(bytes.TrimLeft(text, "\n"), []byte{'\n'})
	var first Note
	ok := err == nil && json.Unmarshal(line, &first) == nil && b.file(first.Tenant) == name
	return first.Tenant, ok
}

// tailSize is the number of bytes at the end of a file that Last reads first.
const tailSize = 64 << 10

// Last returns the newest note about a tenant. It skips lines that cannot be read or have a wrong signature, because
// Notes reports these lines. If there is no note, the result is the zero Note.
func (b *Book) Last(tenant string) (n Note, err error) {
	dir, err := b.dir()
	if err != nil {
		return n, err
	}
	keys, err := readKeys(dir)
	if err != nil {
		return n, err
	}
	f, info, err := dir.OpenFile(b.file(tenant))
	if errors.Is(err, fs.ErrNotExist) {
		return n, nil
	}
	if err != nil {
		return n, err
	}
	defer func() { _ = f.Close() }() // the file is only read, so an error does not matter
	for size := int64(tailSize); ; size *= 8 {
		size = min(size, info.Size())
		text, err := dir.ReadPart(f, b.file(tenant), info.Size()-size, size)
		if err != nil {
			return n, err
		}
		if n, found := b.newest(text, tenant, keys); found || size == info.Size() {
			return n, nil
		}
	}
}

// newest() returns the last line that is a note.
func (b *Book) newest(text []byte, tenant string, keys Keys) (Note, bool) {
	for _, line := range slices.Backward(bytes.Split(text, []byte{'\n'})) {
		if !bytes.HasSuffix(line, []byte{'}'}) {
			continue
		}
		if n, why := b.read(line, tenant, keys); why == "" {
			return n, true
		}
	}
	return Note{}, false
}

// read() parses a line. If something is wrong with the line, the result "why" describes it. Otherwise, the result is
// "".
func (b *Book) read(line []byte, tenant string, keys Keys) (n Note, why string) {
	switch err := json.Unmarshal(line, &n); {
	case err != nil:
		return n, "cannot be read"
	case n.Store != b.place || n.Tenant != tenant:
		return n, "is about another store or tenant"
	}
	return n, keys.check(&n)
}

// shorten() removes lines from a file that has become too large. It keeps the lines of the last day, the last line of
// each earlier day, the lines in which a person accepted the store, and the lines that cannot be read. If the lines of
// the last day take too many bytes, it keeps only the newest of them, because Notes reads the whole file. Other
// programs can add notes at the same time.
func (b *Book) shorten(dir *private.Dir, tenant string) error {
	file := b.file(tenant)
	info, err := os.Lstat(dir.Path(file))
	if err != nil || info.Size() < b.due(tenant, 0) {
		return err
	}
	return dir.Shorten(file, maxRead, func(text []byte) []byte {
		lines := bytes.FieldsFunc(text, func(r rune) bool { return r == '\n' })
		kept := b.keep(lines)
		size := int64(len(bytes.Join(kept, []byte{'\n'})))
		b.due(tenant, size+maxFile/2)
		if len(kept) == len(lines) {
			return nil
		}
		return append(bytes.Join(kept, []byte{'\n'}), '\n')
	})
}

// due() returns the size in bytes at which the file of a tenant is shortened. If the parameter "next" is not 0, this
// size is first set to the value of this parameter.
func (b *Book) due(tenant string, next int64) int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	if next > 0 {
		b.dueAt[tenant] = next
	}
	return max(maxFile, b.dueAt[tenant])
}

// keep() returns the lines that stay in a file when it is shortened.
func (b *Book) keep(lines [][]byte) (kept [][]byte) {
	var next Note
	var recent int
	for i, line := range slices.Backward(lines) {
		var n Note
		err := json.Unmarshal(line, &n)
		isRecent := b.now().Sub(n.At) < 24*time.Hour && recent < maxRecent
		if isRecent {
			recent += len(line)
		}
		isLastOfDay := i == len(lines)-1 || day(next.At) != day(n.At)
		if err != nil || isRecent || isLastOfDay || n.AcceptedBy != "" {
			kept = append(kept, line)
		}
		next = n
	}
	slices.Reverse(kept)
	return kept
}

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// Heads returns the heads of all notes.
func Heads(notes []Note) (out []store.Head) {
	for i := range notes {
		out = append(out, notes[i].Heads...)
	}
	return out
}

// Generation returns the highest generation that was noted.
func Generation(notes []Note) (highest int64) {
	for i := range notes {
		highest = max(highest, notes[i].Generation)
	}
	return highest
}

// Heading is the answer to a request for heads: the newest note, and the keys that sign notes.
type Heading struct {
	Note Note `json:"note"`
	Keys Keys `json:"keys"`
}

// Answer returns a note and keys in the form of an answer. The lists of the result are never nil.
func Answer(n Note, keys Keys) Heading {
	if n.Heads == nil {
		n.Heads = []store.Head{}
	}
	return Heading{n, append(Keys{}, keys...)}
}
