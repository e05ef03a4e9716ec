package pattern

import (
	"strconv"
	"strings"
)

// Tool is a compiled tool pattern in the client's own rule form: a tool's name, and for some tools in
// parentheses what of it is meant, as in Write(src/*), Bash(npm test:*) or WebFetch(domain:example.com).
type Tool struct {
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
	NoSpec Spec = iota
	PathSpec
	CommandSpec
	HostSpec
	NameSpec
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
		return nil, badPattern("write one such as Write, Bash or mcp__server__tool", strconv.Quote(name)+" is not a tool's name")
	}
	if name == "Task" {
		name = "Agent"
	}
	p := &Tool{source: pattern, Name: name, tool: parseWildcard(name)}
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

// compileCommand reads the client's two ways to end a command after a whole word: "git push *" and "git push:*" mean
// the command with any arguments or none; the second also means names such as test:unit.
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

// String is the pattern as it was written.
func (p *Tool) String() string { return p.source }

// Everything reports whether the pattern is nothing but stars.
func (p *Tool) Everything() bool { return strings.Trim(p.Name, "*") == "" }

// Family is the family of the tool that the pattern names.
func (p *Tool) Family() Family { return FamilyOf(p.Name) }
