package setup_test

import (
	"io/fs"
	"maps"
	"testing"

	"guardrails/setup"
)

// disk is a set of files in memory.
type disk map[string]string

func (d disk) read(path string) ([]byte, error) {
	if text, ok := d[path]; ok {
		return []byte(text), nil
	}
	return nil, fs.ErrNotExist
}

const (
	settingsFile = "/p/.claude/settings.json"
	configFile   = "/p/.claude/guardrails.yaml"
	serverFile   = "/p/.mcp.json"
	recordFile   = "/state/record.json"
)

// project() returns the options for a project whose client supports every feature.
func (d disk) project() setup.Options {
	return setup.Options{
		Target: setup.ForProject("/p"), Bin: "/usr/local/bin", Record: recordFile, Read: d.read,
	}
}

// filesAfter returns the files as they are after the plan for the options has been applied.
func (d disk) filesAfter(t *testing.T, o setup.Options) (disk, *setup.Plan) {
	t.Helper()
	plan, err := setup.Prepare(o)
	if err != nil {
		t.Fatal(err)
	}
	next := maps.Clone(d)
	for _, c := range plan.All() {
		if c.After == nil {
			delete(next, c.Path)
		} else {
			next[c.Path] = string(c.After)
		}
	}
	return next, plan
}

// setUp returns the files after init has run. Before init runs, change() adjusts the options. change may be nil.
func (d disk) setUp(t *testing.T, change func(*setup.Options)) disk {
	t.Helper()
	o := d.project()
	if change != nil {
		change(&o)
	}
	next, _ := d.filesAfter(t, o)
	return next
}

func (d disk) uninstalled(t *testing.T) disk {
	t.Helper()
	o := d.project()
	o.Uninstall = true
	next, _ := d.filesAfter(t, o)
	return next
}

// reasons() returns a plan's reasons for changing a file.
func reasons(plan *setup.Plan, path string) []string {
	for _, c := range plan.Changes {
		if c.Path == path {
			return c.Reasons
		}
	}
	return nil
}
