package pattern

import (
	"strconv"
	"strings"
)

// Tool is a compiled tool pattern. It has the form of the client's permission rules: the name of a tool and, for some
// tools, a path, command, host or name in parentheses. Examples are Write(src/*), Bash(npm test:*) and
// WebFetch(domain:example.com).
type Tool struct {
	source string
	// The field "stars" is the compiled name of the tool if the name has stars. Otherwise it is nil.
	stars *wildcard
	// Name is the tool's name as written, except that Task becomes Agent.
	Name string
	// Spec is the kind of the text in parentheses.
	Spec Spec
	path *Glob
	// The field "words" has the compiled patterns for a command, host or name. The tool pattern matches if one of them
	// matches.
	words []wildcard
}

// Spec is the kind of the text in a pattern's parentheses.
type Spec uint8

// The kinds of the text in parentheses. NoSpec means that there are no parentheses.
const (
	NoSpec Spec = iota
	PathSpec
	CommandSpec
	HostSpec
	NameSpec
)

// Family is a group of tools that do the same thing. A path pattern for one of these tools applies to all of them.
type Family uint8

// The families.
const (
	NoFamily Family = iota
	ReadFamily
	WriteFamily
	CommandFamily
	FetchFamily
)

// FamilyOf returns the family of a tool.
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

// CompileTool compiles a tool pattern. The error is a *Error.
func CompileTool(pattern string) (*Tool, error) {
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
		return nil, badPattern("write one such as Write, Bash or mcp__server__tool",
			strconv.Quote(name)+" is not a tool's name")
	}
	if name == "Task" {
		name = "Agent"
	}
	p := &Tool{source: pattern, Name: name}
	if strings.IndexByte(name, '*') >= 0 {
		stars := parseWildcard(name)
		p.stars = &stars
	}
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

func (p *Tool) compileSpec(spec string) error {
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
		p.Spec, p.words = NameSpec, wildcards(spec)
		return nil
	}
}

// compileCommand compiles a command pattern. As in the client, "git push *" and "git push:*" match the command with any
// arguments or without arguments. "npm test:*" also matches a name such as "npm test:unit".
func (p *Tool) compileCommand(spec string) error {
	p.Spec = CommandSpec
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

func (p *Tool) compileHost(spec string) error {
	host, ok := strings.CutPrefix(spec, "domain:")
	host = cleanHost(strings.TrimSpace(host))
	if !ok || host == "" {
		return badPattern("write WebFetch(domain:example.com)", strconv.Quote(p.source)+" names no domain")
	}
	if strings.ContainsAny(host, "/@ ") {
		return badPattern("write the host alone, as in WebFetch(domain:example.com)", strconv.Quote(host)+" is not a domain")
	}
	p.Spec, p.words = HostSpec, wildcards(host)
	return nil
}

func wildcards(patterns ...string) []wildcard {
	out := make([]wildcard, len(patterns))
	for i, p := range patterns {
		out[i] = parseWildcard(p)
	}
	return out
}

func (p *Tool) compilePath(spec string) error {
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
	p.Spec, p.path = PathSpec, g
	return nil
}

// String returns the pattern as it was written.
func (p *Tool) String() string { return p.source }

// Everything reports whether the pattern consists of stars.
func (p *Tool) Everything() bool { return strings.Trim(p.Name, "*") == "" }

// Family returns the family of the tool that the pattern names.
func (p *Tool) Family() Family { return FamilyOf(p.Name) }

// MatchTool reports whether the pattern applies to a tool. Edit also applies to MultiEdit and NotebookEdit. Bash also
// applies to Monitor, which runs the same commands. The name of an MCP server applies to all its tools.
func (p *Tool) MatchTool(tool string) bool {
	if tool == "Task" {
		tool = "Agent"
	}
	if p.Name == tool || p.stars != nil && p.stars.match(tool) {
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

// MatchCommand reports whether the pattern matches the text of a simple command.
func (p *Tool) MatchCommand(text string) bool {
	if p.ignoresCase() {
		text = strings.ToLower(text)
	}
	return p.matchWord(CommandSpec, text)
}

// ignoresCase reports whether upper and lower case mean the same in a command, as in PowerShell.
func (p *Tool) ignoresCase() bool { return p.Name == "PowerShell" }

// matchWord reports whether the pattern matches a text of the given kind. A pattern for another kind never matches. A
// pattern without parentheses always matches.
func (p *Tool) matchWord(kind Spec, text string) bool {
	if p.Spec == NoSpec {
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

// MatchPath reports whether the pattern matches a path. A tree matches if some file in it may match. A shell's glob
// matches if it may expand to a file that matches. A path outside the project matches only a rooted pattern (see
// Rooted).
func (p *Tool) MatchPath(path Path) bool {
	return p.Spec == NoSpec || p.Spec == PathSpec && p.path.MatchPath(path)
}

// CoversPath reports whether the pattern matches every file in a tree, or every file to which a shell's glob may
// expand. An allow list allows a path only if one of its patterns covers the path.
func (p *Tool) CoversPath(path Path) bool {
	return p.Spec == NoSpec || p.Spec == PathSpec && p.path.coversPath(path)
}

// Rooted reports whether the pattern is for paths and can match outside the project.
func (p *Tool) Rooted() bool { return p.Spec == PathSpec && p.path.Rooted() }

// MatchHost reports whether the pattern matches a host.
func (p *Tool) MatchHost(host string) bool { return p.matchWord(HostSpec, cleanHost(host)) }

func cleanHost(host string) string {
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// MatchName reports whether the pattern matches a name, for example the name of an agent or a skill.
func (p *Tool) MatchName(name string) bool { return p.matchWord(NameSpec, name) }
