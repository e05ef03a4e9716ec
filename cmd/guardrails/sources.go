package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"guardrails/config"
	"guardrails/evaluator"
	"guardrails/guideline/document"
	"guardrails/rules"
)

// packPrefix marks the name of a built-in pack where a file could stand.
const packPrefix = "pack:"

func (a *app) guidelineFlag(c *cobra.Command, into *[]string) {
	c.Flags().StringArrayVarP(into, "guidelines", "g", nil, "guidelines to use instead of the project's: `FILE`, folder or pack:NAME (repeatable)")
	complete(c, "guidelines", func(string) ([]string, cobra.ShellCompDirective) {
		return packSources(), cobra.ShellCompDirectiveDefault
	})
}

func packSources() []string {
	var out []string
	for _, p := range rules.Packs() {
		out = append(out, packPrefix+p.Name+"\t"+p.Description)
	}
	return out
}

// compiled reads and compiles what -g names, or the project's own guidelines.
func (a *app) compiled(c *config.Config, sources []string) (*evaluator.Set, error) {
	loaded, err := a.loaded(c, sources)
	if err != nil {
		return nil, err
	}
	return evaluator.Compile(loaded.Plain())
}

// loaded reads guidelines; a problem in any file is an error, because part of a set is not what its author wrote.
func (a *app) loaded(c *config.Config, sources []string) (*rules.Loaded, error) {
	loaded, err := a.readSources(c, sources)
	if err != nil {
		return nil, err
	}
	return loaded, loaded.Problems.Err()
}

// readSources reads what -g names, or the project's own guidelines, with all problems.
func (a *app) readSources(c *config.Config, sources []string) (*rules.Loaded, error) {
	if len(sources) == 0 {
		var problems document.Problems
		if sources, problems = a.projectSources(c); len(problems) > 0 {
			return nil, problems
		}
		if len(sources) == 0 {
			// The project chose to have no pack, and has no files of its own.
			return &rules.Loaded{}, nil
		}
	}
	return joined(sources)
}

// joined reads packs, each once however often it is named, and after them the files.
func joined(sources []string) (*rules.Loaded, error) {
	var parts []*rules.Loaded
	var packs, files []string
	for _, source := range sources {
		name, isPack := strings.CutPrefix(source, packPrefix)
		switch {
		case !isPack:
			files = append(files, source)
		case !slices.Contains(packs, name):
			pack, err := rules.Pack(name)
			if err != nil {
				return nil, failure("%s: %v", source, err)
			}
			packs, parts = append(packs, name), append(parts, pack)
		}
	}
	if len(files) > 0 {
		parts = append(parts, rules.Load(files...))
	}
	return rules.Join(parts...), nil
}

// projectSources are the packs that the project names and its own files, or the core pack where there is neither.
func (a *app) projectSources(c *config.Config) ([]string, document.Problems) {
	var sources []string
	for _, name := range c.Packs {
		sources = append(sources, packPrefix+name)
	}
	dir := filepath.Join(a.projectRoot(a.cwd), ".claude", "guardrails")
	entries, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		return nil, document.Problems{{File: dir, Message: "cannot be read", Remedy: "check that it is a folder, and its permissions"}}
	}
	for _, entry := range entries {
		switch filepath.Ext(entry.Name()) {
		case ".yaml", ".yml", ".json":
			sources = append(sources, filepath.Join(dir, entry.Name()))
		}
	}
	if sources == nil && c.Packs == nil {
		sources = []string{packPrefix + "core"}
	}
	return sources, nil
}
