package fallback

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"time"

	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/internal/private"
	"guardrails/rules"
	"guardrails/store"
)

// Shared has all guidelines of one tenant in a store, for all projects. The guidelines were saved when a process of
// this computer last read the store. So a project that was not in use for a while gets newer guidelines than the
// guidelines in its own snapshot.
type Shared struct {
	Time time.Time
	// Changes is the number of changes that the store had.
	Changes    int64
	Guidelines []*guideline.Guideline
}

// Selected has those guidelines of a Shared that a project sees, and the layer to which they belong.
type Selected struct {
	Time       time.Time
	Changes    int64
	Layer      string
	Guidelines []rules.Source
}

const sharedFolder = "stores"

// sharedHead is the first line of the file of a Shared. The file ends like the file of a Snapshot.
const sharedHead = `{"format":1,"changes":%d,%s"guidelines":[`

// maxSharedHead is the largest length of the first line of the file of a Shared.
const maxSharedHead = 200

// SaveShared saves all guidelines that a store has for a tenant. It does nothing if the file already has guidelines
// from a state with at least as many changes. So the newest guidelines stay in the file, even if several processes save
// at the same time.
func (k *Keeper) SaveShared(id StoreID, changes int64, list []*guideline.Guideline) error {
	d, _, err := k.Dir(sharedFolder)
	if err != nil {
		return err
	}
	isSaved := func() bool {
		saved := savedHead(d, id)
		return saved != nil && saved.Changes >= changes
	}
	if isSaved() {
		return nil
	}
	return d.WriteUnless(id.fileName(), isSaved, func(to io.Writer) error {
		out := bufio.NewWriterSize(to, writtenAtOnce)
		_, _ = fmt.Fprintf(out, sharedHead, changes, k.Now().UTC().Format(timeForm)) // the writer keeps an error
		return writeGuidelines(out, list)
	})
}

// savedHead reads the first line of the file of a Shared. It returns nil if there is no such line.
func savedHead(d *private.Dir, id StoreID) *Shared {
	f, _, err := d.OpenFile(id.fileName())
	if err != nil {
		return nil
	}
	first := make([]byte, maxSharedHead)
	n, _ := f.ReadAt(first, 0) // the file may be shorter
	_ = f.Close()              // the file is only read
	return parseSharedHead(first[:n])
}

// ReadShared returns what SaveShared has saved for a store. It returns nil if the store had at most the given number of
// changes when the guidelines were saved.
func (k *Keeper) ReadShared(id StoreID, changes int64) (*Shared, error) {
	d, _, err := k.Dir(sharedFolder)
	if err != nil {
		return nil, err
	}
	if saved := savedHead(d, id); saved != nil && saved.Changes <= changes {
		return nil, nil
	}
	text, err := d.Read(id.fileName(), unlimited)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	shared, err := parseShared(text)
	if err != nil {
		return nil, fmt.Errorf("%s is damaged: %w; remove it", d.Path(id.fileName()), err)
	}
	return shared, nil
}

func parseSharedHead(text []byte) *Shared {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	described, problems := document.ParseJSON("", append(bytes.Clone(first), snapshotEnd...))
	if described == nil || len(problems) > 0 || described.Lookup("changes") == nil {
		return nil
	}
	at, err := time.Parse(time.RFC3339, described.LookupText("time"))
	if format := described.Lookup("format"); err != nil || format == nil || format.Text != "1" {
		return nil
	}
	return &Shared{Time: at, Changes: number(described.Lookup("changes"))}
}

func parseShared(text []byte) (*Shared, error) {
	shared, list := parseSharedHead(text), (*document.Node)(nil)
	if shared != nil {
		_, list = splitSnapshot(text)
	}
	if list == nil {
		return nil, errors.New("it is incomplete or has another version")
	}
	for i, n := range list.Items {
		d := &document.Decoder{}
		g := guideline.Decode(d, n, document.Index("guidelines", i))
		if len(d.Problems) > 0 {
			return nil, d.Problems[0]
		}
		shared.Guidelines = append(shared.Guidelines, &g)
	}
	return shared, nil
}

// updated() returns a snapshot with newer guidelines of the store. It keeps the guidelines from files and packs. The
// guidelines of the store are recognized by their time of creation.
func (s *Snapshot) updated(newer *Selected) *Snapshot {
	out := *s
	out.Time, out.Settings.Changes, out.Layers = newer.Time, newer.Changes, slices.Clone(s.Layers)
	at := slices.IndexFunc(out.Layers, func(l Layer) bool { return l.Name == newer.Layer })
	if at < 0 {
		at, out.Layers = len(out.Layers), append(out.Layers, Layer{Name: newer.Layer})
	}
	l := &out.Layers[at]
	own := slices.DeleteFunc(slices.Clone(l.Guidelines), func(g *rules.Source) bool { return !g.CreatedAt.IsZero() })
	known := map[string]rules.Origin{}
	for _, g := range own {
		known[g.ID] = g.Origin
	}
	stored, _ := rules.Unique(newer.Guidelines, known)
	l.Guidelines = slices.Concat(store.Pointers(stored), own)
	return &out
}
