package config

import (
	"fmt"
	"strconv"
	"strings"

	"guardrails/guideline"
	"guardrails/guideline/pattern"
	"guardrails/internal/document"
	"guardrails/internal/product"
	"guardrails/rules"
)

// The type "key" describes one setting: its name in the file and the name of its environment variable. A setting
// without a variable can only be set in files.
type key struct {
	name, variable string
	read           func(c *Config, d *document.Decoder, n *document.Node, path string)
	// parse() converts the text of the variable to a node. The node is the same as the node for this key in a file.
	parse func(variable, text string) (*document.Node, document.Problems)
}

func keys() [21]key {
	return [...]key{
		{"tenant", product.VariableTenant, (*Config).readTenant, parseText},
		{"project", "", (*Config).readProject, nil},
		{"default_agent", product.VariableDefaultAgent, (*Config).readAgent, parseText},
		{"domains", product.VariableDomains, (*Config).readDomains, parseJSON},
		{"packs", product.VariablePacks, (*Config).readPacks, parseList},
		{"environment", product.VariableEnvironment, (*Config).readPlace, parseText},
		{"fallback_mode", product.VariableFallback, (*Config).readFallback, parseText},
		{"cache_ttl", product.VariableCacheTTL, (*Config).readTTL, parseScalar},
		{"strict", product.VariableStrict, (*Config).readStrict, parseScalar},
		{"store", product.VariableStore, (*Config).readStore, parseTextOrObject},
		{"audit", product.VariableAudit, (*Config).readAudit, parseJSON},
		{"server", product.VariableServer, (*Config).readServer, parseJSON},
		{"test_commands", "", (*Config).readTestCommands, nil},
		{"locked", "", (*Config).readLocked, nil},
		{"exceptions", product.VariableExceptions, (*Config).readExceptions, parseJSON},
		{detectorsKey, product.VariableDetectors, (*Config).readDetectors, parseSwitch},
		{displayKey, product.VariableDisplay, (*Config).readDisplay, parseJSON},
		{safetyKey, product.VariableSafety, (*Config).readSafety, parseJSON},
		{outputGuardKey, product.VariableOutputGuard, (*Config).readOutputGuard, parseJSON},
		{modelKey, product.VariableModel, (*Config).readModel, parseJSON},
		{"ui", "", (*Config).readUI, nil},
	}
}

func (c *Config) specs(d *document.Decoder) []document.Spec {
	var out []document.Spec
	for _, k := range keys() {
		out = append(out, document.Spec{Name: k.name, Read: func(n *document.Node, path string) {
			k.read(c, d, n, path)
			c.set[k.name] = true
		}})
	}
	return out
}

// Overrides returns the variables that are set, each as NAME=value.
func Overrides(env func(string) string) []string {
	var out []string
	for _, k := range keys() {
		if k.variable == "" {
			continue
		}
		if text := env(k.variable); text != "" {
			out = append(out, k.variable+"="+text)
		}
	}
	for _, name := range [...]string{product.VariableCluster, product.VariableIntervention} {
		if text := env(name); text != "" {
			out = append(out, name+"="+text)
		}
	}
	return out
}

// readEnvironment reads every variable that is set and not empty. The value of a variable replaces the value from the
// file.
func (c *Config) readEnvironment(env func(string) string) document.Problems {
	var problems document.Problems
	for _, k := range keys() {
		variable := k.variable
		if variable == "" || env(variable) == "" {
			continue
		}
		text := env(variable)
		n, broken := k.parse(variable, text)
		d := &document.Decoder{File: variable, Problems: broken}
		if n != nil {
			k.read(c, d, n, "")
			c.set[k.name] = true
		}
		problems = append(problems, d.Problems...)
	}
	return problems
}

func (c *Config) readTenant(d *document.Decoder, n *document.Node, path string) {
	c.Tenant = d.String(n, path, false)
}

func (c *Config) readProject(d *document.Decoder, n *document.Node, path string) {
	keep(d, &c.Project, func() string {
		id := d.String(n, path, false)
		if len(id) > guideline.MaxProjectID {
			d.Report(n, path, "is longer than "+strconv.Itoa(guideline.MaxProjectID)+" bytes", "shorten it")
		}
		return id
	})
}

func (c *Config) readAgent(d *document.Decoder, n *document.Node, path string) {
	c.DefaultAgent = d.String(n, path, false)
}

func (c *Config) readPlace(d *document.Decoder, n *document.Node, path string) {
	keep(d, &c.Environment, func() string { return d.Choice(n, path, Environments()) })
}

func (c *Config) readFallback(d *document.Decoder, n *document.Node, path string) {
	keep(d, &c.Fallback, func() string { return d.Choice(n, path, FallbackModes()) })
}

func (c *Config) readTTL(d *document.Decoder, n *document.Node, path string) {
	keep(d, &c.CacheTTL, func() int { return d.Int(n, path, minTTL, maxTTL) })
}

func (c *Config) readStrict(d *document.Decoder, n *document.Node, path string) {
	keep(d, &c.Strict, func() bool { return d.Bool(n, path) })
}

func (c *Config) readUI(d *document.Decoder, n *document.Node, path string) {
	keep(d, &c.NoPage, func() bool { return d.Choice(offAsText(n), path, []string{on, Off}) == Off })
}

func (c *Config) readLocked(d *document.Decoder, n *document.Node, path string) {
	keep(d, &c.Locked, func() bool { return d.Bool(n, path) })
}

// readTestCommands reads a list of commands. It rejects a text that is not a single simple command, and a text that
// would match every command.
func (c *Config) readTestCommands(d *document.Decoder, n *document.Node, path string) {
	c.TestCommands = d.StringsWhere(n, path, func(text string) (message, remedy string) {
		switch _, err := pattern.CompileTool("Bash(" + text + ")"); {
		case strings.Trim(text, "* ") == "":
			return document.Excerpt(text) + " would count every command as a test", "name the command that runs the tests"
		case err != nil || strings.ContainsAny(text, "|&;<>\n"):
			return document.Excerpt(text) + " is not one simple command",
				"write a command such as make verify; a * stands for any arguments"
		}
		return "", ""
	})
}

// keep() calls read(), and stores the result in *into. If read() reports a problem, *into keeps its earlier value.
func keep[T any](d *document.Decoder, into *T, read func() T) {
	before := len(d.Problems)
	if value := read(); len(d.Problems) == before {
		*into = value
	}
}

func (c *Config) readPacks(d *document.Decoder, n *document.Node, path string) {
	c.Packs = d.StringsWhere(n, path, func(name string) (message, remedy string) {
		var names []string
		for _, p := range rules.Packs() {
			if p.Name == name {
				return "", ""
			}
			names = append(names, p.Name)
		}
		return fmt.Sprintf("there is no pack %q", name), "use " + strings.Join(names, ", ")
	})
	if c.Packs == nil {
		// An empty list enables no pack. It must not become nil, because nil means that packs are not configured.
		c.Packs = []string{}
	}
}

func (c *Config) readDomains(d *document.Decoder, n *document.Node, path string) {
	c.Domains = map[string][]string{}
	var specs []document.Spec
	for _, f := range n.Fields {
		specs = append(specs, document.Spec{Name: f.Name, Read: func(n *document.Node, path string) {
			c.Domains[f.Name] = d.Strings(n, path)
		}})
	}
	d.Object(n, path, specs)
}

func parseText(_, text string) (*document.Node, document.Problems) {
	return &document.Node{Kind: document.String, Text: text}, nil
}

// parseScalar parses a number, true or false. These values have no quotes in a file. parseScalar returns any other text
// as a string.
func parseScalar(variable, text string) (*document.Node, document.Problems) {
	if n, problems := document.ParseJSON(variable, []byte(text)); len(problems) == 0 && n.Kind != document.List &&
		n.Kind != document.Object {
		n.Line = 0
		return n, nil
	}
	return parseText(variable, text)
}

func parseList(_, text string) (*document.Node, document.Problems) {
	list := &document.Node{Kind: document.List}
	for item := range strings.SplitSeq(text, ",") {
		if item = strings.TrimSpace(item); item != "" {
			list.Items = append(list.Items, &document.Node{Kind: document.String, Text: item})
		}
	}
	return list, nil
}

// parseTextOrObject parses text that begins with "{" as a JSON object. It returns any other text as a string.
func parseTextOrObject(variable, text string) (*document.Node, document.Problems) {
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		return parseJSON(variable, text)
	}
	return parseText(variable, text)
}

// parseSwitch parses a JSON object, or one word such as off.
func parseSwitch(variable, text string) (*document.Node, document.Problems) {
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		return parseJSON(variable, text)
	}
	return parseScalar(variable, text)
}

func parseJSON(variable, text string) (*document.Node, document.Problems) {
	return document.ParseJSON(variable, []byte(text))
}
