package guideline

import (
	"fmt"
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
	// word is a command's, host's or name's pattern; boundary is set for the form prefix:*.
	word     wildcard
	boundary string
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
	case "Bash", "PowerShell":
		return CommandFamily
	case "WebFetch":
		return FetchFamily
	}
	return NoFamily
}

// CompileToolPattern compiles a tool pattern. The error says what is wrong and, after a semicolon, what to do.
func CompileToolPattern(pattern string) (*ToolPattern, error) {
	if err := checkPattern(pattern); err != nil {
		return nil, err
	}
	name, spec, hasSpec := strings.Cut(pattern, "(")
	if hasSpec && !strings.HasSuffix(spec, ")") {
		return nil, fmt.Errorf("%q has no closing parenthesis at its end; write Tool(pattern)", pattern)
	}
	if !hasSpec && strings.Contains(pattern, ")") {
		return nil, fmt.Errorf("%q has no opening parenthesis; write Tool(pattern)", pattern)
	}
	if !validToolName(name) {
		return nil, fmt.Errorf("%q is not a tool's name; write one such as Write, Bash or mcp__server__tool", name)
	}
	if name == "Task" {
		name = "Agent"
	}
	p := &ToolPattern{source: pattern, Name: name, tool: parseWildcard(name)}
	if !hasSpec {
		return p, nil
	}
	return p, p.compileSpec(strings.TrimSpace(strings.TrimSuffix(spec, ")")))
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
		return fmt.Errorf("%q has nothing between its parentheses; write %s alone", p.source, p.Name)
	}
	if strings.HasPrefix(p.Name, "mcp__") || strings.Contains(p.Name, "*") {
		return fmt.Errorf("%q cannot have parentheses; name the tool alone", p.source)
	}
	switch FamilyOf(p.Name) {
	case ReadFamily, WriteFamily:
		return p.compilePath(spec)
	case FetchFamily:
		host, ok := strings.CutPrefix(spec, "domain:")
		if !ok || host == "" {
			return fmt.Errorf("%q names no domain; write WebFetch(domain:example.com)", p.source)
		}
		p.Spec, p.word = SpecHost, parseWildcard(cleanHost(host))
	case CommandFamily:
		p.Spec = SpecCommand
		if prefix, ok := strings.CutSuffix(spec, ":*"); ok {
			p.boundary = prefix
		} else {
			p.word = parseWildcard(spec)
		}
	default:
		p.Spec, p.word = SpecName, parseWildcard(spec)
	}
	return nil
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

// Everything reports whether the pattern is a bare star.
func (p *ToolPattern) Everything() bool { return p.Name == "*" }

// Family is the family of the tool that the pattern names.
func (p *ToolPattern) Family() Family { return FamilyOf(p.Name) }

// MatchTool reports whether the pattern speaks of the tool: by its name, as Edit of MultiEdit and NotebookEdit, or as
// an MCP server of its tools.
func (p *ToolPattern) MatchTool(tool string) bool {
	if tool == "Task" {
		tool = "Agent"
	}
	if p.Name == tool || p.tool.match(tool) {
		return true
	}
	if p.Name == "Edit" {
		return tool == "MultiEdit" || tool == "NotebookEdit"
	}
	server := strings.HasPrefix(p.Name, "mcp__") && strings.Count(p.Name, "__") == 1
	return server && strings.HasPrefix(tool, p.Name+"__")
}

// MatchCommand reports whether a simple command's text matches.
func (p *ToolPattern) MatchCommand(text string) bool {
	if p.Spec == SpecNone {
		return true
	}
	if p.Spec != SpecCommand {
		return false
	}
	if p.boundary == "" {
		return p.word.match(text)
	}
	rest, ok := strings.CutPrefix(text, p.boundary)
	return ok && (rest == "" || rest[0] == ' ' || rest[0] == ':')
}

// Path is one place that a tool call touches, as a pattern sees it.
type Path struct {
	// Name is relative to the project's root, or begins with / or ~ when it lies outside.
	Name string
	// Tree is set when everything below the place is touched too.
	Tree bool
	// Glob is set when Name is a shell's glob and not yet a file's name.
	Glob bool
}

// Outside reports whether the place lies outside the project.
func (p Path) Outside() bool { return IsRooted(p.Name) }

// MatchPath reports whether a place matches, or for globs and whole trees may match. A place outside the project is
// matched by rooted patterns only.
func (p *ToolPattern) MatchPath(place Path) bool {
	return p.Spec == SpecNone || p.Spec == SpecPath && p.path.MatchPlace(place)
}

// CoversPath reports whether every file that a place stands for matches; this is what an allow list must do.
func (p *ToolPattern) CoversPath(place Path) bool {
	return p.Spec == SpecNone || p.Spec == SpecPath && p.path.covers(place)
}

// MatchPlace reports whether the glob matches a place, or for globs and whole trees may match.
func (g *Glob) MatchPlace(place Path) bool {
	if place.Outside() && !g.Rooted() {
		return false
	}
	switch {
	case g.Match(place.Name):
		return true
	case place.Tree && g.MatchTree(place.Name):
		return true
	default:
		return place.Glob && g.Overlaps(place.Name)
	}
}

func (g *Glob) covers(place Path) bool {
	if place.Outside() && !g.Rooted() {
		return false
	}
	return g.Match(place.Name)
}

// MatchHost reports whether a host matches.
func (p *ToolPattern) MatchHost(host string) bool {
	return p.Spec == SpecNone || p.Spec == SpecHost && p.word.match(cleanHost(host))
}

func cleanHost(host string) string {
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// MatchName reports whether an agent's, skill's or other tool's subject matches.
func (p *ToolPattern) MatchName(name string) bool {
	return p.Spec == SpecNone || p.Spec == SpecName && p.word.match(name)
}
