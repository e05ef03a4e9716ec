package rules_test

import (
	"slices"
	"strings"
	"testing"

	"guardrails/guideline"
	"guardrails/rules"
)

// halves() splits a file of testdata/short. It returns the text of the short form and the text of the full form.
func halves(t *testing.T, text []byte) (short, full string) {
	t.Helper()
	short, full, ok := strings.Cut(strings.TrimPrefix(string(text), "short:\n"), "\nfull:\n")
	if !ok {
		t.Fatal("the file does not have both forms")
	}
	return short + "\n", full
}

func parsed(t *testing.T, name, text string) rules.Source {
	t.Helper()
	file, problems := rules.Parse(name, []byte(text))
	if err := problems.Err(); err != nil || len(file.Guidelines) != 1 {
		t.Fatalf("%d guidelines, %v", len(file.Guidelines), err)
	}
	return file.Guidelines[0]
}

func encoded(t *testing.T, s rules.Source) string {
	t.Helper()
	text, err := guideline.Encode(&s.Guideline)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestShortAndFullFormGiveTheSameGuideline(t *testing.T) {
	eachFile(t, "short", func(t *testing.T, _ string, text []byte) {
		short, full := halves(t, text)
		a, b := parsed(t, "short.yaml", short), parsed(t, "full.yaml", full)
		if encoded(t, a) != encoded(t, b) {
			t.Errorf("short: %s\nfull:  %s", encoded(t, a), encoded(t, b))
		}
		// The full form leaves nothing out, so the strict decoder accepts it too.
		again, err := guideline.Parse("again.json", []byte(encoded(t, b)))
		if err != nil || encoded(t, rules.Source{Guideline: again}) != encoded(t, b) {
			t.Errorf("decoded again: %+v, %v", again, err)
		}
	})
}

func TestMarkdownFrontMatterHasTheShortForm(t *testing.T) {
	eachFile(t, "short", func(t *testing.T, name string, text []byte) {
		if name == "tell.yaml" {
			t.Skip("the text of a Markdown rule is its instruction")
		}
		short, _ := halves(t, text)
		short = strings.ReplaceAll("\n"+short, "\n  ", "\n")
		fromYAML := parsed(t, "a.yaml", short)
		fromMarkdown := parsed(t, fromYAML.ID+".md", "---"+short+"---\n")
		fromMarkdown.ID, fromMarkdown.Description = fromYAML.ID, fromYAML.Description
		fromMarkdown.Action.GateType = fromYAML.Action.GateType
		if a, b := encoded(t, fromYAML), encoded(t, fromMarkdown); a != b {
			t.Errorf("YAML:     %s\nMarkdown: %s", a, b)
		}
	})
}

func TestFieldsOfTheShortFormHaveTheirLineAndPath(t *testing.T) {
	s := parsed(t, "a.yaml", "name: A\nagents: x\npaths:\n  - '**/a'\n  - b\ndeny:\n  - Read\n  - Write\ninstead: y\n")
	for field, want := range map[string]struct {
		line int
		path string
	}{
		"condition.agents":          {2, "agents"},
		"condition.agents[0]":       {2, "agents"},
		"condition.paths[1]":        {4, "paths[0]"},
		"condition.paths[2]":        {5, "paths[1]"},
		"action.tools_denied":       {6, "deny"},
		"action.tools_denied[1]":    {8, "deny[1]"},
		"action.parameters.instead": {9, "instead"},
		"name":                      {1, "name"},
	} {
		if s.Line(field) != want.line || s.Path(field) != want.path {
			t.Errorf("%s is at line %d, %s", field, s.Line(field), s.Path(field))
		}
	}
}

func TestJSONHasTheShortForm(t *testing.T) {
	s := parsed(t, "a.json", `{"name": "No shell", "deny": "Bash"}`)
	if s.ID != "no-shell" || !slices.Equal(s.Action.ToolsDenied, []string{"Bash"}) {
		t.Errorf("%+v", s.Guideline)
	}
}
