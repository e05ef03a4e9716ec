package guideline

import "strings"

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
