package cli_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"guardrails/cli"
	"guardrails/cli/app"
	"guardrails/cli/clitest"
)

// everyCommand returns the root command and all commands below it.
func everyCommand() []*cobra.Command {
	root := cli.NewRoot()
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

// exampleFiles returns the files that the examples in help texts use.
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

func TestEveryCommandHasHelpWithExamples(t *testing.T) {
	for _, c := range everyCommand() {
		if c.Short == "" || c.Long == "" || c.Example == "" {
			t.Errorf("%s lacks Short, Long or Example", c.CommandPath())
		}
	}
}

// exampleSession returns a project that has everything the examples need.
func exampleSession(t *testing.T, files map[string]string) *clitest.Session {
	files[".claude/rules/testing.md"] = "# Testing\n\nTest first.\n"
	s := clitest.New(t, files)
	s.Env["HOME"] = filepath.Join(s.Root, "home")
	for _, line := range []string{
		"guardrails apply -f guidelines.yaml", "guardrails toggle security-history off", "guardrails export --all",
	} {
		stdout, stderr, code := s.Run(line)
		if code != app.OK {
			t.Fatal(stderr)
		}
		if err := os.WriteFile("dump.jsonl", []byte(stdout), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestEveryExampleInTheHelpWorks(t *testing.T) {
	// These commands need something that this test does not have: a setup, a terminal, a denied call, a token or a
	// cluster. Other tests run these commands.
	needs := map[string]bool{"doctor": true, "allow": true, "allow-once": true, "revoke": true, "split": true, "join": true}
	files := exampleFiles(t)
	for _, c := range everyCommand() {
		// The ids of webhooks are random, so TestTheCommandsForWebhooks runs the commands that need such an id.
		if needs[c.Name()] || c.Parent() != nil && c.Parent().Name() == "webhooks" && strings.Contains(c.Use, "ID") {
			continue
		}
		s := exampleSession(t, maps.Clone(files))
		for line := range strings.Lines(c.Example) {
			if _, stderr, code := s.Run(strings.TrimSpace(line)); code != app.OK && code != app.Refused {
				t.Errorf("%s\nexit %d: %s", line, code, stderr)
			}
		}
	}
}
