// Package config reads a project's settings: the file .claude/guardrails.yaml, and the GUARDRAILS_ variables of the
// environment, which go before it.
//
// Start with Load; keys.go lists every setting.
package config

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"guardrails/guideline/document"
	"guardrails/rules"
)

// Config is what a project and its environment settle.
type Config struct {
	// Tenant is whose guidelines hold, where a context does not say.
	Tenant string
	// DefaultAgent is who acts, where neither the call nor the session says.
	DefaultAgent string
	// Domains are the project's own: for each domain the words that mean it in a prompt.
	Domains map[string][]string
	// Packs are the built-in packs in force; nil means that nobody chose.
	Packs []string
	// Environment is where the agent works: one of Environments.
	Environment string
}

// Environments lists where an agent can work, the default first.
func Environments() []string { return []string{"workstation", "container"} }

// File is where a project's settings stand, below its root.
const File = ".claude/guardrails.yaml"

// Load reads the settings of the project at a root; every mistake in them is reported at once.
func Load(root string, env func(string) string) (Config, document.Problems) {
	c := Config{Environment: Environments()[0]}
	problems := c.readFile(filepath.Join(root, filepath.FromSlash(File)))
	return c, append(problems, c.readEnvironment(env)...)
}

func (c *Config) readFile(name string) document.Problems {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && blank(text) {
		return nil
	}
	if err != nil {
		return document.Problems{{File: name, Message: "cannot be read: " + cause(err), Remedy: "check its permissions"}}
	}
	docs, problems := rules.ParseYAML(name, text)
	d := &document.Decoder{File: name, Problems: problems}
	for i, doc := range docs {
		if i > 0 {
			d.Report(doc, "", "is a second document", "keep the settings in one")
			break
		}
		d.Object(doc, "", c.specs(d))
	}
	return d.Problems
}

// blank reports whether a file sets nothing: only comments and empty lines.
func blank(text []byte) bool {
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return false
		}
	}
	return true
}

func cause(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return err.Error()
}
