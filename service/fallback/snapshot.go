package fallback

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"guardrails/config"
	"guardrails/internal/document"
	"guardrails/internal/private"
	"guardrails/internal/product"
	"guardrails/rules"
	"guardrails/service/files"
)

// Snapshot is the last guidelines of a project that were read without a mistake.
type Snapshot struct {
	Time       time.Time
	Settings   Settings
	Guidelines []rules.Source
}

// Settings are the project's settings that decide which guidelines apply and how strictly.
type Settings struct {
	Tenant       string `json:"tenant"`
	DefaultAgent string `json:"default_agent"`
	Environment  string `json:"environment"`
	Strict       bool   `json:"strict"`
	// Database is the default database if guidelines came from it; empty otherwise.
	Database string `json:"database,omitempty"`
}

// Apply copies the settings into a configuration.
func (s *Settings) Apply(c *config.Config) {
	c.Tenant, c.DefaultAgent, c.Environment, c.Strict = s.Tenant, s.DefaultAgent, s.Environment, s.Strict
}

var errNoSnapshot = errors.New("there is none")

// snapshotName returns the name of a project's snapshot file. The name depends on the variables that are set, so that a
// caller who sets some does not change the guidelines of callers who do not.
func (k *Keeper) snapshotName(root, tenant string) string {
	return fileName(append([]string{root, tenant}, config.Overrides(k.Env)...)...)
}

// SaveSnapshot saves the guidelines of a project. It does not rewrite a file that has the same guidelines, because the
// file's time says when they last changed. The notice is for the user.
func (k *Keeper) SaveSnapshot(
	root, tenant string, settings Settings, guidelines []rules.Source,
) (notice string, err error) {
	d, notice, err := k.Dir(product.SnapshotFolder)
	if err != nil {
		return notice, err
	}
	head := snapshotHead(root)
	rest, err := snapshotRest(settings, guidelines)
	if err != nil {
		return notice, err
	}
	name := k.snapshotName(root, tenant)
	if isSaved(d, name, head, rest) {
		return notice, nil
	}
	text := slices.Concat(head, []byte(k.Now().UTC().Format(timeForm)), rest)
	if len(text) > document.MaxSize {
		return notice, fmt.Errorf("they are larger than %d MiB", document.MaxSize>>20)
	}
	return notice, d.Write(name, text)
}

// isSaved reports whether a file has the same text, ignoring the time.
func isSaved(d *private.Dir, name string, head, rest []byte) bool {
	old, err := d.Read(name, document.MaxSize)
	return err == nil && bytes.HasPrefix(old, head) && bytes.HasSuffix(old, rest) &&
		len(old) == len(head)+len(timeForm)+len(rest)
}

// timeForm is the layout of the time field in the file.
const timeForm = `"time":"2006-01-02T15:04:05Z",`

func snapshotHead(root string) []byte {
	return append(document.AppendText([]byte(`{"format":1,"project":`), root), ',')
}

func snapshotRest(settings Settings, guidelines []rules.Source) ([]byte, error) {
	encoded, err := json.Marshal(settings)
	if err != nil {
		return nil, err
	}
	// The client's rules are left out, because they are always read from their own files, as the client reads them.
	kept := slices.DeleteFunc(slices.Clone(guidelines), func(s rules.Source) bool { return files.IsClientRule(&s) })
	pack, err := rules.EncodePack((&rules.Loaded{Guidelines: kept}).Plain())
	if err != nil {
		return nil, err
	}
	return slices.Concat([]byte(`"settings":`), encoded, []byte(","), pack[len("{"):]), nil
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
	text, err = d.Read(name, document.MaxSize)
	if errors.Is(err, fs.ErrNotExist) {
		err = errNoSnapshot
	}
	return text, d.Path(name), err
}

// LastDatabase returns the default database if the last known good guidelines of a project came from it; empty
// otherwise. It does not read the guidelines.
func (k *Keeper) LastDatabase(root, tenant string) string {
	text, _, err := k.snapshotText(root, tenant)
	if err != nil || !bytes.HasPrefix(text, snapshotHead(root)) {
		return ""
	}
	members, _ := document.Members(text) // the members of a damaged file are nil
	for _, m := range members {
		if m.Name == "settings" {
			settings, _ := document.ParseJSON("", m.Raw)
			return settings.LookupText("database")
		}
	}
	return ""
}

// parseSnapshot accepts only what this program writes.
func parseSnapshot(root string, text []byte) (*Snapshot, error) {
	n, problems := document.ParseJSON("", text)
	if n == nil || len(problems) > 0 || n.Kind != document.Object {
		return nil, errors.New("is damaged; remove it")
	}
	if format := n.Lookup("format"); format == nil || format.Text != "1" {
		return nil, errors.New("has another version; remove it")
	}
	if n.LookupText("project") != root {
		return nil, errors.New("belongs to another project; remove it")
	}
	when, err := time.Parse(time.RFC3339, n.LookupText("time"))
	settings, list := n.Lookup("settings"), n.Lookup("guidelines")
	if err != nil || settings == nil || list == nil || list.Kind != document.List {
		return nil, errors.New("is damaged; remove it")
	}
	sources, err := files.Decode(list, "guidelines", SourceSnapshot)
	if err != nil {
		return nil, fmt.Errorf("has a guideline that cannot be used: %w; remove it", err)
	}
	strict := settings.Lookup("strict")
	return &Snapshot{Time: when, Guidelines: sources, Settings: Settings{
		Tenant: settings.LookupText("tenant"), DefaultAgent: settings.LookupText("default_agent"),
		Environment: settings.LookupText("environment"), Strict: strict != nil && strict.Text == "true",
		Database: settings.LookupText("database"),
	}}, nil
}
