// Package config reads a project's settings: the file .claude/guardrails.yaml, and the GUARDRAILS_ variables of the
// environment, which go before it.
//
// Start with Load; keys.go lists every setting.
package config

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"guardrails/internal/document"
	"guardrails/internal/product"
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
	// Fallback says what holds when the guidelines cannot be read or reached: one of FallbackModes.
	Fallback string
	// CacheTTL is for how many seconds a session keeps an answer.
	CacheTTL int
	// Strict makes a refusal of what cannot be checked, where otherwise a person is asked.
	Strict bool
	// Store is where guidelines are kept; nil means that nobody chose, which is a database in the user's data folder.
	Store *Store
	// Audit says how long decisions are kept in the audit.
	Audit Audit
	// Server is asked for guidelines; nil means that there is none.
	Server *Server
	// Exceptions let calls pass that a guideline would stop; see ExceptionsAt for those that still hold.
	Exceptions []Exception
}

// Environments lists where an agent can work, the default first.
func Environments() []string { return []string{"workstation", "container"} }

// The fallback modes.
const (
	// AskUser lets the static rules hold until a person has chosen one of the other two.
	AskUser = "ask_user"
	// StaticRules lets the last known good guidelines hold, else what of the files can be read.
	StaticRules = "static_rules"
	// FailOpen goes on without guidelines.
	FailOpen = "fail_open"
)

// FallbackModes lists what can hold when the guidelines cannot be read or reached, the default first.
func FallbackModes() []string { return []string{AskUser, StaticRules, FailOpen} }

// Limits and default of cache_ttl, in seconds.
const (
	minTTL     = 10
	maxTTL     = 3600
	defaultTTL = 300
)

// File is where a project's settings stand, below its root.
const File = product.ConfigFile

// Load reads the settings of the project at a root; every mistake in them is reported at once.
func Load(root string, env func(string) string) (Config, document.Problems) {
	c := defaults()
	problems := c.readFile(filepath.Join(root, filepath.FromSlash(File)))
	return c, append(problems, c.readVariables(env)...)
}

// Environment reads the settings where there is no project.
func Environment(env func(string) string) (Config, document.Problems) {
	c := defaults()
	return c, c.readVariables(env)
}

func defaults() Config {
	return Config{Environment: Environments()[0], Fallback: FallbackModes()[0], CacheTTL: defaultTTL}
}

func (c *Config) readVariables(env func(string) string) document.Problems {
	problems := c.readEnvironment(env)
	return append(problems, c.readClusterVariable(env)...)
}

func (c *Config) readFile(name string) document.Problems {
	text, err := readAll(name)
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

// readAll reads a file as far as a document may reach. A pipe in its place would wait for its writer.
func readAll(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() && !info.IsDir() {
		return nil, errors.New("is not a regular file")
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	return io.ReadAll(io.LimitReader(f, document.MaxSize+1))
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
