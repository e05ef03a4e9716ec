package guideline

import (
	"strconv"
	"strings"
)

// ToolPattern is a compiled tool pattern in the client's own rule form: a tool's name, and for some tools in
// parentheses what of it is meant, as in Write(src/*), Bash(npm test:*) or WebFetch(domain:example.com).
type ToolPattern struct {
	source string
	tool   wildcard
	// Name is the tool's name as written, with Task read as Agent.
	Name string
	// Spec says how the part in parentheses is compared.
	Spec Spec
	path *Glob
	// words are the patterns of a command, host or name; any of them will do.
	words []wildcard
}

// Spec is the kind of a pattern's part in parentheses.
type Spec uint8

// The kinds of a pattern's part in parentheses.
const (
	SpecNone Spec = iota
	SpecPath
	SpecCommand
	SpecHost
	SpecName
)

// Family is the group of tools that do the same thing to a file, so that a path pattern on one holds for all.
type Family uint8

// The families.
const (
	NoFamily Family = iota
	ReadFamily
	WriteFamily
	CommandFamily
	FetchFamily
)

// FamilyOf is the family of a tool's name.
func FamilyOf(tool string) Family {
	switch tool {
	case "Write", "Edit", "MultiEdit", "NotebookEdit":
		return WriteFamily
	case "Read", "NotebookRead", "Glob", "Grep", "LS":
		return ReadFamily
	case "Bash", "Monitor", "PowerShell":
		return CommandFamily
	case "WebFetch":
		return FetchFamily
	}
	return NoFamily
}

// CompileToolPattern compiles a tool pattern. The error is a *PatternError.
func CompileToolPattern(pattern string) (*ToolPattern, error) {
	if err := checkPattern(pattern); err != nil {
		return nil, err
	}
	name, spec, hasSpec := strings.Cut(pattern, "(")
	if hasSpec && !strings.HasSuffix(spec, ")") {
		return nil, badPattern("write Tool(pattern)", strconv.Quote(pattern)+" has no closing parenthesis at its end")
	}
	if !hasSpec && strings.Contains(pattern, ")") {
		return nil, badPattern("write Tool(pattern)", strconv.Quote(pattern)+" has no opening parenthesis")
	}
	if !validToolName(name) {
		return nil, badPattern("write one such as Write, Bash or mcp__server__tool", strconv.Quote(name)+" is not a tool's name")
	}
	if name == "Task" {
		name = "Agent"
	}
	p := &ToolPattern{source: pattern, Name: name, tool: parseWildcard(name)}
	if hasSpec {
		if err := p.compileSpec(strings.TrimSpace(strings.TrimSuffix(spec, ")"))); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func validToolName(name string) bool {
	if name == "" {
		return false
	}
	for i := range len(name) {
		c := name[i]
		ok := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("_-*.:", c) >= 0
		if !ok {
			return false
		}
	}
	return true
}

func (p *ToolPattern) compileSpec(spec string) error {
	if spec == "" {
		return badPattern("write "+p.Name+" alone", strconv.Quote(p.source)+" has nothing between its parentheses")
	}
	if strings.HasPrefix(p.Name, "mcp__") || strings.Contains(p.Name, "*") {
		return badPattern("name the tool alone", strconv.Quote(p.source)+" cannot have parentheses")
	}
	switch FamilyOf(p.Name) {
	case ReadFamily, WriteFamily:
		return p.compilePath(spec)
	case FetchFamily:
		return p.compileHost(spec)
	case CommandFamily:
		return p.compileCommand(spec)
	default:
		p.Spec, p.words = SpecName, wildcards(spec)
		return nil
	}
}

// compileCommand reads the client's two ways to end a command after a whole word: "git push *" and "git push:*" mean
// the command with any arguments or none; the second also means names such as test:unit.
func (p *ToolPattern) compileCommand(spec string) error {
	p.Spec = SpecCommand
	if p.ignoresCase() {
		spec = strings.ToLower(spec)
	}
	if prefix, ok := strings.CutSuffix(spec, ":*"); ok {
		if prefix == "" {
			return badPattern("write "+p.Name+" alone", strconv.Quote(p.source)+" names no command")
		}
		p.words = wildcards(prefix, prefix+" *", prefix+":*")
		return nil
	}
	if prefix, ok := strings.CutSuffix(spec, " *"); ok {
		p.words = wildcards(prefix, spec)
		return nil
	}
	p.words = wildcards(spec)
	return nil
}

func (p *ToolPattern) compileHost(spec string) error {
	host, ok := strings.CutPrefix(spec, "domain:")
	host = cleanHost(strings.TrimSpace(host))
	if !ok || host == "" {
		return badPattern("write WebFetch(domain:example.com)", strconv.Quote(p.source)+" names no domain")
	}
	if strings.ContainsAny(host, "/@ ") {
		return badPattern("write the host alone, as in WebFetch(domain:example.com)", strconv.Quote(host)+" is not a domain")
	}
	p.Spec, p.words = SpecHost, wildcards(host)
	return nil
}

func wildcards(patterns ...string) []wildcard {
	out := make([]wildcard, len(patterns))
	for i, p := range patterns {
		out[i] = parseWildcard(p)
	}
	return out
}

func (p *ToolPattern) compilePath(spec string) error {
	spec = strings.TrimPrefix(spec, "./")
	if strings.HasPrefix(spec, "//") {
		spec = spec[1:]
	}
	if strings.HasSuffix(spec, "/") {
		spec += "*"
	}
	g, err := CompileGlob(spec)
	if err != nil {
		return err
	}
	p.Spec, p.path = SpecPath, g
	return nil
}

// String is the pattern as it was written.
func (p *ToolPattern) String() string { return p.source }

// Everything reports whether the pattern is nothing but stars.
func (p *ToolPattern) Everything() bool { return strings.Trim(p.Name, "*") == "" }

// Family is the family of the tool that the pattern names.
func (p *ToolPattern) Family() Family { return FamilyOf(p.Name) }

// MatchTool reports whether the pattern speaks of the tool: by its name, as Edit of MultiEdit and NotebookEdit, as Bash
// of Monitor, which runs the same commands, or as an MCP server of its tools.
func (p *ToolPattern) MatchTool(tool string) bool {
	if tool == "Task" {
		tool = "Agent"
	}
	if p.Name == tool || p.tool.match(tool) {
		return true
	}
	switch p.Name {
	case "Edit":
		return tool == "MultiEdit" || tool == "NotebookEdit"
	case "Bash":
		return tool == "Monitor"
	}
	server := strings.HasPrefix(p.Name, "mcp__") && strings.Count(p.Name, "__") == 1
	return server && strings.HasPrefix(tool, p.Name+"__")
}

// MatchCommand reports whether a simple command's text matches.
func (p *ToolPattern) MatchCommand(text string) bool {
	if p.ignoresCase() {
		text = strings.ToLower(text)
	}
	return p.matchWord(SpecCommand, text)
}

// ignoresCase is true for the shell in which Get-Date and get-date are one command.
func (p *ToolPattern) ignoresCase() bool { return p.Name == "PowerShell" }

// matchWord is true for a pattern without parentheses, and otherwise when what stands in them is of the kind and
// matches.
func (p *ToolPattern) matchWord(kind Spec, text string) bool {
	if p.Spec == SpecNone {
		return true
	}
	if p.Spec != kind {
		return false
	}
	for i := range p.words {
		if p.words[i].match(text) {
			return true
		}
	}
	return false
}

// MatchPath reports whether a place matches, or for globs and whole trees may match. A place outside the project is
// matched by rooted patterns only.
func (p *ToolPattern) MatchPath(place Path) bool {
	return p.Spec == SpecNone || p.Spec == SpecPath && p.path.MatchPlace(place)
}

// CoversPath reports whether every file that a place stands for matches, of a tree every file below it; this is what an
// allow list must do.
func (p *ToolPattern) CoversPath(place Path) bool {
	return p.Spec == SpecNone || p.Spec == SpecPath && p.path.covers(place)
}

// Rooted reports whether the pattern is of paths, some of them outside the project.
func (p *ToolPattern) Rooted() bool { return p.Spec == SpecPath && p.path.Rooted() }

// MatchHost reports whether a host matches.
func (p *ToolPattern) MatchHost(host string) bool { return p.matchWord(SpecHost, cleanHost(host)) }

func cleanHost(host string) string {
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// MatchName reports whether an agent's, skill's or other tool's subject matches.
func (p *ToolPattern) MatchName(name string) bool { return p.matchWord(SpecName, name) }
