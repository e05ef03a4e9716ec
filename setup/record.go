package setup

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"guardrails/setup/jsontext"
)

// The type "record" describes the files as they were before the first edit. It has only facts that the edited files do
// not show: whether the files existed, the white space in empty lists and objects, and the text of guardrails.yaml. It
// contains nothing that people wrote in the client's settings. Without a record, uninstalling still restores the
// client's settings, but perhaps not the white space in them, and it does not restore guardrails.yaml.
type record struct {
	Format int `json:"format"`
	// The field "For" is the path of the project, or of the user's settings file.
	For     string                `json:"for"`
	Files   map[string]fileRecord `json:"files"`
	Folders []string              `json:"folders,omitempty"`
}

const recordFormat = 1

// fileRecord describes the state of a file before our first edit.
type fileRecord struct {
	Created bool `json:"created,omitempty"`
	// The field "Blank" is the text of a file that had only white space.
	Blank *string `json:"blank,omitempty"`
	// The field "Empty" has the lists and objects that were empty. It maps the path of each of them to its text.
	Empty map[string]string `json:"empty,omitempty"`
	// The field "Before" is the former text of guardrails.yaml. The field "After" is a hash of the new text that replaced
	// the former text.
	Before *string `json:"before,omitempty"`
	After  string  `json:"after,omitempty"`
}

// RecordPath returns the path of a target's record in the state folder.
func RecordPath(stateDir string, t Target) string {
	return filepath.Join(stateDir, "init", digest([]byte(t.Settings))[:32]+".json")
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func (p *planner) readRecord() error {
	p.now = record{Format: recordFormat, For: p.Settings, Files: map[string]fileRecord{}}
	if p.Record == "" {
		return nil
	}
	text, err := p.read(p.Record)
	if err != nil || text == nil {
		return err
	}
	if json.Unmarshal(text, &p.was) != nil || p.was.Format != recordFormat || p.was.For != p.Settings {
		p.was = record{}
		p.note(p.Record + ": is damaged or of another version, so init --uninstall cannot restore the earlier settings")
	}
	return nil
}

// writeRecord plans to write the record, or to remove it after an uninstall.
func (p *planner) writeRecord() error {
	p.foldersOf(p.plan.Changes)
	if p.Record == "" {
		return nil
	}
	before, err := p.read(p.Record)
	if err != nil {
		return err
	}
	c := &Change{Path: p.Record, Before: before, private: true}
	if !p.Uninstall && len(p.now.Files) > 0 {
		text, err := json.MarshalIndent(&p.now, "", "  ")
		if err != nil {
			return err
		}
		c.After = slices.Concat(text, []byte("\n"))
	}
	if !c.same() {
		p.plan.record = c
	}
	return nil
}

func (r *record) set(path string, f fileRecord) {
	if f.Created || f.Blank != nil || len(f.Empty) > 0 || f.After != "" {
		r.Files[path] = f
	}
}

func (f *fileRecord) remember(path, raw string) {
	f.Empty = maps.Clone(f.Empty)
	if f.Empty == nil {
		f.Empty = map[string]string{}
	}
	f.Empty[path] = raw
}

// blankContainer reports whether a text from the record is an empty list or object. Uninstalling restores only such
// texts from this part of the record.
func blankContainer(raw string) bool {
	if len(raw) < 2 || raw[:1]+raw[len(raw)-1:] != "{}" && raw[:1]+raw[len(raw)-1:] != "[]" {
		return false
	}
	return strings.Trim(raw[1:len(raw)-1], " \t\r\n") == ""
}

// blankText returns the text of a file that had only white space.
func (f *fileRecord) blankText() ([]byte, bool) {
	if f.Blank == nil || !jsontext.Blank([]byte(*f.Blank)) {
		return nil, false
	}
	return []byte(*f.Blank), true
}

// foldersOf records the folders that the changes will create. When uninstalling, it plans to remove the folders that
// earlier changes created.
func (p *planner) foldersOf(changes []Change) {
	if p.Uninstall {
		p.plan.folders = p.was.Folders
		return
	}
	p.now.Folders = p.was.Folders
	for i := range changes {
		for dir := filepath.Dir(changes[i].Path); dir != p.Root && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
			if _, err := p.Read(dir); !errors.Is(err, fs.ErrNotExist) {
				break
			}
			if !slices.Contains(p.now.Folders, dir) {
				p.now.Folders = append(p.now.Folders, dir)
			}
		}
	}
}
