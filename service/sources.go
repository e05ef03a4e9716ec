package service

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"guardrails/config"
	"guardrails/internal/document"
	"guardrails/internal/product"
	"guardrails/rules"
)

// PackPrefix marks the name of a built-in pack where a file could stand.
const PackPrefix = "pack:"

// corePack is what holds in a project that says nothing itself.
const corePack = PackPrefix + "core"

// Load reads packs, each once however often it is named, and after them files and folders. The error is a pack that
// does not exist; what is wrong with files stands in the result.
func Load(sources ...string) (*rules.Loaded, error) {
	var parts []*rules.Loaded
	var packs, files []string
	for _, source := range sources {
		name, isPack := strings.CutPrefix(source, PackPrefix)
		switch {
		case !isPack:
			files = append(files, source)
		case !slices.Contains(packs, name):
			pack, err := rules.Pack(name)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", source, err)
			}
			packs, parts = append(packs, name), append(parts, pack)
		}
	}
	if len(files) > 0 {
		parts = append(parts, rules.Load(files...))
	}
	return rules.Join(parts...), nil
}

// Sources are the packs that a project names and its own files, or the core pack where there is neither and no server
// that would know.
func Sources(root string, c *config.Config) ([]string, document.Problems) {
	var sources []string
	for _, name := range c.Packs {
		sources = append(sources, PackPrefix+name)
	}
	dir := filepath.Join(root, product.GuidelinesFolder)
	entries, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		return sources, document.Problems{{File: dir, Message: "cannot be read", Remedy: "check that it is a folder, and its permissions"}}
	}
	for _, entry := range entries {
		switch filepath.Ext(entry.Name()) {
		case ".yaml", ".yml", ".json":
			sources = append(sources, filepath.Join(dir, entry.Name()))
		}
	}
	if sources == nil && c.Packs == nil && c.Server == nil {
		sources = []string{corePack}
	}
	return sources, nil
}

// Files reads what the packs and files of a project define, with everything that is wrong with them.
func Files(root string, c *config.Config) *rules.Loaded {
	sources, problems := Sources(root, c)
	loaded, err := Load(sources...)
	if err != nil {
		// The settings name known packs only.
		problems = append(problems, document.Problem{Message: err.Error()})
		loaded = &rules.Loaded{}
	}
	loaded.Problems = append(problems, loaded.Problems...)
	return loaded
}
