package main

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// everyCommand is the program itself, its commands, and theirs.
func everyCommand() []*cobra.Command {
	a := &app{world: &world{}, format: asText}
	root := a.root()
	root.InitDefaultHelpCmd()
	return append(below(root), root)
}

func below(c *cobra.Command) []*cobra.Command {
	var all []*cobra.Command
	for _, sub := range c.Commands() {
		all = append(append(all, sub), below(sub)...)
	}
	return all
}

// exampleFiles are the files that the examples in the help texts name.
func exampleFiles(t *testing.T) map[string]string {
	names, err := filepath.Glob("testdata/examples/*")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = string(content)
	}
	return files
}

func TestEveryCommandSaysWhatItIsFor(t *testing.T) {
	for _, c := range everyCommand() {
		if c.Short == "" || c.Long == "" || c.Example == "" {
			t.Errorf("%s lacks Short, Long or Example", c.CommandPath())
		}
	}
}

func TestEveryExampleInTheHelpTextsWorks(t *testing.T) {
	// These answer with 1 where no project is set up, no call was refused and no token made; they have tests of their own.
	needs := map[string]bool{"doctor": true, "allow-once": true, "revoke": true}
	files := exampleFiles(t)
	for _, c := range everyCommand() {
		if needs[c.Name()] {
			continue
		}
		s := newSession(t, maps.Clone(files))
		s.variables["HOME"] = filepath.Join(s.root, "home")
		if _, stderr, code := s.run("guardrails apply -f guidelines.yaml"); code != done {
			t.Fatal(stderr)
		}
		for line := range strings.Lines(c.Example) {
			if _, stderr, code := s.run(strings.TrimSpace(line)); code != done && code != refused {
				t.Errorf("%s\nexit %d: %s", line, code, stderr)
			}
		}
	}
}
