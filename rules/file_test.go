package rules_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"guardrails/internal/golden"
	"guardrails/rules"
)

func TestGuidelineFiles(t *testing.T) {
	eachFile(t, "files", func(t *testing.T, name string, text []byte) {
		file, problems := rules.Parse(name, text)
		golden.Check(t, *update, "testdata/files/"+name+".golden", described(t, file, problems))
	})
}

// caseText shows a case with what its JSON form leaves out.
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

func TestAFileWithoutAKnownExtensionIsRefused(t *testing.T) {
	_, problems := rules.Parse("rules.toml", []byte("a = 1"))
	want := "rules.toml: is not a guideline file by its name; use the extension .yaml, .yml, .json or .md"
	if got := problems.Error(); got != want {
		t.Errorf("got %s", got)
	}
}

func TestAByteOrderMarkDoesNoHarm(t *testing.T) {
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
