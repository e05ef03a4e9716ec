// Package setup installs this product in a project and uninstalls it. It edits the hook entries in the client's
// settings, the server's entry in .mcp.json, and the project's .claude/guardrails.yaml. It changes nothing else in
// these files.
//
// Start with Prepare, which plans all changes. Apply makes all of them, or none. Hooks reads the entries of a settings
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
	// Bin is the absolute path of the folder with the hook programs. If it is empty, the entries have only the names of
	// the programs and work on every computer, because the client finds the programs on PATH. Windows says which kind
	// of paths and program names to write.
	Bin     string
	Windows bool
	// Packs lists the packs to enable. If the list is empty, the present choice stays. A new project then gets the pack
	// "core", unless NoCore is set.
	Packs  []string
	NoCore bool
	// If Strict is set, hooks deny calls while the guidelines are not known. A later run of init in which Strict is not
	// set leaves strict mode on.
	Strict bool
	// MCP is set if the MCP server is installed too.
	MCP bool
	// Mask is set if the hook that masks personal data on the screen is installed too.
	Mask bool
	// If Direct is set, the client calls the server instead of hook programs. MCP must be set too, and the client must be
	// a version that blocks a call if the server does not answer.
	Direct bool
	// If Uninstall is set, Prepare plans to remove everything.
	Uninstall bool
	// Record is the path of the file that describes the state before our edits. Uninstalling needs this file. If Record is
	// empty, there is no record.
	Record string
	// Read returns a file's text. If the file does not exist, the error is fs.ErrNotExist. If the path is a folder, Read
	// returns another error. Set Read to the target's ReadFile.
	Read func(path string) ([]byte, error)
}

// Plan is a set of changes.
type Plan struct {
	Changes []Change
	// Notes are messages for the user.
	Notes []string

	// The field "settings" is the client's settings file. The field "entries" lists our entries that the file will
	// have.
	settings string
	entries  []Entry
	// The field "record" is the change of the file at Options.Record. The field "folders" lists the folders that
	// are removed if they are empty after all changes.
	record  *Change
	folders []string
}

// Change is the old and the new text of a file. A nil text means that the file does not exist.
type Change struct {
	Path          string
	Before, After []byte
	Reasons       []string

	// The field "private" is set if only the owner is allowed to read the new file and its new folders.
	private bool
}

// Kind returns "create", "change" or "remove".
func (c *Change) Kind() string {
	switch {
	case c.Before == nil:
		return "create"
	case c.After == nil:
		return "remove"
	}
	return "change"
}

// Prepare plans all changes. If one file cannot be changed, it returns no plan, and the error names all problems.
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
	// People who read the plan want to see the client's settings first.
	slices.SortStableFunc(p.plan.Changes, func(a, b Change) int { return p.rank(a.Path) - p.rank(b.Path) })
	return p.plan, nil
}

func (p *planner) rank(path string) int {
	return slices.Index([]string{p.Settings, p.Server, p.Config}, path)
}

type planner struct {
	Options
	plan   *Plan
	was    record
	now    record
	served bool
}

// read() returns a file's text, or nil if there is no file.
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

// change() adds a change to the plan, unless the text stays the same.
func (p *planner) change(c Change) {
	if !c.same() {
		p.plan.Changes = append(p.plan.Changes, c)
	}
}

func (c *Change) same() bool {
	return (c.Before == nil) == (c.After == nil) && bytes.Equal(c.Before, c.After)
}

func (p *planner) note(text string) { p.plan.Notes = append(p.plan.Notes, text) }
