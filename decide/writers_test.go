package decide_test

import (
	"os"
	"path"
	"strings"
	"testing"

	"guardrails/decide"
	"guardrails/detect/toolcall"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/rules"
)

type writerCase struct{ kind, command string }

func writers(t *testing.T) []writerCase {
	t.Helper()
	text, err := os.ReadFile("testdata/writers.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []writerCase
	for line := range strings.Lines(string(text)) {
		kind, command, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
		switch kind {
		case "", "#", "##":
		case "writes", "reads", "names", "open":
			out = append(out, writerCase{kind, strings.ReplaceAll(command, "⏎", "\n")})
		default:
			t.Fatalf("unknown kind of line: %s", line)
		}
	}
	return out
}

// about() returns the command of a case for a file. It replaces {} with the path of the file, and {dir}, {base} and
// {stem} with parts of this path.
func (c *writerCase) about(file string) string {
	name := path.Base(file)
	stem, _, _ := strings.Cut(name, ".")
	return strings.NewReplacer("{}", file, "{dir}", path.Dir(file), "{base}", name, "{stem}", stem).Replace(c.command)
}

// guardingSpecs returns guidelines that protect only the folder specs/ and the guard's own files.
func guardingSpecs(t *testing.T) *evaluator.Set {
	t.Helper()
	const text = `guidelines:
  - id: specs
    name: Specifications
    category: custom
    action: {type: tool_restriction, tools_denied: ["Write(specs/**)"]}
  - id: guard
    name: Files of the guard
    category: custom
    condition: {events: [guard_tamper]}
    action: {type: tool_restriction, tools_denied: ["*"]}
`
	parsed, problems := rules.Parse("specs.yaml", []byte(text))
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	loaded := rules.Loaded{Guidelines: parsed.Guidelines}
	set, err := evaluator.Compile(loaded.Plain())
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestWritersOfAProtectedFileAreStopped(t *testing.T) {
	set := guardingSpecs(t)
	stops := func(command string) bool {
		env := environment
		d := decide.Judge(decide.Alone(set, guideline.Context{}), toolcall.AnalyzeCommand(&env, command), decide.Facts{})
		return d.Outcome == decide.Deny || d.Outcome == decide.Ask
	}
	stopped, ways, false1, twins := 0, 0, 0, 0
	twin := func(command string) {
		twins++
		if stops(command) {
			false1++
			t.Errorf("is stopped although it changes no protected file: %s", command)
		}
	}
	for _, c := range writers(t) {
		files := []string{"specs/a.json", ".claude/settings.json"}
		if strings.Contains(c.command, "{dir}") || c.kind == "names" {
			files = files[:1]
		}
		onlyReads := c.kind == "reads" || c.kind == "names"
		if !onlyReads {
			twin(c.about("lib/a.json"))
		}
		for _, file := range files {
			if onlyReads {
				twin(c.about(file))
				continue
			}
			ways++
			is := stops(c.about(file))
			switch {
			case is && c.kind == "open":
				t.Errorf("is stopped now; change its kind from open to writes: %s", c.about(file))
			case !is && c.kind == "writes":
				t.Errorf("passes: %s", c.about(file))
			}
			if is {
				stopped++
			}
		}
	}
	t.Logf("%d of %d ways to write are stopped, and %d of %d similar commands", stopped, ways, false1, twins)
}
