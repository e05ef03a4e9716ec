package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"guardrails/internal/product"
	"guardrails/setup"
)

const linkSettings = "settings"

// settingsFile is a settings file that exists.
type settingsFile struct {
	setup.File
	text    []byte
	entries []setup.Entry
	// The field "err" is not nil if the file cannot be read or has malformed hooks.
	err error
}

// readSettings reads all settings files that the client merges. The file with the lowest precedence comes first.
func (x *Examination) readSettings() {
	for _, f := range setup.Files(x.root, product.ClientDir(x.Env), x.System) {
		known := slices.ContainsFunc(x.files, func(have settingsFile) bool { return have.Path == f.Path })
		text, err := setup.ReadFile(f.Path)
		if known || errors.Is(err, fs.ErrNotExist) {
			continue
		}
		file := settingsFile{File: f, text: text, err: err}
		if err == nil {
			file.entries, file.err = setup.Hooks(f.Path, text)
		}
		x.files = append(x.files, file)
	}
}

// checkSettings reports files that the client cannot read, and switches that disable hooks.
func (x *Examination) checkSettings() {
	for _, f := range x.files {
		if f.err != nil {
			x.add(linkSettings, Broken, f.err.Error(), "fix the file; until then, the client reads no hooks from it")
		}
	}
	if f := x.switching("disableAllHooks"); f != nil {
		line, _ := setup.Off(f.Path, f.text)
		x.add(linkSettings, Broken, fmt.Sprintf("%s:%d: disableAllHooks disables every hook, so nothing is guarded",
			f.Path, line),
			"remove it")
	}
	if f := x.switching("allowManagedHooksOnly"); f != nil && f.Scope == setup.Managed && !x.managed() {
		x.add(linkSettings, Broken, f.Path+": allowManagedHooksOnly allows only the administrator's hooks",
			"ask the administrator to add the hooks of guardrails there")
	}
}

// switching() returns the settings file that turns a switch on, or nil. If several files have the switch, the file with
// the highest precedence decides.
func (x *Examination) switching(name string) *settingsFile {
	for i := range slices.Backward(x.files) {
		all, err := members(x.files[i].text)
		if err != nil || all[name] == nil {
			continue
		}
		if string(all[name]) == "true" {
			return &x.files[i]
		}
		return nil
	}
	return nil
}

func (x *Examination) managed() bool {
	return slices.ContainsFunc(x.files, func(f settingsFile) bool { return f.Scope == setup.Managed && len(f.ours()) > 0 })
}

func (f *settingsFile) ours() []setup.Entry {
	return slices.DeleteFunc(slices.Clone(f.entries), func(e setup.Entry) bool { return !e.Ours() })
}

func (x *Examination) entries() []setup.Entry {
	var all []setup.Entry
	for _, f := range x.files {
		all = append(all, f.entries...)
	}
	return all
}
