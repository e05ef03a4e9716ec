package pattern

import (
	"errors"
	"testing"
)

type toolPatternCase struct {
	Pattern    string
	Family     string
	Everything bool
	Tools      []string
	NotTools   []string `json:"not_tools"`
	Commands   []string
	NotCommand []string `json:"not_commands"`
	Paths      []string
	NotPaths   []string `json:"not_paths"`
	Hosts      []string
	NotHosts   []string `json:"not_hosts"`
	Names      []string
	NotNames   []string `json:"not_names"`
}

func TestToolPatternsMatchAsTheirRuleFormSays(t *testing.T) {
	families := map[string]Family{
		"none": NoFamily, "read": ReadFamily, "write": WriteFamily, "command": CommandFamily, "fetch": FetchFamily,
	}
	var table struct{ Patterns []toolPatternCase }
	load(t, "toolpatterns.json", &table)
	for _, c := range table.Patterns {
		p, err := CompileTool(c.Pattern)
		if err != nil {
			t.Errorf("%q: %v", c.Pattern, err)
			continue
		}
		byPath := func(name string) bool { return p.MatchPath(Path{Name: name}) }
		expect(t, p, "tool", p.MatchTool, c.Tools, c.NotTools)
		expect(t, p, "command", p.MatchCommand, c.Commands, c.NotCommand)
		expect(t, p, "path", byPath, c.Paths, c.NotPaths)
		expect(t, p, "host", p.MatchHost, c.Hosts, c.NotHosts)
		expect(t, p, "name", p.MatchName, c.Names, c.NotNames)
		if p.Family() != families[c.Family] || p.Everything() != c.Everything || p.String() != c.Pattern {
			t.Errorf("%q: family %v, everything %v", p, p.Family(), p.Everything())
		}
	}
}

func expect(t *testing.T, p *Tool, what string, match func(string) bool, yes, no []string) {
	t.Helper()
	for _, s := range yes {
		if !match(s) {
			t.Errorf("%s does not match the %s %q", p, what, s)
		}
	}
	for _, s := range no {
		if match(s) {
			t.Errorf("%s matches the %s %q", p, what, s)
		}
	}
}

func TestToolPatternErrorsSayWhatIsWrongAndWhatToDo(t *testing.T) {
	var table struct {
		Errors []struct{ Pattern, Error string }
	}
	load(t, "toolpatterns.json", &table)
	for _, c := range table.Errors {
		p, err := CompileTool(c.Pattern)
		var bad *Error
		if p != nil || !errors.As(err, &bad) || err.Error() != c.Error {
			t.Errorf("%q: got %v, want %s", c.Pattern, err, c.Error)
		}
	}
}

func TestToolsOfOneKindShareAFamily(t *testing.T) {
	for tool, want := range map[string]Family{
		"Write": WriteFamily, "Edit": WriteFamily, "MultiEdit": WriteFamily, "NotebookEdit": WriteFamily,
		"Read": ReadFamily, "NotebookRead": ReadFamily, "Glob": ReadFamily, "Grep": ReadFamily, "LS": ReadFamily,
		"Bash": CommandFamily, "Monitor": CommandFamily, "PowerShell": CommandFamily, "WebFetch": FetchFamily, "WebSearch": NoFamily, "": NoFamily,
	} {
		if got := FamilyOf(tool); got != want {
			t.Errorf("%q is of family %v, want %v", tool, got, want)
		}
	}
}
