// Package config reads the settings of all layers and combines them. Each layer has a file guardrails.yaml. The file of
// the machine's administrator is in a folder of its own, and so is the file of the user. The project's file is in the
// project's folder .claude. The GUARDRAILS_ environment variables override the project's file.
//
// Start with Read and Layers.Combine. keys.go lists all keys.
package config

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"strconv"

	"guardrails/internal/document"
	"guardrails/internal/product"
	"guardrails/rules"
)

// Config contains the settings that apply in a project. Before the layers are combined, each layer has a Config of its
// own.
type Config struct {
	// Tenant is the tenant whose guidelines apply, unless a context names another tenant.
	Tenant string
	// Project is the id of the project in the store. In the settings of one layer, it is empty unless the project's
	// file sets it.
	Project string
	// ClaimedProject is the project id from the file of an untrusted project. The guidelines with this id are added to the
	// project's guidelines, but they do not replace other guidelines.
	ClaimedProject string
	// DefaultAgent is the agent of a call if neither the call nor the session names an agent.
	DefaultAgent string
	// Domains maps each of the project's own domains to the words that indicate it in a prompt.
	Domains map[string][]string
	// Packs lists the enabled built-in packs; nil means that the project does not configure packs.
	Packs []string
	// Environment says where the agent works. It is one of the values that Environments returns.
	Environment string
	// Fallback is one of the values that FallbackModes returns.
	Fallback string
	// CacheTTL is the number of seconds for which a session keeps an answer.
	CacheTTL int
	// If Strict is set, calls that cannot be checked are denied. If it is not set, the user is asked about these calls.
	Strict bool
	// Store says where guidelines are kept; nil means a database in the user's data folder.
	Store *Store
	Audit Audit
	// If NoPage is set, the page of the server is switched off.
	NoPage bool
	// Server provides the guidelines; nil means that no server is used.
	Server *Server
	// RemoteAudit is set if the decisions of the project are sent to the audit of Server.
	RemoteAudit bool
	// Exceptions allow calls that a guideline would stop. ExceptionsAt returns the exceptions that are still valid.
	Exceptions []Exception
	// TestCommands lists commands that run tests, in addition to the commands that guardrails itself knows.
	TestCommands []string
	// If Locked is set, exceptions from other layers do not apply to the guidelines of this layer. Nobody can switch these
	// guidelines off, and nobody can allow a single call that they stop.
	Locked bool
	// Detectors and Display are about the person at the keyboard.
	Detectors Detectors
	Display   Display
	// Safety is about the safety gate. OutputGuard is about answers to people in danger. Model is the language model that
	// guardrails asks.
	Safety      Safety
	OutputGuard OutputGuard
	Model       Model
	// Layers lists the layers that exist, the highest first. Ignored lists the settings that have no effect, or less
	// effect than intended.
	Layers  []Layer
	Ignored []Ignored

	// The map "set" contains the name of each key that has a value in the file or in an environment variable.
	set map[string]bool
	// The field "personal" has the fields of detectors, display, safety, output_guard and model that are set, such as
	// detectors.tool_loop.
	personal map[string]*document.Node
}

// Environments returns the places where an agent can work, the default first.
func Environments() []string { return []string{"workstation", "container"} }

// The fallback modes.
const (
	// The mode AskUser applies the static rules until a person has chosen one of the other modes.
	AskUser = "ask_user"
	// The mode StaticRules applies the last known good guidelines. If there are none, it applies the guidelines that
	// can still be read, together with the core pack.
	StaticRules = "static_rules"
	// The mode FailOpen applies none of the project's guidelines. The guidelines of higher layers still apply if they
	// are known.
	FailOpen = "fail_open"
)

// FallbackModes returns the fallback modes, the default first. A mode says which guidelines apply while the project's
// guidelines cannot be read or reached.
func FallbackModes() []string { return []string{AskUser, StaticRules, FailOpen} }

// The default and the limits of cache_ttl, in seconds.
const (
	minTTL     = 10
	maxTTL     = 3600
	defaultTTL = 300
)

// File is the path of the configuration file, relative to a project's root.
const File = product.ConfigFile

func defaults() Config {
	return Config{
		Environment: Environments()[0], Fallback: FallbackModes()[0], CacheTTL: defaultTTL, set: map[string]bool{},
		Detectors: defaultDetectors(), Safety: defaultSafety(), OutputGuard: defaultOutputGuard(), Model: defaultModel(),
	}
}

func (c *Config) clone() Config {
	out := *c
	out.set, out.personal = maps.Clone(c.set), maps.Clone(c.personal)
	return out
}

func (c *Config) readFile(name string) document.Problems {
	text, err := readAll(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && blank(text) {
		return nil
	}
	if err != nil {
		return document.Problems{{File: name, Message: "cannot be read: " + cause(err), Remedy: "check its permissions"}}
	}
	if len(text) > maxSettings {
		return document.Problems{{
			File: name, Message: "is larger than " + strconv.Itoa(maxSettings>>10) + " KiB",
			Remedy: "remove everything that is not a setting",
		}}
	}
	docs, problems := rules.ParseYAML(name, text)
	d := &document.Decoder{File: name, Problems: problems}
	for i, doc := range docs {
		if i > 0 {
			d.Report(doc, "", "is a second document", "keep all settings in one document")
			break
		}
		d.Object(doc, "", c.specs(d))
	}
	return d.Problems
}

// maxSettings is the largest allowed size of a settings file, in bytes. Hooks have no time to read a larger file.
const maxSettings = 256 << 10

// readAll reads a settings file. It stops soon after maxSettings bytes.
func readAll(name string) ([]byte, error) { return document.ReadRegular(name, maxSettings) }

// blank() reports whether a file contains only comments and empty lines.
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
