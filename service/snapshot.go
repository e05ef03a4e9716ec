package service

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"guardrails/config"
	"guardrails/hooks/session"
	"guardrails/internal/document"
	"guardrails/internal/product"
	"guardrails/rules"
)

// snapshot is the last guidelines of a project that were read without a mistake.
type snapshot struct {
	time       time.Time
	settings   lastSettings
	guidelines []rules.Source
}

// lastSettings are those of the project's settings that decide whose guidelines hold and how strictly.
type lastSettings struct {
	Tenant       string `json:"tenant"`
	DefaultAgent string `json:"default_agent"`
	Environment  string `json:"environment"`
	Strict       bool   `json:"strict"`
	// Database is the one that nobody had to name and that guidelines came from; empty where none did.
	Database string `json:"database,omitempty"`
}

func (l *lastSettings) apply(c *config.Config) {
	c.Tenant, c.DefaultAgent, c.Environment, c.Strict = l.Tenant, l.DefaultAgent, l.Environment, l.Strict
}

var errNoSnapshot = errors.New("there is none")

// keep saves a project's guidelines, and forgets that something was wrong. It returns what could not be done.
func (s *Service) keep(root string, r *Request, known *remembered) []string {
	if s.memory != nil && known.saved.Load() && s.memory.recent(&known.kept, s.glance) {
		return nil
	}
	notices := s.endOutage(root)
	if known.saved.Load() {
		if s.memory != nil && len(notices) == 0 {
			known.kept.Store(s.memory.passed())
		}
		return notices
	}
	return append(notices, s.save(root, r, known)...)
}

// save writes a project's guidelines down when they are others than before. It returns what could not be done.
func (s *Service) save(root string, r *Request, known *remembered) (notices []string) {
	if known.saved.Load() {
		return nil
	}
	d, note, err := s.state(product.SnapshotFolder)
	if note != "" {
		notices = append(notices, note)
	}
	if err == nil {
		err = s.writeSnapshot(d, root, r, known.held)
	}
	if err == nil {
		err = s.noteSighting(known.held)
	}
	if err != nil {
		return append(notices, "guardrails cannot keep the guidelines for a time when they cannot be read: "+err.Error())
	}
	// Where there is a note, each answer is to have it.
	known.saved.Store(note == "")
	return notices
}

// writeSnapshot leaves a file alone that says the same: its time is when the guidelines became what they are. One that
// cannot be read, or is no longer a file of ours, is replaced.
func (s *Service) writeSnapshot(d *session.Dir, root string, r *Request, h *held) error {
	head := snapshotHead(root)
	rest, err := snapshotRest(h)
	if err != nil {
		return err
	}
	name := s.snapshotName(root, r)
	old, err := d.Read(name, document.MaxSize)
	if err == nil && bytes.HasPrefix(old, head) && bytes.HasSuffix(old, rest) && len(old) == len(head)+len(timeForm)+len(rest) {
		return nil
	}
	text := slices.Concat(head, []byte(s.now().UTC().Format(timeForm)), rest)
	if len(text) > document.MaxSize {
		return fmt.Errorf("they are larger than %d MiB", document.MaxSize>>20)
	}
	return d.Write(name, text)
}

// timeForm is the time as it stands in the file, with what is around it.
const timeForm = `"time":"2006-01-02T15:04:05Z",`

func snapshotHead(root string) []byte {
	return append(document.AppendText([]byte(`{"format":1,"project":`), root), ',')
}

// snapshotRest is everything in the file that can become another.
func snapshotRest(h *held) ([]byte, error) {
	c := &h.settings
	settings, err := json.Marshal(lastSettings{c.Tenant, c.DefaultAgent, c.Environment, c.Strict, h.database()})
	if err != nil {
		return nil, err
	}
	pack, err := rules.EncodePack((&rules.Loaded{Guidelines: lasting(h.guidelines)}).Plain())
	if err != nil {
		return nil, err
	}
	return slices.Concat([]byte(`"settings":`), settings, []byte(","), pack[len("{"):]), nil
}

// database is the place of a store that took part without having been named.
func (h *held) database() string {
	if h.store.from == nil || h.settings.Store != nil {
		return ""
	}
	return h.store.from.Place()
}

// snapshotName is the file for a project as it is seen under the variables that are set: who sets others must not change
// what holds for those who do not. A caller who is bound to the project's tenant sees what the project does.
func (s *Service) snapshotName(root string, r *Request) string {
	tenant := r.TenantID
	if r.bound {
		tenant = ""
	}
	seen := append([]string{root, tenant}, config.Overrides(s.env)...)
	sum := sha256.Sum256([]byte(strings.Join(seen, "\x00")))
	return hex.EncodeToString(sum[:16]) + ".json"
}

// lasting are the guidelines that are kept; the client's rules are read anew, as the client does.
func lasting(sources []rules.Source) []rules.Source {
	return slices.DeleteFunc(slices.Clone(sources), func(s rules.Source) bool { return fromClientRules(&s) })
}

func (s *Service) readSnapshot(root string, r *Request) (*snapshot, error) {
	d, _, err := s.state(product.SnapshotFolder)
	if err != nil {
		return nil, err
	}
	name := s.snapshotName(root, r)
	text, err := d.Read(name, document.MaxSize)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNoSnapshot
	}
	if err != nil {
		return nil, err
	}
	last, err := parseSnapshot(root, text)
	if err != nil {
		return nil, fmt.Errorf("%s %w", d.Path(name), err)
	}
	return last, nil
}

// parseSnapshot takes nothing that this program would not have written.
func parseSnapshot(root string, text []byte) (*snapshot, error) {
	n, problems := document.ParseJSON("", text)
	if n == nil || len(problems) > 0 || n.Kind != document.Object {
		return nil, errors.New("is damaged; remove it")
	}
	if format := field(n, "format"); format == nil || format.Text != "1" {
		return nil, errors.New("is of another version; remove it")
	}
	if textOf(n, "project") != root {
		return nil, errors.New("is of another project; remove it")
	}
	when, err := time.Parse(time.RFC3339, textOf(n, "time"))
	settings, list := field(n, "settings"), field(n, "guidelines")
	if err != nil || settings == nil || list == nil || list.Kind != document.List {
		return nil, errors.New("is damaged; remove it")
	}
	sources, err := decodeGuidelines(list, "guidelines", "snapshot")
	if err != nil {
		return nil, fmt.Errorf("holds a guideline that cannot be used: %w; remove it", err)
	}
	strict := field(settings, "strict")
	return &snapshot{time: when, guidelines: sources, settings: lastSettings{
		Tenant: textOf(settings, "tenant"), DefaultAgent: textOf(settings, "default_agent"),
		Environment: textOf(settings, "environment"), Strict: strict != nil && strict.Text == "true",
		Database: textOf(settings, "database"),
	}}, nil
}
