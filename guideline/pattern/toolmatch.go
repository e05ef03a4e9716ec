package pattern

import "strings"

// MatchTool reports whether the pattern speaks of the tool: by its name, as Edit of MultiEdit and NotebookEdit, as Bash
// of Monitor, which runs the same commands, or as an MCP server of its tools.
func (p *Tool) MatchTool(tool string) bool {
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
func (p *Tool) MatchCommand(text string) bool {
	if p.ignoresCase() {
		text = strings.ToLower(text)
	}
	return p.matchWord(CommandSpec, text)
}

// ignoresCase is true for the shell in which Get-Date and get-date are one command.
func (p *Tool) ignoresCase() bool { return p.Name == "PowerShell" }

// matchWord is true for a pattern without parentheses, and otherwise when what stands in them is of the kind and
// matches.
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

// MatchPath reports whether a place matches, or for globs and whole trees may match. A place outside the project is
// matched by rooted patterns only.
func (p *Tool) MatchPath(place Path) bool {
	return p.Spec == NoSpec || p.Spec == PathSpec && p.path.MatchPath(place)
}

// CoversPath reports whether every file that a place stands for matches, of a tree every file below it; this is what an
// allow list must do.
func (p *Tool) CoversPath(place Path) bool {
	return p.Spec == NoSpec || p.Spec == PathSpec && p.path.covers(place)
}

// Rooted reports whether the pattern is of paths, some of them outside the project.
func (p *Tool) Rooted() bool { return p.Spec == PathSpec && p.path.Rooted() }

// MatchHost reports whether a host matches.
func (p *Tool) MatchHost(host string) bool { return p.matchWord(HostSpec, cleanHost(host)) }

func cleanHost(host string) string {
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// MatchName reports whether an agent's, skill's or other tool's subject matches.
func (p *Tool) MatchName(name string) bool { return p.matchWord(NameSpec, name) }
