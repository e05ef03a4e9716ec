// Package config reads a project's configuration: the file .claude/guardrails.yaml, and the GUARDRAILS_ environment
// variables, which override it.
//
// Start with Load. keys.go lists all keys.
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

// Config is the configuration of a project and its environment.
type Config struct {
	// Tenant is the tenant whose guidelines apply, unless a context names another one.
	Tenant string
	// DefaultAgent is the agent, unless the call or the session names one.
	DefaultAgent string
	// Domains are the project's own domains, each with the words that indicate it in a prompt.
	Domains map[string][]string
	// Packs are the enabled built-in packs; nil means that the project does not configure them.
	Packs []string
	// Environment is where the agent works: one of Environments.
	Environment string
	// Fallback is one of FallbackModes.
	Fallback string
	// CacheTTL is how many seconds a session keeps an answer.
	CacheTTL int
	// Strict denies calls that cannot be checked. Otherwise the user is asked.
	Strict bool
	// Store is where guidelines are kept; nil means a database in the user's data folder.
	Store *Store
	Audit Audit
	// Server provides the guidelines; nil means that there is none.
	Server *Server
	// Exceptions let calls pass that a guideline would stop. ExceptionsAt returns those that are still valid.
	Exceptions []Exception
}

// Environments returns the places where an agent can work, the default first.
func Environments() []string { return []string{"workstation", "container"} }

// The fallback modes.
const (
	// AskUser applies the static rules until a person has chosen one of the other modes.
	AskUser = "ask_user"
	// StaticRules applies the last known good guidelines, or else those in the project's files.
	StaticRules = "static_rules"
	// FailOpen applies no guidelines.
	FailOpen = "fail_open"
)

// FallbackModes returns the modes for guidelines that cannot be read or reached, the default first.
func FallbackModes() []string { return []string{AskUser, StaticRules, FailOpen} }

// The default and the limits of cache_ttl, in seconds.
const (
	minTTL     = 10
	maxTTL     = 3600
	defaultTTL = 300
)

// File is the path of the configuration below a project's root.
const File = product.ConfigFile

// Load reads the configuration of the project at a root and reports all mistakes in it.
func Load(root string, env func(string) string) (Config, document.Problems) {
	c := defaults()
	problems := c.readFile(filepath.Join(root, filepath.FromSlash(File)))
	return c, append(problems, c.readVariables(env)...)
}

// Environment reads the configuration outside of a project: only the environment variables.
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

// readAll reads a file up to the size of the largest document. It refuses a pipe, which would make it wait.
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

// blank reports whether a file has only comments and empty lines.
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
