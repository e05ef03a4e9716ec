// Package setup writes this product into a project and takes it out again: the hook entries in the client's
// settings, the server's entry in .mcp.json, and the project's own .claude/guardrails.yaml. What other people wrote in
// those files stays byte for byte.
//
// Start with Prepare, which plans every change without making any; Apply makes them, all or none. Hooks reads which
// hooks a settings file has, Files says which settings files the client reads.
package setup

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"
)

// Options says what is to be set up, or taken out.
type Options struct {
	Target
	// Bin is the absolute path of the folder of the hook binaries; Windows says how paths and programs are named.
	Bin     string
	Windows bool
	// Packs are to be in force in the project; empty leaves the choice as it is, and means core in a new project.
	Packs []string
	// Strict denies where guidelines cannot be known. It stays once it is set.
	Strict bool
	// OnFailure says that the installed client knows the key onFailure.
	OnFailure bool
	// MCP also enters the MCP server.
	MCP bool
	// Direct has the client call the server for hooks, and start no programs. It goes with MCP and OnFailure alone: where
	// no server is entered nobody answers, and without OnFailure calls run then.
	Direct bool
	// Uninstall takes out what was set up.
	Uninstall bool
	// Record is the file that remembers what was there before, so that uninstalling can restore it; empty means none.
	Record string
	// Read returns a file's text; its error is fs.ErrNotExist for what is not there, and another one for a folder. The
	// target's ReadFile is the one to use.
	Read func(path string) ([]byte, error)
}

// Plan is what would be changed.
type Plan struct {
	Changes []Change
	// Notes are what a person should know beside the changes.
	Notes []string

	// record is the change of the record; folders are to be removed once they are empty.
	record  *Change
	folders []string
}

// Change is what becomes of one file. A nil text is no file.
type Change struct {
	Path          string
	Before, After []byte
	Reasons       []string

	// private says that a new file, and the folders made for it, are for its owner alone.
	private bool
}

// Kind says in a word what a change does: create, change or remove.
func (c *Change) Kind() string {
	switch {
	case c.Before == nil:
		return "create"
	case c.After == nil:
		return "remove"
	}
	return "change"
}

// Prepare plans every change; where one file cannot be planned there is no plan, and the error names everything that is
// in the way.
func Prepare(o Options) (*Plan, error) {
	p := &planner{Options: o, plan: &Plan{}}
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
	// The client's settings are what a reader looks for first.
	slices.SortStableFunc(p.plan.Changes, func(a, b Change) int { return p.rank(a.Path) - p.rank(b.Path) })
	return p.plan, nil
}

func (p *planner) rank(path string) int {
	return slices.Index([]string{p.Settings, p.Server, p.Config}, path)
}

// planner is the work on one plan.
type planner struct {
	Options
	plan *Plan
	was  record
	now  record
	// served says that our MCP server was entered.
	served bool
}

// read is a file's text; nil says that there is none.
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

// change puts a file into the plan, unless it stays as it is.
func (p *planner) change(c Change) {
	if !c.same() {
		p.plan.Changes = append(p.plan.Changes, c)
	}
}

func (c *Change) same() bool {
	return (c.Before == nil) == (c.After == nil) && bytes.Equal(c.Before, c.After)
}

func (p *planner) note(text string) { p.plan.Notes = append(p.plan.Notes, text) }
