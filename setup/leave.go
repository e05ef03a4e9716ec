package setup

import "slices"

func (p *planner) removeHooks() error {
	d, err := p.openExisting(p.Settings)
	if d == nil || err != nil {
		return err
	}
	found, err := d.hooks()
	if err != nil {
		return err
	}
	var events []string
	for _, e := range slices.Backward(found) {
		if !e.Ours() {
			continue
		}
		d.dropHook(&e)
		d.prune("hooks", e.Event)
		if !slices.Contains(events, e.Event) {
			events = append(events, e.Event)
		}
	}
	if len(events) > 0 {
		d.prune("hooks")
		slices.Reverse(events)
		d.say("removes the hooks of " + words(events))
	}
	if p.served {
		d.disableServer()
	}
	p.closeRemoved(d)
	return nil
}

// openExisting opens a file like open(), but it returns nil if the file is missing. In that case, there is nothing to
// remove.
func (p *planner) openExisting(path string) (*editedFile, error) {
	if text, err := p.read(path); text == nil {
		return nil, err
	}
	return p.open(path)
}

// closeRemoved adds to the plan a text of the file without our entries. If nothing else remains in the file,
// closeRemoved restores the blank text that the file had before. If "guardrails init" created the file, closeRemoved
// plans to remove it.
func (p *planner) closeRemoved(d *editedFile) {
	if len(d.reasons) == 0 {
		return
	}
	c := Change{Path: d.path, Before: d.before, Reasons: d.reasons}
	if blank, ok := d.was.blankText(); isEmpty(d.At()) && (ok || d.was.Created) {
		if !d.was.Created {
			c.After = blank
		}
	} else {
		if raw, known := d.was.Empty[""]; known && isEmpty(d.At()) && blankContainer(raw) {
			d.Restore(raw)
		}
		c.After = d.Bytes()
	}
	p.change(c)
}
