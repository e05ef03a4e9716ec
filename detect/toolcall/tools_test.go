package toolcall

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
)

// toolCase is a call of any tool. If the arguments are not a JSON object, they are in Raw instead of Input.
type toolCase struct {
	tableCase
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
	Raw   *string         `json:"raw"`
	// Disk maps the names of files of the project to their texts.
	Disk map[string]string `json:"disk"`
}

// env() returns the environment of a call. Only calls with files in Disk can read files.
func (c *toolCase) env() *trace.Env {
	env := tableEnv()
	if c.Disk != nil {
		env.Script = func(path string, _ int64) ([]byte, bool) {
			text, ok := c.Disk[strings.TrimPrefix(path, env.Root+"/")]
			return []byte(text), ok
		}
	}
	return env
}

// TestToolTables analyzes the calls in testdata/tools.json, and the calls of MCP tools in testdata/tools_mcp*.json.
func TestToolTables(t *testing.T) {
	files, err := filepath.Glob("testdata/tools*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no tables found: %v", err)
	}
	for _, file := range files {
		for _, c := range readJSON[[]toolCase](t, file) {
			input := []byte(c.Input)
			if c.Raw != nil {
				input = []byte(*c.Raw)
			}
			c.Command = strings.TrimSpace(c.Name + " " + c.Tool + " " + string(input))
			checkCase(t, c.tableCase, Analyze(c.env(), c.Tool, input))
		}
	}
}

// TestPayloads analyzes calls that the client has really sent.
func TestPayloads(t *testing.T) {
	want := map[string]string{
		"PreToolUse.Agent.json": "use backend", "PreToolUse.Bash.json": "run echo hi", "PreToolUse.Edit.json": "write src/a.py",
		"PreToolUse.Read.json": "read src/a.py", "PreToolUse.Write.json": "write src/a.py", "PreToolUse.Write.subagent.json": "write sub.txt",
	}
	files, _ := filepath.Glob("testdata/payloads/*.json")
	if len(files) != len(want) {
		t.Fatalf("%d payloads, want %d", len(files), len(want))
	}
	for _, file := range files {
		payload := readJSON[struct {
			Tool  string          `json:"tool_name"`
			Input json.RawMessage `json:"tool_input"`
		}](t, file)
		got := Analyze(tableEnv(), payload.Tool, payload.Input)
		if len(got.Effects) != 1 || effectLine(got.Effects[0]) != want[filepath.Base(file)] || len(got.Effects[0].Events) > 0 {
			t.Errorf("%s: want only %q\n%s", file, want[filepath.Base(file)], report(got))
		}
	}
}

func TestWholeFolderIsMarkedAsTree(t *testing.T) {
	for _, tool := range []string{"Grep", "Glob", "LS"} {
		got := Analyze(tableEnv(), tool, []byte(`{"path":"src","pattern":"x"}`))
		if len(got.Effects) != 1 || !got.Effects[0].Tree {
			t.Errorf("%s: want one effect on the tree\n%s", tool, report(got))
		}
	}
}

func TestSpanShowsTheArgument(t *testing.T) {
	got := Analyze(tableEnv(), "Write", []byte(`{"file_path":"src/a.py"}`)).Effects[0].Span
	if want := (effect.Span{End: 8, Text: "file_path: src/a.py"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestHugeArguments(t *testing.T) {
	huge := `{"file_path":"` + strings.Repeat("a", 64<<10) + `"}`
	if got := eventsOf(Analyze(tableEnv(), "Write", []byte(huge)), nil); !slices.Contains(got, "too_large") {
		t.Errorf("a path of 64 KiB: events %v", got)
	}
	many := `{"paths":[` + strings.Repeat(`"src/a",`, 100) + `"src/b"]}`
	if got := eventsOf(Analyze(tableEnv(), "mcp__fs__read", []byte(many)), nil); !slices.Contains(got, "too_large") {
		t.Errorf("101 paths: events %v", got)
	}
	deep := `{"a":` + strings.Repeat(`[`, 5000) + strings.Repeat(`]`, 5000) + `}`
	if got := Analyze(tableEnv(), "mcp__fs__read", []byte(deep)); len(got.Effects) != 2 || got.Effects[1].Kind != effect.Opaque {
		t.Errorf("5,000 lists: want an opaque effect\n%s", report(got))
	}
}

// FuzzTool checks that two analyses of the same call have the same result, whatever the tool and its arguments are.
func FuzzTool(f *testing.F) {
	for _, c := range readJSON[[]toolCase](f, "testdata/tools.json") {
		f.Add(c.Tool, []byte(c.Input))
	}
	f.Fuzz(func(t *testing.T, tool string, input []byte) {
		first, _ := json.Marshal(Analyze(tableEnv(), tool, input))
		second, _ := json.Marshal(Analyze(tableEnv(), tool, input))
		if !bytes.Equal(first, second) {
			t.Errorf("two analyses differ:\n%s\n%s", first, second)
		}
	})
}

// BenchmarkLargeWrite measures the analysis of a call of Write with 100 KB of content.
func BenchmarkLargeWrite(b *testing.B) {
	content, _ := json.Marshal(strings.Repeat("line of \"text\"\n", 7000))
	input := []byte(`{"content":` + string(content) + `,"file_path":"src/a.py"}`)
	for b.Loop() {
		Analyze(tableEnv(), "Write", input)
	}
}
