package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func commands() []*cobra.Command {
	a := &app{world: &world{}, format: asText}
	root := a.root()
	root.InitDefaultHelpCmd()
	return append(root.Commands(), root)
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
	for _, c := range commands() {
		if c.Short == "" || c.Long == "" || c.Example == "" {
			t.Errorf("%s lacks Short, Long or Example", c.CommandPath())
		}
	}
}

func TestEveryExampleInTheHelpTextsWorks(t *testing.T) {
	s := newSession(t, exampleFiles(t))
	// These answer with 1 where no project is set up, no call was refused and there is no home; they have tests of their own.
	needs := map[string]bool{"doctor": true, "allow-once": true, "token": true}
	for _, c := range commands() {
		for line := range strings.Lines(c.Example) {
			line = strings.TrimSpace(line)
			if needs[c.Name()] {
				continue
			}
			if _, stderr, code := s.run(line); code != done && code != refused {
				t.Errorf("%s\nexit %d: %s", line, code, stderr)
			}
		}
	}
}
