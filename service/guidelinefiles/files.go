// Package guidelinefiles reads the guidelines that a project defines itself: the packs in its settings, the files in
// .claude/guardrails, and the client's own rules in .claude/rules. It also reads the guidelines that the administrator
// or the user keeps in files.
//
// Start with Read and ClientRules.
package guidelinefiles

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

// PackPrefix is the beginning of a source that names a built-in pack instead of a file.
const PackPrefix = "pack:"

// CorePack is the source of the guidelines in a project without any configuration.
const CorePack = PackPrefix + "core"

// Load reads packs and then files and folders. It reads each pack only once. It returns an error if a pack does not
// exist. Mistakes in files are part of the result.
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

// Sources returns the packs that a project's settings name, followed by the project's own files. If a project has no
// packs, no files, no server and no higher layers, Sources returns the core pack.
func Sources(root string, c *config.Config) ([]string, document.Problems) {
	own, problems := In(filepath.Join(root, filepath.FromSlash(product.GuidelinesFolder)))
	sources := append(packs(c.Packs), own...)
	if sources == nil && problems == nil && c.Packs == nil && c.Server == nil && !c.HasHigher() {
		sources = []string{CorePack}
	}
	return sources, problems
}

func packs(names []string) []string {
	var sources []string
	for _, name := range names {
		sources = append(sources, PackPrefix+name)
	}
	return sources
}

// In is a function that returns the guideline files in a folder. If the folder does not exist, the list is empty.
func In(dir string) ([]string, document.Problems) {
	if dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		return nil, document.Problems{unreadable(dir)}
	}
	var own []string
	var problems document.Problems
	for _, entry := range entries {
		switch filepath.Ext(entry.Name()) {
		case ".yaml", ".yml", ".json":
			if p := unwatched(dir, entry); p != nil {
				problems = append(problems, *p)
			} else {
				own = append(own, filepath.Join(dir, entry.Name()))
			}
		}
	}
	return own, problems
}

// Read reads the guidelines in a project's packs and files. The result also lists all mistakes.
func Read(root string, c *config.Config) *rules.Loaded {
	sources, problems := Sources(root, c)
	return readLimited(sources, problems, c)
}

// ReadOwn reads the guidelines of the project's files, without its packs.
func ReadOwn(root string, c *config.Config) *rules.Loaded {
	names, problems := In(filepath.Join(root, filepath.FromSlash(product.GuidelinesFolder)))
	if len(names) == 0 {
		return &rules.Loaded{Problems: problems}
	}
	own := *c
	own.Packs = nil
	return readLimited(names, problems, &own)
}

// ReadFolder reads the guidelines in the named packs and in the files of a folder. The result also lists all
// mistakes.
func ReadFolder(dir string, names []string) *rules.Loaded {
	own, problems := In(dir)
	return read(append(packs(names), own...), problems)
}

func read(sources []string, problems document.Problems) *rules.Loaded {
	loaded, err := Load(sources...)
	if err != nil {
		// This cannot happen: the settings were checked, so their packs exist.
		problems = append(problems, document.Problem{Message: err.Error()})
		loaded = &rules.Loaded{}
	}
	loaded.Problems = append(problems, loaded.Problems...)
	return loaded
}

// Hooks compare guideline files before and after each call. If hooks could not compare a file, an agent could change
// the guidelines in this file without the person's consent. So unwatched() returns a problem for such a file. For any
// other file, it returns nil.
func unwatched(dir string, entry os.DirEntry) *document.Problem {
	name := document.Printable(filepath.Join(dir, entry.Name()))
	switch {
	case strings.ContainsAny(entry.Name(), "\t\n"):
		return &document.Problem{File: name, Message: "has a tab or a line break in its name", Remedy: "rename it"}
	case entry.IsDir():
		return &document.Problem{
			File: name, Message: "is a folder with the name of a guideline file", Remedy: "rename it, or move its files one folder up",
		}
	}
	return nil
}

func unreadable(name string) document.Problem {
	return document.Problem{
		File: name, Message: "cannot be read",
		Remedy: "check that it is a folder and that you may read it",
	}
}
