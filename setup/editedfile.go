package setup

import (
	"strings"

	"guardrails/internal/document"
	"guardrails/setup/jsontext"
)

type editedFile struct {
	*jsontext.Text
	path    string
	before  []byte
	was     fileRecord
	now     fileRecord
	reasons []string
}

// open() reads a JSON file for editing. If the file is missing, the result is an empty object.
func (p *planner) open(path string) (*editedFile, error) {
	before, err := p.read(path)
	if err != nil {
		return nil, err
	}
	t, err := jsontext.Parse(path, before)
	if err != nil {
		return nil, unread(err)
	}
	if err := t.Want(t.At(), "", document.Object); err != nil {
		return nil, misread(err)
	}
	return &editedFile{Text: t, path: path, before: before, was: p.was.Files[path]}, nil
}

// close() adds the new text of the file to the plan. It also adds the former state of the file to the new record.
func (p *planner) close(d *editedFile) {
	p.change(Change{Path: d.path, Before: d.before, After: d.Bytes(), Reasons: d.reasons})
	p.now.set(d.path, d.now)
}

// recall() fills in the new record of the file. If the file already has our entries, the new record is a copy of the
// old one.
func (d *editedFile) recall(ours bool) {
	if ours {
		d.now = d.was
		return
	}
	d.now = fileRecord{Created: d.before == nil}
	if d.before != nil && jsontext.Blank(d.before) {
		text := string(d.before)
		d.now.Blank = &text
	} else if root := d.At(); d.before != nil && isEmpty(root) {
		d.now.remember("", d.Raw(root))
	}
}

func (d *editedFile) say(reason string) { d.reasons = append(d.reasons, reason) }

func (d *editedFile) hooks() ([]Entry, error) { return read(d.Text) }

// keepSpaces records the white space in a list or object that is empty and will now be filled.
func (d *editedFile) keepSpaces(path ...any) {
	if n := d.At(path...); isEmpty(n) {
		d.now.remember(key(path), d.Raw(n))
	}
}

// dropHook removes an entry. If its group becomes empty, dropHook removes the group, too.
func (d *editedFile) dropHook(e *Entry) {
	group := []any{"hooks", e.Event, e.group}
	if len(d.At(append(group, "hooks")...).Items) > 1 {
		group = append(group, "hooks", e.index)
	}
	d.Remove(group...)
}

// prune() removes a list or object if it has become empty. If it was also empty before our first edit, prune() restores
// its white space instead.
func (d *editedFile) prune(path ...any) {
	n := d.At(path...)
	if n == nil || !isEmpty(n) {
		return
	}
	if raw, known := d.was.Empty[key(path)]; known && blankContainer(raw) {
		d.Restore(raw, path...)
		return
	}
	d.Remove(path...)
}

func isEmpty(n *jsontext.Node) bool {
	return n != nil && (n.Kind == document.Object || n.Kind == document.List) && len(n.Members)+len(n.Items) == 0
}

// key() returns the text under which the record stores a path.
func key(path []any) string {
	var names []string
	for _, step := range path {
		if name, ok := step.(string); ok {
			names = append(names, name)
		}
	}
	return strings.Join(names, ".")
}
