package rules_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"guardrails/internal/fortests/golden"
	"guardrails/rules"
)

func TestGuidelineFiles(t *testing.T) {
	eachFile(t, "files", func(t *testing.T, name string, text []byte) {
		file, problems := rules.Parse(name, text)
		golden.Check(t, *update, "testdata/files/"+name+".golden", described(t, file, problems))
	})
}

// caseText returns a case as JSON. It adds the empty lists, which the JSON encoder omits.
func caseText(t *testing.T, c rules.Case) string {
	t.Helper()
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	e := c.Expect
	none := ""
	for name, list := range map[string][]string{"gates": e.Gates, "tools_allowed": e.ToolsAllowed, "tools_denied": e.ToolsDenied} {
		if list != nil && len(list) == 0 {
			none += " no " + name
		}
	}
	return fmt.Sprintf("%s call=%v unknown=%v expects-none=%d", text, c.HasToolCall(), c.Unknown.Names(), strings.Count(none, "no "))
}

func TestFileWithoutAKnownExtensionIsRefused(t *testing.T) {
	_, problems := rules.Parse("rules.toml", []byte("a = 1"))
	want := "rules.toml: has an unknown extension; use the extension .yaml, .yml, .json or .md"
	if got := problems.Error(); got != want {
		t.Errorf("got %s", got)
	}
}

func TestByteOrderMarkIsIgnored(t *testing.T) {
	for name, text := range map[string]string{
		"a.yaml": "id: a\nname: A\ncategory: custom\naction: {type: instruction}\n",
		"a.JSON": `{"id": "a", "name": "A", "category": "custom", "action": {"type": "instruction"}}`,
		"a.md":   "---\nid: a\n---\n# A\n",
	} {
		file, problems := rules.Parse(name, []byte("\ufeff"+text))
		if len(problems) > 0 || len(file.Guidelines) != 1 || file.Guidelines[0].ID != "a" {
			t.Errorf("%s: %+v %v", name, file, problems)
		}
	}
}

func TestListWithAMisspelledNameIsReadAsGuidelines(t *testing.T) {
	const item = "  - {id: a, name: A, category: custom, action: {type: instruction}}\n"
	for text, want := range map[string]string{
		"rules:\n" + item:                     "a.yaml:1: rules: unknown field; did you mean \"guidelines\"?",
		"guideline:\n" + item:                 "a.yaml:1: guideline: unknown field; did you mean \"guidelines\"?",
		"cases: []\npolicies:\n" + item:       "a.yaml:2: policies: unknown field; did you mean \"guidelines\"?",
		"guidelines:\n" + item + "case: []\n": "a.yaml:3: case: unknown field; did you mean \"cases\"?",
		"version: 1\nrules:\n" + item: "a.yaml:1: version: unknown field; remove it; the known fields are guidelines, cases, $schema\n" +
			"a.yaml:2: rules: unknown field; did you mean \"guidelines\"?",
		"id: a\nnme: A\nname: A\ncategory: custom\naction: {type: instruction}\n": "a.yaml:2: nme: unknown field; did you mean \"name\"?",
	} {
		if _, problems := rules.Parse("a.yaml", []byte(text)); problems.Error() != want {
			t.Errorf("%s\ngot  %s\nwant %s", text, problems.Error(), want)
		}
	}
}

func TestEveryBadPatternOfAListIsReported(t *testing.T) {
	const denied = `action.tools_denied[0]: "Write(" has no closing parenthesis at its end; write Tool(pattern)` + "\n" +
		`action.tools_denied[2]: "Bash()" has nothing between its parentheses; write Bash alone`
	const paths = `condition.paths[0]: contains ".."; write the path without it` + "\n" +
		`condition.paths[2]: contains ".."; write the path without it`
	for name, text := range map[string]string{
		"a.yaml": "id: a\nname: A\ncategory: custom\ncondition: {paths: [../x, y, ../z]}\n" +
			"action: {type: tool_restriction, tools_denied: ['Write(', Read, Bash()]}\n",
		"a.json": `{"id":"a","name":"A","category":"custom","condition":{"paths":["../x","y","../z"]},` +
			`"action":{"type":"tool_restriction","tools_denied":["Write(","Read","Bash()"]}}`,
		"a.md": "---\npaths: [../x, y, ../z]\ntools_denied: ['Write(', Read, Bash()]\n---\n# A\n",
	} {
		_, problems := rules.Parse(name, []byte(text))
		var got []string
		for _, p := range problems {
			got = append(got, p.Path+": "+p.Message+"; "+p.Remedy)
		}
		want := paths + "\n" + denied
		if name == "a.md" {
			want = strings.NewReplacer("condition.", "", "action.", "").Replace(want)
		}
		if strings.Join(got, "\n") != want {
			t.Errorf("%s: got\n%s", name, strings.Join(got, "\n"))
		}
	}
}

func TestFieldsHaveTheirLine(t *testing.T) {
	file, problems := rules.Parse("a.yaml", []byte(`
guidelines:
  - id: a
    name: A
    category: custom
    condition:
      agents: [b,
        c]
    action:
      type: tool_restriction
      tools_denied:
        - Write
        - Edit
`))
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	for field, want := range map[string]int{
		"id": 3, "category": 5, "condition": 6, "condition.agents": 7, "condition.agents[1]": 8, "condition.paths[0]": 6,
		"action.tools_denied": 11, "action.tools_denied[0]": 12, "action.tools_denied[1]": 13, "action.tools_denied[9]": 11,
		"description": 3, "action.parameters.instead": 9,
	} {
		if got := file.Guidelines[0].Line(field); got != want {
			t.Errorf("%s is on line %d, want %d", field, got, want)
		}
	}
	if got := (&rules.Source{Origin: rules.Origin{Line: 4}}).Line("id"); got != 4 {
		t.Errorf("a guideline without its source text has line %d, want 4", got)
	}
}

func BenchmarkParseYAML(b *testing.B) {
	text := []byte("guidelines:\n")
	for i := range 25 {
		text = fmt.Appendf(text, `  - id: guideline-%d
    name: Guideline number %d
    description: What it is for, in a sentence of ordinary length that a maintainer would write.
    category: cognitive_isolation
    priority: %d
    condition:
      agents: [backend, frontend]
      actions: [implement, fix, refactor]
      paths: ["src/workers/*", "src/**/*.py", "tests/**"]
    action:
      type: tool_restriction
      instruction: |
%s      tools_allowed: ["Write(src/workers/*)", "Write(tests/*)"]
      tools_denied: ["Write(src/ui/*)", "Bash(rm -rf *)"]
`, i, i, 100+i, strings.Repeat("        Keep to your own folders, and ask before you touch what belongs to others.\n", 8))
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if file, problems := rules.Parse("a.yaml", text); len(file.Guidelines) != 25 {
			b.Fatal(problems)
		}
	}
}
