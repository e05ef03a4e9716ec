package fallback

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"time"

	"guardrails/config"
	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/internal/private"
	"guardrails/internal/product"
	"guardrails/rules"
	"guardrails/service/guidelinefiles"
	"guardrails/store"
)

// Snapshot holds the last known good guidelines of a project. These are the last guidelines that were read without a
// mistake.
type Snapshot struct {
	Time     time.Time
	Settings Settings
	Layers   []Layer
}

func (s *Snapshot) isEmpty() bool {
	return !slices.ContainsFunc(s.Layers, func(l Layer) bool { return len(l.Guidelines) > 0 })
}

// Count returns the number of guidelines.
func (s *Snapshot) Count() (n int) {
	for i := range s.Layers {
		n += len(s.Layers[i].Guidelines)
	}
	return n
}

// isNewer reports whether the snapshot s is newer than another snapshot. The snapshot from the store with more changes
// is newer. If both stores had the same number of changes, the snapshot with the later time is newer.
func (s *Snapshot) isNewer(other *Snapshot) bool {
	if s.Settings.Changes != other.Settings.Changes {
		return s.Settings.Changes > other.Settings.Changes
	}
	return s.Time.After(other.Time)
}

// InMemory returns a snapshot of guidelines that this process has read. It leaves out the client's rules, because these
// rules are read again for every request. A snapshot on disk leaves them out too.
func InMemory(at time.Time, settings Settings, layers []Layer) *Snapshot {
	for i := range layers {
		layers[i].Guidelines = ofSnapshot(layers[i].Guidelines)
	}
	return &Snapshot{Time: at, Settings: settings, Layers: layers}
}

// ofSnapshot returns copies of guidelines, without the client's rules.
func ofSnapshot(list []*rules.Source) []*rules.Source {
	out := make([]*rules.Source, 0, len(list))
	for _, g := range list {
		if !guidelinefiles.IsClientRule(g) {
			own := *g
			own.Origin = rules.Origin{File: SourceSnapshot}
			out = append(out, &own)
		}
	}
	return out
}

// Settings has the settings that decide which guidelines apply and how strictly.
type Settings struct {
	Tenant string `json:"tenant"`
	Strict bool   `json:"strict"`
	// Database is the path of the default database if guidelines came from it. Otherwise it is empty.
	Database string `json:"database,omitempty"`
	// Changes is the number of changes that the store had.
	Changes int64 `json:"changes,omitempty"`
}

// keptLayer describes one layer in the snapshot file. The file has a single list with the guidelines of all layers, one
// layer after the other. Count is the number of guidelines that belong to this layer.
type keptLayer struct {
	Name         string `json:"name"`
	Count        int    `json:"count"`
	DefaultAgent string `json:"default_agent"`
	Environment  string `json:"environment"`
	Locked       bool   `json:"locked"`
}

var errNoSnapshot = errors.New("there are no last known good guidelines")

// The constant "unlimited" is the limit for reading snapshots: a store may have any number of guidelines.
const unlimited = math.MaxInt64

// snapshotName returns the name of a project's snapshot file. The name depends on the environment variables that
// override settings. So an agent that sets such a variable for a command cannot change the snapshot of other callers.
func (k *Keeper) snapshotName(root, tenant string) string {
	return fileName(append([]string{root, tenant}, config.Overrides(k.Env)...)...)
}

// SaveSnapshot saves the guidelines of a project. s.Time is when the process began to read them. If the file already
// has the same guidelines, SaveSnapshot does not write it again, because the time of the file says when the guidelines
// last changed. If several processes save at the same time, the newest guidelines stay in the file. SaveSnapshot saves
// nothing if outdated() reports that another process has seen newer guidelines. The notice is for the user.
func (k *Keeper) SaveSnapshot(
	root, tenant string, s *Snapshot, outdated func() bool,
) (notice string, err error) {
	d, notice, err := k.Dir(product.SnapshotFolder)
	if err != nil {
		return notice, err
	}
	name := k.snapshotName(root, tenant)
	write := func(to io.Writer) error { return s.write(to, root) }
	if isSaved(d, name, len(snapshotHead(root)), write) {
		return notice, nil
	}
	return notice, d.WriteUnless(name, func() bool { return outdated() || k.hasNewer(d, name, root, s) }, write)
}

// maxHead is the number of bytes that are read from a snapshot's file to find out how new the snapshot is. This
// information is in the first line, which is far shorter.
const maxHead = 64 << 10

// hasNewer reports whether the guidelines in a snapshot's file are newer than the snapshot s. They are newer if they
// were read later than s, from a store with at least as many changes. If they were read earlier, but from a store with
// more changes, hasNewer returns false, because the project may now use another store. The recorded mark of the store
// (see Mark) then decides which guidelines are newer. A file with a time in the future is ignored, because the clock
// was wrong.
func (k *Keeper) hasNewer(d *private.Dir, name, root string, s *Snapshot) bool {
	f, _, err := d.OpenFile(name)
	if err != nil {
		return false
	}
	text := make([]byte, maxHead)
	n, _ := f.ReadAt(text, 0) // the file may be shorter
	_ = f.Close()             // the file is only read
	first, _, _ := bytes.Cut(text[:n], []byte("\n"))
	described, problems := document.ParseJSON("", append(bytes.Clone(first), snapshotEnd...))
	if described == nil || len(problems) > 0 || described.LookupText("project") != root {
		return false
	}
	at, err := time.Parse(time.RFC3339, described.LookupText("time"))
	settings := described.Lookup("settings")
	if err != nil || settings == nil || at.After(k.Now()) {
		return false
	}
	return at.After(s.Time) && number(settings.Lookup("changes")) >= s.Settings.Changes
}

const timeForm = `"time":"2006-01-02T15:04:05.000000Z",`

func snapshotHead(root string) []byte {
	return append(document.AppendText([]byte(`{"format":2,"project":`), root), ',')
}

// write() writes the content of a snapshot's file. There can be many guidelines. So write() does not build the whole
// text in memory, but encodes and writes each guideline by itself.
func (s *Snapshot) write(to io.Writer, root string) error {
	var own []*guideline.Guideline
	var kept []keptLayer
	for i := range s.Layers {
		l, before := &s.Layers[i], len(own)
		for _, g := range l.Guidelines {
			if !guidelinefiles.IsClientRule(g) {
				own = append(own, &g.Guideline)
			}
		}
		kept = append(kept, keptLayer{l.Name, len(own) - before, l.DefaultAgent, l.Environment, l.Locked})
	}
	encoded, err := json.Marshal(s.Settings)
	if err != nil {
		return err
	}
	described, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(to, writtenAtOnce)
	_, _ = out.Write(snapshotHead(root)) // the writer keeps an error, and Flush returns it
	_, _ = out.WriteString(s.Time.UTC().Format(timeForm))
	_, _ = fmt.Fprintf(out, `"settings":%s,"layers":%s,"guidelines":[`, encoded, described)
	return writeGuidelines(out, own)
}

// writeGuidelines writes the guidelines of a snapshot, and the end of its file.
func writeGuidelines(out *bufio.Writer, list []*guideline.Guideline) error {
	separator := "\n"
	for _, g := range list {
		encoded, err := guideline.Encode(g)
		if err != nil {
			return err
		}
		_, _ = out.WriteString(separator)
		_, _ = out.Write(encoded)
		separator = ",\n"
	}
	if len(list) == 0 {
		_, _ = out.WriteString("\n")
	}
	_, _ = out.WriteString("\n" + snapshotEnd)
	return out.Flush()
}

// ReadSnapshot reads the last known good guidelines of a project.
func (k *Keeper) ReadSnapshot(root, tenant string) (*Snapshot, error) {
	text, path, err := k.snapshotText(root, tenant)
	if err != nil {
		return nil, err
	}
	last, err := parseSnapshot(root, text)
	if err != nil {
		return nil, fmt.Errorf("%s %w", path, err)
	}
	return last, nil
}

func (k *Keeper) snapshotText(root, tenant string) (text []byte, path string, err error) {
	d, _, err := k.Dir(product.SnapshotFolder)
	if err != nil {
		return nil, "", err
	}
	name := k.snapshotName(root, tenant)
	text, err = d.Read(name, unlimited)
	if errors.Is(err, fs.ErrNotExist) {
		err = errNoSnapshot
	}
	return text, d.Path(name), err
}

// LastDatabase returns the path of the default database if the last known good guidelines of a project came from it.
// Otherwise it returns "". LastDatabase does not read the guidelines.
func (k *Keeper) LastDatabase(root, tenant string) string {
	text, _, err := k.snapshotText(root, tenant)
	if err != nil || !bytes.HasPrefix(text, snapshotHead(root)) {
		return ""
	}
	first, _, _ := bytes.Cut(text, []byte("\n"))
	described, _ := document.ParseJSON("", append(bytes.Clone(first), snapshotEnd...))
	if described == nil {
		return "" // the file is damaged
	}
	if settings := described.Lookup("settings"); settings != nil {
		return settings.LookupText("database")
	}
	return ""
}

// snapshotEnd is the last line of a snapshot file.
const snapshotEnd = "]}\n"

// splitSnapshot splits a snapshot file into the document that describes the snapshot, and the list of its guidelines.
// The file is one JSON document. Each guideline is on a line of its own and is parsed alone, so the file can have any
// size.
func splitSnapshot(text []byte) (described, list *document.Node) {
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	described, problems := document.ParseJSON("", append(bytes.Clone(first), snapshotEnd...))
	if described == nil || len(problems) > 0 || described.Kind != document.Object {
		return nil, nil
	}
	lines, complete := bytes.CutSuffix(rest, []byte(snapshotEnd))
	if !complete {
		return nil, nil
	}
	list = &document.Node{Kind: document.List}
	for line := range bytes.Lines(lines) {
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte(","))
		if len(line) == 0 {
			continue
		}
		n, problems := document.ParseJSON("", line)
		if n == nil || len(problems) > 0 {
			return nil, nil
		}
		list.Items = append(list.Items, n)
	}
	return described, list
}

// parseSnapshot parses a snapshot file. It returns an error if SaveSnapshot could not have written the file for this
// project.
func parseSnapshot(root string, text []byte) (*Snapshot, error) {
	n, list := splitSnapshot(text)
	if n == nil {
		return nil, errors.New("is damaged; remove it")
	}
	if format := n.Lookup("format"); format == nil || format.Text != "2" {
		return nil, errors.New("has another version; remove it")
	}
	if n.LookupText("project") != root {
		return nil, errors.New("belongs to another project; remove it")
	}
	when, err := time.Parse(time.RFC3339, n.LookupText("time"))
	settings, described := n.Lookup("settings"), n.Lookup("layers")
	if err != nil || settings == nil || !isList(described) || !isList(n.Lookup("guidelines")) {
		return nil, errors.New("is damaged; remove it")
	}
	sources, err := guidelinefiles.Decode(list, "guidelines", SourceSnapshot)
	if err != nil {
		return nil, fmt.Errorf("has an invalid guideline: %w; remove this file", err)
	}
	layers, ok := divide(store.Pointers(sources), described)
	if !ok {
		return nil, errors.New("is damaged; remove it")
	}
	return &Snapshot{Time: when, Layers: layers, Settings: Settings{
		Tenant: settings.LookupText("tenant"), Strict: isTrue(settings.Lookup("strict")),
		Database: settings.LookupText("database"), Changes: number(settings.Lookup("changes")),
	}}, nil
}

// divide() splits the list of guidelines into layers. The parameter "described" says how many guidelines each layer
// has. The result "ok" is false if these numbers do not fit the list.
func divide(all []*rules.Source, described *document.Node) (layers []Layer, ok bool) {
	for _, n := range described.Items {
		number := n.Lookup("count")
		if number == nil {
			return nil, false
		}
		count, err := strconv.Atoi(number.Text)
		if err != nil || count < 0 || count > len(all) {
			return nil, false
		}
		layers = append(layers, Layer{
			Name: n.LookupText("name"), DefaultAgent: n.LookupText("default_agent"), Environment: n.LookupText("environment"),
			Locked: isTrue(n.Lookup("locked")), Guidelines: all[:count:count],
		})
		all = all[count:]
	}
	return layers, len(all) == 0
}

// number() returns the number in a node, or 0 if there is none.
func number(n *document.Node) (value int64) {
	if n != nil {
		value, _ = strconv.ParseInt(n.Text, 10, 64)
	}
	return value
}

func isList(n *document.Node) bool { return n != nil && n.Kind == document.List }

func isTrue(n *document.Node) bool { return n != nil && n.Text == "true" }
