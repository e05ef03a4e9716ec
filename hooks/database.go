package hooks

import (
	"path/filepath"
	"slices"
	"strings"

	"guardrails/internal/product"
)

// maxConfig is how much of a project's settings is looked through for the store.
const maxConfig = 64 << 10

// guarded are the product's own files and folders, and the database that the settings name. The settings are YAML, which a hook
// does not read; the line that names a database is simple enough. One that is written in another way still has its
// usual name, guardrails.db, to be known by.
func (w *World) guarded(root string) []string {
	name, named := databaseOf(w.Env(product.VariableStore))
	if !named && w.Script != nil {
		text, _ := w.Script(filepath.Join(root, product.ConfigFile), maxConfig)
		for line := range strings.Lines(string(text)) {
			if value, ok := strings.CutPrefix(line, "store:"); ok {
				name, named = databaseOf(value)
			}
		}
	}
	if below, ok := strings.CutPrefix(name, "~/"); ok {
		name = filepath.Join(w.Env("HOME"), below)
	}
	if !named || !filepath.IsAbs(name) {
		return w.Guarded
	}
	return append(slices.Clip(w.Guarded), product.DatabaseFiles(name)...)
}

// databaseOf takes the path out of sqlite:PATH, as it stands in a variable or behind a key of YAML.
func databaseOf(value string) (path string, named bool) {
	value, _, _ = strings.Cut(value, " #")
	return strings.CutPrefix(strings.Trim(value, " \t\r\n\"'"), "sqlite:")
}
