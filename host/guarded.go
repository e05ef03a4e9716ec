package host

import (
	"path/filepath"
	"slices"
	"strings"

	"guardrails/internal/product"
)

// guarded() returns the files and folders of the product that are the same for every project.
func guarded(env func(string) string, program string, folders []string) []string {
	out := append(make([]string, 0, 11), folders...)
	if state := product.StateDir(env); state != "" {
		out = append(out, filepath.Join(state, product.KeyFile))
	}
	for _, dir := range [...]string{product.DataDir(env), product.ConfigDir(env)} {
		if dir != "" {
			out = append(out, dir)
		}
	}
	if dir := filepath.Dir(program); filepath.IsAbs(dir) {
		for _, name := range product.Programs() {
			out = append(out, filepath.Join(dir, name))
		}
	}
	return out
}

// isOnPath reports whether PATH contains a folder. The client looks for programs in such a folder. A relative entry of
// PATH is relative to the working folder.
func (m *Machine) isOnPath(cwd, folder string) bool {
	for _, dir := range filepath.SplitList(m.Env("PATH")) {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(cwd, dir)
		}
		if m.resolved(filepath.Clean(dir)) == folder {
			return true
		}
	}
	return false
}

// maxConfig is the number of bytes of a project's settings that are searched for the path of the database.
const maxConfig = 64 << 10

// guardedIn returns the files and folders to guard in a project: the product's own files and folders, and the database
// that the project's settings name. A hook contains no YAML parser, so guardedIn searches for the line that names the
// database. It does not find a database that is named in another way, but it always guards the usual file name,
// guardrails.db.
func (m *Machine) guardedIn(root string) []string {
	name, named := databaseOf(m.Env(product.VariableStore))
	if !named && m.Script != nil {
		text, _ := m.Script(filepath.Join(root, product.ConfigFile), maxConfig)
		for line := range strings.Lines(string(text)) {
			if value, ok := strings.CutPrefix(line, "store:"); ok {
				name, named = databaseOf(value)
			}
		}
	}
	if below, ok := strings.CutPrefix(name, "~/"); ok {
		name = filepath.Join(m.Env(product.VariableHome), below)
	}
	if !named || !filepath.IsAbs(name) {
		return m.Guarded
	}
	return append(slices.Clip(m.Guarded), product.DatabaseFiles(name)...)
}

// databaseOf returns the path in a text such as sqlite:PATH. The text is the value of a variable or of a YAML key.
func databaseOf(value string) (path string, named bool) {
	value, _, _ = strings.Cut(value, " #")
	return strings.CutPrefix(strings.Trim(value, " \t\r\n\"'"), "sqlite:")
}
