// Package setup installs this product in a project and uninstalls it: the hook entries in the client's settings, the
// server's entry in .mcp.json, and the project's .claude/guardrails.yaml. It changes nothing else in these files.
//
// Start with Prepare, which plans all changes. Apply makes them, all or none. Hooks reads the entries of a settings
// file, and Files returns the settings files that the client reads.
package setup

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"
)

// Options says what to install or uninstall.
type Options struct {
	Target
	// Bin is the absolute path of the folder with the hook programs. It is empty when the entries have only the programs'
	// names, which the client looks up on PATH: then they work on every computer. Windows says which kind of paths and
	// program names to write.
	Bin     string
	Windows bool
	// Packs are the packs to enable. Empty keeps the present choice, and means core in a new project unless NoCore is set.
	Packs  []string
	NoCore bool
	// Strict denies calls when the guidelines are not known. Once set, it stays set.
	Strict bool
	// MCP also installs the MCP server.
	MCP bool
	// Direct makes the client call the server instead of hook programs. It needs MCP, and a client that blocks a call
	// when the server does not answer.
	Direct bool
	// Uninstall removes everything.
	Uninstall bool
	// Record is the file that remembers the former state for uninstalling; empty means none.
	Record string
	// Read returns a file's text. Its error is fs.ErrNotExist for a missing file, and another one for a folder. Use the
	// target's ReadFile.
	Read func(path string) ([]byte, error)
}

// Plan is a set of changes.
type Plan struct {
	Changes []Change
	// Notes are messages for the user.
	Notes []string

	// settings is the client's settings file, entries are our entries that it will have.
	settings string
	entries  []Entry
	// record is the change of the record. folders are removed once they are empty.
	record  *Change
	folders []string
}

// Change is the old and the new text of a file. A nil text means no file.
type Change struct {
	Path          string
	Before, After []byte
	Reasons       []string

	// private says that a new file and its new folders are for its owner only.
	private bool
}

// Kind returns create, change or remove.
func (c *Change) Kind() string {
	switch {
	case c.Before == nil:
		return "create"
	case c.After == nil:
		return "remove"
	}
	return "change"
}

// Prepare plans all changes. When one file cannot be planned there is no plan, and the error names all problems.
func Prepare(o Options) (*Plan, error) {
	p := &planner{Options: o, plan: &Plan{settings: o.Settings}}
	if err := p.readRecord(); err != nil {
		return nil, err
	}
	steps := []func() error{p.chooseConfig, p.enterHooks, p.enterServer}
	if o.Uninstall {
		steps = []func() error{p.removeServer, p.removeHooks, p.removeConfig}
	}
	var failed []error
	for _, step := range steps {
		failed = append(failed, step())
	}
	if err := errors.Join(failed...); err != nil {
		return nil, err
	}
	if err := p.writeRecord(); err != nil {
		return nil, err
	}
	// Readers look for the client's settings first.
	slices.SortStableFunc(p.plan.Changes, func(a, b Change) int { return p.rank(a.Path) - p.rank(b.Path) })
	return p.plan, nil
}

func (p *planner) rank(path string) int {
	return slices.Index([]string{p.Settings, p.Server, p.Config}, path)
}

// planner makes a plan.
type planner struct {
	Options
	plan *Plan
	was  record
	now  record
	// served reports whether our MCP server is installed.
	served bool
}

// read returns a file's text, or nil when there is none.
func (p *planner) read(path string) ([]byte, error) {
	text, err := p.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && text == nil {
		text = []byte{}
	}
	return text, err
}

// change adds a change to the plan, unless the text stays the same.
func (p *planner) change(c Change) {
	if !c.same() {
		p.plan.Changes = append(p.plan.Changes, c)
	}
}

func (c *Change) same() bool {
	return (c.Before == nil) == (c.After == nil) && bytes.Equal(c.Before, c.After)
}

func (p *planner) note(text string) { p.plan.Notes = append(p.plan.Notes, text) }
